"""Modules that the tests of the command line check and fix."""

from __future__ import annotations

_ALIAS = (
    "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
    "operand_tuple_indices = []>]"
)
_CALL = f"%{{}} = enzymexla.jit_call @double (%{{}}) <{_ALIAS}> : (tensor<f64>) -> tensor<f64>"

DOUBLE = """\
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
"""

FUSABLE = f"""\
module {{
{DOUBLE}  func.func @main(%arg0: tensor<f64>) -> tensor<f64> {{
    // two calls, one after the other
    {_CALL.format(0, "arg0")}
    {_CALL.format(1, 0)}
    return %1 : tensor<f64>
  }}
}}
"""
"""JIT001 on line 10."""

FIRST_CALL = f"    {_CALL.format(0, 'arg0')}"
"""The line of `FUSABLE` that its finding stands on."""

BARRIER = f"""\
module {{
{DOUBLE}  func.func @main(%arg0: tensor<f64>, %arg1: tensor<f64>) -> tensor<f64> {{
    {_CALL.format(0, "arg0")}
    %1 = stablehlo.custom_call @log(%arg1) {{has_side_effect = true}} : (tensor<f64>) -> tensor<f64>
    {_CALL.format(2, 0)}
    return %2 : tensor<f64>
  }}
}}
"""
"""JIT201, an info."""

UNDEFINED = f"""\
module {{
  func.func @main(%arg0: tensor<f64>) -> tensor<f64> {{
    {_CALL.format(0, "arg0")}
    return %0 : tensor<f64>
  }}
}}
"""
"""JIT301, an error that no fix fixes."""

BROKEN = FUSABLE.removesuffix("  }\n}\n")
"""JIT901: brackets that nothing closes."""

CLEAN = FUSABLE.replace("jit_call", "other_call")
"""No JIT call."""
