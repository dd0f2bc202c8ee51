"""The translation of the attribute-dictionary spelling, against the engine itself."""

import pytest

from tests.engine.judge import Judge
from tests.engine.spelling import count_calls, for_engine

pytestmark = pytest.mark.engine

MODULE = """
llvm.func @double(%arg0: !llvm.ptr) {{
  llvm.return
}}
func.func @main(%arg0: tensor<f64>) -> tensor<f64> {{
  {call}
  return %0 : tensor<f64>
}}
"""
ALIASES = (
    "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
    "operand_tuple_indices = []>]"
)
TYPE = ": (tensor<f64>) -> tensor<f64>"


@pytest.mark.parametrize(
    ("dictionary", "translated"),
    [
        (f"{{{ALIASES}}}", f"<{ALIASES}>"),
        (f"{{{ALIASES}, xla_side_effect_free}}", f"<{ALIASES}, xla_side_effect_free>"),
        (f'{{"note" = "}}, {{", {ALIASES}}}', f'<{ALIASES}> {{"note" = "}}, {{"}}'),
        (f"{{ // }} a comment\n {ALIASES}}}", f"<{ALIASES}>"),
        (f"{{{ALIASES}, result_layouts = [dense<> : tensor<0xindex>]}}", f"<{ALIASES}>"),
        (f"<{ALIASES}>", f"<{ALIASES}>"),
        (f"<{ALIASES}> {{note = 1 : i32}}", f"<{ALIASES}> {{note = 1 : i32}}"),
    ],
)
def test_a_dictionary_becomes_what_the_engine_reads(judge: Judge, dictionary: str, translated: str) -> None:
    call = f"%0 = enzymexla.jit_call @double (%arg0) {dictionary} {TYPE}"
    assert for_engine(call) == f"%0 = enzymexla.jit_call @double (%arg0) {translated} {TYPE}"
    assert judge.verify(MODULE.format(call=call)) is None


@pytest.mark.parametrize(
    "text",
    [
        f"// enzymexla.jit_call @f (%0) {{{ALIASES}}}",
        f'"enzymexla.jit_call @f (%0) {{{ALIASES}}}"',
        f'"enzymexla.jit_call"(%0) {{fn = @f, {ALIASES}}} {TYPE}',
        "enzymexla.jit_call @f (%0) {note = 1 : i32} : (tensor<f64>) -> ()",
        "enzymexla.jit_call @f (%0) : (tensor<f64>) -> ()\nscf.if %1 {xla_side_effect_free}",
    ],
)
def test_everything_else_stays(text: str) -> None:
    assert for_engine(text) == text


def test_calls_are_counted_outside_comments() -> None:
    assert count_calls('enzymexla.jit_call @f () "enzymexla.jit_call"() // enzymexla.jit_call @g ()') == 2
