"""Which operations of a block can become one: the dependency graph, contracted group by group.

The graph has an edge from a definition to each of its users, and one from each operation with side effects to the next.
It has no cycle; a set of operations can become one exactly if contracting it leaves none. `Order` keeps the groups in a
list that fits the graph, with integer labels that leave room between them. A question then looks only at what lies
between the groups in that list, and joining moves only what must stand before (or behind) the new group. What a search
found to lie behind a group through an operation that cannot join is remembered, and not searched for again. Operations
with effects are all in one order, so what lies between two of those is known without a search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

_ROOM = 1 << 40
_STEP = 1 << 16

Edge = tuple[int, int]


class Group:
    """Operations contracted to one node, in a list of all groups that is a topological order of the graph.

    `beyond[forward]` maps a group that lies behind this one (before it, for `forward`) by way of an operation that
    cannot join, to the last edge of the way there. `effects` are the first and the last of the effects that happen in
    this group, as places in `Order.effects`: all between them happen in it as well, or the graph had a cycle.
    """

    __slots__ = ("after", "before", "beyond", "effects", "label", "members")

    def __init__(self, members: list[int], label: int) -> None:
        self.members = members
        self.label = label
        self.before: Group | None = None
        self.after: Group | None = None
        self.effects: tuple[int, int] | None = None
        self.beyond: tuple[dict[Group, Edge], dict[Group, Edge]] = ({}, {})


class Detour(NamedTuple):
    """What keeps groups from being one: operations that come after one of them and before another.

    `path` holds edges in order, from a member through other operations back to a member. One of a long path may be
    no edge of the graph: a part of the way is left out there. `joinable` holds the
    operations in the way where all of them may join, and is empty otherwise.
    """

    path: tuple[Edge, ...]
    joinable: frozenset[int]


class Joint(NamedTuple):
    """Groups that can become one, and the groups that must first move before (`forward`: behind) them, in order."""

    groups: list[Group]
    moving: list[Group]
    forward: bool


class Order:
    """A block's operations (nodes 0 to n - 1, in text order) under contraction.

    `before[n]` and `after[n]` are the nodes with an edge to and from `n`, `effects` those with side effects in text
    order, each with an edge to the next. `visited` counts the groups looked at.
    """

    def __init__(
        self, before: Sequence[Collection[int]], after: Sequence[Collection[int]], effects: Sequence[int] = ()
    ) -> None:
        self.edges = (before, after)
        self.visited = 0
        self.groups = [Group([node], node * _ROOM) for node in range(len(before))]
        for left, right in zip(self.groups, self.groups[1:], strict=False):
            left.after, right.before = right, left
        self.effects = effects
        for place, node in enumerate(effects):
            self.groups[node].effects = place, place

    def group_of(self, node: int) -> Group:
        """The group that `node` is in."""
        return self.groups[node]

    def try_join(self, nodes: Iterable[int], may_join: Collection[int]) -> Joint | Detour:
        """Whether the groups of `nodes` can be one. `may_join` are the operations that could be added to help."""
        groups = list(dict.fromkeys(map(self.group_of, nodes)))
        groups.sort(key=lambda group: group.label)
        if not may_join and len(groups) == 2 and (between := self._effects_between(*groups)) is not None:
            return between
        # Of two groups, search from the smaller: its edges are all that is looked at where nothing lies between.
        forward = len(groups) == 2 and len(groups[0].members) < len(groups[1].members)
        search = _Search(self, groups, forward, may_join)
        return search.run() or Joint(groups, search.between(), forward)

    def _effects_between(self, first: Group, second: Group) -> Detour | None:
        """The way from effect to effect, if others happen between those of two groups."""
        if first.effects is None or second.effects is None:
            return None
        start, end = first.effects[1], second.effects[0]
        if end - start < 2:
            return None
        if end - start <= 2 * _SHOWN:
            return Detour(tuple(pairwise(self.effects[start : end + 1])), frozenset())
        ends = self.effects[start : start + _SHOWN], self.effects[end - _SHOWN + 1 : end + 1]
        return Detour(tuple(pairwise(chain(*ends))), frozenset())

    def join(self, joint: Joint) -> None:
        """Make one group of those that `try_join` found to fit. Nothing else may be joined in between."""
        groups = joint.groups
        anchor = groups[-1] if joint.forward else groups[0]
        for group in reversed(joint.moving) if joint.forward else joint.moving:
            self._unlink(group)
            self._insert(group, anchor, behind=joint.forward)
        largest = max(groups, key=lambda group: len(group.members))
        for group in groups:
            if group is not largest:
                self._absorb(largest, group)
        if largest is not anchor:
            self._unlink(largest)
            self._insert(largest, anchor, behind=True)
        for group in groups:
            if group is not largest:
                self._unlink(group)

    def _absorb(self, largest: Group, group: Group) -> None:
        largest.members.extend(group.members)
        for node in group.members:
            self.groups[node] = largest
        for mine, other in zip(largest.beyond, group.beyond, strict=True):
            mine.update(other)
        if group.effects is not None:
            own = largest.effects or group.effects
            largest.effects = min(own[0], group.effects[0]), max(own[1], group.effects[1])

    def _unlink(self, group: Group) -> None:
        if group.before is not None:
            group.before.after = group.after
        if group.after is not None:
            group.after.before = group.before
        group.before = group.after = None

    def _insert(self, group: Group, anchor: Group, *, behind: bool) -> None:
        """Put `group` right before (behind) `anchor`, with a label far from it, since the next one will come between
        them."""
        left, right = (anchor, anchor.after) if behind else (anchor.before, anchor)
        low = left.label if left is not None else (right.label if right else 0) - 2 * _ROOM
        high = right.label if right is not None else low + 2 * _ROOM
        step = min(_STEP, (high - low) // 2)
        group.label = high - step if behind else low + step
        group.before, group.after = left, right
        if left is not None:
            left.after = group
        if right is not None:
            right.before = group
        if step == 0:
            self._relabel(group)

    def _relabel(self, group: Group) -> None:
        """Give all groups new labels, with room between them."""
        first = group
        while first.before is not None:
            first = first.before
        label, current = 0, first
        while True:
            current.label = label
            label += _ROOM
            if current.after is None:
                return
            current = current.after


class _Search:
    """A search from all groups but one against (or along) the edges, no further than the remaining one, the goal.

    The comments describe the search against the edges; along them (`forward`), before and behind change places.
    """

    def __init__(self, order: Order, groups: list[Group], forward: bool, may_join: Collection[int]) -> None:
        self.order = order
        self.forward = forward
        self.edges = order.edges[1 if forward else 0]
        self.may_join = may_join
        self.goal = groups[-1] if forward else groups[0]
        self.starts = groups[:-1] if forward else groups[1:]
        self.own = set(groups)
        self.limit = self.goal.label
        self.came_from: dict[Group, Edge] = {}
        self.found: list[Group] = []
        self.in_way: dict[Group, Edge] = {}

    def run(self) -> Detour | None:
        """The detour, if there is one."""
        pending = list(self.starts)
        while pending:
            group = pending.pop()
            self.order.visited += 1
            for node in group.members:
                for other in self.edges[node]:
                    target = self.order.groups[other]
                    if target in self.own:
                        if group not in self.own and self._met(group, (other, node)):
                            return self._foreign(group)
                        continue
                    if target in self.came_from or not self._in_reach(target):
                        continue
                    self.came_from[target] = (other, node)
                    if target in self.goal.beyond[self.forward]:
                        return self._foreign(target)
                    self.found.append(target)
                    pending.append(target)
        return self._joinable_way() if self.in_way else None

    def between(self) -> list[Group]:
        """The groups that must move past the goal, in the list's order."""
        return sorted(self.found, key=lambda group: group.label)

    def _in_reach(self, group: Group) -> bool:
        return group.label < self.limit if self.forward else group.label > self.limit

    def _met(self, group: Group, edge: Edge) -> bool:
        """Note that a group reaches back to one of the groups to join; whether it can never join itself."""
        self.in_way.setdefault(group, edge)
        return self._cannot_join(group)

    def _cannot_join(self, group: Group) -> bool:
        return group.members[0] not in self.may_join  # what was joined, could join

    def _joinable_way(self) -> Detour:
        """Everything that lies in the way, where it begins with calls that may join."""
        in_way = set(self.in_way)
        for group in sorted(self.found, key=lambda group: group.label, reverse=self.forward):
            if group not in in_way:
                edge = self._edge_into(group, in_way)
                if edge is None:
                    continue
                self.in_way[group] = edge
                in_way.add(group)
                if self._cannot_join(group):
                    return self._foreign(group)
        nodes = frozenset(node for group in self.found if group in in_way for node in group.members)
        first = next(group for group in self.found if group in in_way)
        return Detour(self._path(first), nodes)

    def _edge_into(self, group: Group, in_way: set[Group]) -> Edge | None:
        for node in group.members:
            for other in self.edges[node]:
                if self.order.groups[other] in in_way:
                    return other, node
        return None

    def _foreign(self, group: Group) -> Detour:
        """A detour through an operation that can never join; remember it for the goal."""
        path = self._path(group)
        if len(self.own) == 2:
            beyond = self.goal.beyond[self.forward]
            current, last = group, self.in_way.get(group)
            while True:
                if last is not None:
                    beyond.setdefault(current, last)
                if current in self.own:
                    break
                last = self.came_from[current]
                current = self.order.groups[last[1]]
        return Detour(path, frozenset())

    def _path(self, group: Group) -> tuple[Edge, ...]:
        """From the goal (or another group to join) through `group` to where the search came from."""
        near: list[Edge] = []
        current = group
        while current not in self.own:
            edge = self.came_from[current]
            near.append(edge)
            current = self.order.groups[edge[1]]
        if len(near) > 2 * _SHOWN:
            near[_SHOWN:-_SHOWN] = [(near[_SHOWN - 1][1], near[-_SHOWN][0])]
        far: list[Edge] = []
        current = group
        for _ in range(_SHOWN):
            step = self.in_way.get(current)
            if step is None:
                step = self.goal.beyond[self.forward].get(current)
            if step is None:
                break
            far.append(step)
            current = self.order.groups[step[0]]
            if current in self.own:
                break
        if current not in self.own:
            far.append((self.goal.members[0], current.members[0]))
        edges = [*reversed(far), *near]
        if self.forward:
            return tuple((second, first) for first, second in reversed(edges))
        return tuple(edges)


_SHOWN = 6
"""Steps of a remembered way that a path shows at the most, and of another one at either end."""
