"""Split the calls of a stretch into the largest parts that can each be one call.

A component is tried whole first. Where it cannot fuse, its ties are walked (by the user's place, then the operand's
number) and two parts are joined when the union passes every check. A union that fails only because other calls lie in
the way takes those in, of whatever component they are, or of none: *bystanders*. So does one that fails because of
operations that only move bytes: *plumbing*. This is repeated until no tie joins.

Two calls that are joined early may keep three others apart. Where few calls are left over, they are walked again with
each tie first in turn, and the walk that leaves the fewest calls counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple, cast

from jitlint.analysis.candidates import Candidate, is_unbroken
from jitlint.analysis.components import Component, Tie
from jitlint.analysis.order.order import Detour, Joint, Order
from jitlint.analysis.storage.group_storage import GroupStorage, MixedLayouts, Part, may_be_refused
from jitlint.analysis.storage.moves import Plumbing
from jitlint.analysis.storage.slots import Conflict
from jitlint.analysis.storage.storage import Storage, join
from jitlint.analysis.verdict import Verdict
from jitlint.ir.calls import Value

Member = Candidate | Plumbing
"""What a group may have as a member."""

Reason = Detour | Conflict | Candidate | MixedLayouts | Verdict
"""Why two parts cannot become one: the way between them, their storage, a call that fuses with no other, or layouts
that XLA chooses."""

_VISITS_PER_MEMBER = 64
_VISITS = 20_000
"""A budget that keeps the walk linear: the groups of the order that may be visited for bystanders of other components.
Beyond it, a component is split by itself; beyond twice as much, nothing comes along any more, and what lies in the way
of a tie is remembered instead of searched for."""


_VISITS_PER_PART = 4
"""What each part that is tried because it lies in the way, and each call that is run in vain, takes from that
budget."""

_MOST_CALLS, _MOST_NODES = 12, 200
"""Calls and operations of a stretch that is walked again with another tie first. Of three calls the first is best."""


class Split(NamedTuple):
    """The parts of a component by their first calls, and for each tie that did not join, the reason."""

    parts: list[Part]
    left: Mapping[Tie, Reason] = {}


class Partition:
    """Splits the components of one stretch of a block. `members` are its calls and the plumbing between them.

    `order` is made when it is first needed; `first` is the index of the operation that is node 0 there.
    """

    def __init__(
        self, make_order: Callable[[], Order], first: int, members: Sequence[Member], group_storage: GroupStorage
    ) -> None:
        self._make_order = make_order
        self._order: Order | None = None
        self._joined: list[list[int]] = []  # the nodes of the parts that are found already
        self.first = first
        self.members = members
        # The order remembers ways through operations that cannot join: it must always be asked with the same ones.
        self.may_join = {member.index - first for member in members if not member.obstacles}
        self.group_storage = group_storage

    @property
    def order(self) -> Order:
        """The order, with all parts found so far joined."""
        if self._order is None:
            self._order = self._new_order()
        return self._order

    def _new_order(self) -> Order:
        order = self._make_order()
        for nodes in self._joined:
            joint = order.try_join(nodes, ())
            assert isinstance(joint, Joint)  # they were joined before, or have nothing between them
            order.join(joint)
        return order

    def split(self, components: Sequence[Component]) -> list[tuple[Component, Split]]:
        """The components with their parts. Those that share a part are one, to which its bystanders belong."""
        whole: list[tuple[Component, Part]] = []
        rest: list[Component] = []
        for component in components:
            part = self._whole(component)
            if part is None:
                rest.append(component)
            else:
                whole.append((component, part))
        if not rest:
            return [(component, Split([part])) for component, part in whole]
        parts = [part for _, part in whole]
        walk = _Walk(self, self.order, parts, components)
        walk.run(rest)
        for tie, component in self._other_beginnings(rest, walk):
            other = _Walk(self, self._new_order(), parts, components)
            if other.begin(tie, component):
                other.run(rest)
                walk = min(walk, other, key=_Walk.calls_left)
        return walk.outcome(components)

    def _other_beginnings(self, rest: Sequence[Component], walk: _Walk) -> list[tuple[Tie, Component]]:
        """The ties to try first where another beginning may leave fewer calls; none of those that cannot join even by
        themselves."""
        calls = [member for member in self.members if isinstance(member, Candidate)]
        few = 3 < len(calls) <= _MOST_CALLS and len(self.order.groups) <= _MOST_NODES
        if not few or walk.calls_left() <= 1 + sum(bool(call.obstacles) for call in calls):
            return []
        return [(tie, component) for component in rest for tie in component.ties]

    def _whole(self, component: Component) -> Part | None:
        part = self.group_storage.part(component)
        if part is None:
            return None
        nodes = self.nodes(part.calls)
        if self._order is not None or not is_unbroken(part.calls):  # else nothing can lie in the way
            joint = self.order.try_join(nodes, self.may_join)
            if isinstance(joint, Detour):
                return None
            self.order.join(joint)
        self._joined.append(nodes)
        return part

    @cached_property
    def by_node(self) -> Mapping[int, Member]:
        """The members by the nodes of the order."""
        return {member.index - self.first: member for member in self.members}

    @cached_property
    def users(self) -> Mapping[Value, Sequence[Member]]:
        """The members that use a value."""
        users: dict[Value, list[Member]] = {}
        for member in self.members:
            for value in dict.fromkeys(member.operands):
                users.setdefault(value, []).append(member)
        return users

    def nodes(self, members: Iterable[Member]) -> list[int]:
        """The nodes of the order that the members are."""
        return [member.index - self.first for member in members]


class _Growing:
    """A part while it grows. A call that fuses with no other is a part with empty storage."""

    __slots__ = ("first", "storage", "whole")

    def __init__(self, first: Member, storage: Storage, whole: Part | None = None) -> None:
        self.first = first
        self.storage = storage
        self.whole = whole

    @property
    def members(self) -> list[Member]:
        """The calls and the plumbing in text order."""
        return cast("list[Member]", self.storage.members) or [self.first]

    def part(self, ties: Iterable[Tie]) -> Part:
        """The part as it stands; `ties` are at least those between its calls."""
        members = self.members
        if self.whole is not None and len(self.whole.calls) == len(members):
            return self.whole
        calls = _calls(members)
        if len(calls) == 1:
            return Part(calls, None)
        return Part(calls, self.storage.final(), members, _untied(calls, ties))


def _calls(members: Iterable[Member]) -> list[Candidate]:
    return [member for member in members if isinstance(member, Candidate)]


class _Walk:
    """One walk over the ties of a stretch, until none joins; `whole` are the parts that are found already, which are
    joined in `order`, too."""

    def __init__(
        self, partition: Partition, order: Order, whole: Iterable[Part], components: Iterable[Component]
    ) -> None:
        members = partition.members
        self.partition = partition
        self.order = order
        self.most_visits = self.order.visited + _VISITS_PER_MEMBER * len(members) + _VISITS
        self.reasons: dict[Tie, Reason] = {}
        self._copies = partition.group_storage.may_copy
        self._may_be_refused = any(map(may_be_refused, _calls(members)))
        self._makers = {
            (tie.user.index, tie.operand): tie.maker
            for component in components
            for tie in component.ties
            if tie.user.kind.undeclared
        }
        self._parts: dict[int, _Growing] = {}
        self._own: dict[int, set[int]] = {}
        self._whole = {call.index: part for part in whole for call in part.calls}

    def part(self, member: Member) -> _Growing:
        """The part that a call or plumbing is in."""
        found = self._parts.get(member.index)
        if found is None:
            whole = self._whole.get(member.index)
            members = whole.members if whole is not None else [member]
            found = _Growing(members[0], self.partition.group_storage.storage(), whole)
            for each in members:
                if not each.obstacles:
                    conflict = found.storage.push(each)
                    assert conflict is None, "a part that was found to be legal is not"
                self._parts[each.index] = found
        return found

    def begin(self, tie: Tie, component: Component) -> bool:
        """Join the calls of one tie before all others; returns whether they fit together."""
        return self._try(tie, component) is None

    def calls_left(self) -> int:
        """How many calls are left of all in the stretch."""
        return len({self.part(member) for member in self.partition.members if isinstance(member, Candidate)})

    def _take_whole(self, component: Component) -> None:
        """Make one part of a whole component, with what must come along, if it passes every check."""
        if not any(call.obstacles for call in component.calls):
            self._take([self.part(call) for call in component.calls], component)

    def run(self, components: Sequence[Component]) -> None:
        """Join until nothing joins: what needs no copy first, and of that what values tie, so that a choice that lets
        more calls join does not begin by keeping apart what the default joins."""
        ties = [(tie, component) for component in components for tie in component.ties]
        ties.sort(key=lambda entry: (entry[0].user.index, entry[0].operand))
        by_values = [entry for entry in ties if entry[0].operand >= 0]
        for copies in (False, True) if self.partition.group_storage.may_copy else (False,):
            self._copies = copies
            for component in components:
                self._take_whole(component)
            if len(by_values) < len(ties):
                self._join(by_values)
            self._join(ties)

    def _join(self, pending: list[tuple[Tie, Component]]) -> None:
        """Walk ties until none joins."""
        while True:
            failed, joined = [], False
            for tie, component in pending:
                first, second = self.part(tie.maker), self.part(tie.user)
                if first is second:
                    continue
                reason = self._try(tie, component)
                if reason is None:
                    joined = True
                else:
                    self.reasons[tie] = reason
                    failed.append((tie, component))
            if not joined or not failed:
                return
            pending = failed

    def outcome(self, components: Sequence[Component]) -> list[tuple[Component, Split]]:
        """The components with their parts; those that share a part are one."""
        return [(component, self._split(component)) for component in _merged(components, self.part)]

    def _split(self, component: Component) -> Split:
        grown = set(map(self.part, component.calls))
        left = {tie: self.reasons[tie] for tie in component.ties if self.part(tie.maker) is not self.part(tie.user)}
        return Split([part.part(component.ties) for part in sorted(grown, key=_first_place)], left)

    def _try(self, tie: Tie, component: Component) -> Reason | None:
        """Join two parts, with what must come along; returns the reason where they cannot become one."""
        parts = self._with_makers([self.part(tie.maker), self.part(tie.user)])
        for part in parts:
            if isinstance(part.first, Candidate) and part.first.obstacles:  # such a call is a part by itself
                return part.first
        return self._take(parts, component)

    def _with_makers(self, parts: list[_Growing]) -> list[_Growing]:
        """Parts with those that make the values which they write undeclared: only together may they be one call."""
        if not self._makers:
            return parts
        pending = [call for part in parts for call in _calls(part.members) if call.kind.undeclared]
        while pending:
            call = pending.pop()
            for operand in call.kind.undeclared:
                maker = self._makers.get((call.index, operand))
                if maker is not None and (part := self.part(maker)) not in parts:
                    parts.append(part)
                    pending += _calls(part.members)
        return parts

    def _take(self, parts: list[_Growing], component: Component) -> Reason | None:
        """Make one part of these, of what lies in their way, and of what else uses the values that they leave in
        buffers of the wrapper's own; returns the reason where they cannot become one."""
        parts = list(dict.fromkeys(parts))
        if len(parts) == 1:
            return None  # what came along with another component has made it one already
        may_join = self._may_join(component)
        while True:
            joint = self._joint(parts, may_join)
            if not isinstance(joint, Joint):
                return joint
            reason = self._unite(parts, joint)
            users = self._users(reason, may_join).difference(parts) if isinstance(reason, Conflict) else None
            if not users:
                return reason
            self._add(parts, sorted(users, key=_first_place))

    def _joint(self, parts: list[_Growing], may_join: Collection[int]) -> Joint | Detour:
        """How the order joins these parts; what lies in their way is added to them."""
        while True:
            outcome = self.order.try_join(self.partition.nodes(part.members[0] for part in parts), may_join)
            if isinstance(outcome, Joint) or not outcome.joinable:
                return outcome
            self._add(parts, dict.fromkeys(self.part(self.partition.by_node[node]) for node in outcome.joinable))

    def _add(self, parts: list[_Growing], more: Collection[_Growing]) -> None:
        parts += more
        self.order.visited += _VISITS_PER_PART * len(more)

    def _users(self, conflict: Conflict, may_join: Collection[int]) -> set[_Growing]:
        """The parts that use a value which is gone when a group ends, directly or through plumbing: with all of them
        in the group, nothing needs it then. None of them where one cannot come along."""
        users: set[_Growing] = set()
        wanted = [conflict.lost] if conflict.lost is not None else []
        while wanted:
            for member in self.partition.users.get(wanted.pop(), ()):
                if member.index - self.partition.first not in may_join:
                    return set()
                users.add(self.part(member))
                wanted += member.results if isinstance(member, Plumbing) else ()
        return users

    def _may_join(self, component: Component) -> Collection[int]:
        """The nodes that may come along."""
        if self.order.visited <= self.most_visits:
            return self.partition.may_join
        if self.order.visited > 2 * self.most_visits:
            return ()
        first = component.calls[0].index
        own = self._own.get(first)
        if own is None:
            own = self._own[first] = self.partition.may_join.intersection(self.partition.nodes(component.calls))
        return own

    def _unite(self, parts: list[_Growing], joint: Joint) -> Reason | None:
        if self._may_be_refused:
            refused = self.partition.group_storage.refusal([call for part in parts for call in _calls(part.members)])
            if refused is not None:
                return refused
        largest = max(parts, key=lambda part: len(part.members))
        later = sorted((member for part in parts if part is not largest for member in part.members), key=_place)
        pushed = largest.storage.pushed
        conflict = join(largest.storage, list(later), copies=self._copies)
        if conflict is not None:
            self.order.visited += _VISITS_PER_PART * (largest.storage.pushed - pushed)
            return conflict
        self.order.join(joint)
        for member in later:
            self._parts[member.index] = largest
        return None


