"""Where fused calls stand, and which operations move out of their way.

A fused call stands where the group's first call stood, unless an operand is defined later or a user stands earlier.
Then operations without effects move: those that the group needs above it, those that need the group below it. Of all
places between the calls, the one is taken that moves the least text.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

from jitlint.analysis.order.dependencies import Graph

_ROOM = 1 << 40
_NEVER = 1 << 60


class Entry:
    """An operation of the stretch, or the fused call that takes the place of several.

    `operations` are indices in the block, `group` the number of the group or -1. `slot` is the operation whose place
    in the text it has, or -1 if it has to be put behind the entry before it. `copied` are the operations that stay
    behind a fused call and whose work is done in it as well: it needs their operands, and not their results.
    """

    __slots__ = ("copied", "group", "label", "movable", "operations", "size", "slot")

    def __init__(
        self,
        operations: tuple[int, ...],
        group: int,
        slot: int,
        movable: bool,
        size: int,
        label: int,
        copied: tuple[int, ...] = (),
    ) -> None:
        self.operations = operations
        self.copied = copied
        self.group = group
        self.slot = slot
        self.movable = movable
        self.size = size
        self.label = label

    @property
    def cost(self) -> int:
        """The characters that moving it moves."""
        return self.size if self.movable else _NEVER


class Schedule:
    """Places the groups of one stretch one after the other, each in the order that those before it left.

    The order is kept in the entries' labels, so that placing a group costs what depends on it, not the stretch.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        cut = graph.block.cut
        self.entries = [
            Entry((index,), -1, index, effect is None, cut.ends[index] - cut.starts[index], (node + 1) * _ROOM)
            for node, effect in enumerate(graph.effects)
            for index in [node + graph.first]
        ]
        self.labels = [entry.label for entry in self.entries]
        self.moved: list[Entry] = []

    def place(self, group: int, calls: Sequence[int], leaving: Sequence[int] = (), staying: Sequence[int] = ()) -> None:
        """Place the group of these calls (indices in the block), whose contraction leaves the graph without a cycle.

        Of the plumbing in it, what is `leaving` goes away with the calls, and what is `staying` comes behind them.
        """
        members = sorted((self._entry(index) for index in calls), key=_label)
        inside = [*members, *map(self._entry, leaving)]
        behind_it = list(map(self._entry, staying))
        own = {*inside, *behind_it}
        first, last = members[0].label, members[-1].label
        above = self._search([*inside, *behind_it], own, self.graph.before, first, above=True)
        below = self._search([*inside, *behind_it], own, self.graph.after, last, above=False)
        below = sorted([*below, *behind_it], key=_label)
        anchor, behind = self._cheapest(members, above, below)
        # A call that an earlier group moved has no place in the text any more: neither has what takes its place.
        fused = Entry(
            operations=(*calls, *leaving),
            group=group,
            slot=-1 if behind else anchor.slot,
            movable=all(entry.movable for entry in members),
            size=sum(entry.size for entry in members),
            label=anchor.label,
            copied=tuple(staying),
        )
        if behind:
            self._insert([fused], anchor, behind=True)
        for index in (*calls, *leaving):
            self.entries[index - self.graph.first] = fused
        hoisted = [entry for entry in above if entry.label > fused.label]
        sunk = [entry for entry in below if entry.label < fused.label]
        self._insert(hoisted, fused, behind=False)
        self._insert(sunk, fused, behind=True)
        for entry in (*hoisted, *sunk):
            entry.slot = -1
        self.moved += (*hoisted, *sunk, *([fused] if behind else []))

    def in_order(self) -> list[Entry]:
        """All entries in their new order."""
        return sorted(dict.fromkeys(self.entries), key=_label)

    def _entry(self, index: int) -> Entry:
        return self.entries[index - self.graph.first]

    def _search(
        self,
        members: list[Entry],
        own: set[Entry],
        edges: Sequence[Sequence[int] | set[int]],
        limit: int,
        *,
        above: bool,
    ) -> list[Entry]:
        """The entries of the stretch that must come before (or after) the group, in order."""
        found: set[Entry] = set()
        pending = list(members)
        while pending:
            current = pending.pop()
            for index in (*current.operations, *current.copied) if above else current.operations:
                for node in edges[index - self.graph.first]:
                    entry = self.entries[node]
                    if node + self.graph.first in current.copied or index in entry.copied:
                        continue
                    inside = entry.label > limit if above else entry.label < limit
                    if inside and entry not in own and entry not in found:
                        found.add(entry)
                        pending.append(entry)
        return sorted(found, key=_label)

    def _cheapest(self, members: list[Entry], above: list[Entry], below: list[Entry]) -> tuple[Entry, bool]:
        """The entry at which (or behind which) the fused call moves the least; if several do, the first with a call."""
        needed, dependent = set(above), set(below)
        cost = sum(entry.cost for entry in above)
        best, anchor, behind = (cost, False), members[0], False
        for entry in sorted([*members, *above, *below], key=_label):
            if entry in needed:
                cost -= entry.cost
            elif entry in dependent:
                cost += entry.cost
            elif (cost, False) < best:
                best, anchor, behind = (cost, False), entry, False
            if (cost, True) < best:
                best, anchor, behind = (cost, True), entry, True
        return anchor, behind

    def _insert(self, entries: list[Entry], anchor: Entry, *, behind: bool) -> None:
        """Give `entries` labels right before (behind) that of `anchor`, in their order."""
        if not entries:
            return
        while True:
            step = self._room(anchor.label, behind=behind) // (len(entries) + 1)
            if step:
                break
            for entry in {*self.entries, *entries, anchor}:
                entry.label *= _ROOM
            self.labels = [label * _ROOM for label in self.labels]
        for number, entry in enumerate(entries):
            entry.label = anchor.label + step * (number + 1 if behind else number - len(entries))
            insort(self.labels, entry.label)

    def _room(self, label: int, *, behind: bool) -> int:
        """How far it is to the next label that is, or was, in use."""
        place = bisect_left(self.labels, label)
        if behind:
            return self.labels[place + 1] - label if place + 1 < len(self.labels) else _ROOM
        return label - self.labels[place - 1] if place else _ROOM


def _label(entry: Entry) -> int:
    return entry.label
