"""The shapes of exchanges that compilers lower, and how many calls a fix leaves of each."""

from __future__ import annotations

import re

import pytest

from jitlint import api
from tests.analysis.programs import F64, I64, WRAPPERS, call, program, recv, send
from tests.engine.spelling import count_calls

WAIT_TWO = """\
llvm.func @wait_two(%first: !llvm.ptr, %second: !llvm.ptr) {
  %two = llvm.mlir.constant(2 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %all = llvm.alloca %two x i64 : (i32) -> !llvm.ptr
  %0 = llvm.load %first : !llvm.ptr -> i64
  llvm.store %0, %all : i64, !llvm.ptr
  %1 = llvm.load %second : !llvm.ptr -> i64
  %2 = llvm.getelementptr %all[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %1, %2 : i64, !llvm.ptr
  %3 = llvm.call @MPI_Waitall(%two, %all, %p) : (i32, !llvm.ptr, !llvm.ptr) -> i32
BACK  llvm.return
}
"""
BACK = """\
  %4 = llvm.load %all : !llvm.ptr -> i64
  llvm.store %4, %first : i64, !llvm.ptr
  %5 = llvm.load %2 : !llvm.ptr -> i64
  llvm.store %5, %second : i64, !llvm.ptr
"""
CONTROL = """\
llvm.func @MPI_Send(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr) -> i32
llvm.func @control(%buffer: !llvm.ptr) {
  %n = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_Send(%buffer, %n, %p, %n, %n, %p) : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr) -> i32
  llvm.return
}
llvm.func @MPI_Barrier(!llvm.ptr) -> i32
llvm.func @barrier() {
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_Barrier(%p) : (!llvm.ptr) -> i32
  llvm.return
}
"""
ALL = WRAPPERS + WAIT_TWO.replace("BACK", "") + CONTROL
STORES_BACK = WRAPPERS + WAIT_TWO.replace("BACK", BACK) + CONTROL


def wait(request: str) -> str:
    return call("wait", {request: I64})


def wait_two(first: str, second: str) -> str:
    return call("wait_two", {first: I64, second: I64})


def left(*operations: str, wrappers: str = ALL, returned: str = "", **options: str) -> int:
    text = program(*operations, wrappers=wrappers)
    if returned:
        text = text.replace("  return\n", f"  return {returned}\n")
    return count_calls(api.fix(text, **options).source.text)  # type: ignore[arg-type]


ADD = f"%sum = stablehlo.add %0#0, %x : {F64}"
UNPACK = f"%u = stablehlo.negate %0#0 : {F64}"


@pytest.mark.parametrize(
    ("operations", "calls"),
    [
        # What is received is computed with, and the sum is sent: the send needs it.
        ([recv("%0"), wait("%0#1"), ADD, send("%1", "%sum"), wait("%1")], 2),
        # Two chains that cross, and a blocking send between their waits.
        ([send("%0"), recv("%1"), wait("%0"), call("control", {"%x": F64}), wait("%1#1")], 1),
        # One pointer for each request.
        ([send("%0"), recv("%1"), wait_two("%1#1", "%0")], 1),
        ([recv("%0"), send("%1"), wait_two("%0#1", "%1"), UNPACK], 1),
        ([recv("%0"), recv("%1"), wait_two("%0#1", "%1#1"), UNPACK], 1),
        # Nobody needs what a call gives, or the function needs all of it.
        ([send("%0"), wait("%0")], 1),
        ([recv("%0"), wait("%0#1"), UNPACK], 1),
        # Components that do not cross stay apart, and calls that no value ties.
        ([send("%0"), wait("%0"), recv("%1"), wait("%1#1")], 2),
        (["enzymexla.jit_call @barrier () : () -> ()"] * 2, 2),
        # Waits in another order than the starts.
        ([recv("%0"), recv("%1"), wait("%1#1"), wait("%0#1")], 1),
        # One call that is no exchange: its values are computed with in between.
        (["%d = " + call("double", {"%x": F64}, (0,)), f"%n = stablehlo.negate %d : {F64}"], 1),
    ],
)
def test_calls_that_are_left(operations: list[str], calls: int) -> None:
    assert left(*operations) == calls


def test_both_results_may_be_returned() -> None:
    assert left(recv("%0"), wait("%0#1"), returned=f"%0#0, %0#1 : {F64}, {I64}") == 1


def test_what_stands_together_becomes_one_with_the_switch() -> None:
    barriers = ["enzymexla.jit_call @barrier () : () -> ()"] * 2
    assert left(*barriers, group="adjacent") == 1
    assert left(send("%0"), wait("%0"), recv("%1"), wait("%1#1"), group="adjacent") == 1


@pytest.mark.parametrize("starts", [[recv("%0"), send("%1")], [recv("%0"), recv("%1")]])
def test_a_wait_that_stores_the_requests_back(starts: list[str]) -> None:
    second = "%1#1" if ":2" in starts[1] else "%1"
    assert left(*starts, wait_two("%0#1", second), UNPACK, wrappers=STORES_BACK) == 1


def test_the_calls_run_in_the_order_of_the_text() -> None:
    operations = [send("%0"), recv("%1"), wait("%0"), call("control", {"%x": F64}), wait("%1#1")]
    fixed = api.fix(program(*operations, wrappers=ALL)).source.text
    body = fixed[fixed.index("@__enzyme_fused") :].partition("\n}")[0]
    assert re.findall(r"llvm\.call @(MPI_\w+)", body) == ["MPI_Isend", "MPI_Irecv", "MPI_Wait", "MPI_Send", "MPI_Wait"]


def test_equal_constants_that_are_only_read_are_one_operand() -> None:
    one, two = (f"%{name} = stablehlo.constant dense<1.0> : {F64}" for name in ("k", "l"))
    read = """\
llvm.func @add(%to: !llvm.ptr, %from: !llvm.ptr) {
  %0 = llvm.load %to : !llvm.ptr -> f64
  %1 = llvm.load %from : !llvm.ptr -> f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %to : f64, !llvm.ptr
  llvm.return
}
"""
    body = ["%a = " + call("add", {"%x": F64, "%k": F64}, (0,)), "%b = " + call("add", {"%a": F64, "%l": F64}, (0,))]
    fixed = api.fix(program(one, two, *body, wrappers=read)).source.text
    assert re.search(r"jit_call @__enzyme_fused_add_add \((.*?)\)", fixed)[1].count("%") == 2  # type: ignore[index]
