"""The text of fused wrappers: to the letter, cloned or called, with the attributes that they keep."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.fusion.tidy.equality import without_name
from jitlint.fusion.wrapper.body import FusedWrapper, WrapperWriter
from jitlint.fusion.wrapper.names import LONGEST_SYMBOL, fused_symbol, reference
from jitlint.fusion.wrapper.signature import BoundWrapper, Copy
from jitlint.ir.functions import Function
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Unit
from jitlint.options import Form
from jitlint.syntax.functions import HeaderReader

DATA = Path(__file__).parent / "data"
Calls = Sequence[tuple[str, tuple[int, ...]]]


def members_of(text: str, calls: Calls) -> tuple[Wrappers, list[BoundWrapper]]:
    unit = Unit(text, 0, len(text))
    first = unit.body.blocks[0][0]
    region = first.regions[0] if first.name == "module" else unit.body
    wrappers = Wrappers(SymbolTable(region).lookup, HeaderReader(unit.aliases))
    members: list[BoundWrapper] = []
    for name, slots in calls:
        wrapper = wrappers.get((name,))
        assert isinstance(wrapper.function, Function)
        assert wrapper.verdicts == ()
        members.append((wrapper.function, slots))
    return wrappers, members


def fuse(text: str, calls: Calls, form: Form = "sound", copies: Sequence[Copy] = ()) -> FusedWrapper:
    wrappers, members = members_of(text, calls)
    slots = 1 + max([slot for _, bound in calls for slot in bound] + [copy.target for copy in copies])
    assert wrappers.not_callable([function for function, _ in members]) is None
    return WrapperWriter(form, wrappers.cloning).write(members, slots, copies)


def lines(text: str, calls: Calls, form: Form = "sound", copies: Sequence[Copy] = ()) -> list[str]:
    return fuse(text, calls, form, copies).text("@fused").split("\n")


@pytest.mark.parametrize("form", ["sound", "pass"])
def test_the_published_example_to_the_letter(form: Form) -> None:
    names = ["enzymexla_wrapper_MPI_Irecv_MPI_INT", "enzymexla_wrapper_MPI_Wait"]
    wrapper = fuse((DATA / "irecv_wait.mlir").read_text(), [(names[0], (0, 1, 2, 3, 4)), (names[1], (4,))], form)
    symbol = fused_symbol("__enzyme_fused_", names, lambda _: False)
    assert f"\n  {wrapper.text(reference(symbol), '  ')}\n" in (DATA / f"irecv_wait.{form}.mlir").read_text()


BODIES = """llvm.func @one(%arg0: !llvm.ptr, %x: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64 // %0 is loaded
    %1 = llvm.mlir.constant("%0 and // %x") : !llvm.array<13 x i8>
    %arg1 = llvm.load %x
        : !llvm.ptr -> f64 loc("%x")
    %r:2 = "some.region"(%0) ({
    ^bb0(%in: f64):
      %2 = llvm.fadd %in, %arg1 : f64
      "some.yield"(%2, %2) : (f64, f64) -> ()
    }) : (f64) -> (f64, f64)
    llvm.store %r#1, %x : f64, !llvm.ptr
    llvm.return
}
"""


def test_names_are_renamed_and_nothing_else() -> None:
    assert lines(BODIES, [("one", (1, 0))] * 2) == [
        "llvm.func @fused(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {",
        '    %0 = llvm.mlir.constant("%0 and // %x") : !llvm.array<13 x i8>',
        '    %1 = llvm.mlir.constant("%0 and // %x") : !llvm.array<13 x i8>',
        "    %2 = llvm.load %arg1 : !llvm.ptr -> f64",
        "    %arg1_0 = llvm.load %arg0",
        '        : !llvm.ptr -> f64 loc("%x")',
        '    %r:2 = "some.region"(%2) ({',
        "    ^bb0(%in: f64):",
        "      %3 = llvm.fadd %in, %arg1_0 : f64",
        '      "some.yield"(%3, %3) : (f64, f64) -> ()',
        "    }) : (f64) -> (f64, f64)",
        "    llvm.store %r#1, %arg0 : f64, !llvm.ptr",
        "    %4 = llvm.load %arg1 : !llvm.ptr -> f64",
        "    %arg1_1 = llvm.load %arg0",
        '        : !llvm.ptr -> f64 loc("%x")',
        '    %r_0:2 = "some.region"(%4) ({',
        "    ^bb0(%in_0: f64):",
        "      %5 = llvm.fadd %in_0, %arg1_1 : f64",
        '      "some.yield"(%5, %5) : (f64, f64) -> ()',
        "    }) : (f64) -> (f64, f64)",
        "    llvm.store %r_0#1, %arg0 : f64, !llvm.ptr",
        "    llvm.return",
        "}",
    ]


def test_a_generic_wrapper_is_cloned_as_it_stands() -> None:
    text = """"llvm.func"() <{sym_name = "g", function_type = !llvm.func<void (ptr)>, visibility_ = 0 : i64}> ({
^bb0(%p: !llvm.ptr loc("x")):
  %0 = "llvm.load"(%p) <{ordering = 0 : i64}> : (!llvm.ptr) -> f64
  "llvm.store"(%0, %p) <{ordering = 0 : i64}> : (f64, !llvm.ptr) -> ()
  "llvm.return"() : () -> ()
}) : () -> ()
"""
    assert lines(text, [("g", (0,))]) == [
        "llvm.func @fused(%arg0: !llvm.ptr) {",
        '  %0 = "llvm.load"(%arg0) <{ordering = 0 : i64}> : (!llvm.ptr) -> f64',
        '  "llvm.store"(%0, %arg0) <{ordering = 0 : i64}> : (f64, !llvm.ptr) -> ()',
        "  llvm.return",
        "}",
    ]


def test_carriage_returns_are_left_to_whoever_writes_the_file() -> None:
    assert lines(BODIES.replace("\n", "\r\n"), [("one", (0, 1))]) == lines(BODIES, [("one", (0, 1))])


def simple(name: str, body: str = "", words: str = "", attributes: str = "", parameter: str = "") -> str:
    after = f" attributes {{{attributes}}}" if attributes else ""
    return f'llvm.func {words}@"{name}"(%a: !llvm.ptr{parameter}){after} {{\n{body}  llvm.return\n}}\n'


ALLOCA = "  %0 = llvm.mlir.constant({count} : i32) : i32\n  %1 = llvm.alloca %0 x {of_type} : (i32) -> !llvm.ptr\n"


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("", False),
        ("  llvm.br ^end\n^end:\n", True),
        (ALLOCA.format(count=1, of_type="!llvm.array<512 x f64>"), False),
        (ALLOCA.format(count=513, of_type="f64"), True),
        (ALLOCA.format(count=256, of_type="f64") + ALLOCA.format(count=257, of_type="f64").replace("%", "%x"), True),
        ("  %0 = llvm.load %a : !llvm.ptr -> i32\n  %1 = llvm.alloca %0 x i8 : (i32) -> !llvm.ptr\n", True),
        (ALLOCA.format(count=1, of_type='!llvm.target<"some">'), True),
        ("  scf.execute_region {\n" + ALLOCA.format(count=1, of_type="i8") + "    scf.yield\n  }\n", True),
        ("  %0 = llvm.load %a {alias_scopes = [#scope]} : !llvm.ptr -> i32\n", True),
        ("  // alias_scopes\n", False),
        ("  llvm.call musttail @f(%a) : (!llvm.ptr) -> ()\n", True),
        ('  llvm.inline_asm has_side_effects "here: nop", "" : () -> ()\n', True),
        ('  "llvm.inline_asm"() <{asm_string = "here: nop", constraints = ""}> : () -> ()\n', True),
        ('  llvm.call_intrinsic "llvm.localescape"(%a) : (!llvm.ptr) -> ()\n', True),
        ('  %0 = llvm.mlir.constant("no llvm.inline_asm") : !llvm.array<18 x i8>\n', False),
        ("  llvm.intr.dbg.value #variable = %a : !llvm.ptr\n", True),
    ],
)
def test_what_cannot_be_cloned_is_called(body: str, called: bool) -> None:
    assert ('  llvm.call @"w"(%arg0) : (!llvm.ptr) -> ()' in lines(simple("w", body), [("w", (0,))])) == called


def test_the_stack_of_many_clones_is_bounded() -> None:
    text = simple("w", ALLOCA.format(count=512, of_type="f64")) + simple("plain")
    few, many = ([*[("w", (0,))] * count, ("plain", (0,))] for count in (16, 17))
    assert sum("llvm.alloca" in line for line in lines(text, few)) == 16
    assert lines(text, many)[1:-2] == ['  llvm.call @"w"(%arg0) : (!llvm.ptr) -> ()'] * 17


def test_wrappers_with_unequal_attributes_are_called_and_keep_what_they_share() -> None:
    text = simple("a", attributes='no_inline, target_cpu = "x"', words="internal fastcc ", parameter=" {llvm.noundef}")
    text += simple("b", attributes="no_inline", parameter=" {llvm.noundef, llvm.readonly}")
    assert lines(text, [("a", (0,)), ("b", (0,))]) == [
        "llvm.func @fused(%arg0: !llvm.ptr {llvm.noundef}) attributes {no_inline} {",
        '  llvm.call fastcc @"a"(%arg0) : (!llvm.ptr) -> ()',
        '  llvm.call @"b"(%arg0) : (!llvm.ptr) -> ()',
        "  llvm.return",
        "}",
    ]


def header(one: str, two: str, form: Form = "sound", copies: Sequence[Copy] = ()) -> str:
    calls: Calls = [("a", (0,)), ("b", (0,))]
    return lines(one + two, calls, form, copies)[0].removeprefix("llvm.func @fused")


def test_attributes_of_a_slot() -> None:
    one, two = (simple(name, parameter=" {llvm.noalias, llvm.align = 8 : i64, llvm.nonnull}") for name in "ab")
    assert header(one, two) == "(%arg0: !llvm.ptr {llvm.align = 8 : i64, llvm.nonnull}) {"
    assert header(one, simple("b", parameter=" {llvm.align = 4 : i64}")) == "(%arg0: !llvm.ptr) {"
    assert header(one, two, "pass") == "(%arg0: !llvm.ptr) {"


def effects(*names: str) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    return f"enzymexla.memory_effects = [{listed}]"


def test_memory_effects_are_united_where_all_have_them() -> None:
    one = simple("a", attributes=effects("write"), parameter=f" {{{effects('write')}}}")
    two = simple("b", attributes=effects("read", "free"), parameter=f" {{{effects('read')}}}")
    both = f"(%arg0: !llvm.ptr {{{effects('read', 'write')}}}) attributes {{{effects('read', 'write', 'free')}}} {{"
    assert header(one, two) == both
    assert header(one, simple("b")) == "(%arg0: !llvm.ptr) {"
    empty = simple("a", attributes=effects())
    assert header(empty, empty.replace('"a"', '"b"')) == f"(%arg0: !llvm.ptr) attributes {{{effects()}}} {{"


def test_copies_stand_before_the_call_that_overwrites() -> None:
    text = simple(
        "a", "  %0 = llvm.mlir.undef : f64\n  llvm.store %0, %a : f64, !llvm.ptr\n", parameter=" {llvm.readonly}"
    )
    written = lines(text, [("a", (0,)), ("a", (1,))], copies=[Copy(1, 0, 1, 40), Copy(2, 1, 2, 40)])
    memcpy = '  "llvm.intr.memcpy"(%arg{}, %arg{}, %2) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()'
    assert written == [
        "llvm.func @fused(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) {",
        "  %0 = llvm.mlir.undef : f64",
        "  %1 = llvm.mlir.undef : f64",
        "  %2 = llvm.mlir.constant(40 : i64) : i64",
        "  llvm.store %0, %arg0 : f64, !llvm.ptr",
        memcpy.format(1, 0),
        "  llvm.store %1, %arg1 : f64, !llvm.ptr",
        memcpy.format(2, 1),
        "  llvm.return",
        "}",
    ]


def test_func_wrappers_are_called_in_their_own_ways() -> None:
    text = "func.func private @m(%a: memref<4xf64>) {\n  return\n}\n" + simple("p", words="fastcc ")
    assert lines(text, [("m", (0,)), ("p", (1,)), ("m", (0,))], copies=[Copy(1, 0, 2, 32)]) == [
        "func.func private @fused(%arg0: memref<4xf64>, %arg1: !llvm.ptr, %arg2: memref<4xf64>) {",
        "  %0 = llvm.mlir.constant(32 : i64) : i64",
        "  call @m(%arg0) : (memref<4xf64>) -> ()",
        '  %1 = "enzymexla.memref2pointer"(%arg0) : (memref<4xf64>) -> !llvm.ptr',
        '  %2 = "enzymexla.memref2pointer"(%arg2) : (memref<4xf64>) -> !llvm.ptr',
        '  "llvm.intr.memcpy"(%2, %1, %0) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()',
        '  llvm.call fastcc @"p"(%arg1) : (!llvm.ptr) -> ()',
        "  call @m(%arg0) : (memref<4xf64>) -> ()",
        "  return",
        "}",
    ]


def test_equal_wrappers_are_written_once() -> None:
    text = "".join(simple(name) for name in "abcd")
    wrappers, members = members_of(text, [(name, (0,)) for name in "abcd"])
    writer = WrapperWriter("sound", wrappers.cloning)
    assert writer.write(members[:2], 1) is writer.write(members[2:], 1)
    assert writer.write(members[:2], 1) is not writer.write(members[:3], 1)


def test_names_of_fused_wrappers() -> None:
    taken = {"__enzyme_fused_a_b", "__enzyme_fused_a_b_1"}
    assert fused_symbol("__enzyme_fused_", ["a", "c"], taken.__contains__) == "__enzyme_fused_a_c"
    assert fused_symbol("__enzyme_fused_", ["a", "b"], taken.__contains__) == "__enzyme_fused_a_b_2"
    assert fused_symbol("__enzyme_fused_", ["__enzyme_fused_a_b", "c"], taken.__contains__) == "__enzyme_fused_a_b_c"
    originals = {"__enzyme_fused_a_b_1": ["a", "b"]}
    assert (
        fused_symbol("__enzyme_fused_", ["__enzyme_fused_a_b_1", "c"], taken.__contains__, originals)
        == "__enzyme_fused_a_b_c"
    )


def test_long_names_are_cut_and_still_differ() -> None:
    one, two = (fused_symbol("__enzyme_fused_", ["k" * 5_000, end], lambda _: False) for end in "ab")
    assert one != two
    assert len(one) == len(two) == LONGEST_SYMBOL
    assert one == fused_symbol("__enzyme_fused_", ["k" * 5_000, "a"], lambda _: False)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a_1.b$", "@a_1.b$"),
        ("a b", '@"a b"'),
        ("1a", '@"1a"'),
        ('q"\\\n', '@"q\\22\\5C\\0A"'),
        ("julia_é", '@"julia_é"'),
    ],
)
def test_references_are_quoted_where_they_must_be(name: str, written: str) -> None:
    assert reference(name) == written


def test_functions_are_equal_under_other_names() -> None:
    one = fuse(BODIES, [("one", (0, 1))]).text("@fused", "  ")
    other = one.replace("@fused", '@"x y"').replace("%2", "%7").replace("\n  ", "\n\t// a comment\n      ")
    assert without_name(one) == without_name(other)
    assert without_name(one) != without_name(one.replace("13 x i8", "13 x  i8").replace("// %x", "//  %x"))
    assert without_name(one) != without_name(one.replace("f64", "f32"))
    assert without_name(one) != without_name(one.replace("%arg1_0", "%arg0"))


def test_wrappers_are_one_only_where_all_that_is_written_is() -> None:
    text = "".join(simple(name, "  llvm.br ^end\n^end:\n") for name in "ab") + simple("c")
    wrappers, [a, b, c, c_too] = members_of(text, [("a", (0,)), ("b", (0,)), ("c", (0,)), ("c", (1,))])
    writer = WrapperWriter("sound", wrappers.cloning)
    assert writer.write([a, a], 1) is not writer.write([b, b], 1)
    assert writer.write([c, c_too], 2) is not writer.write([c_too, c], 2)
    assert writer.write([c, c], 2) is not writer.write([c, c], 2, [Copy(1, 0, 1, 8)])


def test_a_copy_of_a_memref_keeps_its_memory_space() -> None:
    text = "func.func private @m(%a: memref<4xf64, 1>) {\n  return\n}\n"
    written = lines(text, [("m", (0,)), ("m", (0,))], copies=[Copy(1, 0, 1, 32)])
    assert sum("-> !llvm.ptr<1>" in line for line in written) == 2
