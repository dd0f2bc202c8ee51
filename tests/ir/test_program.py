"""Which symbol table decides what a call names: the nearest; where that is not certain, nothing is said of symbols."""

from __future__ import annotations

import pytest

import jitlint

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


def test_a_symbol_that_nobody_else_defines_may_be_one_of_an_unknown_table() -> None:
    calls = "\n".join(MAIN.splitlines()[1:3])
    assert codes(f"x.function @f(%x: tensor<f64>) {{\n{calls}\nx.wrapper @w\n}}") == {"JIT902"}
    assert codes(f"x.function @f(%x: tensor<f64>) {{\n{calls}\nx.yield\n}}") == {"JIT301"}
