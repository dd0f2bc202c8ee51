"""The numbers of `docs/sound-form.md`: programs that compute something else once they are fused without the rules."""

import pytest

import jitlint
from tests.analysis.programs import F64, call
from tests.engine.judge import Judge, array
from tests.engine.test_programs import DOUBLE, X, module, results

pytestmark = pytest.mark.engine

PASS = "fuse-jit"
"""The engine's own pass, which knows none of the rules that are shown here."""

TWICE = module(
    DOUBLE, "%0, %1", f"%0 = {call('double', {'%x': F64}, (0,))}", f"%1 = {call('double', {'%0': F64}, (0,))}"
)

SIX_AND_ADD = """
llvm.func @six(%buffer: !llvm.ptr) {
  %0 = llvm.mlir.constant(6.0 : f64) : f64
  llvm.store %0, %buffer : f64, !llvm.ptr
  llvm.return
}
llvm.func @add(%into: !llvm.ptr, %from: !llvm.ptr) {
  %0 = llvm.load %into : !llvm.ptr -> f64
  %1 = llvm.load %from : !llvm.ptr -> f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %into : f64, !llvm.ptr
  llvm.return
}
"""
EQUAL_CONSTANTS = module(
    SIX_AND_ADD,
    "%2",
    f"%k = stablehlo.constant dense<-1.0> : {F64}",
    f"%l = stablehlo.constant dense<-1.0> : {F64}",
    f"%0 = {call('six', {'%k': F64}, (0,))}",
    f"%1 = {call('add', {'%x': F64, '%0': F64}, (0,))}",
    f"%2 = stablehlo.add %l, %1 : {F64}",
)

STORES_TWICE = """
llvm.func @fifty(%declared: !llvm.ptr, %undeclared: !llvm.ptr) {
  %0 = llvm.mlir.constant(50.0 : f64) : f64
  llvm.store %0, %declared : f64, !llvm.ptr
  llvm.store %0, %undeclared : f64, !llvm.ptr
  llvm.return
}
"""
UNDECLARED = module(
    DOUBLE + STORES_TWICE,
    "%n, %0, %1",
    f"%z = stablehlo.constant dense<0.0> : {F64}",
    f"%0 = {call('double', {'%x': F64}, (0,))}",
    f"%1 = {call('fifty', {'%z': F64, '%0': F64}, (0,))}",
    f"%n = stablehlo.negate %0 : {F64}",
)

COUNTER = """
llvm.mlir.global internal @count(0.0 : f64) : f64
llvm.func @raise(%buffer: !llvm.ptr) {
  %p = llvm.mlir.addressof @count : !llvm.ptr
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = llvm.mlir.constant(1.0 : f64) : f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %p : f64, !llvm.ptr
  llvm.return
}
llvm.func @read(%buffer: !llvm.ptr) {
  %p = llvm.mlir.addressof @count : !llvm.ptr
  %0 = llvm.load %p : !llvm.ptr -> f64
  llvm.store %0, %buffer : f64, !llvm.ptr
  llvm.return
}
"""
COUNTED = module(COUNTER, "%1", f"%0 = {call('raise', {'%x': F64}, (0,))}", f"%1 = {call('read', {'%0': F64}, (0,))}")


def together(judge: Judge, text: str) -> list[float]:
    """The results after the engine's own pass."""
    return [value["data"][0] for value in judge.run_main(text, [array(X)], PASS)]


def reported(text: str) -> set[str]:
    return {finding.code for finding in jitlint.check(text).findings}


@pytest.mark.parametrize(
    ("text", "code", "apart", "fused"),
    [
        (TWICE, "JIT403", [6.0, 12.0], [12.0, 12.0]),
        (UNDECLARED, "JIT602", [-6.0, 50.0, 50.0], [-50.0, 50.0, 50.0]),
        (COUNTED, "JIT307", [0.0], [1.0]),
    ],
)
def test_calls_that_a_rule_keeps_apart(
    judge: Judge, text: str, code: str, apart: list[float], fused: list[float]
) -> None:
    assert code in reported(text)
    assert jitlint.fix(text).source.text.count("jit_call") == 2
    assert results(judge, jitlint.fix(text).source.text) == results(judge, text) == apart
    assert together(judge, text) == fused


def test_with_copies_an_overwritten_value_is_kept(judge: Judge) -> None:
    fixed = jitlint.fix(TWICE, copies=True).source.text
    assert fixed.count("jit_call") == 1
    assert results(judge, fixed) == [6.0, 12.0]


def test_a_result_that_is_dropped_changes_a_constant(judge: Judge) -> None:
    assert reported(EQUAL_CONSTANTS) == {"JIT001"}
    assert results(judge, EQUAL_CONSTANTS) == [8.0]
    assert results(judge, jitlint.fix(EQUAL_CONSTANTS).source.text) == [8.0]
    assert results(judge, jitlint.fix(EQUAL_CONSTANTS, form="pass").source.text) == [15.0]
