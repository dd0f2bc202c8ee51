"""The effects of wrappers outside the buffers that they are passed: calls of functions with effects on the process or
the world, and stores to memory that has a name or an address of its own.

Only known effects are reported: an unknown function may do no more than compute.
"""

from __future__ import annotations

from jitlint.analysis.spread import Spread
from jitlint.analysis.wrapper import externals
from jitlint.analysis.wrapper.origins import OUTSIDE, SYMBOL_OF
from jitlint.analysis.wrapper.writes import Writes
from jitlint.findings import Note, Span
from jitlint.ir.functions import Function, Functions

_ASKS = frozenset(
    f"{profiled}MPI_{name}"
    for profiled in ("", "P")
    for name in [
        *("Comm_rank", "Comm_size", "Comm_compare", "Comm_group", "Group_rank", "Group_size"),
        *("Type_size", "Type_get_extent", "Get_count", "Get_elements", "Get_address", "Get_processor_name"),
        *("Get_version", "Initialized", "Finalized", "Query_thread", "Error_class", "Error_string"),
    ]
)
"""Functions of MPI that only ask: to leave one out or to ask again changes nothing."""

_WORLDLY = frozenset(
    [
        *("printf", "fprintf", "vprintf", "puts", "fputs", "putchar", "putc", "fputc", "perror", "fflush"),
        *("fopen", "fclose", "fread", "fwrite", "open", "close", "read", "write", "remove", "rename"),
        *("abort", "exit", "_exit", "quick_exit", "raise", "kill", "system", "sleep", "usleep"),
        *("rand", "srand", "random", "srandom", "drand48", "setenv", "putenv"),
    ]
)
"""Functions of the C library that the process or the world sees."""


class Outside:
    """Answers for the functions of one symbol table."""

    def __init__(self, functions: Functions, writes: Writes) -> None:
        self._functions = functions
        self._writes = writes
        self._spread = Spread[str](self._look)
        self._nothing: set[int] = set()

    def way(self, function: Function) -> tuple[Note, ...]:
        """The steps from a function's body to something that it does outside; () where nothing is known. Equal
        functions that do nothing are looked at once; what a routine of MPI does hangs on its name."""
        if function.key in self._nothing and not externals.is_mpi(function.symbol):
            return ()
        way = self._spread.way(function.symbol)
        if not way and not externals.is_mpi(function.symbol):
            self._nothing.add(function.key)
        return way

    def _look(self, symbol: str) -> tuple[Note | None, list[tuple[str, Note]]]:
        function = self._functions.get(symbol)
        if externals.is_mpi(symbol):
            return (None if symbol in _ASKS else Note(f"@{symbol} is known to have side effects")), []
        if not isinstance(function, Function):
            return None, []
        if function.body is None:
            return (Note(f"@{symbol} is known to have side effects") if symbol in _WORLDLY else None), []
        pointers = self._writes.pointers(function)
        if pointers is None:
            return None, []
        edges = [
            (call.callee, Note(f"@{symbol} calls @{call.callee} here", Span(call.operation.start, call.operation.end)))
            for call in pointers.calls
        ]
        for access in pointers.writes:
            targets = {origin for origin in access.target.possible if origin.kind != SYMBOL_OF}
            if targets == {OUTSIDE}:
                place = Span(access.operation.start, access.operation.end)
                return Note("this stores to memory outside", place), edges
        return None, edges
