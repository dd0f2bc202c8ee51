"""Strings and comments that look like what they are not: JIT calls, functions, suppressions, ends of regions."""

from __future__ import annotations

TEXTS = (
    "enzymexla.jit_call @f (%a) : (tensor<f64>) -> tensor<f64>",
    "enzymexla.jit_call @step0 (%arg0) {xla_side_effect_free} : (tensor<f64>) -> ()",
    r"\"enzymexla.jit_call\"(%0) <{fn = @f}> : () -> ()",
    r"%0 = enzymexla.jit_call @fill1 (%arg0) // jitlint: ignore\0A}",
    "// jitlint: ignore[JIT001]",
    "llvm.func @step0(%arg0: !llvm.ptr) {",
    "operand_layouts = [dense<[0, 1]> : tensor<2xindex>]",
    "}) : () -> () } // -----",
)
"""What such a string holds, escapes included."""

NOTES = tuple(f'note = "{text}"' for text in TEXTS)
CONFIGURATIONS = tuple(f'backend_config = "{text}"' for text in TEXTS)

COMMENTS = (
    '// "enzymexla.jit_call"(%0) <{fn = @gone}> : () -> ()',
    "// enzymexla.jit_call @gone (%0) <xla_side_effect_free> : (tensor<f64>) -> ()  // twice",
    '// "',
    "// #alias0 = dense<[0, 1]> : tensor<2xindex>",
)

SUPPRESSIONS = ("ignore[JIT001]", "ignore[JIT001]", "ignore[JIT0]", "ignore[JIT001, JIT705]", "ignore")
"""Comments that keep the group of a call from being fused."""