def _merged(components: Sequence[Component], part: Callable[[Candidate], _Growing]) -> list[Component]:
    """Components by their first calls; one of those that share a part, with the calls that came along."""
    leader = list(range(len(components)))
    owner: dict[_Growing, int] = {}
    for number, component in enumerate(components):
        for call in component.calls:
            other = _leader(leader, owner.setdefault(part(call), number))
            own = _leader(leader, number)
            leader[max(own, other)] = min(own, other)
    together: dict[int, list[Component]] = {}
    for number, component in enumerate(components):
        together.setdefault(_leader(leader, number), []).append(component)
    return [_with_bystanders(some, part) for some in together.values()]


def _leader(leader: list[int], place: int) -> int:
    while leader[place] != place:
        leader[place] = leader[leader[place]]
        place = leader[place]
    return place


def _untied(calls: Sequence[Candidate], ties: Iterable[Tie]) -> tuple[Candidate, ...]:
    """Of the calls of a part, the first of each that no tie connects with the first of all."""
    places = {call.index: place for place, call in enumerate(calls)}
    leader = list(range(len(calls)))
    for tie in ties:
        maker, user = places.get(tie.maker.index), places.get(tie.user.index)
        if maker is not None and user is not None:
            first, second = _leader(leader, maker), _leader(leader, user)
            leader[max(first, second)] = min(first, second)
    return tuple(calls[place] for place in range(1, len(calls)) if leader[place] == place)


def _with_bystanders(components: Sequence[Component], part: Callable[[Candidate], _Growing]) -> Component:
    own = list(chain.from_iterable(component.calls for component in components))
    grown = dict.fromkeys(map(part, own))
    calls = {call.index: call for each in grown for call in _calls(each.members)}
    if len(components) == 1 and len(calls) == len(own):
        return components[0]
    ties = sorted(chain.from_iterable(component.ties for component in components), key=_tie_place)
    return Component(tuple(sorted(calls.values(), key=_place)), tuple(ties))


def _first_place(part: _Growing) -> int:
    return part.members[0].index


def _tie_place(tie: Tie) -> tuple[int, int]:
    return tie.user.index, tie.operand


def _place(member: Member) -> int:
    return member.index
