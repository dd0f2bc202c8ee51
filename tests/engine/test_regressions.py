"""Modules that once came out wrong, made small by hand."""

import pytest

from jitlint import api
from tests.engine.judge import Judge, array
from tests.engine.spelling import count_calls

pytestmark = pytest.mark.engine

WRAPPERS = """
#in_place = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
llvm.func @double(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %arg0 : f64, !llvm.ptr
  llvm.return
}
llvm.func @accumulate(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
  %0 = llvm.load %arg0 : !llvm.ptr -> f64
  %1 = llvm.load %arg1 : !llvm.ptr -> f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %arg0 : f64, !llvm.ptr
  llvm.return
}
"""

FREE = "<output_operand_aliases = [#in_place], xla_side_effect_free>"
ONE, TWO = ": (tensor<f64>) -> tensor<f64>", ": (tensor<f64>, tensor<f64>) -> tensor<f64>"

GROUP_FED_BY_A_LATER_ONE = f"""{WRAPPERS}
func.func @main(%arg0: tensor<f64>, %arg1: tensor<f64>) -> (tensor<f64>, tensor<f64>) {{
  %a:2 = enzymexla.jit_call @accumulate (%arg0, %arg1) <output_operand_aliases = [
      #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>,
      #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>
    ], xla_side_effect_free> : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  %p = stablehlo.constant dense<[{", ".join(["1.0"] * 200)}]> : tensor<200xf64>
  %q = stablehlo.broadcast_in_dim %a#1, dims = [] : (tensor<f64>) -> tensor<200xf64>
  %r = stablehlo.add %q, %p {{note = "{"long " * 200}"}} : tensor<200xf64>
  %c = enzymexla.jit_call @double (%arg1) {FREE} {ONE}
  %d = enzymexla.jit_call @double (%c) {FREE} {ONE}
  %n = stablehlo.negate %d : tensor<f64>
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %s = stablehlo.reduce(%r init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<200xf64>, tensor<f64>) -> tensor<f64>
  %e = enzymexla.jit_call @accumulate (%a#0, %n) {FREE} {TWO}
  return %e, %s : tensor<f64>, tensor<f64>
}}
"""


def test_a_group_that_another_one_moved_stands_where_it_was_moved_to(judge: Judge) -> None:
    """Both groups go above the long operations: the second with its calls, which the first needs, and before it."""
    fixed = api.fix(GROUP_FED_BY_A_LATER_ONE).source.text
    assert count_calls(fixed) == 2
    expected = [array(-12.0), array(1200.0)]
    arguments = [array(3.0), array(5.0)]
    assert judge.run_main(GROUP_FED_BY_A_LATER_ONE, arguments) == expected
    assert judge.run_main(fixed, arguments) == expected


RESULT_LAYOUTS = f"""{WRAPPERS}
llvm.func @look(%arg0: !llvm.ptr) {{
  llvm.return
}}
func.func @main(%arg0: tensor<f64>) -> tensor<f64> {{
  %0 = enzymexla.jit_call @double (%arg0) <output_operand_aliases = [#in_place]> {ONE}
  enzymexla.jit_call @look (%0) <operand_layouts = [dense<> : tensor<0xindex>]> : (tensor<f64>) -> ()
  return %0 : tensor<f64>
}}
"""


def test_a_call_with_layouts_and_no_results_gives_no_result_layouts(judge: Judge) -> None:
    fixed = api.fix(RESULT_LAYOUTS).source.text
    assert count_calls(fixed) == 1
    assert "result_layouts" not in fixed
    assert judge.run_main(fixed, [array(3.0)]) == [array(6.0)]


