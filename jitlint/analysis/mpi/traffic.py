"""What a wrapper does with MPI requests: which nonblocking operations it leaves open, and which it completes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from jitlint.analysis.wrapper import externals
from jitlint.analysis.wrapper.pointers import CALLS, Passed, direct_callee
from jitlint.analysis.wrapper.writes import Writes
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

    `completes` maps a parameter to the MPI function that completes the requests which come in through it. `lost` are
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

    def of(self, wrapper: Function) -> Traffic:
        """What a wrapper does with requests; nothing, where that cannot be told."""
        traffic = self._read.get(wrapper.key)
        if traffic is None:
            traffic = self._read[wrapper.key] = self._traffic(wrapper)
        return traffic

    def _traffic(self, wrapper: Function) -> Traffic:
        if wrapper.body is None or self._writes.pointers(wrapper) is None:
            return NOTHING
        found = self._calls(wrapper)
        if found is None:
            return NOTHING
        straight = len(wrapper.body.blocks) == 1
        completions = [(call, parameter) for call in found for parameter in call.of("c")]
        starts = [(call, parameter) for call in found for parameter in call.of("r")]
        open_ones = tuple(
            Start(call.name, parameter, tuple(sorted(set(call.of("wx")))), tuple(sorted(set(call.of("b")))))
            for call, parameter in starts
            if not any(other == parameter and call.may_precede(done, straight) for done, other in completions)
        )
        completes = {
            parameter: done.name
            for done, parameter in completions
            if not any(other == parameter and call.may_precede(done, straight) for call, other in starts)
        }
        settled = {parameter for _, parameter in starts} - {start.request for start in open_ones}
        return Traffic(open_ones, completes, tuple(_lost(wrapper)) if straight else (), frozenset(settled))

    def _calls(self, wrapper: Function) -> list[_MpiCall] | None:
        """The calls of MPI that parameters of a wrapper reach, in it and in the functions that it calls."""
        found: dict[tuple[int, int], _MpiCall] = {}
        pending = [(wrapper, index, index, -1) for index in range(len(wrapper.parameters))]
        seen = {(function.symbol, index, origin, site) for function, index, origin, site in pending}
        while pending:
            function, index, origin, site = pending.pop()
            pointers = self._writes.pointers(function)
            if pointers is None or len(seen) > _MOST_STEPS:
                return None
            for passed in pointers.certain[index].passed:
                place = passed.operation.start if site < 0 else site
                if externals.is_mpi(passed.callee):
                    self._note(found, passed, origin, place, function is wrapper)
                    continue
                callee = self._functions.get(passed.callee)
                step = (passed.callee, passed.position, origin, place)
                if not isinstance(callee, Function) or callee.body is None or step in seen:
                    continue
                if passed.position < len(callee.parameters):
                    seen.add(step)
                    pending.append((callee, passed.position, origin, place))
        return list(found.values())

    def _note(self, found: dict[tuple[int, int], _MpiCall], passed: Passed, origin: int, site: int, own: bool) -> None:
        callee = self._functions.get(passed.callee)
        if not isinstance(callee, Function):
            return
        roles = externals.roles(passed.callee, len(callee.parameters))
        if passed.position >= len(roles):
            return
        key = site, passed.operation.start
        call = found.get(key)
        if call is None:
            call = found[key] = _MpiCall(passed.callee, roles, site, own, [])
        call.parameters.append((passed.position, origin))


class _MpiCall(NamedTuple):
    """A call of MPI. `site` is the place in the wrapper of the call, or of the call that leads to it; `parameters`
    are the positions of its arguments with the wrapper's parameters that are passed there."""

    name: str
    roles: str
    site: int
    own: bool
    parameters: list[tuple[int, int]]

    def of(self, letters: str) -> list[int]:
        """The wrapper's parameters that play one of these roles."""
        return [origin for position, origin in self.parameters if self.roles[position] in letters]

    def may_precede(self, other: _MpiCall, straight: bool) -> bool:
        """Whether this call runs before another, or that cannot be told."""
        if not straight or (self.site == other.site and not (self.own and other.own)):
            return True
        return self.site < other.site


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
        names = [match[1] for match in operation.names_used]
        used.update(names)
        if operation.name == "llvm.alloca":
            allocated.update(name for name, _ in operation.results)
        elif (callee := _callee(operation)) is not None and externals.roles(callee, len(names)).endswith("r"):
            started.append((callee, names[-1]))
    return [callee for callee, request in started if request in allocated and used[request] == 1]


def _callee(operation: Operation) -> str | None:
    return direct_callee(operation) if effects.full_name(operation.name) in CALLS else None
