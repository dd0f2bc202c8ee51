"""What the values of a function may point to: sets of origins, which flow from value to value until nothing changes.

The values are numbers. What memory of the function's own holds is a value as well, one for each object, so that a load
is a flow out of it and a store one into it. All sets only grow; the number of steps is bounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from jitlint.analysis.wrapper.origins import OBJECT, OUTSIDE, PARAMETER, UNKNOWN, Origin, Origins, read_from, single

_STEPS_PER_VALUE = 100


class PointsTo:
    """The flows between the values of one function. Those that are told to be certain keep a pointer what it is."""

    def __init__(self) -> None:
        self._possible: list[set[Origin]] = []
        self._copies: list[list[int]] = []
        self._sure_copies: list[list[int]] = []
        self._loads: list[list[int]] = []
        self._stores: list[list[int]] = []
        self._stored_at: list[list[int]] = []
        self._offsets: list[list[int]] = []
        self._linked: set[tuple[int, int]] = set()
        self._taken_out: list[tuple[int, int]] = []
        self._sources: list[tuple[int, Origin]] = []
        self._objects: list[int] = []
        self._pending: list[int] = []
        self._add(self._object(), UNKNOWN)  # object 0: all memory outside

    def _new(self) -> int:
        for each in (self._copies, self._sure_copies, self._loads, self._stores, self._stored_at, self._offsets):
            each.append([])
        self._possible.append(set())
        return len(self._possible) - 1

    def _object(self) -> int:
        """A new object; the value that stands for what it holds."""
        held = self._new()
        self._objects.append(held)
        return held

    def _add(self, value: int, origin: Origin) -> None:
        if origin not in self._possible[value]:
            self._possible[value].add(origin)
            self._pending.append(value)

    def _source(self, value: int, origin: Origin) -> None:
        """A value that is where an origin comes from."""
        self._add(value, origin)
        self._sources.append((value, origin))

    def _allocate(self, results: Sequence[int]) -> None:
        for result in results:
            self._object()
            self._source(result, Origin(OBJECT, len(self._objects) - 1))

    def _copy(self, source: int, target: int, *, certain: bool = False) -> None:
        self._copies[source].append(target)
        if certain:
            self._sure_copies[source].append(target)

    def _copy_all(self, sources: Sequence[int | None], target: int) -> None:
        for source in sources:
            if source is not None:
                self._copy(source, target)

    def _load(self, base: int, target: int) -> None:
        self._loads[base].append(target)

    def _store(self, base: int, value: int) -> None:
        self._stores[base].append(value)
        self._stored_at[value].append(base)

    def solve(self) -> bool:
        """Let all origins flow until nothing changes; returns whether it came to an end."""
        left = _STEPS_PER_VALUE * (len(self._possible) + 100)
        while self._pending:
            value = self._pending.pop()
            origins = self._possible[value]
            left -= 1 + len(origins)
            if left < 0:
                return False
            for origin in list(origins):
                self._through(value, origin)
            for target in self._copies[value]:
                self._all(origins, target)
            if self._offsets[value]:
                addresses = {origin for origin in origins if origin.kind == PARAMETER}
                for target in self._offsets[value]:
                    self._all(addresses, target)
            for base in self._stored_at[value]:
                for origin in list(self._possible[base]):
                    if origin.kind == OBJECT and origin.number:
                        self._all(origins, self._objects[origin.number])
        return True

    def _through(self, base: int, origin: Origin) -> None:
        """What is loaded and stored through a value that may point there."""
        if origin.kind == OBJECT:
            held = self._objects[origin.number]
            for target in self._loads[base]:
                if (held, target) not in self._linked:
                    self._linked.add((held, target))
                    self._copies[held].append(target)
                self._all(self._possible[held], target)
            if origin.number:
                for value in self._stores[base]:
                    self._all(self._possible[value], held)
        else:
            for target in self._loads[base]:
                self._all(read_from(origin), target)

    def _all(self, origins: set[Origin] | Origins, target: int) -> None:
        more = origins - self._possible[target]
        if more:
            self._possible[target] |= more
            self._pending.append(target)

    def _certain(self) -> list[set[Origin]]:
        """The origins of each value that are certain: what memory or a struct holds is, if it is one thing."""
        certain: list[set[Origin]] = [set() for _ in self._possible]
        copies = self._sure_copies
        for whole, part in self._taken_out:
            if len(self._possible[whole] - {OUTSIDE}) == 1:
                copies[whole].append(part)
        pending = list(self._sources)
        while pending:
            value, origin = pending.pop()
            if origin in certain[value]:
                continue
            certain[value].add(origin)
            pending += ((target, origin) for target in copies[value])
            if len(self._possible[value]) == 1:
                held = self._possible[self._objects[origin.number]] if origin.kind == OBJECT else read_from(origin)
                if only := single(held):
                    pending += ((target, only) for target in self._loads[value])
        return certain
