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

WRONG_THREE = """
#a = #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>
#b = #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>
module {
  llvm.func @mix(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.load %arg1 : !llvm.ptr -> f64
    %2 = llvm.fadd %0, %1 : f64
    llvm.store %2, %arg0 : f64, !llvm.ptr
    llvm.store %0, %arg1 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
    %1:2 = enzymexla.jit_call @mix (%x, %y) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %2:2 = enzymexla.jit_call @mix (%x, %1#1) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %3:2 = enzymexla.jit_call @mix (%1#0, %y) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %b = stablehlo.negate %2#0 : tensor<f64>
    %4:2 = enzymexla.jit_call @mix (%b, %3#1) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %5:2 = enzymexla.jit_call @mix (%3#0, %2#1) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    return %y : tensor<f64>
  }
}
"""
"""Joined in the order of the ties, calls 1, 2 and 3 are one, and 4 and 5 can join neither that nor each other."""

PASSED_ON = WRONG_THREE.replace("stablehlo.negate", "stablehlo.optimization_barrier")
"""The same with an operation between that moves bytes only: it is taken in."""


@pytest.mark.parametrize(("text", "left"), [(CAME_ALONG, 1), (TWO_LAYOUTS, 3), (WRONG_THREE, 2), (PASSED_ON, 1)])
def test_calls_left(text: str, left: int) -> None:
    fixed = api.fix(text).source.text
    assert count_calls(fixed) == left
    assert api.fix(fixed).source.text == fixed