TWO_LINES = f"""{WRAPPERS}
func.func @main(%arg0: tensor<4xf64>, %arg1: tensor<f64>) -> (tensor<4xf64>, tensor<f64>) {{
  %0 = enzymexla.jit_call @double (%arg0) <output_operand_aliases = [#in_place]>
      : (tensor<4xf64>) -> tensor<4xf64>
  %2 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]>
      : (tensor<4xf64>) -> tensor<4xf64>
  %1 = enzymexla.jit_call @double (%arg1) <output_operand_aliases = [#in_place]>
      {ONE}
  %3 = enzymexla.jit_call @double (%1) <output_operand_aliases = [#in_place]>
      {ONE}
  return %2, %3 : tensor<4xf64>, tensor<f64>
}}
"""


def test_calls_that_differ_in_their_second_line_differ(judge: Judge) -> None:
    fixed = api.fix(TWO_LINES).source.text
    assert count_calls(fixed) == 2
    results = [array([4.0, 2.0, 3.0, 4.0]), array(20.0)]
    assert judge.run_main(fixed, [array([1.0, 2.0, 3.0, 4.0]), array(5.0)]) == results


EFFECT_IN_THE_SECOND_LINE = f"""{WRAPPERS}
func.func @main(%arg0: tensor<f64>, %arg1: tensor<f64>) -> tensor<f64> {{
  %a = stablehlo.custom_call @Sharding(%arg1)
      {{has_side_effect = false}} {ONE}
  %0 = enzymexla.jit_call @double (%arg0) <output_operand_aliases = [#in_place]> {ONE}
  %b = stablehlo.custom_call @Sharding(%a)
      {{has_side_effect = true}} {ONE}
  %1 = enzymexla.jit_call @accumulate (%0, %b) <output_operand_aliases = [#in_place]> {TWO}
  return %1 : tensor<f64>
}}
"""


def test_an_effect_that_is_declared_in_the_second_line_counts() -> None:
    result = api.fix(EFFECT_IN_THE_SECOND_LINE)
    assert not result.changed
    assert "JIT201" in {finding.code for finding in result.findings}


@pytest.mark.parametrize("value", ["#yes", "// by hand\n true"])
def test_an_effect_that_is_not_declared_by_a_plain_word_counts(value: str) -> None:
    one_line = EFFECT_IN_THE_SECOND_LINE.replace("(%a)\n", "(%a)").replace("true", value)
    result = api.fix(f"#yes = true\n{one_line}")
    assert not result.changed
    assert "JIT201" in {finding.code for finding in result.findings}


NAME_FURTHER_IN = f"""{WRAPPERS}
llvm.func @add_five(%arg0: !llvm.ptr) {{
  %c = llvm.mlir.constant(true) : i1
  %0 = scf.if %c -> (f64) {{
    %1 = llvm.load %arg0 : !llvm.ptr -> f64
    scf.yield %1 : f64
  }} else {{
    %1 = llvm.mlir.constant(0.0 : f64) : f64
    scf.yield %1 : f64
  }}
  %1 = llvm.mlir.constant(5.0 : f64) : f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %arg0 : f64, !llvm.ptr
  llvm.return
}}
func.func @main(%arg0: tensor<f64>) -> tensor<f64> {{
  %0 = enzymexla.jit_call @add_five (%arg0) <output_operand_aliases = [#in_place]> {ONE}
  %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> {ONE}
  return %1 : tensor<f64>
}}
"""


def test_a_constant_does_not_go_above_a_region_that_has_its_name(judge: Judge) -> None:
    fixed = api.fix(NAME_FURTHER_IN).source.text
    assert count_calls(fixed) == 1
    assert judge.run_main(fixed, [array(3.0)]) == [array(16.0)]


