"""Which parameters a function writes, for certain or perhaps, itself and through the functions that it calls.

A *root* is where a write goes, from the function's point of view: a parameter's memory, memory that a pointer in a
parameter's memory leads to, or unknown. What a callee does with its roots it does with the caller's that are passed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from jitlint.analysis.spread import Spread
from jitlint.analysis.wrapper import externals, pointer_operations
from jitlint.analysis.wrapper.origins import LOADED, PARAMETER, UNKNOWN, Access, Call, Origin, Origins, Place, Pointers
from jitlint.analysis.wrapper.pointers import follow
from jitlint.findings import Note, Span
from jitlint.ir.functions import Function, Functions
from jitlint.syntax.functions import Parameter

CERTAIN, SEEN, POSSIBLE = "certain", "seen", "possible"
"""How sure a write must be to count: it certainly goes to the root; a store that is seen may go there; anything that
may happen."""

_Root = tuple[str, Origin]
"""A function and one of its roots."""

_Edge = tuple[_Root, Note]

_NO_WRITES = ("llvm.readonly", "llvm.readnone")
_NO_CAPTURE = "llvm.nocapture"


class Writes:
    """Answers for the functions of one symbol table; each body is followed once."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._pointers: dict[str, Pointers | None] = {}
        self._facts: dict[tuple[str, str], _Facts] = {}
        self._spread = {how: Spread[_Root](partial(self._look, how)) for how in (CERTAIN, SEEN, POSSIBLE)}

    def writes(self, function: Function) -> dict[int, tuple[Note, ...]]:
        """The parameters that `function` certainly stores through, each with the steps to the store, the last."""
        return self._ways(function, CERTAIN)

    def may_store(self, function: Function) -> dict[int, tuple[Note, ...]]:
        """The parameters that a store which is seen may go through, each with the steps to the store."""
        return self._ways(function, SEEN)

    def astray(self, function: Function) -> tuple[Note, ...]:
        """The steps to a store through a pointer of which nothing is known: it came out of memory, or out of a call.
        () where there is none."""
        roots = [UNKNOWN, *(Origin(LOADED, index) for index in range(len(function.parameters)))]
        ways = (self._spread[SEEN].way((function.symbol, root)) for root in roots)
        return next((way for way in ways if way), ())

    def may_write(self, function: Function) -> frozenset[int]:
        """The parameters that `function` could write, by itself or by letting them out of sight."""
        places = range(len(function.parameters))
        if self.astray(function):
            return frozenset(places)
        possible = self._spread[POSSIBLE]
        return frozenset(index for index in places if possible.holds((function.symbol, Origin(PARAMETER, index))))

    def _ways(self, function: Function, how: str) -> dict[int, tuple[Note, ...]]:
        spread = self._spread[how]
        roots = [(function.symbol, Origin(PARAMETER, index)) for index in range(len(function.parameters))]
        found = ((root[1].number, spread.way(root)) for root in roots)
        return {index: way for index, way in found if way}

    def _look(self, how: str, place: _Root) -> tuple[Note | None, list[_Edge]]:
        symbol, root = place
        function = self._functions.get(symbol)
        if symbol in pointer_operations.COPIERS and not (isinstance(function, Function) and function.body):
            written = root == Origin(PARAMETER, 0)
            return (Note(f"@{symbol} writes to its first argument") if written else None), []
        nothing: tuple[Note | None, list[_Edge]] = (None, [])
        anything: tuple[Note | None, list[_Edge]] = (_UNKNOWN, []) if how == POSSIBLE else nothing
        if not isinstance(function, Function) or (symbol in pointer_operations.RELEASERS and function.body is None):
            return self._not_followed(symbol, root) if how == SEEN else None if how == CERTAIN else _UNKNOWN, []
        if roles := self._roles(function):
            return _known(how, function, roles, root), []
        if function.body is None:
            return nothing if root.kind == PARAMETER and _declared_unwritten(function, root.number) else anything
        pointers = self.pointers(function)
        if pointers is None:
            unseen = how == POSSIBLE or (how == SEEN and root == UNKNOWN)
            return (Note("this body could not be followed", function.symbol_span) if unseen else None), []
        facts = self._facts.get((how, symbol))
        if facts is None:
            facts = self._facts[how, symbol] = _Facts(pointers, how)
        return facts.own.get(root), facts.edges.get(root, [])

    def _not_followed(self, symbol: str, root: Origin) -> Note | None:
        """Where a call leads to something of the module that is no function, such as an alias of one."""
        operation = self._functions.lookup(symbol)
        if operation is None or root.kind != PARAMETER or symbol in pointer_operations.RELEASERS:
            return None
        return Note(f"what @{symbol} does is not followed", Span(operation.start, operation.end))

    def _roles(self, function: Function) -> str:
        """What is known of a function that the module only declares, or of one of MPI's, whatever body it has here."""
        if function.body is not None and not externals.is_mpi(function.symbol):
            return ""
        return externals.roles(function.symbol, len(function.parameters))

    def known(self, symbol: str, arguments: int) -> str:
        """The roles of the arguments of a function outside; "" of one that the module defines, or that is not known."""
        function = self._functions.get(symbol)
        if not isinstance(function, Function) or len(function.parameters) != arguments:
            return ""
        return self._roles(function)

    def is_outside(self, symbol: str) -> bool:
        """Whether the module has no body for a function."""
        function = self._functions.get(symbol)
        return not isinstance(function, Function) or function.body is None

    def pointers(self, function: Function) -> Pointers | None:
        """What the function does with pointers; None where its body cannot be followed."""
        if function.symbol not in self._pointers:
            self._pointers[function.symbol] = follow(function, self.known, self.is_outside)
        return self._pointers[function.symbol]


