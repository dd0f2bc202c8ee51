"""What a wrapper does with MPI requests: which nonblocking operations it leaves open, and which it completes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from jitlint.analysis.wrapper import externals
from jitlint.analysis.wrapper.operands import direct_callee
from jitlint.analysis.wrapper.origins import LOADED, PARAMETER, REQUEST, Call, Origin, Pointers
from jitlint.analysis.wrapper.pointer_operations import CALLS
from jitlint.analysis.wrapper.writes import Writes, passed_roots
from jitlint.ir import effects
from jitlint.ir.functions import Function, Functions
from jitlint.ir.tree import Operation

WAITS = frozenset({"Wait", "Waitall"})
"""Completions that return when every request they are passed is complete."""

_FREES = frozenset({"Request_free"})
_STARTS = re.compile(r"@P?MPI_[IR]")
_MOST_STEPS = 10_000


class Start(NamedTuple):
    """A nonblocking operation that is still open when the wrapper returns.

    `name` is MPI's function; `request`, `received` and `sent` are parameters of the wrapper: that of the request, those
    that data arrives in, those that data is sent from.
    """

    name: str
    request: int
    received: tuple[int, ...]
    sent: tuple[int, ...]


class Traffic(NamedTuple):
    """What a wrapper does with requests.

    `completes` maps a parameter to the MPI function that completes the requests which come in through it; to one that
    may leave some open, if there is such a one. `lost` are
    the nonblocking operations whose request never leaves the wrapper and is not completed in it. `settled` are the
    parameters whose memory holds a request only while the wrapper runs: made and completed in it.
    """

    starts: tuple[Start, ...] = ()
    completes: Mapping[int, str] = {}
    lost: tuple[str, ...] = ()
    settled: frozenset[int] = frozenset()


NOTHING = Traffic()


@cache
def is_wait(name: str) -> bool:
    """Whether a completion returns only when every request it is passed is complete."""
    return _base(name) in WAITS


@cache
def is_free(name: str) -> bool:
    """Whether it gives a request up without waiting for it."""
    return _base(name) in _FREES


class Traffics:
    """Answers for the wrappers of one symbol table; equal wrappers are read once."""

    def __init__(self, functions: Functions, writes: Writes) -> None:
        self._functions = functions
        self._writes = writes
        self._read: dict[int, Traffic] = {}

    def of_call(self, wrapper: Function | None, operands: int) -> Traffic:
        """What a call with so many operands of a wrapper does with requests; nothing, where the two do not fit."""
        return self.of(wrapper) if wrapper is not None and len(wrapper.parameters) == operands else NOTHING

    def of(self, wrapper: Function) -> Traffic:
        """What a wrapper does with requests; nothing, where that cannot be told."""
        traffic = self._read.get(wrapper.key)
        if traffic is None:
            traffic = self._read[wrapper.key] = self._traffic(wrapper)
        return traffic

    def _traffic(self, wrapper: Function) -> Traffic:
        pointers = self._writes.pointers(wrapper) if wrapper.body is not None else None
        if wrapper.body is None or pointers is None:
            return NOTHING
        found = self._calls(wrapper)
        if found is None:
            return NOTHING
        straight = len(wrapper.body.blocks) == 1
        completions = [(call, origin) for call in found for origin in call.completed]
        starts = [(call, parameter) for call in found for parameter in call.of("r")]
        open_ones = [
            call.start(parameter)
            for call, parameter in starts
            if not any(
                origin.number == parameter and origin.kind != REQUEST and call.may_precede(done, straight)
                for done, origin in completions
            )
        ]
        open_ones += self._handed_out(pointers, found, {origin for _, origin in completions})
        completes: dict[int, str] = {}
        for done, origin in completions:
            made_here = any(other == origin.number and call.may_precede(done, straight) for call, other in starts)
            if origin.kind != REQUEST and not made_here and is_wait(completes.get(origin.number, "Wait")):
                completes[origin.number] = done.name
        direct = {origin.number for _, origin in completions if origin.kind == PARAMETER}
        settled = ({parameter for _, parameter in starts} & direct) - {start.request for start in open_ones}
        return Traffic(tuple(open_ones), completes, tuple(_lost(wrapper)) if straight else (), frozenset(settled))

    def _handed_out(self, pointers: Pointers, found: list[_MpiCall], completed: set[Origin]) -> list[Start]:
        """The starts whose request is made in memory of the wrapper's own and then stored through a parameter."""
        starts = []
        for access, value in pointers.stored:
            for origin in value.possible:
                if origin.kind == REQUEST and origin not in completed:
                    made = pointers.requests[origin.number].operation.start
                    call = next((call for call in found if call.own and call.place == made), None)
                    requests = [into.number for into in access.target.certain if into.kind == PARAMETER]
                    if call is not None:
                        starts += [call.start(request) for request in requests]
        return starts

    def _calls(self, wrapper: Function) -> list[_MpiCall] | None:
        """The calls of MPI that a wrapper's parameters and requests reach, in it and in the functions that it calls."""
        found: dict[tuple[int, int], _MpiCall] = {}
        roots = [Origin(kind, index) for index in range(len(wrapper.parameters)) for kind in (PARAMETER, LOADED)]
        pending = [(wrapper, root, root, -1) for root in roots]
        seen = {(function.symbol, root, origin, site) for function, root, origin, site in pending}
        while pending:
            function, root, origin, site = pending.pop()
            pointers = self._writes.pointers(function)
            if pointers is None or len(seen) > _MOST_STEPS:
                return None
            own = function is wrapper
            for call in pointers.calls:
                place = call.operation.start if site < 0 else site
                if externals.is_mpi(call.callee):
                    self._note(found, pointers, call, root, origin, place, own)
                    continue
                callee = self._functions.get(call.callee)
                if not isinstance(callee, Function) or callee.body is None:
                    continue
                for inner in _leads(pointers, call, root):
                    step = (call.callee, inner, origin, place)
                    if step not in seen and inner.number < len(callee.parameters):
                        seen.add(step)
                        pending.append((callee, inner, origin, place))
        return list(found.values())

    def _note(
        self,
        found: dict[tuple[int, int], _MpiCall],
        pointers: Pointers,
        call: Call,
        root: Origin,
        origin: Origin,
        site: int,
        own: bool,
    ) -> None:
        """Note that `root` of the function in hand, which is `origin` of the wrapper, goes into a call of MPI."""
        callee = self._functions.get(call.callee)
        if not isinstance(callee, Function):
            return
        roles = externals.roles(call.callee, len(callee.parameters))
        known = found.get((site, call.operation.start))
        if known is None:
            known = _MpiCall(call.callee, roles, site, call.operation.start, own, [], set())
            if own:
                known.completed.update(_requests(pointers, call, roles))
        reached = {inner for inner in _leads(pointers, call, root) if inner.number < len(roles)}
        for inner in reached:
            if inner.kind == PARAMETER and origin.kind == PARAMETER:
                known.parameters.append((inner.number, origin.number))
            if roles[inner.number] == "c" and (inner.kind == LOADED) == (origin.kind == LOADED):
                known.completed.add(origin)
        if reached or known.completed:
            found[site, call.operation.start] = known