CALL_BETWEEN = f"""{WRAPPERS}
func.func private @pure(%arg0: tensor<f64>) -> tensor<f64> {{
  return %arg0 : tensor<f64>
}}
func.func private @effect(%arg0: tensor<f64>) -> tensor<f64> {{
  %0 = stablehlo.custom_call @Sharding(%arg0) {{has_side_effect = true}} {ONE}
  return %0 : tensor<f64>
}}
func.func @main(%arg0: tensor<f64>) -> tensor<f64> {{
  %0 = enzymexla.jit_call @double (%arg0) <output_operand_aliases = [#in_place]> {ONE}
  %1 = CALL {ONE}
  %2 = enzymexla.jit_call @accumulate (%0, %1) <output_operand_aliases = [#in_place]> {TWO}
  return %2 : tensor<f64>
}}
"""


@pytest.mark.parametrize(
    ("call", "calls"),
    [
        ("call @pure(%arg0)", 1),
        ("call // not @pure\n @effect(%arg0)", 2),
        ('// @pure\n "func.call"(%arg0) {a.b = @pure, callee = @effect}', 2),
        ('"func.call"(%arg0) {a.b = @effect, callee = @pure}', 1),
    ],
)
def test_the_callee_of_a_call_between_is_told_from_other_symbols(judge: Judge, call: str, calls: int) -> None:
    text = CALL_BETWEEN.replace("CALL", call)
    fixed = api.fix(text).source.text
    assert count_calls(fixed) == calls
    assert judge.run_main(fixed, [array(3.0)]) == judge.run_main(text, [array(3.0)]) == [array(9.0)]


@pytest.mark.parametrize(
    ("between", "calls"),
    [
        ("scf.if %c {\n    my.effect\n  }", 2),
        ("scf.if %c { // {\n my.effect // }\n }", 2),
        ('"scf.if"(%c) ({ my.effect }, { }) : (i1) -> ()', 2),
        ('"scf.if"(%c) ({ scf.yield }, { }) {my.mark} : (i1) -> ()', 1),
        ("scf.execute_region {\n scf.yield\n} ", 1),
    ],
)
def test_a_region_that_could_be_a_dictionary_may_have_effects(between: str, calls: int) -> None:
    text = CALL_BETWEEN.replace(f"%1 = CALL {ONE}", between)
    text = text.replace("(%0, %1)", "(%0, %arg0)").replace(
        "  %0 = enzymexla", "  %c = arith.constant true\n  %0 = enzymexla"
    )
    assert count_calls(api.fix(text).source.text) == calls


SEVERAL_BLOCKS = f"""{WRAPPERS}
llvm.func WORDS(%arg0: !llvm.ptr) {{
  llvm.br ^bb1
^bb1:
  %0 = llvm.mlir.constant(1.0 : f64) : f64
  %1 = llvm.load %arg0 : !llvm.ptr -> f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %arg0 : f64, !llvm.ptr
  llvm.return
}}
func.func @main(%arg0: tensor<f64>) -> tensor<f64> {{
  %0 = enzymexla.jit_call NAME (%arg0) <output_operand_aliases = [#in_place]> {ONE}
  %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> {ONE}
  %2 = enzymexla.jit_call @double (%1) <output_operand_aliases = [#in_place]> {ONE}
  %3 = enzymexla.jit_call NAME (%2) <output_operand_aliases = [#in_place]> {ONE}
  return %3 : tensor<f64>
}}
"""


@pytest.mark.parametrize(
    ("words", "calls"),
    [
        ("@add_one", 1),
        ("@entry", 3),
        ("available_externally @add_one", 1),
        ("appending @add_one", 1),
        ("x86_vectorcallcc @add_one", 3),
        ("amdgpu_vscc @add_one", 3),
    ],
)
def test_what_cannot_be_called_stays_out_of_a_group(judge: Judge, words: str, calls: int) -> None:
    text = SEVERAL_BLOCKS.replace("WORDS", words).replace("NAME", words.split()[-1])
    result = api.fix(text)
    assert count_calls(result.source.text) == calls
    assert ("JIT304" in {finding.code for finding in result.findings}) == (calls > 1)
    assert judge.run_main(result.source.text, [array(3.0)]) == judge.run_main(text, [array(3.0)]) == [array(17.0)]
