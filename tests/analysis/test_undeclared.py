"""Undeclared writes that others can see: what uses the same value is not fused away."""

from __future__ import annotations

from pathlib import Path

from jitlint import api
from tests.engine.spelling import count_calls
from tests.texts import alias

FAULTS = Path(__file__).parents[1] / "faults"


def test_a_use_beside_an_undeclared_write_is_not_fused_away() -> None:
    """With its maker, the other use would be gone; then nobody would seem to see the write, and it be fused next."""
    text = (FAULTS / "undeclared_write_shared.mlir").read_text(encoding="utf-8")
    apart = text.replace("attributes {enzymexla.memory_effects = []} ", "")
    for each in (text, apart):
        assert count_calls(api.fix(each, copies=True, group="adjacent").source.text) == 3
    assert count_calls(api.fix(text.replace("jit_call @clear (%0)", "jit_call @clear (%arg0)")).source.text) == 2


def test_plumbing_beside_an_undeclared_write_is_not_fused_away() -> None:
    """`@clear` writes %0, which a reshape uses as well."""
    properties = f"output_operand_aliases = [{alias()}]"
    text = f"""
llvm.func @make(%arg0: !llvm.ptr) {{
  %0 = llvm.load %arg0 : !llvm.ptr -> f64
  llvm.store %0, %arg0 : f64, !llvm.ptr
  llvm.return
}}
llvm.func @clear(%arg0: !llvm.ptr) attributes {{enzymexla.memory_effects = []}} {{
  %0 = llvm.mlir.constant(0.0 : f64) : f64
  llvm.store %0, %arg0 : f64, !llvm.ptr
  llvm.return
}}
llvm.func @add(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {{
  %0 = llvm.load %arg0 : !llvm.ptr -> f64
  %1 = llvm.load %arg1 : !llvm.ptr -> f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %arg0 : f64, !llvm.ptr
  llvm.return
}}
func.func @main(%x: tensor<f64>, %y: tensor<1xf64>) -> tensor<1xf64> {{
  %0 = enzymexla.jit_call @make (%x) <{properties}> : (tensor<f64>) -> tensor<f64>
  enzymexla.jit_call @clear (%0) : (tensor<f64>) -> ()
  %1 = stablehlo.reshape %0 : (tensor<f64>) -> tensor<1xf64>
  %2 = enzymexla.jit_call @add (%y, %1) <{properties}> : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  return %2 : tensor<1xf64>
}}
"""
    assert count_calls(api.fix(text).source.text) == 3
    alone = "".join(line for line in text.splitlines(keepends=True) if "jit_call @clear" not in line)
    assert count_calls(api.fix(alone).source.text) == 1
