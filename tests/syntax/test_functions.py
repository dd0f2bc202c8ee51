"""Headers of functions: what is read of them, how often the grammar is asked, and what is refused."""

import pytest

from jitlint.syntax.functions import HeaderReader
from jitlint.syntax.grammar import parse_dictionary
from jitlint.syntax.lexer import SyntaxProblem


@pytest.fixture
def reader() -> HeaderReader:
    return HeaderReader({"!buffer": "!llvm.ptr<1>", "#all": '["read", "write"]', "#loop": "#loop"})


def test_everything_that_llvm_func_prints(reader: HeaderReader) -> None:
    shell = (
        'llvm.func internal hidden unnamed_addr fastcc @"a b\\22"(%arg0: !llvm.ptr {llvm.align = 8 : i64, llvm.noalias}'
        ' loc("x"), %p: !buffer) vscale_range(1, 2) comdat(@c::@d) attributes {passthrough = ["nounwind", ["a", "}"]],'
        " enzymexla.memory_effects = #all} {} loc(#loc3)"
    )
    found = reader.read(shell)
    header = found.header
    assert found.symbol == shell[found.start : found.end] == '@"a b\\22"'
    assert (header.kind, header.generic, header.linkage) == ("llvm.func", False, "internal")
    assert header.calling_convention == "fastcc"
    assert [(one.name, one.type) for one in header.parameters] == [("%arg0", "!llvm.ptr"), ("%p", "!llvm.ptr<1>")]
    assert header.parameters[0].attributes == {"llvm.align": "8 : i64", "llvm.noalias": ""}
    assert header.attributes == {
        "passthrough": '["nounwind", ["a", "}"]]',
        "enzymexla.memory_effects": '["read", "write"]',
    }
    assert header.clauses == ("vscale_range(1, 2)", "comdat(@c::@d)")
    assert not header.variadic
    assert not header.results
    places = [shell[found.end + one.start : found.end + one.end] for one in header.parameters]
    assert places == ['%arg0: !llvm.ptr {llvm.align = 8 : i64, llvm.noalias} loc("x")', "%p: !buffer"]


def test_places_hold_behind_comments_and_long_names(reader: HeaderReader) -> None:
    shell = (
        "func.func @f(%a_long_name: i32, // a comment, %with: names\n  %b: memref<4xf64, strided<[1], offset: ?>>) {}"
    )
    found = reader.read(shell)
    places = [shell[found.end + one.start : found.end + one.end] for one in found.header.parameters]
    assert places == ["%a_long_name: i32", "%b: memref<4xf64, strided<[1], offset: ?>>"]


@pytest.mark.parametrize(
    ("shell", "types", "results", "variadic"),
    [
        ("llvm.func @f()", [], (), False),
        (
            "llvm.func ccc @f(!llvm.ptr {llvm.readonly}, i32, ...) -> (i32 {llvm.zeroext})",
            ["!llvm.ptr", "i32"],
            ("i32",),
            True,
        ),
        ("llvm.func @f() -> !llvm.struct<(i32, ptr)>", [], ("!llvm.struct<(i32, ptr)>",), False),
        (
            "func.func private @f((i32) -> (f32, i1), tensor<2xf64>) -> (i32, f32)",
            ["(i32) -> (f32, i1)", "tensor<2xf64>"],
            ("i32", "f32"),
            False,
        ),
        (
            "func @f(%x: memref<2xf64, affine_map<(d0) -> (d0)>>) {}",
            ["memref<2xf64, affine_map<(d0) -> (d0)>>"],
            (),
            False,
        ),
    ],
)
def test_types(reader: HeaderReader, shell: str, types: list[str], results: tuple[str, ...], variadic: bool) -> None:
    header = reader.read(shell).header
    assert [parameter.type for parameter in header.parameters] == types
    assert header.results == results
    assert header.variadic == variadic
    assert header.calling_convention == ""