def _leads(pointers: Pointers, call: Call, root: Origin) -> list[Origin]:
    """The roots of a callee that a root of its caller is. An address must be there for certain; what was read out of
    memory may be one of several requests that are gathered."""
    return [
        passed.callee
        for passed in passed_roots(pointers, call, certain=root.kind == PARAMETER)
        if passed.caller == root
    ]


def _requests(pointers: Pointers, call: Call, roles: str) -> list[Origin]:
    """The requests made in memory of the function's own that a call completes."""
    arguments = [place for letter, place in zip(roles, call.arguments, strict=False) if letter == "c"]
    return [origin for place in arguments for origin in pointers.reachable(place).possible if origin.kind == REQUEST]


class _MpiCall(NamedTuple):
    """A call of MPI. `site` is the place in the wrapper of the call, or of the call that leads to it, `place` its own;
    `parameters` are the positions of its arguments with the wrapper's parameters that are passed there, `completed`
    the requests that it completes: those in a parameter's memory, those loaded from there, the wrapper's own."""

    name: str
    roles: str
    site: int
    place: int
    own: bool
    parameters: list[tuple[int, int]]
    completed: set[Origin]

    def of(self, letters: str) -> list[int]:
        """The wrapper's parameters that play one of these roles."""
        return [origin for position, origin in self.parameters if self.roles[position] in letters]

    def start(self, request: int) -> Start:
        """The operation that it starts, its request in that parameter."""
        return Start(self.name, request, tuple(sorted(set(self.of("wx")))), tuple(sorted(set(self.of("b")))))

    def may_precede(self, other: _MpiCall, straight: bool) -> bool:
        """Whether this call runs before another, or that cannot be told."""
        if not straight or (self.site == other.site and not (self.own and other.own)):
            return True
        return self.place < other.place if self.own and other.own else self.site < other.site


def _base(name: str) -> str:
    return name.removeprefix("P").removeprefix("MPI_")


def _lost(wrapper: Function) -> list[str]:
    """The nonblocking operations of a wrapper whose request lies in its own stack memory and is used nowhere else."""
    assert wrapper.body is not None
    if not _STARTS.search(wrapper.body.unit.text, wrapper.body.start, wrapper.body.end):
        return []
    allocated: set[str] = set()
    used: Counter[str] = Counter()
    started: list[tuple[str, str]] = []
    for operation in wrapper.body.blocks[0].operations:
        names = operation.names
        used.update(names)
        if operation.name == "llvm.alloca":
            allocated.update(name for name, _ in operation.results)
        elif (callee := _callee(operation)) is not None and externals.roles(callee, len(names)).endswith("r"):
            started.append((callee, names[-1]))
    return [callee for callee, request in started if request in allocated and used[request] == 1]


def _callee(operation: Operation) -> str | None:
    return direct_callee(operation) if effects.full_name(operation.name) in CALLS else None