class _Facts:
    """What a function does with its roots itself, and where it passes them on."""

    def __init__(self, pointers: Pointers, how: str) -> None:
        self.own: dict[Origin, Note] = {}
        self.edges: dict[Origin, list[_Edge]] = {}
        certain = how == CERTAIN
        said = "the store is here" if certain else "the store that may write to it is here"
        self._note(pointers.writes, said, certain=certain)
        if not certain:
            self._note_unknown(pointers)
        if how == POSSIBLE:
            self._note(pointers.lost, "it cannot be followed beyond here")
            for access, value in pointers.stored:
                if any(origin.kind != "object" or not origin.number for origin in access.target.possible):
                    self._note([Access(access.operation, value)], "its address is stored here")
        for call in pointers.calls:
            place = Span(call.operation.start, call.operation.end)
            note = Note(f"it is passed to @{call.callee} here", place)
            if not certain:
                self.edges.setdefault(UNKNOWN, []).append(((call.callee, UNKNOWN), note))
            for passed, root in passed_roots(pointers, call, certain=certain):
                self.edges.setdefault(root, []).append(((call.callee, passed), note))

    def _note_unknown(self, pointers: Pointers) -> None:
        """An operation that is not known may write what it is given. (What a call through a pointer leads to is taken
        to keep what the aliases say, as a function outside is.)"""
        through_pointers = {operation.start for operation in pointers.opaque}
        for access in pointers.lost:
            if access.operation.start in through_pointers:
                continue
            note = Note("what this does is not known", Span(access.operation.start, access.operation.end))
            for origin in access.target.possible:
                if origin.kind == PARAMETER:
                    self.own.setdefault(origin, note)

    def _note(self, accesses: Iterable[Access], said: str, *, certain: bool = False) -> None:
        for access in accesses:
            place = Span(access.operation.start, access.operation.end)
            for origin in access.target.certain if certain else access.target.possible:
                self.own.setdefault(origin, Note(said, place))


class _Passed(NamedTuple):
    """A root of a callee, and the root of the caller that it is in a call."""

    callee: Origin
    caller: Origin


def passed_roots(pointers: Pointers, call: Call, *, certain: bool) -> list[_Passed]:
    """Which roots of a callee are which roots of its caller, in one call."""
    found: list[_Passed] = []
    for position, place in enumerate(call.arguments):
        direct, beyond = Origin(PARAMETER, position), Origin(LOADED, position)
        found += (_Passed(direct, origin) for origin in _of(place, certain))
        if _of(place, certain):
            found += (_Passed(beyond, origin) for origin in _of(pointers.reachable(place), certain))
    return found


def _of(place: Place, certain: bool) -> Origins:
    return place.certain if certain else place.possible


_UNKNOWN = Note("what this function does is not known")


def _known(how: str, function: Function, roles: str, root: Origin) -> Note | None:
    """Where a known function writes through a parameter."""
    written = externals.MAYBE_WRITTEN if how == POSSIBLE else externals.WRITTEN
    if root.kind != PARAMETER or roles[root.number : root.number + 1] not in written:
        return None
    return Note(f"@{function.symbol} is known to write through its parameter {root.number}", function.symbol_span)


def _declared_unwritten(function: Function, index: int) -> bool:
    """Whether a declaration promises that it neither writes a parameter nor keeps it."""
    if index >= len(function.parameters):
        return False
    return _promises(function.parameters[index])


def is_uncaptured(function: Function, index: int) -> bool:
    """Whether a function promises that it does not keep a parameter."""
    return index < len(function.parameters) and _NO_CAPTURE in function.parameters[index].attributes


def _promises(parameter: Parameter) -> bool:
    return _NO_CAPTURE in parameter.attributes and any(key in parameter.attributes for key in _NO_WRITES)


def declared_readonly(parameter: Parameter) -> str:
    """The attribute by which a parameter promises that nothing is written through it, or ""."""
    return next((key for key in _NO_WRITES if key in parameter.attributes), "")
