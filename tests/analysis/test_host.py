"""Which parameters of a wrapper are shown to point to the host's memory, and which memory outlasts a wrapper."""

from __future__ import annotations

import pytest

from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.ir.functions import Function, HeaderReader
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Unit

SEND = """\
llvm.func @MPI_Isend(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @unknown(!llvm.ptr)
llvm.func @w(%data: !llvm.ptr, %request: !llvm.ptr, %loaded: !llvm.ptr, %unused: !llvm.ptr, %out: !llvm.ptr) {
  %n = llvm.load %loaded : !llvm.ptr -> i32
  %t = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_Isend(%data, %n, %t, %n, %n, %t, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.call @unknown(%out) : (!llvm.ptr) -> ()
  llvm.return
}
"""


@pytest.mark.parametrize(
    ("parameter", "shown", "kept"),
    [
        pytest.param(0, False, True, id="a buffer of data"),
        pytest.param(1, True, False, id="a request"),
        pytest.param(2, True, False, id="what the wrapper loads"),
        pytest.param(3, False, False, id="what is not used"),
        pytest.param(4, False, True, id="what is passed to anything"),
    ],
)
def test_the_memory_of_a_parameter(parameter: int, shown: bool, kept: bool) -> None:
    symbols = SymbolTable(Unit(SEND, 0, len(SEND)).body)
    wrappers = Wrappers(symbols.lookup, HeaderReader({}))
    function = wrappers.get(("w",)).function
    assert isinstance(function, Function)
    assert wrappers.host_memory.shows(function, parameter) is shown
    assert bool(wrappers.host_memory.keeps(function, parameter)) is kept
