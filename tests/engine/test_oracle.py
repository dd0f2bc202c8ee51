"""The judge itself: it must tell right from wrong, and survive what the engine does not."""

import os

import pytest

from tests.engine.judge import Judge, RefusedError, array

pytestmark = pytest.mark.engine

ALIAS = "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>"
IN_PLACE = f"output_operand_aliases = [{ALIAS}]"
DOUBLE = """
llvm.func @double(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %arg0 : f64, !llvm.ptr
  llvm.return
}
"""


def module(type_: str, wrapper: str = DOUBLE) -> str:
    call = f"enzymexla.jit_call @double (%arg0) {{{IN_PLACE}}} : ({type_}) -> {type_}"
    return f"{wrapper}func.func @main(%arg0: {type_}) -> {type_} {{\n  %0 = {call}\n  return %0 : {type_}\n}}\n"


def test_a_scalar_a_tensor_and_an_integer(judge: Judge) -> None:
    assert judge.run_main(module("tensor<f64>"), [array(3.5)]) == [array(7.0)]
    vector = array([1.0, 2.0, 3.0, 4.0])
    assert judge.run_main(module("tensor<4xf64>"), [vector]) == [array([2.0, 2.0, 3.0, 4.0])]
    integers = module("tensor<i64>", DOUBLE.replace("f64", "i64").replace("fadd", "add"))
    assert judge.run_main(integers, [array(2**60 + 1, "int64")]) == [array(2**61 + 2, "int64")]


def test_one_number_comes_back_bit_for_bit(judge: Judge) -> None:
    assert judge.run_main(module("tensor<f64>"), [array(0.1)]) == [array(0.2)]


def test_passes_are_run_before(judge: Judge) -> None:
    assert "@double" not in judge.run_passes(module("tensor<f64>"), "lower-jit{jit=true backend=cpu}")


def test_what_is_wrong_is_said(judge: Judge) -> None:
    wrong = judge.verify(module("tensor<f64>").replace("llvm.fadd", "llvm.fnone"))
    assert wrong is not None
    assert "custom op 'llvm.fnone' is unknown" in wrong


def test_wrong_arguments_are_refused(judge: Judge) -> None:
    with pytest.raises(RefusedError, match="incompatible size"):
        judge.run_main(module("tensor<4xf64>"), [array(1.0)])


CRASHING = DOUBLE.replace("llvm.load %arg0", "llvm.load %null").replace(
    "{\n", "{\n  %null = llvm.mlir.zero : !llvm.ptr\n", 1
)


def test_a_crash_is_reported_and_survived(judge: Judge) -> None:
    with pytest.raises(RefusedError, match="crashed"):
        judge.run_main(module("tensor<f64>", CRASHING), [array(1.0)])
    assert judge.run_main(module("tensor<f64>"), [array(1.0)]) == [array(2.0)]


ENDLESS = """
llvm.func @double(%arg0: !llvm.ptr) {
  llvm.br ^bb1
^bb1:
  %0 = llvm.load volatile %arg0 : !llvm.ptr -> f64
  llvm.store volatile %0, %arg0 : f64, !llvm.ptr
  llvm.br ^bb1
}
"""


def test_what_never_ends_is_ended() -> None:
    with Judge(patience=5) as judge:
        with pytest.raises(RefusedError, match="timeout"):
            judge.run_main(module("tensor<f64>", ENDLESS), [array(1.0)])
        judge.patience = 60.0
        assert judge.run_main(module("tensor<f64>"), [array(1.0)]) == [array(2.0)]


def test_many_modules_in_one_process_stay_apart(judge: Judge) -> None:
    """The same names with other bodies: nothing of an earlier module may be taken for a later one's."""
    for number in range(20):
        wrapper = DOUBLE.replace("llvm.fadd %0, %0", "llvm.fadd %0, %c").replace(
            "{\n", f"{{\n  %c = llvm.mlir.constant({number}.0 : f64) : f64\n", 1
        )
        assert judge.run_main(module("tensor<f64>", wrapper), [array(1.0)]) == [array(1.0 + number)]


def test_the_child_does_not_outlive_its_judge() -> None:
    with Judge() as judge:
        judge.verify("module {}")
        child = judge.child
    assert child is not None
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
