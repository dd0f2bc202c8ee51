"""The best split of a small component, by looking at every one.

Walking the ties can take a wrong turn: two calls joined early may keep three others apart. Of a component of a few
calls all splits can be looked at. What decides whether one is legal is a table: from which call another can be reached
without passing a third (`_Ways`), and the storage of each part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jitlint.analysis.candidates import Candidate
from jitlint.analysis.components import Component
from jitlint.analysis.order.order import Order
from jitlint.analysis.storage.slots import Storage

MOST_CALLS = 8
MOST_LOOKED_AT = 4_000
"""Bounds of the search: calls of a component, and operations and splits looked at. Beyond them, the ties are walked."""


def best_split(
    component: Component,
    order: Order,
    first: int,
    make_storage: Callable[[], Storage],
    refused: Callable[[Sequence[Candidate]], object],
) -> list[list[Candidate]] | None:
    """The calls of `component` in the fewest legal parts, each connected by ties; None where the bounds are passed.

    `refused` tells what else stands against a part. Of several equally good splits, the one that puts earlier calls
    together is taken.
    """
    calls = [call for call in component.calls if not call.obstacles]
    if not 3 <= len(calls) <= MOST_CALLS:
        return None
    ways = _Ways.find([call.index - first for call in calls], order)
    if ways is None:
        return None
    search = _Search(calls, ways, _tied(component, calls), make_storage, refused)
    search.run(0)
    return search.best if search.steps <= MOST_LOOKED_AT else None


class _Ways:
    """Between the calls of a component, by their numbers: `outside[a]` are those that can be reached from call `a`
    through operations that are none of the calls, `direct[a]` those that use its results (or must follow it) directly.
    Sets are bit masks."""

    def __init__(self, size: int) -> None:
        self.outside = [0] * size
        self.direct = [0] * size

    @classmethod
    def find(cls, nodes: Sequence[int], order: Order) -> _Ways | None:
        """The ways between these nodes of `order`; None if too much has to be looked at."""
        ways = cls(len(nodes))
        number = {id(order.group_of(node)): place for place, node in enumerate(nodes)}
        last = max(order.group_of(node).label for node in nodes)
        looked_at = 0
        for place, node in enumerate(nodes):
            seen: set[int] = set()
            pending = [(node, True)]
            while pending:
                current, own = pending.pop()
                for member in order.group_of(current).members:
                    for user in order.edges[1][member]:
                        looked_at += 1
                        group = order.group_of(user)
                        call = number.get(id(group))
                        if call is not None:
                            if own:
                                ways.direct[place] |= 1 << call
                            else:
                                ways.outside[place] |= 1 << call
                        elif id(group) not in seen and group.label < last:
                            seen.add(id(group))
                            pending.append((user, False))
                if looked_at > MOST_LOOKED_AT:
                    return None
        return ways


def _tied(component: Component, calls: Sequence[Candidate]) -> list[int]:
    """For each call, the calls that a tie joins it with, as a mask."""
    number = {call.index: place for place, call in enumerate(calls)}
    tied = [0] * len(calls)
    for tie in component.ties:
        first, second = number.get(tie.maker.index), number.get(tie.user.index)
        if first is not None and second is not None:
            tied[first] |= 1 << second
            tied[second] |= 1 << first
    return tied


class _Search:
    """Puts the calls into parts one after the other, in text order, so that storage grows with each part."""

    def __init__(
        self,
        calls: Sequence[Candidate],
        ways: _Ways,
        tied: Sequence[int],
        make_storage: Callable[[], Storage],
        refused: Callable[[Sequence[Candidate]], object],
    ) -> None:
        self.calls = calls
        self.ways = ways
        self.tied = tied
        self.make_storage = make_storage
        self.refused = refused
        self.parts: list[tuple[list[int], Storage]] = []
        self.best: list[list[Candidate]] | None = None
        self.steps = 0

    def run(self, place: int) -> None:
        """Put call `place` and all after it into parts; at most `MOST_CALLS` deep."""
        self.steps += 1
        if self.steps > MOST_LOOKED_AT or (self.best is not None and len(self.parts) >= len(self.best)):
            return
        if place == len(self.calls):
            if self._legal():
                self.best = [[self.calls[number] for number in part] for part, _ in self.parts]
            return
        for part, storage in self.parts:
            if self._apart(part, place) or storage.push(self.calls[place]) is not None:
                continue
            part.append(place)
            self.run(place + 1)
            part.pop()
            storage.pop()
        storage = self.make_storage()
        if storage.push(self.calls[place]) is None:
            self.parts.append(([place], storage))
            self.run(place + 1)
            self.parts.pop()

    def _apart(self, part: list[int], place: int) -> bool:
        """Whether an outside operation stands between a part and a call."""
        return any(self.ways.outside[number] >> place & 1 for number in part)

    def _legal(self) -> bool:
        masks = [sum(1 << number for number in part) for part, _ in self.parts]
        if not all(map(self._connected, masks)) or not self._acyclic(masks):
            return False
        return not any(self.refused([self.calls[number] for number in part]) for part, _ in self.parts if len(part) > 1)

    def _connected(self, mask: int) -> bool:
        reached = mask & -mask
        while True:
            more = reached
            for number in range(len(self.calls)):
                if reached >> number & 1:
                    more |= self.tied[number] & mask
            if more == reached:
                return reached == mask
            reached = more

    def _acyclic(self, masks: list[int]) -> bool:
        """Whether the parts can stand in some order: take away one that nothing left must precede, again and again."""
        left = list(masks)
        while left:
            free = next(
                (mask for mask in left if not any(self._leads(other, mask) for other in left if other != mask)), None
            )
            if free is None:
                return False
            left.remove(free)
        return True

    def _leads(self, one: int, two: int) -> bool:
        return any(
            one >> number & 1 and (self.ways.outside[number] | self.ways.direct[number]) & two
            for number in range(len(self.calls))
        )
