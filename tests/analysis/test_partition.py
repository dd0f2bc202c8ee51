"""How components are split, on modules small enough to know the answer."""

from __future__ import annotations

import pytest

from jitlint import api
from tests.engine.spelling import count_calls

CAME_ALONG = """
#a = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>) {
    %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %2 = enzymexla.jit_call @double (%y) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %4 = enzymexla.jit_call @double (%z) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %3 = enzymexla.jit_call @double (%2) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    return %1, %3, %4 : tensor<f64>, tensor<f64>, tensor<f64>
  }
}
"""
"""All calls of the second component lie in the way of the first, and come along."""

TWO_LAYOUTS = """
#a = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  func.func private @read(%arg0: memref<2x3xf64>, %arg1: memref<2x3xf64>) {
    return
  }
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>, %y: tensor<2x3xf64>) -> tensor<f64> {
    %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    enzymexla.jit_call @read (%y, %y)
      <operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]>
      : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
}
"""
"""The call between passes one value with two layouts: it can be in no group, not even as one that comes along."""


@pytest.mark.parametrize(("text", "left"), [(CAME_ALONG, 1), (TWO_LAYOUTS, 3)])
def test_calls_left(text: str, left: int) -> None:
    fixed = api.fix(text).source.text
    assert count_calls(fixed) == left
    assert api.fix(fixed).source.text == fixed


LAYOUTS = "operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ('backend_config = "x"', "its `backend_config` cannot be merged"),
        (LAYOUTS, "it passes one value as operands 0 and 1 with two layouts, `[0, 1]` and `[1, 0]`"),
    ],
)
def test_what_stands_in_the_way_says_why_it_does_not_come_along(written: str, why: str) -> None:
    findings = api.check(TWO_LAYOUTS.replace(LAYOUTS, written)).findings
    (finding,) = (each for each in findings if each.code == "JIT501")
    assert finding.message.startswith(f"@read stands in the way of a group: {why}")
    assert {each.code for each in findings} == {"JIT201", "JIT501"}
