"""What a wrapper does with requests, told by itself: which it leaves open, completes, loses, and makes for itself."""

from __future__ import annotations

import pytest

from jitlint.analysis.mpi.traffic import NOTHING, Start, Traffic
from jitlint.ir.functions import Function
from tests.analysis.programs import WRAPPERS
from tests.analysis.test_wrappers import wrappers_of

P = "!llvm.ptr"
START = (
    f"%r{{n}} = llvm.call @MPI_Irecv(%buffer, %n, %p, %n, %n, %p, {{to}}) : ({P}, i32, {P}, i32, i32, {P}, {P}) -> i32"
)
WAIT = f"%w{{n}} = llvm.call @MPI_Wait({{of}}, %p) : ({P}, {P}) -> i32"
OWN = f"%own = llvm.alloca %n x i64 : (i32) -> {P}"
OPEN = Start("MPI_Irecv", 1, (0,), ())


def start(to: str = "%request", n: int = 0) -> str:
    return START.format(to=to, n=n)


def wait(of: str = "%request", n: int = 0) -> str:
    return WAIT.format(of=of, n=n)


BRANCH = "%t = llvm.mlir.constant(true) : i1\nllvm.cond_br %t, ^one, ^two\n^one:"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ([], NOTHING),
        ([start()], Traffic((OPEN,))),
        ([wait()], Traffic((), {1: "MPI_Wait"})),
        ([start(), wait()], Traffic(settled=frozenset({1}))),
        # The wait is for a request that comes in; the one that is made then stays open.
        ([wait(), start()], Traffic((OPEN,), {1: "MPI_Wait"})),
        ([start(), wait(), start(n=1)], Traffic((OPEN,))),
        ([wait(), start(), wait(n=1)], Traffic((), {1: "MPI_Wait"}, settled=frozenset({1}))),
        # In which order blocks run is not known.
        ([BRANCH, wait(), "llvm.br ^two", "^two:", start()], Traffic(settled=frozenset({1}))),
        # A request in memory of the wrapper's own: lost, waited for, or handed out.
        ([OWN, start("%own")], Traffic(lost=("MPI_Irecv",))),
        ([OWN, start("%own"), wait("%own")], NOTHING),
        (
            [OWN, start("%own"), f"%v = llvm.load %own : {P} -> i64", f"llvm.store %v, %request : i64, {P}"],
            Traffic((OPEN,)),
        ),
        # What comes in is copied into memory of the wrapper's own, and waited for there.
        (
            [OWN, f"%v = llvm.load %request : {P} -> i64", f"llvm.store %v, %own : i64, {P}", wait("%own")],
            Traffic((), {1: "MPI_Wait"}),
        ),
        # So is one that is made here: what the parameter's memory holds is not null afterwards.
        (
            [start(), OWN, f"%v = llvm.load %request : {P} -> i64", f"llvm.store %v, %own : i64, {P}", wait("%own")],
            NOTHING,
        ),
    ],
)
def test_what_a_wrapper_does_with_requests(body: list[str], expected: Traffic) -> None:
    lines = "\n".join(["%n = llvm.mlir.constant(1 : i32) : i32", f"%p = llvm.mlir.zero : {P}", *body, "llvm.return"])
    wrappers = wrappers_of(f"{WRAPPERS}llvm.func @w(%buffer: {P}, %request: {P}) {{\n{lines}\n}}\n")
    function = wrappers.functions.get("w")
    assert isinstance(function, Function)
    assert wrappers.traffics.of(function) == expected
