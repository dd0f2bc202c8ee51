"""How a function may be left over, whether it may be called, and the edits that make it private."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.odd_shapes import pairs_of_such_wrappers
from jitlint import api
from jitlint.analysis.blocks import UnitAnalysis
from jitlint.analysis.wrapper.lowering import Fate
from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.engine import rewrite
from jitlint.findings import Finding
from jitlint.ir.functions import Function
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Unit
from jitlint.options import Options
from jitlint.syntax.functions import HeaderReader
from tests.analysis.programs import F64, call

HELPER = "func.func private @h() {\n  return\n}\n"
BODY = "{\n  llvm.return\n}\n"


def read(text: str, name: str = "w", callees: tuple[str, ...] = ("w",)) -> tuple[Wrappers, Function]:
    unit = Unit(text, 0, len(text))
    wrappers = Wrappers(SymbolTable(unit.body).lookup, HeaderReader(unit.aliases), (), callees)
    function = wrappers.functions.get(name)
    assert isinstance(function, Function)
    return wrappers, function


@pytest.mark.parametrize(
    ("header", "callable_"),
    [
        ("llvm.func @w(%p: !llvm.ptr)", True),
        ("llvm.func linkonce_odr fastcc @w(%p: !llvm.ptr) comdat(@c::@w)", True),
        ("llvm.func available_externally @w(%p: !llvm.ptr)", True),
        ("llvm.func @entry(%p: !llvm.ptr)", False),
        ('llvm.func @"llvm.w"(%p: !llvm.ptr)', False),
        ("llvm.func hhvmcc @w(%p: !llvm.ptr)", False),
        ("llvm.func x86_vectorcallcc @w(%p: !llvm.ptr)", False),
        ("llvm.func @w(%p: !llvm.ptr) attributes {allocsize = array<i32: 0>}", False),
        ("llvm.func @w(%p: !llvm.ptr) attributes {modular_format}", False),
        ("llvm.func @w(%p: !llvm.ptr) attributes {comdat = @c::@w}", False),
        ('llvm.func @w(%p: !llvm.ptr) attributes {passthrough = ["noinline", ["a-b", "c"]]}', True),
        ('llvm.func @w(%p: !llvm.ptr) attributes {passthrough = ["readnone"]}', False),
        ('llvm.func @w(%p: !llvm.ptr) attributes {passthrough = [["allocsize", "0"], "cold"]}', False),
        ('llvm.func @w(%p: !llvm.ptr) attributes {passthrough = ["noinline", "optnone"]}', True),
        ('llvm.func @w(%p: !llvm.ptr) attributes {passthrough = ["optnone"]}', False),
        ("func.func @w(%p: !llvm.ptr) attributes {llvm.cconv = #llvm.cconv<fastcc>}", False),
        ("func.func @w(%p: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>}", False),
    ],
)
def test_what_can_be_called(header: str, callable_: bool) -> None:
    name = header.partition("@")[2].partition("(")[0].strip('"')
    wrappers, function = read(f"{header} {BODY}", name, (name,))
    assert (wrappers.lowering.not_callable(function) is None) is callable_


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        (f"llvm.func @w(%p: !llvm.ptr) {BODY}", Fate.KEPT),
        (f"func.func private @w(%p: !llvm.ptr) {BODY}", Fate.KEPT),
        (f"func.func nested @w(%p: !llvm.ptr) {BODY}", Fate.KEPT),
        (f"func.func @w(%p: !llvm.ptr) {BODY}", Fate.PRIVATE),
        (f"func @w(%p: !llvm.ptr) {BODY}", Fate.PRIVATE),
        (
            f"func.func private @h() {{\n  return\n}}\nllvm.func @w() {{\n  func.call @h() : () -> ()\n  {BODY[2:]}",
            Fate.PRIVATE,
        ),
        (f"llvm.func @h() {BODY}llvm.func @w() {{\n  llvm.call @h() : () -> ()\n  {BODY[2:]}", Fate.KEPT),
        (f"llvm.func @v() {BODY}llvm.func @w() {{\n  llvm.call @v() : () -> ()\n  {BODY[2:]}", Fate.REMOVED),
        (f'llvm.func @w() {{\n  "enzymexla.memref2pointer"() : () -> ()\n  {BODY[2:]}', Fate.REMOVED),
        (f"llvm.func @w() {{\n  scf.execute_region {{\n    omp.barrier\n  }}\n  {BODY[2:]}", Fate.REMOVED),
        (f"#x = #enzyme.y<1>\nllvm.func @w() {{\n  llvm.fence {{a = #x}}\n  {BODY[2:]}", Fate.REMOVED),
        (f'llvm.func @w() attributes {{enzymexla.memory_effects = ["read"]}} {BODY}', Fate.KEPT),
        (f'llvm.func @w() {{\n  // "omp.barrier" #enzyme.x\n  llvm.fence {{a = "!enzyme.x"}}\n  {BODY[2:]}', Fate.KEPT),
    ],
)
def test_how_a_function_is_left_over(text: str, fate: Fate) -> None:
    wrappers, function = read(text, callees=("w", "v"))
    assert wrappers.lowering.fate(function) is fate


FOREIGN = f'llvm.func @w() {{\n  "omp.barrier"() : () -> ()\n  {BODY[2:]}'
CALL = "enzymexla.jit_call @w () : () -> ()\n"
NAMER = f"llvm.func @v() {{\n  llvm.call @w() : () -> ()\n  {BODY[2:]}"
QUOTED = '"func.func"() <{sym_name = "w", function_type = () -> (), "sym_visibility" = "public"}> ({\n  return\n'
GENERIC = '"llvm.func"() <{sym_name = "w", function_type = !llvm.func<void ()>%}> ({\n  llvm.return\n}) : () -> ()\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"llvm.func @w() {BODY}", None),
        (FOREIGN, None),
        (FOREIGN + NAMER, "XLA does not know `omp.barrier`, so @w cannot stay, and @v names it"),
        (
            QUOTED + "}) : () -> ()\n",
            "the engine exports @w once no call names it, and its header cannot be made private",
        ),
    ],
)
def test_why_a_function_cannot_be_left_over(text: str, why: str | None) -> None:
    wrappers, function = read(text, callees=("w", "v"))
    assert wrappers.lowering.why_not_left(function) == why


@pytest.mark.parametrize(
    ("text", "callable_"),
    [
        (f"llvm.func @w() {BODY}", True),
        (FOREIGN, False),
        (NAMER.replace("@w", "@u").replace("@v", "@w") + f"llvm.func @u() {BODY}", True),
        (NAMER.replace("@w", "@u").replace("@v", "@w").replace("@u", "@v") + f"llvm.func @v() {BODY}", False),
        (NAMER.replace("@v", "@w"), True),
        (NAMER.replace("@w", "@u").replace("@v", "@w").replace("@u", "@v"), True),
    ],
)
def test_what_can_be_called_by_what_it_holds(text: str, callable_: bool) -> None:
    wrappers, function = read(text, callees=("w", "v"))
    assert (wrappers.lowering.not_callable(function) is None) is callable_


@pytest.mark.parametrize(
    ("header", "must"),
    [
        ("llvm.func @w()", False),
        ("llvm.func linkonce_odr @w()", False),
        ("llvm.func available_externally @w()", True),
        ("llvm.func appending @w()", True),
        ("llvm.func linkonce_odr @w() comdat(@c::@w)", True),
        ("func.func @w()", False),
    ],
)
def test_what_must_be_private_to_be_called(header: str, must: bool) -> None:
    wrappers, function = read(f"{header} {BODY}")
    assert wrappers.lowering.must_be_private(function) is must


@pytest.mark.parametrize(
    ("text", "can"),
    [
        (f"llvm.func @w() {BODY}", True),
        (f'llvm.func @w() attributes {{sym_visibility = "private"}} {BODY}', True),
        (f'llvm.func @w() attributes {{sym_visibility = "public"}} {BODY}', False),
        (f"llvm.func @w() attributes {{llvm.emit_c_interface}} {BODY}", False),
        (f"llvm.func @w() {BODY}" + NAMER, False),
        (f'llvm.func @w() {BODY}"x.y"() {{name = "w"}} : () -> ()\n', False),
        (f'llvm.func @w() {BODY}"x.y"() {{name = "w too"}} : () -> ()\n', True),
        (f"llvm.func @w() {BODY}{CALL} // @w\n", True),
        (f'llvm.func @w() {BODY}{CALL}"x.y"() {{of = [@w]}} : () -> ()\n', False),
        (f"llvm.func @w() {BODY}{CALL}gpu.module @m {{\n{NAMER}llvm.func @w() {BODY}}}\n", True),
        (f"llvm.func @w() {BODY}{CALL}gpu.module @m {{\n{NAMER}}}\n", False),
        (GENERIC.replace("%", ""), True),
        (GENERIC.replace("%", "") + '"x.y"() {name = "w"} : () -> ()\n', False),
    ],
)
def test_what_can_be_taken_away(text: str, can: bool) -> None:
    wrappers, function = read(text, callees=("w", "v"))
    assert wrappers.lowering.can_be_taken_away(function) is can


def test_what_would_change_more_than_the_header_s_visibility_is_not_made_private() -> None:
    wrappers, function = read(GENERIC.replace("%", ", x = {comdat = @c::@w, y}"))
    assert wrappers.lowering.made_private(function) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("func.func @w()", "func.func private @w()"),
        ("func.func public @w()", "func.func private @w()"),
        ("func.func // public @x\n @w()", "func.func // public @x\n private @w()"),
        (
            "llvm.func linkonce_odr @w() comdat(@c::@w)",
            'llvm.func linkonce_odr @w() attributes {sym_visibility = "private"}',
        ),
        ("llvm.func appending @w()", 'llvm.func private @w() attributes {sym_visibility = "private"}'),
        ("llvm.func @w() attributes {a.b}", 'llvm.func @w() attributes {sym_visibility = "private", a.b}'),
        ("llvm.func @w() attributes {}", 'llvm.func @w() attributes {sym_visibility = "private"}'),
        (
            'llvm.func @w() attributes {sym_visibility = "public", x = "attributes {"}',
            'llvm.func @w() attributes {sym_visibility = "private", x = "attributes {"}',
        ),
        ('"func.func"() <{sym_name = "w"%}> ({', '"func.func"() <{sym_name = "w", sym_visibility = "private"%}> ({'),
        (
            '"func.func"() <{sym_name = "w", sym_visibility = "public"%}> ({',
            '"func.func"() <{sym_name = "w", sym_visibility = "private"%}> ({',
        ),
    ],
)
def test_the_edits_that_make_a_function_private(before: str, after: str) -> None:
    end = ""
    if before.startswith('"'):
        before, after = (text.replace("%", ", function_type = () -> ()") for text in (before, after))
        before, after, end = before.removesuffix("{"), after.removesuffix("{"), ") : () -> ()"
    text = f"{before} {BODY[:-1]}{end}\n"
    wrappers, function = read(text)
    edits = wrappers.lowering.made_private(function)
    assert edits is not None
    for start, stop, new in reversed(edits):
        text = text[:start] + new + text[stop:]
    assert text == f"{after} {BODY[:-1]}{end}\n"


def test_a_header_in_doubt_is_not_made_private() -> None:
    """The last entry of a dictionary has no comma behind it that could go too."""
    properties = 'function_type = !llvm.func<void ()>, sym_name = "w", comdat = @c::@w'
    wrappers, function = read(f'"llvm.func"() <{{{properties}}}> ({BODY[:-1]}) : () -> ()\n')
    assert wrappers.lowering.made_private(function) is None
    assert wrappers.lowering.not_callable(function) == "the engine does not compile a callee with this header"


PUBLIC = "func.func @inc(%b: memref<f64>) {\n  return\n}\n"
CALLS = f"  %0 = {call('inc', {'%x': F64}, (0,))}\n  %1 = {call('inc', {'%0': F64}, (0,))}\n"
MAIN = f"func.func @main(%x: {F64}) {{\n{CALLS}"


def test_what_is_left_over_is_made_private_whatever_is_selected() -> None:
    def fusing(finding: Finding, _source: object) -> bool:
        return finding.code == "JIT001"

    text = PUBLIC + MAIN + "  return\n}\n"
    fixed = rewrite(text, "test.mlir", Options(), fusing)
    assert "func.func private @inc(" in fixed.source.text
    assert [finding.code for finding in fixed.fixed] == ["JIT001"]


def test_what_is_still_called_by_a_jit_call_stays_as_it_is() -> None:
    apart = f"  %2 = stablehlo.negate %1 : {F64}\n  %3 = {call('inc', {'%2': F64}, (0,))}\n  return\n}}\n"
    fixed = api.fix(PUBLIC + MAIN + apart).source.text
    assert fixed.count("enzymexla.jit_call") == 2
    assert PUBLIC in fixed


def test_what_no_fix_left_over_stays_as_it_is() -> None:
    unused = PUBLIC.replace("@inc", "@unused")
    assert unused in api.fix(PUBLIC + unused + MAIN + "  return\n}\n").source.text


def test_a_wrapper_that_xla_cannot_read_goes_with_its_last_call() -> None:
    text = PUBLIC.replace("func.func @inc(%b: memref<f64>)", "llvm.func @inc(%b: !llvm.ptr)")
    text = text.replace("  return", '  "enzymexla.some"() : () -> ()\n  llvm.return')
    fixed = api.fix(text + MAIN + "  return\n}\n")
    assert "@inc" not in fixed.source.text
    assert fixed.source.text.count("enzymexla.jit_call") == 1


def test_a_duplicate_that_cannot_go_keeps_its_calls_and_says_why() -> None:
    wrapper = '  "enzymexla.some"() : () -> ()\n  llvm.return\n}\n'
    text = "".join(f"llvm.func @{name}(%b: !llvm.ptr) {{\n{wrapper}" for name in ("inc", "twin"))
    text += "llvm.func @user(%b: !llvm.ptr) {\n  llvm.call @twin(%b) : (!llvm.ptr) -> ()\n  llvm.return\n}\n"
    calls = "".join(f"  %{n} = {call(name, {'%x': F64}, (0,))}\n" for n, name in enumerate(("inc", "twin", "user")))
    text += f"func.func @main(%x: {F64}) {{\n{calls}  return\n}}\n"
    result = api.fix(text)
    assert not result.changed
    (twin,) = (finding for finding in result.findings if finding.code == "JIT704")
    assert not twin.fixable
    assert twin.help == "@twin would have to go, and @user names it"


def test_wrappers_that_call_one_another_are_freed_together() -> None:
    text = pairs_of_such_wrappers(4)
    analysed: list[UnitAnalysis] = []
    with pytest.MonkeyPatch.context() as patch:
        make = UnitAnalysis.__init__
        patch.setattr(UnitAnalysis, "__init__", lambda self, *rest: (analysed.append(self), make(self, *rest))[1])
        result = api.fix(text)
    assert result.source.text.count("enzymexla.jit_call") == 4
    assert len(analysed) == 2  # before and after, however many pairs there are


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_wrapper_stays_where_the_one_that_it_calls_does(number: int) -> None:
    text = pairs_of_such_wrappers(4, f"%z = {call(f'w{number}', {'%x': F64}, (0,))}")
    fixed = api.fix(text)
    stuck = {0: 2, 1: 1, 3: 0}[number]  # the last wrapper is named by none, so it goes, whatever it calls
    assert fixed.source.text.count("enzymexla.jit_call") == 5 + stuck
    assert [finding.code for finding in fixed.findings if finding.code == "JIT304"] == ["JIT304"] * 2 * stuck
    assert {finding.code for finding in fixed.findings} <= {"JIT304", "JIT702"}
    assert api.fix(fixed.source.text).source.text == fixed.source.text
    assert sum(finding.code == "JIT001" for finding in api.check(text).findings) == 4 - stuck


def test_a_group_that_may_not_be_fused_frees_no_wrapper() -> None:
    text = pairs_of_such_wrappers(4)
    result = rewrite(text, "x", Options(), lambda finding, source: "@w0" not in source.text[finding.span.start :][:40])
    assert result.source.text.count("enzymexla.jit_call") == 7


CONVENTION = """
llvm.func x86_vectorcallcc @w(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %p : f64, !llvm.ptr
  BRANCHllvm.return
}
"""


@pytest.mark.parametrize(("branch", "calls"), [("", 1), ("llvm.br ^bb1\n^bb1:\n  ", 2)])
@pytest.mark.parametrize("convention", ["x86_vectorcallcc", "ghccc", "cc_10", "vectorcallcc"])
def test_a_wrapper_of_an_unusual_convention_is_cloned_and_never_called(
    branch: str, calls: int, convention: str
) -> None:
    wrapper = CONVENTION.replace("BRANCH", branch).replace("x86_vectorcallcc", convention)
    first, second = call("w", {"%x": F64}, (0,)), call("w", {"%0": F64}, (0,))
    fixed = api.fix(f"{wrapper}func.func @main(%x: {F64}) {{\n  %0 = {first}\n  %1 = {second}\n  return\n}}\n")
    assert fixed.source.text.count("enzymexla.jit_call") == calls
    assert "llvm.call" not in fixed.source.text


def test_what_a_wrapper_calls_through_another_is_made_private_too() -> None:
    """Two rounds: the wrapper of the first calls @last, and that of the second calls the first one's."""
    text = (Path(__file__).parents[1] / "fusion/data/two_rounds.mlir").read_text(encoding="utf-8")
    assert "llvm.func @last(%arg0: !llvm.ptr, %arg1: !llvm.ptr) comdat(@any::@last)" in text
    fixed = api.fix(text, copies=True).source.text
    assert fixed.count("enzymexla.jit_call") == 1
    assert 'llvm.func @last(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {sym_visibility = "private"}' in fixed
