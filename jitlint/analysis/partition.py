"""Split a component into the largest parts that can each be one call.

The whole component is tried first. Where it cannot fuse, its ties are walked (by the user's place, then the operand's
number) and two parts are joined when the union passes every check; a union that fails only because other calls of the
component lie in the way takes those in. This is repeated until no tie joins. Of a small component every split is
looked at first (`search`), since walking the ties can take a wrong turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple, cast

from jitlint.analysis.candidates import Candidate, is_unbroken
from jitlint.analysis.components import Component, Tie
from jitlint.analysis.order.order import Detour, Joint, Order
from jitlint.analysis.search import best_split
from jitlint.analysis.storage.group_storage import GroupStorage, Part
from jitlint.analysis.storage.slots import Conflict, Storage, join
from jitlint.analysis.verdict import Verdict

Reason = Detour | Conflict | Candidate | Verdict
"""Why two parts cannot be one: the way between them, the storage, a call that can be fused with none, the wrappers."""


class Split(NamedTuple):
    """The parts of a component by their first calls, and for each tie that did not join, the reason."""

    parts: list[Part]
    left: Mapping[Tie, Reason] = {}


class Partition:
    """Splits the components of one stretch of a block.

    `order` is made when it is first needed; `first` is the index of the operation that is node 0 there.
    """

    def __init__(self, make_order: Callable[[], Order], first: int, group_storage: GroupStorage) -> None:
        self._make_order = make_order
        self._order: Order | None = None
        self._joined: list[list[int]] = []
        self._first = first
        self.group_storage = group_storage

    @property
    def order(self) -> Order:
        """The order, with all parts found so far joined."""
        if self._order is None:
            self._order = self._make_order()
            for nodes in self._joined:
                joint = self._order.try_join(nodes, ())
                assert isinstance(joint, Joint)  # only calls with nothing between them were joined without asking
                self._order.join(joint)
        return self._order

    def split(self, component: Component) -> Split:
        """The largest parts of `component` that can each be one call."""
        whole = self._whole(component)
        if whole is not None:
            return Split([whole])
        walk = _Walk(component, self)
        walk.start(
            best_split(component, self.order, self._first, self.group_storage.storage, self.group_storage.refusal) or []
        )
        walk.run()
        return Split(walk.parts(), walk.left())

    def _whole(self, component: Component) -> Part | None:
        part = self.group_storage.part(component)
        if part is None:
            return None
        nodes = self.nodes(part.calls)
        if self._order is None and is_unbroken(part.calls):
            self._joined.append(nodes)  # nothing stands between them, so nothing can lie in the way
        else:
            joint = self.order.try_join(nodes, ())
            if isinstance(joint, Detour):
                return None
            self.order.join(joint)
        return part

    def nodes(self, calls: Iterable[Candidate]) -> list[int]:
        """The nodes of the order that the calls are."""
        return [call.index - self._first for call in calls]


class _Growing:
    """A part while it grows. A call that fuses with none is one without anything in its storage."""

    __slots__ = ("first", "storage")

    def __init__(self, first: Candidate, storage: Storage) -> None:
        self.first = first
        self.storage = storage

    @property
    def calls(self) -> list[Candidate]:
        """The calls in text order."""
        return cast("list[Candidate]", self.storage.members) or [self.first]


class _Walk:
    """One walk over the ties of a component, until none joins."""

    def __init__(self, component: Component, partition: Partition) -> None:
        self.component = component
        self.partition = partition
        self.order = partition.order
        self.by_node = dict(zip(partition.nodes(component.calls), component.calls, strict=True))
        self.may_join = {node for node, call in self.by_node.items() if not call.obstacles}
        self.part: dict[int, _Growing] = {}
        for call in component.calls:
            storage = partition.group_storage.storage()
            if not call.obstacles:
                storage.push(call)
            self.part[call.index] = _Growing(call, storage)
        self.reasons: dict[Tie, Reason] = {}

    def start(self, groups: list[list[Candidate]]) -> None:
        """Begin with these groups, which are known to be legal together."""
        for calls in groups:
            if len(calls) > 1:
                joint = self.order.try_join(self.partition.nodes(calls), ())
                reason = (
                    self._unite([self.part[call.index] for call in calls], joint) if isinstance(joint, Joint) else joint
                )
                assert reason is None, "a split that was found to be legal is not"

    def run(self) -> None:
        """Walk the ties until none joins."""
        pending = list(self.component.ties)
        while True:
            failed, joined = [], False
            for tie in pending:
                first, second = self.part[tie.maker.index], self.part[tie.user.index]
                if first is second:
                    continue
                reason = self._try(tie, first, second)
                if reason is None:
                    joined = True
                else:
                    self.reasons[tie] = reason
                    failed.append(tie)
            if not joined or not failed:
                return
            pending = failed

    def parts(self) -> list[Part]:
        """The parts as they stand, by their first calls."""
        grown = {id(self.part[call.index]): self.part[call.index] for call in self.component.calls}.values()
        return [Part(part.calls, part.storage.final() if len(part.calls) > 1 else None) for part in grown]

    def left(self) -> dict[Tie, Reason]:
        """The ties between different parts, each with why."""
        return {
            tie: self.reasons[tie]
            for tie in self.component.ties
            if self.part[tie.maker.index] is not self.part[tie.user.index]
        }

    def _try(self, tie: Tie, first: _Growing, second: _Growing) -> Reason | None:
        """Join two parts, with what must come along; the reason if that cannot be."""
        for call in (tie.maker, tie.user):
            if call.obstacles:
                return call
        parts = self._with_makers([first, second])
        while True:
            nodes = self.partition.nodes(part.calls[0] for part in parts)
            outcome = self.order.try_join(nodes, self.may_join)
            if isinstance(outcome, Joint):
                break
            added = {id(part): part for node in outcome.joinable for part in [self.part[self.by_node[node].index]]}
            if not added:
                return outcome
            parts += added.values()
        return self._unite(parts, outcome)

    def _with_makers(self, parts: list[_Growing]) -> list[_Growing]:
        """Parts with those that make the values which they write undeclared: only together may they be one call."""
        pending = [call for part in parts for call in part.calls if call.kind.undeclared]
        while pending:
            call = pending.pop()
            for operand in call.kind.undeclared:
                maker = self._makers.get((call.index, operand))
                if maker is not None and (part := self.part[maker.index]) not in parts:
                    parts.append(part)
                    pending += part.calls
        return parts

    @cached_property
    def _makers(self) -> dict[tuple[int, int], Candidate]:
        """The call that makes each operand, by the place of its user and its number."""
        return {(tie.user.index, tie.operand): tie.maker for tie in self.component.ties}

    def _unite(self, parts: list[_Growing], joint: Joint) -> Reason | None:
        refused = self.partition.group_storage.refusal([call for part in parts for call in part.calls])
        if refused is not None:
            return refused
        largest = max(parts, key=lambda part: len(part.calls))
        later = sorted((call for part in parts if part is not largest for call in part.calls), key=_place)
        conflict = join(largest.storage, list(later))
        if conflict is not None:
            return conflict
        self.order.join(joint)
        for call in later:
            self.part[call.index] = largest
        return None


def _place(call: Candidate) -> int:
    return call.index
