"""Which results a fused call has, in the sound form and in the one that the compiler pass published."""

from __future__ import annotations

import pytest

import jitlint
from jitlint.options import Form

IN_PLACE = (
    "<output_operand_aliases = [#stablehlo.output_operand_alias"
    "<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]>"
)
WRAPPERS = """
llvm.func @double(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %arg0 : f64, !llvm.ptr
  llvm.return
}
llvm.func @sum_into(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) {
  %0 = llvm.load %arg0 : !llvm.ptr -> f64
  %1 = llvm.load %arg1 : !llvm.ptr -> f64
  %2 = llvm.load %arg2 : !llvm.ptr -> f64
  %3 = llvm.fadd %0, %1 : f64
  %4 = llvm.fadd %3, %2 : f64
  llvm.store %4, %arg0 : f64, !llvm.ptr
  llvm.return
}
"""


def fused(third: str, form: Form) -> str:
    """The line of the fused call of `%0 = double(%x)` and `%1 = sum_into(%y, %0, third)`, `%1` returned."""
    text = f"""{WRAPPERS}
func.func @main(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>) -> tensor<f64> {{
  %0 = enzymexla.jit_call @double (%x) {IN_PLACE} : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @sum_into (%y, %0, {third}) {IN_PLACE}
      : (tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}}
"""
    result = jitlint.fix(text, form=form)
    [line] = [line for line in result.source.text.splitlines() if "enzymexla.jit_call" in line]
    return line.strip()


def test_the_sound_form_keeps_a_result_for_each_written_slot() -> None:
    assert fused("%z", "sound").startswith("%0:2 = enzymexla.jit_call @__enzyme_fused_double_sum_into (%x, %y, %z)")


def test_the_published_form_drops_a_result_that_only_the_group_uses() -> None:
    assert fused("%z", "pass").startswith("%0 = enzymexla.jit_call @__enzyme_fused_double_sum_into (%x, %y, %z)")


@pytest.mark.parametrize("form", ["sound", "pass"])
def test_no_form_drops_it_where_the_operand_is_passed_once_more(form: Form) -> None:
    """Both slots would be one buffer, and what reads the second would read what was written through the first."""
    assert fused("%x", form).startswith("%0:2 = enzymexla.jit_call @__enzyme_fused_double_sum_into (%x, %y, %x)")


def test_a_call_without_results_begins_a_line() -> None:
    """Behind another operation, without an `=`, it would not be plain to a reader that it is one of its own."""
    calls = " ".join(
        f"%{number} = enzymexla.jit_call @double ({operand}) {IN_PLACE} : (tensor<f64>) -> tensor<f64>"
        for number, operand in enumerate(["%x", "%0"])
    )
    text = f"""{WRAPPERS}
func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {{
  %c = stablehlo.abs %y : tensor<f64> {calls}
  return %c : tensor<f64>
}}
"""
    result = jitlint.fix(text, form="pass")
    assert "\n  enzymexla.jit_call @__enzyme_fused_double_double (%x) : " in result.source.text
    assert not [finding for finding in result.findings if finding.code == "JIT902"]


@pytest.mark.parametrize("gap", ["  ", ""])
def test_no_comment_becomes_a_split(gap: str) -> None:
    """`// -----` at the beginning of a line is the end of a module."""
    text = f"""{WRAPPERS}
func.func @main(%x: tensor<f64>) -> tensor<f64> {{
%0 = enzymexla.jit_call @double (%x){gap}// -----
  {IN_PLACE} : (tensor<f64>) -> tensor<f64>
%1 = enzymexla.jit_call @double (%0) {IN_PLACE} : (tensor<f64>) -> tensor<f64>{gap}// -----
return %1 : tensor<f64>
}}
"""
    result = jitlint.fix(text)
    assert result.source.text.count("enzymexla.jit_call") == 1
    assert result.source.text.count(" // -----\n") == 2
    assert jitlint.check(result.source.text).findings == result.findings
    assert not [finding for finding in result.findings if finding.code.startswith("JIT9")]
