"""MPI functions that complete some requests, or perhaps none: what is fused with them, and what is said."""

from __future__ import annotations

import pytest

from jitlint import api
from tests.analysis.programs import F64, I64, WRAPPERS, call, found, messages, program, recv
from tests.engine.spelling import count_calls

P, I32 = "!llvm.ptr", "tensor<i32>"


def _completion(function: str, arguments: str, *, counted: bool) -> str:
    """A wrapper that passes its parameters to a function, and behind them no status."""
    passed = arguments.split()
    types = [*["i32"] * counted, *[P] * (len(passed) + 1)]
    given = ", ".join([*["%n"] * counted, *passed, "%p"])
    parameters = ", ".join(f"{each}: {P}" for each in passed)
    return f"""\
llvm.func @MPI_{function}({", ".join(types)}) -> i32
llvm.func @{function.lower()}({parameters}) {{
  %n = llvm.mlir.constant(2 : i32) : i32
  %p = llvm.mlir.zero : {P}
  %0 = llvm.call @MPI_{function}({given}) : ({", ".join(types)}) -> i32
  llvm.return
}}
"""


OF_SEVERAL = {
    "Waitany": "%requests %index",
    "Waitsome": "%requests %count %indices",
    "Testall": "%requests %flag",
    "Testany": "%requests %index %flag",
    "Testsome": "%requests %count %indices",
}
"""The completions that are passed several requests, and their wrappers' parameters."""

ALL = (
    WRAPPERS
    + _completion("Test", "%request %flag", counted=False)
    + "".join(_completion(name, arguments, counted=True) for name, arguments in OF_SEVERAL.items())
)

GATHERED = [
    recv("%0"),
    recv("%1"),
    f"%2 = stablehlo.reshape %0#1 : ({I64}) -> tensor<1xi64>",
    f"%3 = stablehlo.reshape %1#1 : ({I64}) -> tensor<1xi64>",
    "%4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>",
]
FLAG = f"%f = stablehlo.constant dense<0> : {I32}"
USE = f"%u = stablehlo.negate %0#0 : {F64}"
TEST = "%5:2 = " + call("test", {"%0#1": I64, "%f": I32}, (0, 1))


def left(*operations: str) -> int:
    return count_calls(api.fix(program(*operations, wrappers=ALL)).source.text)


@pytest.mark.parametrize("handed_on", [False, True])
@pytest.mark.parametrize("function", OF_SEVERAL)
def test_requests_are_not_gathered_inside_a_wrapper_where_some_may_stay_open(function: str, *, handed_on: bool) -> None:
    others = [f"%f{number}" for number in range(len(OF_SEVERAL[function].split()) - 1)]
    flags = [FLAG.replace("%f", each).replace("<0>", f"<{number}>") for number, each in enumerate(others)]
    operands = {"%4": "tensor<2xi64>", **dict.fromkeys(others, I32)}
    written = tuple(range(0 if handed_on else 1, len(operands)))
    results = f"%5:{len(written)}" if len(written) > 1 else "%5"
    body = [*flags, *GATHERED, f"{results} = {call(function.lower(), operands, written)}"]
    said = f"`MPI_{function}` may leave requests open, and memory of the fused wrapper's own ends with it"
    reasons = messages(program(*body, wrappers=ALL), "JIT304")
    assert reasons == [f"`stablehlo.concatenate` cannot be taken into one wrapper with the calls around it: {said}"]
    assert left(*body) == 3


def test_all_of_them_are_waited_for_inside_one() -> None:
    assert left(*GATHERED, call("wait_all", {"%4": "tensor<2xi64>"})) == 1


def test_a_test_is_one_call_with_the_start_and_runs_behind_it() -> None:
    assert left(FLAG, recv("%0"), TEST) == 1
    assert left(FLAG, recv("%0"), TEST, call("wait", {"%5#0": I64})) == 1


TESTED = "`MPI_Test` may leave the request open: let what uses the buffer depend on a call that waits for the request"


def test_fusing_with_a_test_does_not_make_a_buffer_complete() -> None:
    """JIT601 stands, and is none that the fix mends."""
    text = program(FLAG, recv("%0"), TEST, USE, wrappers=ALL)
    (race,) = found(text, "JIT601")
    assert (race.fixable, race.help) == (False, TESTED)
    assert "JIT601" not in {finding.code for finding in api.fix(text).fixed}


@pytest.mark.parametrize("together", [True, False])
def test_a_wait_behind_the_test_in_the_same_call_does(*, together: bool) -> None:
    wait = call("wait", {"%5#0": I64})
    between = f"stablehlo.custom_call @f(%5#1) {{has_side_effect = true}} : ({I32}) -> ()"
    text = program(FLAG, recv("%0"), TEST, *[between] * (not together), wait, USE, wrappers=ALL)
    (race,) = found(text, "JIT601")
    assert (race.fixable, race.help == TESTED) == (together, not together)
    result = api.fix(text)
    assert ("JIT601" in {finding.code for finding in result.fixed}) == together
    assert count_calls(result.source.text) == 2 - together


def test_a_request_that_is_only_tested_is_not_said_to_be_lost() -> None:
    """Perhaps it is complete by then."""
    assert messages(program(FLAG, recv("%0"), TEST, wrappers=ALL), "JIT603") == []
    assert messages(program(FLAG, recv("%0"), wrappers=ALL), "JIT603") != []


@pytest.mark.parametrize("order", [1, -1])
def test_of_several_completions_in_one_wrapper_the_one_that_may_leave_requests_open_counts(order: int) -> None:
    calls = [
        f"  %0 = llvm.call @MPI_Wait(%r, %p) : ({P}, {P}) -> i32\n",
        f"  %1 = llvm.call @MPI_Test(%s, %f, %p) : ({P}, {P}, {P}) -> i32\n",
    ]
    wrapper = f"""\
llvm.func @both(%r: {P}, %f: {P}) {{
  %p = llvm.mlir.zero : {P}
  %s = llvm.getelementptr %r[1] : ({P}) -> {P}, i64
{"".join(calls[::order])}  llvm.return
}}
"""
    body = [FLAG, *GATHERED, "%5 = " + call("both", {"%4": "tensor<2xi64>", "%f": I32}, (1,))]
    (reason,) = messages(program(*body, wrappers=ALL + wrapper), "JIT304")
    assert "`MPI_Test` may leave requests open" in reason
