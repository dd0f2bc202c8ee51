"""Which symbol table decides what a call names: the nearest; where that is not certain, nothing is said of symbols."""

from __future__ import annotations

import pytest

import jitlint
from jitlint.engine import rewrite
from jitlint.errors import NotProvedError
from jitlint.options import Options

WRAPPER = "llvm.func @w(%p: !llvm.ptr) { llvm.return }"
MAIN = """func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @w (%x) {output_operand_aliases = [#a]} : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @w (%0) {output_operand_aliases = [#a]} : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}"""
ALIAS = (
    "#a = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>\n"
)
FAULT = "llvm.func @w(%p: !llvm.ptr, %q: !llvm.ptr) { llvm.return }"
"""A wrapper that the calls cannot mean."""


def codes(text: str) -> set[str]:
    return {finding.code for finding in jitlint.check(ALIAS + text).findings} - {"JIT705"}


@pytest.mark.parametrize(
    "container",
    [
        "module",
        "builtin.module @m",
        "gpu.module @m",
        "vm.module @m",
        'firrtl.circuit "m"',
        "spirv.module Logical GLSL450",
        "aie.device(npu1)",
    ],
)
def test_the_nearest_table_decides(container: str) -> None:
    expected = "JIT001" if "builtin" in container or container == "module" else "JIT302"
    assert codes(f"{FAULT}\n{container} {{\n{WRAPPER}\n{MAIN}\n}}") == {expected}
    assert codes(f"{WRAPPER}\n{container} {{\n{MAIN}\n}}") == {"JIT301"}, "an outer table is not asked"


def test_tables_stand_in_one_another() -> None:
    inside = f"hal.executable.variant @v target(<x>) {{\nbuiltin.module {{\n{WRAPPER}\n{MAIN}\n}}\n}}"
    assert codes(f"{FAULT}\nhal.executable @e {{\n{FAULT}\n{inside}\n}}") == {"JIT001"}
    assert codes(f"x.container {{\n{FAULT}\nmodule {{\n{WRAPPER}\n{MAIN}\n}}\n}}") == {"JIT001"}
    generic = f'"gpu.module"() ({{\n{WRAPPER}\n{MAIN}\n}}) {{sym_name = "m"}} : () -> ()'
    assert codes(f"{FAULT}\n{generic}") == {"JIT302"}
    assert codes(f"func.func @f() {{\n{FAULT}\nx.y {{\nmodule {{\n{WRAPPER}\n{MAIN}\n}}\n}}\nreturn\n}}") == {"JIT001"}


@pytest.mark.parametrize("container", ["x.container", "x.container @c", '"x.container"() (', "x.outer {\nx.container"])
@pytest.mark.parametrize("outer", ["", WRAPPER, FAULT])
def test_below_an_unknown_table_nothing_is_certain(container: str, outer: str) -> None:
    end = ") : () -> ()" if container.endswith("(") else "\n}" if container.startswith("x.outer") else ""
    for inner in (WRAPPER, FAULT, ""):
        assert codes(f"{outer}\n{container} {{\n{inner}\n{MAIN}\n}}{end}") == {"JIT902"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('x.call @w()\nhw.instance "u" @g(a: %x) -> ()\nx.yield', "JIT001"),
        ("x.global @w : i32\nx.yield", "JIT902"),
    ],
)
def test_an_unknown_function_that_names_symbols_is_no_table(body: str, expected: str) -> None:
    calls = "\n".join(MAIN.splitlines()[1:3])
    assert codes(f"{WRAPPER}\nhw.module.extern @g()\nx.function @f(%x: tensor<f64>) {{\n{calls}\n{body}\n}}") == {
        expected
    }


LATER = "%k = seq.compreg %n, %clock : i1\n%n = comb.xor %k, %k : i1\nhw.output %n : i1"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (LATER, "JIT902"),
        ("%k = seq.compreg %k, %clock : i1\nhw.output %k : i1", "JIT902"),
        ("%n = comb.xor %b, %b : i1\n%k = seq.compreg %n, %clock : i1\nhw.output %k : i1", "JIT001"),
        # It may be used in a region further in, or by what has one.
        ("x.y {\n%k = x.w %n : i1\nx.z %k\n}\n%n = comb.xor %b, %b : i1\nhw.output %n : i1", "JIT902"),
        ("%k = x.y %n : i1 {\nx.z %b\n}\n%n = comb.xor %b, %b : i1\nhw.output %n : i1", "JIT902"),
        ("%k = x.y %b : i1 {\nx.z %k\n}\nhw.output %k : i1", "JIT902"),
        # A region further in may give a name to a value of its own, before that is the name of another one.
        (
            "sv.always posedge %clock {\n%n = x.y : i1\nx.z %n\n}\n%n = comb.xor %b, %b : i1\nhw.output %n : i1",
            "JIT001",
        ),
    ],
)
def test_calls_whose_operations_stand_in_no_order_are_left_alone(body: str, expected: str) -> None:
    calls = "\n".join(MAIN.splitlines()[1:3])
    for lines in (f"{calls}\n{body}", body.replace("hw.output", f"{calls}\nhw.output")):
        text = f"{WRAPPER}\nhw.module @f(in %x: tensor<f64>, in %b: i1, in %clock: !seq.clock) {{\n{lines}\n}}\n"
        assert codes(text) == {expected}
        fixed = jitlint.fix(ALIAS + text + MAIN)
        assert fixed.source.text.count("enzymexla.jit_call") == (3 if expected == "JIT902" else 2)


def test_calls_in_a_region_of_operations_without_order_are_left_alone() -> None:
    calls = "\n".join(MAIN.splitlines()[1:3])
    inside = f"sv.always posedge %clock {{\n{calls}\nx.z %1\n}}"
    for body, expected in ((f"{inside}\n{LATER}", "JIT902"), (f"{inside}\nhw.output %b : i1", "JIT001")):
        head = "hw.module @f(in %x: tensor<f64>, in %b: i1, in %clock: !seq.clock)"
        assert codes(f"{WRAPPER}\n{head} {{\n{body}\n}}") == {expected}


def test_calls_of_a_function_are_in_order_whatever_is_wrong_with_it() -> None:
    """A function whose values are used above their definitions is none that MLIR reads."""
    text = (
        ALIAS
        + WRAPPER
        + "\n"
        + MAIN.replace("  %0 =", "  x.y %2\n  %0 =").replace("  return", "  %2 = x.z : i1\n  return")
    )
    assert codes(text.removeprefix(ALIAS)) == {"JIT001"}
    with pytest.raises(NotProvedError, match="%2 is used above its definition"):
        rewrite(text, "x.mlir", Options())


def test_a_symbol_that_nobody_else_defines_may_be_one_of_an_unknown_table() -> None:
    calls = "\n".join(MAIN.splitlines()[1:3])
    assert codes(f"x.function @f(%x: tensor<f64>) {{\n{calls}\nx.wrapper @w\n}}") == {"JIT902"}
    assert codes(f"x.function @f(%x: tensor<f64>) {{\n{calls}\nx.yield\n}}") == {"JIT301"}
