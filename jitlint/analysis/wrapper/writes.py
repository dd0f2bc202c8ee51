"""Which parameters a function writes, for certain or perhaps, itself and through the functions that it calls."""

from __future__ import annotations

from functools import partial

from jitlint.analysis.spread import Spread
from jitlint.analysis.wrapper import externals
from jitlint.analysis.wrapper.pointers import Passed, Pointers, Uses, follow
from jitlint.findings import Note, Span
from jitlint.ir.functions import Function, Functions
from jitlint.syntax.functions import Parameter

_Place = tuple[str, int]
"""A function and the number of one of its parameters."""

_LIBRARY = frozenset({"memcpy", "memmove", "memset"})
"""Functions of the C library that write through their first argument and keep none."""

_NO_WRITES = ("llvm.readonly", "llvm.readnone")
_NO_CAPTURE = "llvm.nocapture"


class Writes:
    """Answers for the functions of one symbol table; each body is followed once."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._pointers: dict[str, Pointers | None] = {}
        self._certain = Spread[_Place](partial(self._look, True))
        self._possible = Spread[_Place](partial(self._look, False))

    def writes(self, function: Function) -> dict[int, tuple[Note, ...]]:
        """The parameters that `function` certainly stores through, each with the steps to the store, the last."""
        found = ((index, self._certain.way((function.symbol, index))) for index in range(len(function.parameters)))
        return {index: way for index, way in found if way}

    def may_write(self, function: Function) -> frozenset[int]:
        """The parameters that `function` could write, by itself or by letting them out of sight."""
        places = range(len(function.parameters))
        return frozenset(index for index in places if self._possible.holds((function.symbol, index)))

    def _look(self, certain: bool, place: _Place) -> tuple[Note | None, list[tuple[_Place, Note]]]:
        symbol, index = place
        function = self._functions.get(symbol)
        if symbol in _LIBRARY and not (isinstance(function, Function) and function.body):
            return (Note(f"@{symbol} writes to its first argument") if index == 0 else None), []
        if not isinstance(function, Function):
            return (None, []) if certain else (_UNKNOWN, [])
        roles = self._roles(function)
        if roles:
            return _known(certain, function, roles, index), []
        if function.body is None:
            return (None, []) if certain or _declared_unwritten(function, index) else (_UNKNOWN, [])
        pointers = self.pointers(function)
        if pointers is None or index >= len(function.parameters):
            return (None, []) if certain else (_UNKNOWN, [])
        uses = (pointers.certain if certain else pointers.possible)[index]
        return _first_write(uses, certain), [_edge(passed) for passed in uses.passed]

    def _roles(self, function: Function) -> str:
        """What is known of a function that the module only declares, or of one of MPI's, whatever body it has here."""
        if function.body is not None and not externals.is_mpi(function.symbol):
            return ""
        return externals.roles(function.symbol, len(function.parameters))

    def pointers(self, function: Function) -> Pointers | None:
        """What the function does with its parameters; None where its body cannot be cut into operations for certain."""
        if function.symbol not in self._pointers:
            self._pointers[function.symbol] = follow(function)
        return self._pointers[function.symbol]


_UNKNOWN = Note("what this function does is not known")


def _known(certain: bool, function: Function, roles: str, index: int) -> Note | None:
    """Where a known function writes through a parameter."""
    written = externals.WRITTEN if certain else externals.MAYBE_WRITTEN
    if roles[index : index + 1] not in written:
        return None
    return Note(f"@{function.symbol} is known to write through its parameter {index}", function.symbol_span)


def _first_write(uses: Uses, certain: bool) -> Note | None:
    if not uses.writes:
        return None
    first = min(uses.writes, key=lambda operation: operation.start)
    return Note("the store stands here" if certain else "it may be written here", Span(first.start, first.end))


def _edge(passed: Passed) -> tuple[_Place, Note]:
    place = Span(passed.operation.start, passed.operation.end)
    return (passed.callee, passed.position), Note(f"it is passed to @{passed.callee} here", place)


def _declared_unwritten(function: Function, index: int) -> bool:
    """Whether a declaration promises that it neither writes a parameter nor keeps it."""
    if index >= len(function.parameters):
        return False
    return _promises(function.parameters[index])


def _promises(parameter: Parameter) -> bool:
    return _NO_CAPTURE in parameter.attributes and any(key in parameter.attributes for key in _NO_WRITES)


def declared_readonly(parameter: Parameter) -> str:
    """The attribute by which a parameter promises that nothing is written through it, or ""."""
    return next((key for key in _NO_WRITES if key in parameter.attributes), "")
