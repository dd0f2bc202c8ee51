"""Stretches of a block: what lies between the first and the last call of components that have to be split together."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from jitlint.analysis.candidates import Candidate, is_unbroken
from jitlint.analysis.components import Component
from jitlint.analysis.effects.operations import Effects
from jitlint.analysis.mpi.overlap import overlapped
from jitlint.analysis.mpi.traffic import Traffics
from jitlint.analysis.order.dependencies import Graph
from jitlint.analysis.order.order import Order
from jitlint.analysis.partition import Member, Partition, Split
from jitlint.analysis.storage.group_storage import GroupStorage, Part
from jitlint.ir.tree import Block


class Stretch:
    """The part of a block from the first to the last call of some components whose ways cross.

    `members` are all calls and plumbing in it, `splits` holds each component with its parts, `kept` those that could be
    one call and stay apart for the sake of what runs meanwhile. The graph is made when it is first needed.
    """

    __slots__ = ("_effects", "_graph", "block", "first", "kept", "last", "members", "splits")

    def __init__(self, block: Block, members: Sequence[Member], first: int, last: int, effects: Effects) -> None:
        self.block = block
        self.members = members
        self.first = first
        self.last = last
        self.splits: list[tuple[Component, Split]] = []
        self.kept: list[Part] = []
        self._effects = effects
        self._graph: Graph | None = None

    @property
    def graph(self) -> Graph:
        """The dependency graph of the stretch."""
        if self._graph is None:
            self._graph = Graph(self.block, self.first, self.last, self._effects)
        return self._graph

    def order(self) -> Order:
        """The order of the graph's operations, with nothing joined in it."""
        graph = self.graph
        effects = [node for node, effect in enumerate(graph.effects) if effect is not None]
        return Order(graph.before, graph.after, effects)

    def call_at(self, index: int) -> Candidate | None:
        """The call that the operation at a place of the block is, if it could be read."""
        place = bisect_left(self.members, index, key=attrgetter("index"))
        found = self.members[place] if place < len(self.members) else None
        return found if isinstance(found, Candidate) and found.index == index else None

    @property
    def groups(self) -> list[Part]:
        """The parts of two calls or more, by their first calls."""
        parts = [part for _, split in self.splits for part in split.parts if len(part.calls) > 1]
        if len(parts) > 1:
            parts.sort(key=lambda part: part.first.index)
        return parts

    def split(self, found: list[Component], group_storage: GroupStorage) -> None:
        """Split its components into parts."""
        if len(found) == 1 and is_unbroken(found[0].calls) and (whole := group_storage.part(found[0])):
            self.splits = [(found[0], Split([whole]))]  # nothing lies in its way, so no order is asked for
        else:
            self.splits = Partition(self.order, self.first, self.members, group_storage).split(found)

    def keep_overlap(self, traffics: Traffics) -> None:
        """Take apart the groups that would be done before other work begins."""
        for place, (component, split) in enumerate(self.splits):
            kept = [part for part in split.parts if len(part.calls) > 1 and overlapped(self.block, part, traffics)]
            if kept:
                parts = [
                    single
                    for part in split.parts
                    for single in ([Part([call], None) for call in part.calls] if part in kept else [part])
                ]
                self.splits[place] = (component, split._replace(parts=sorted(parts, key=lambda part: part.first.index)))
                self.kept += kept


def overlapping(found: Iterable[Component]) -> Iterator[list[Component]]:
    """Components, by their first calls, in groups whose stretches of the block overlap."""
    group: list[Component] = []
    last = -1
    for component in found:
        if group and component.calls[0].index > last:
            yield group
            group = []
        group.append(component)
        last = max(last, component.calls[-1].index)
    if group:
        yield group
