"""JIT calls as text: the three spellings, and what is left alone."""

from __future__ import annotations

import pytest

from jitlint.syntax.calls import LONGEST, CallReader, UnreadCall, places_in
from tests.texts import alias

TYPE = "(tensor<f64>) -> tensor<f64>"
ALIASES = f"output_operand_aliases = [{alias()}]"


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        (f"enzymexla.jit_call @w (%a) {{{ALIASES}}} : {TYPE}", "attributes"),
        (f"enzymexla.jit_call @w (%a) <{ALIASES}> : {TYPE}", "properties"),
        (f"enzymexla.jit_call @w (%a) <{{{ALIASES}}}> : {TYPE}", "properties"),
        (f"enzymexla.jit_call @w(%a)<{ALIASES}>{{x}}:{TYPE}", "properties"),
        (f'enzymexla.jit_call @w (%a) <{ALIASES}> : {TYPE} loc("f.mlir":1:2)', "properties"),
        (f"enzymexla.jit_call\n  @w // the wrapper\n  (%a)\n  <{ALIASES}>\n  : {TYPE}", "properties"),
        (f'"enzymexla.jit_call"(%a) <{{fn = @w, backend_config = "", {ALIASES}}}> : {TYPE}', "generic"),
        (f'"enzymexla.jit_call"(%a) {{backend_config = "", fn = @w, {ALIASES}}} : {TYPE}', "generic"),
        (f'"enzymexla.jit_call"(%a) <{{a_fn = @v, {ALIASES}, fn = @w}}> : {TYPE}', "generic"),
        (f'"enzymexla.jit_call"(%fn) <{{x = "fn = @v", fn = @w, {ALIASES}}}> : {TYPE}', "generic"),
    ],
)
def test_every_spelling_is_read(text: str, spelling: str) -> None:
    call = CallReader({}).read(text)
    assert call.syntax.spelling == spelling
    assert call.callee == ("w",)
    assert len(call.operands) == 1
    assert call.syntax.entries["output_operand_aliases"] == f"[{alias()}]"
    assert call.syntax.operand_types == call.syntax.result_types == ("tensor<f64>",)


def test_calls_that_differ_in_names_and_places_are_read_once() -> None:
    reader = CallReader({})
    for number in range(5):
        call = reader.read(f'enzymexla.jit_call @w{number} (%{number}) : (i1) -> () loc("a {number}.mlir":{number}:1)')
        assert call.callee == (f"w{number}",)
        assert call.operands == (f"%{number}",)
        assert call.syntax.location == -1
    assert reader.parsed == 1


def test_parts_may_be_aliases() -> None:
    aliases = {"!ft": TYPE, "#one": alias(), "#all": "[#one]", "#loc1b": "unit"}
    text = "enzymexla.jit_call @w (%a#3) <output_operand_aliases = #all, x = #loc1b> : !ft loc(#loc7)"
    call = CallReader(aliases).read(text)
    assert call.syntax.entries == {"output_operand_aliases": f"[{alias()}]", "x": "unit"}
    assert call.syntax.numbers == (3,)
    assert call.syntax.location == -1


def test_a_quoted_symbol_stands_for_its_name() -> None:
    assert CallReader({}).read('enzymexla.jit_call @"a \\22b\\22, @c" () : () -> ()').callee == ('a "b", @c',)


def test_a_nested_symbol_has_its_parts() -> None:
    text = '"enzymexla.jit_call"() <{fn = @m::@"w x"}> : () -> ()'
    assert CallReader({}).read(text).callee == ("m", "w x")


@pytest.mark.parametrize(
    ("text", "aliases", "reason"),
    [
        ("enzymexla.jit_call @w (%a) : !ft", {}, "alias that the file does not define"),
        ("enzymexla.jit_call @w (%a #1) : (i1) -> ()", {}, "no known way"),
        ('"enzymexla.jit_call"() : () -> ()', {}, "its `fn` is not a symbol"),
        ('"enzymexla.jit_call"() <{fn = #f}> : () -> ()', {"#f": "@w"}, "holds a symbol"),
        ("enzymexla.jit_call @w () {x = #a} : () -> ()", {"#a": "#b", "#b": "#a"}, "stand for one another"),
        (
            "enzymexla.jit_call @w () {x = #a} : () -> ()",
            {"#a": "[#b, #b]", "#b": "[#a, #a]"},
            "longer than|more than|stand for one another",
        ),
        (f"enzymexla.jit_call @w () {{x = {'[' * 100_000}}} : () -> ()", {}, "no known way"),
        (f"enzymexla.jit_call @w ({'%a, ' * (LONGEST // 3)}) : () -> ()", {}, "longer than"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, aliases: dict[str, str], reason: str) -> None:
    with pytest.raises(UnreadCall, match=reason):
        CallReader(aliases).read(text)


def test_aliases_are_resolved_however_deep() -> None:
    aliases = {f"#a{number}": f"#a{number + 1}" for number in range(3000)} | {"#a3000": "1 : i32"}
    call = CallReader(aliases).read("enzymexla.jit_call @w () {x = #a0} : () -> ()")
    assert call.syntax.entries == {"x": "1 : i32"}


def test_aliases_that_stand_for_too_much_are_left_alone() -> None:
    aliases = {f"#a{number}": f"[#a{number + 1}, #a{number + 1}]" for number in range(60)} | {"#a60": "1"}
    with pytest.raises(UnreadCall, match="longer than 4,000,000 characters"):
        CallReader(aliases).read("enzymexla.jit_call @w () {x = #a0} : () -> ()")


def test_a_call_of_many_operands_is_read() -> None:
    count = 10_000
    types = ", ".join(["tensor<128x1024x4096xbf16>"] * count)
    call = CallReader({}).read(f"enzymexla.jit_call @w ({', '.join(['%a'] * count)}) : ({types}) -> ()")
    assert len(call.operands) == len(call.syntax.operand_types) == count


@pytest.mark.parametrize("spelling", ["tensor <f64>", "tensor< f64\r\n>", "tensor // a\n  <f64 >"])
def test_white_space_in_a_type_makes_no_other_type(spelling: str) -> None:
    call = CallReader({}).read(f"enzymexla.jit_call @w (%a) <{ALIASES}> : ({spelling}) -> tensor<f64>")
    assert call.syntax.operand_types == call.syntax.result_types == ("tensor<f64>",)


def test_the_parts_of_a_call_stand_where_it_says() -> None:
    aliases = {"#one": alias(), "!ft": TYPE}
    text = (
        "enzymexla.jit_call /"
        + '/ @c\n @m::@"w x"(%long#0) <output_operand_aliases = [#one], x = #one> : !ft loc(#loc12)'
    )
    call = CallReader(aliases).read(text)
    places = places_in(call.syntax, text)
    assert text[slice(*places.callee)] == '@m::@"w x"'
    assert [text[slice(*place)] for place in places.operands] == ["%long#0"]
    written = {"output_operand_aliases": "output_operand_aliases = [#one]", "x": "x = #one"}
    assert {key: text[slice(*place)] for key, place in places.entries.items()} == written
    assert places.location is not None
    assert text[slice(*places.location)] == "loc(#loc12)"