def test_generic_form(reader: HeaderReader) -> None:
    shell = (
        '"llvm.func"() <{CConv = #llvm.cconv<fastcc>, arg_attrs = [{llvm.noalias}, {}],'
        " linkage = #llvm.linkage<internal>, function_type = !llvm.func<i32 (ptr, ptr<1>, ...)>,"
        ' sym_name = "w", visibility_ = 0 : i64}> ({})'
        ' {enzymexla.memory_effects = ["read"]} : () -> ()'
    )
    found = reader.read(shell)
    header = found.header
    assert found.symbol == '@"w"'
    assert header.generic
    assert [(one.type, dict(one.attributes)) for one in header.parameters] == [
        ("!llvm.ptr", {"llvm.noalias": ""}),
        ("!llvm.ptr<1>", {}),
    ]
    assert (header.calling_convention, header.variadic, header.results) == ("fastcc", True, ("i32",))
    assert header.attributes == {"enzymexla.memory_effects": '["read"]'}


def test_generic_form_with_everything_behind_the_body(reader: HeaderReader) -> None:
    shell = '"func.func"() ({}) {function_type = (memref<4xf64>, index) -> (), sym_name = "f"} : () -> ()'
    header = reader.read(shell).header
    assert (header.kind, header.results) == ("func.func", ())
    assert [parameter.type for parameter in header.parameters] == ["memref<4xf64>", "index"]


def test_the_grammar_is_asked_once_for_each_shape(reader: HeaderReader) -> None:
    for number in range(50):
        found = reader.read(f"llvm.func @w{number}(%arg0: !llvm.ptr, %v{number}: !llvm.ptr {{llvm.readonly}}) {{}}")
        assert found.header.parameters[1].name == f"%v{number}"
    for number in range(50):
        reader.read(
            f'"llvm.func"() <{{function_type = !llvm.func<void ()>, sym_name = "g{number}"}}> ({{}}) : () -> ()'
        )
    assert reader.parsed == 2


def test_block_arguments(reader: HeaderReader) -> None:
    text = '(%arg0: !llvm.ptr, %b : i32 loc("%c"))'
    arguments = reader.block_arguments(text)
    assert [(one.name, one.type) for one in arguments] == [("%arg0", "!llvm.ptr"), ("%b", "i32")]
    assert [text[one.start : one.end] for one in arguments] == ["%arg0: !llvm.ptr", '%b : i32 loc("%c")']


@pytest.mark.parametrize(
    "shell",
    [
        "llvm.func @f(%a: i32",
        "llvm.func @f(%a i32)",
        "llvm.func @f() attributes {a, a}",
        "llvm.func (%a: i32) {}",
        "llvm.func @f() {} {}",
        '"llvm.func"() : () -> ()',
        '"llvm.func"() <{sym_name = "w"}> ({}) : () -> ()',
        '"llvm.func"() <{sym_name = "w", function_type = !llvm.func<void (ptr)>, arg_attrs = []}> ({}) : () -> ()',
    ],
)
def test_what_is_no_header_is_said_to_be_none(reader: HeaderReader, shell: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        reader.read(shell)
    assert 0 <= caught.value.offset <= len(shell)


def test_dictionaries_keep_their_values_as_written() -> None:
    text = '{a, "b c" = "x,}", m = affine_map<(d0) -> (d0)>, d = {e = [1, 2]}, l = #llvm.x<a = b, c>} // {comment}'
    assert parse_dictionary(text) == {
        "a": "",
        "b c": '"x,}"',
        "m": "affine_map<(d0) -> (d0)>",
        "d": "{e = [1, 2]}",
        "l": "#llvm.x<a = b, c>",
    }
    assert parse_dictionary(" {} ") == {}


def test_brackets_may_stand_as_deep_as_they_like(reader: HeaderReader) -> None:
    deep = "[" * 50_000 + "]" * 50_000
    assert parse_dictionary(f"{{a = {deep}}}") == {"a": deep}
    assert reader.read(f"llvm.func @f(!t<{deep}>)").header.parameters[0].type == f"!t<{deep}>"
    with pytest.raises(SyntaxProblem):
        parse_dictionary("{a = " + "[" * 50_000 + "}")
