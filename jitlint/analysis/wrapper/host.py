"""Which parameters of a wrapper are shown to point to the host's memory, and which memory a wrapper may keep using.

A wrapper runs on the host. What it loads or stores through itself is memory of the host, and so are the handles that
MPI reads and writes there: its requests. A buffer of data shows nothing: MPI may be passed a device's.

Memory that is still used when the wrapper has returned, as the buffer of a nonblocking operation is, cannot be memory
of a fused wrapper's own, which ends with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.analysis.spread import Spread
from jitlint.analysis.wrapper import externals, pointer_operations
from jitlint.analysis.wrapper.origins import OBJECT, OUTSIDE, PARAMETER, Access, Origin, Pointers
from jitlint.analysis.wrapper.writes import Writes, is_uncaptured, passed_roots
from jitlint.findings import Note, Span
from jitlint.ir.functions import Function, Functions
from jitlint.ir.tree import Operation

_Root = tuple[str, Origin]
"""A function and memory from its point of view."""

_Edges = list[tuple[_Root, Note]]

_HANDLES = "rch"
"""Roles of MPI's parameters that are handles: they live on the host."""

_FREE = frozenset({"malloc", "calloc", "aligned_alloc", *pointer_operations.RELEASERS, *pointer_operations.COPIERS})
"""Functions of the C library that keep no pointer."""


class HostMemory:
    """Answers for the functions of one symbol table; each body is looked at once."""

    def __init__(self, functions: Functions, writes: Writes) -> None:
        self._functions = functions
        self._writes = writes
        self._shown = Spread[_Root](self._look_for_access)
        self._kept = Spread[_Root](self._look_for_keeping)
        self._facts: dict[str, _Facts] = {}

    def shows(self, function: Function, parameter: int) -> bool:
        """Whether a wrapper shows that a parameter points to the host's memory."""
        return self._shown.holds((function.symbol, Origin(PARAMETER, parameter)))

    def keeps(self, function: Function, parameter: int) -> tuple[Note, ...]:
        """The steps to where a parameter's memory may be kept for later; () where it is not."""
        return self._kept.way((function.symbol, Origin(PARAMETER, parameter)))

    def _look_for_access(self, root: _Root) -> tuple[Note | None, _Edges]:
        symbol, origin = root
        function = self._functions.get(symbol)
        if not isinstance(function, Function) or origin.kind != PARAMETER:
            return None, []
        if function.body is None or externals.is_mpi(symbol):
            letter = _role(function, origin.number)
            shown = externals.is_mpi(symbol) and letter != "" and letter in _HANDLES
            return (Note(f"@{symbol} is passed a handle", function.symbol_span) if shown else None), []
        facts = self._facts_of(function)
        return (facts.accessed.get(origin), facts.passed.get(origin, [])) if facts is not None else (None, [])

    def _look_for_keeping(self, root: _Root) -> tuple[Note | None, _Edges]:
        symbol, origin = root
        function = self._functions.get(symbol)
        if not isinstance(function, Function):
            return (None if symbol in _FREE else Note(f"what @{symbol} does is not known")), []
        here = function.symbol_span
        if function.body is None or externals.is_mpi(symbol):
            roles = externals.roles(symbol, len(function.parameters))
            letter = _role(function, origin.number)
            if symbol in _FREE or (origin.kind == PARAMETER and is_uncaptured(function, origin.number)):
                return None, []
            if not roles:
                return Note(f"what @{symbol} does with it is not known", here), []
            pending = "r" in roles and letter in ("b", "w", "x", "m")
            return (Note(f"@{symbol} goes on using it when it has returned", here) if pending else None), []
        facts = self._facts_of(function)
        if facts is None:
            return Note("this body could not be followed", here), []
        return facts.kept.get(origin), facts.may_pass.get(origin, [])

    def _facts_of(self, function: Function) -> _Facts | None:
        if function.symbol not in self._facts:
            pointers = self._writes.pointers(function)
            if pointers is None:
                return None
            self._facts[function.symbol] = _Facts(pointers)
        return self._facts[function.symbol]


class _Facts:
    """What one body does: the roots that it accesses and those that it may keep, and where it passes them on."""

    def __init__(self, pointers: Pointers) -> None:
        self.accessed: dict[Origin, Note] = {}
        self.kept: dict[Origin, Note] = {}
        self.passed: dict[Origin, _Edges] = {}
        self.may_pass: dict[Origin, _Edges] = {}
        for access in (*pointers.reads, *pointers.writes):
            for origin in access.target.certain:
                self.accessed.setdefault(origin, _note(access.operation, "it is accessed here"))
        for kept in _out_of_sight(pointers):
            for origin in kept.target.possible:
                self.kept.setdefault(origin, _note(kept.operation, "it cannot be followed beyond here"))
        for call in pointers.calls:
            note = _note(call.operation, f"it is passed to @{call.callee} here")
            for certain, edges in ((True, self.passed), (False, self.may_pass)):
                for passed, root in passed_roots(pointers, call, certain=certain):
                    edges.setdefault(root, []).append(((call.callee, passed), note))


def _out_of_sight(pointers: Pointers) -> Iterator[Access]:
    """Where pointers go that cannot be followed: into an unknown operation, or into memory elsewhere."""
    yield from pointers.lost
    for access, value in pointers.stored:
        if any(origin.kind != OBJECT or origin == OUTSIDE for origin in access.target.possible):
            yield Access(access.operation, value)


def _role(function: Function, parameter: int) -> str:
    return externals.roles(function.symbol, len(function.parameters))[parameter : parameter + 1]


def _note(operation: Operation, said: str) -> Note:
    return Note(said, Span(operation.start, operation.end))
