"""Whether calls fit together as one: what their storage and their wrappers say, wherever the calls stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from jitlint.analysis.candidates import Candidate
from jitlint.analysis.components import Component
from jitlint.analysis.storage.moves import Plumbing
from jitlint.analysis.storage.slots import FinalSlot, Slots
from jitlint.analysis.storage.storage import Storage
from jitlint.analysis.verdict import Verdict
from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.findings import Severity
from jitlint.ir.calls import Value

Pattern = tuple[int, ...]
"""A cache key: equal patterns imply equal slots. It must hold how often each result is used, or a fix drops a result
that is needed (`GroupStorage._pattern`)."""


class Part:
    """Calls that are to become one, in text order, with their slots; None for a call that fuses with no other.

    `members` are the calls and the plumbing between them. `bystanders` are the first calls of those that nothing joins
    with the first: they came along.
    """

    __slots__ = ("bystanders", "calls", "members", "slots")

    def __init__(
        self,
        calls: Sequence[Candidate],
        slots: Slots | None,
        members: Sequence[Candidate | Plumbing] | None = None,
        bystanders: tuple[Candidate, ...] = (),
    ) -> None:
        self.calls = calls
        self.slots = slots
        self.members = calls if members is None else members
        self.bystanders = bystanders

    @property
    def plumbing(self) -> list[Plumbing]:
        """The plumbing among the members."""
        if len(self.members) == len(self.calls):
            return []
        return [member for member in self.members if isinstance(member, Plumbing)]

    @property
    def first(self) -> Candidate:
        """The first call."""
        return self.calls[0]

    def passed(self, slot: FinalSlot) -> Value:
        """The outside value that is passed for a slot."""
        return self.members[slot.member].operands[slot.number]

    def held(self, slot: FinalSlot) -> Value | None:
        """The value that a slot holds in the end, if any call writes it."""
        return None if slot.holds is None else self.members[slot.holds[0]].results[slot.holds[1]]


class MixedLayouts(NamedTuple):
    """Two calls that are no group: `fixing` writes its layouts, and XLA chooses those of `leaving`."""

    fixing: Candidate
    leaving: Candidate


class GroupStorage:
    """Answers for the calls of one block.

    `uses` counts the uses of each call result, `sizes` the bytes of types where copies are allowed. `patterns` keeps
    what was found out about groups of one pattern, for all blocks of a module; `twins` has one of equal constants for
    the others.
    """

    def __init__(
        self,
        uses: Mapping[Value, int],
        sizes: Mapping[str, int | None] | None,
        wrappers: Wrappers,
        patterns: dict[Pattern, Slots | None],
        twins: Mapping[Value, Value],
    ) -> None:
        self._twins = twins
        self._uses = uses
        self._sizes = sizes
        self._wrappers = wrappers
        self._patterns = patterns

    def part(self, component: Component) -> Part | None:
        """All calls of a component as one, if they fit together."""
        calls = component.calls
        for call in calls:
            if call.obstacles:
                return None
        pattern = self._pattern(calls)
        slots = self._patterns.get(pattern) or self._slots(pattern, calls)
        if slots is None or self.refusal(calls) is not None:
            return None
        return Part(calls, slots)

    @property
    def may_copy(self) -> bool:
        """Whether values may be kept by copies."""
        return self._sizes is not None

    def storage(self) -> Storage:
        """Empty storage."""
        return Storage(self._uses, self._sizes, self._twins)

    def refusal(self, calls: Sequence[Candidate]) -> Verdict | MixedLayouts | None:
        """What stands against calls together besides their storage: layouts that XLA chooses for some of them, an
        undeclared write through the value of a call that is not there, or a wrapper that would have to be called and
        cannot be."""
        for call in calls:
            if call.kind.undeclared and (missing := _seen_outside(call, calls)) is not None:
                return missing
        return _mixed_layouts(calls) or self._not_callable(calls)

    def _not_callable(self, calls: Sequence[Candidate]) -> Verdict | None:
        if not any(call.kind.wrapper.not_callable for call in calls):
            return None
        functions = [call.kind.wrapper.function for call in calls if call.kind.wrapper.function is not None]
        return self._wrappers.not_callable(functions)

    def _slots(self, pattern: Pattern, calls: Sequence[Candidate]) -> Slots | None:
        """The slots of a group; None on a conflict. Groups of one pattern have the same, which is found once."""
        if pattern not in self._patterns:
            storage = self.storage()
            fits = all(storage.push(call) is None for call in calls)
            self._patterns[pattern] = storage.final() if fits else None
        return self._patterns[pattern]

    def _pattern(self, calls: Sequence[Candidate]) -> Pattern:
        """What decides the slots of a group: the kinds of its calls, which operands are the same value, and how often
        each result is used."""
        numbers: dict[Value, int] = {}
        pattern: list[int] = []
        uses, twins = self._uses, self._twins
        for call in calls:
            pattern.append(call.kind.serial)
            for value in call.operands:
                value = twins.get(value, value)
                number = numbers.get(value)
                if number is None:
                    number = numbers[value] = len(numbers)
                pattern.append(number)
            for value in call.results:
                numbers[value] = len(numbers)
                pattern.append(uses.get(value, 0))
        return tuple(pattern)


def _mixed_layouts(calls: Sequence[Candidate]) -> MixedLayouts | None:
    """The first calls of which one writes its layouts and XLA chooses the other's: it need not choose the default."""
    fixing = next((call for call in calls if call.kind.metadata.fixes_a_layout), None)
    leaving = next((call for call in calls if call.kind.metadata.leaves_a_layout), None) if fixing else None
    return None if fixing is None or leaving is None else MixedLayouts(fixing, leaving)


def may_be_refused(call: Candidate) -> bool:
    """Whether a group with this call may be refused: `GroupStorage.refusal` is None for calls of which none may be."""
    return bool(call.kind.wrapper.not_callable or call.kind.undeclared or call.kind.metadata.fixes_a_layout)


def _seen_outside(call: Candidate, calls: Sequence[Candidate]) -> Verdict | None:
    """The first undeclared write of a call of a group to a value that no call of the group made."""
    made = {value for other in calls for value in other.results}
    for operand, verdict in call.kind.undeclared.items():
        if call.operands[operand] not in made:
            message = f"{verdict.message}, and the call that makes it is not in the group"
            return verdict._replace(message=message, severity=Severity.INFO)
    return None
