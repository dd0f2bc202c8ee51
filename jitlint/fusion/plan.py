"""From a legal group to what its fused call is: its results, the names of values, and what its wrapper is made of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from jitlint.analysis.blocks import BlockAnalysis
from jitlint.analysis.candidates import Candidate, is_unbroken
from jitlint.analysis.storage.group_storage import Part
from jitlint.analysis.storage.moves import Plumbing
from jitlint.analysis.storage.slots import FinalSlot, Slots
from jitlint.analysis.stretches import Stretch
from jitlint.findings import Finding
from jitlint.ir.calls import Value


class Plan:
    """A group that is to be fused; `calls` are in text order. What only a fix needs is found when it is asked for.
    `finding` keeps what is said of it, once somebody has said it.

    `operand_uses` counts the uses of outside values in the function; it is given for `form = "pass"` alone, which
    drops a result that is used inside only, where its operand has no other use.
    """

    def __init__(
        self, block: BlockAnalysis, stretch: Stretch, part: Part, operand_uses: Mapping[Value, int] | None
    ) -> None:
        assert part.slots is not None  # a part of several calls has slots
        self.block = block
        self.stretch = stretch
        self.part = part
        self.calls = part.calls
        self.storage: Slots = part.slots
        self._operand_uses = operand_uses
        self._name: str | None = None
        self.finding: Finding | None = None

    @cached_property
    def is_unbroken(self) -> bool:
        """Whether nothing stands between its calls but plumbing that goes away with them."""
        return is_unbroken(self.part.members) and not self.staying

    @cached_property
    def staying(self) -> tuple[Plumbing, ...]:
        """The plumbing whose results are used outside too: it stays there as well, behind the fused call."""
        plumbing = self.part.plumbing
        if not plumbing:
            return ()
        assert self.block.uses is not None
        inside = {member.index for member in self.part.members}
        found = []
        for member in reversed(plumbing):
            uses = [use.operation for value in member.results for use in self.block.uses.of.get(value, ())]
            if any(user not in inside for user in uses):
                found.append(member)
                inside.discard(member.index)
        return tuple(reversed(found))

    @property
    def gone(self) -> list[Candidate | Plumbing]:
        """What is nowhere but in the fused wrapper afterwards, in text order."""
        if not self.staying:
            return list(self.part.members)
        return [member for member in self.part.members if member not in self.staying]

    @cached_property
    def leaving(self) -> tuple[Plumbing, ...]:
        """The plumbing that is nowhere but in the fused wrapper afterwards."""
        return tuple(member for member in self.part.plumbing if member not in self.staying)

    @property
    def slots(self) -> tuple[FinalSlot, ...]:
        """The slots, in order."""
        return self.storage.slots

    @cached_property
    def results(self) -> tuple[int, ...]:
        """The slots that the results of the fused call alias, in order."""
        if self._operand_uses is None:
            return self.storage.written
        return tuple(number for number in self.storage.written if self._kept_by_pass(self.slots[number]))

    @property
    def name(self) -> str:
        """The name before the `=` of the fused call, "" where it has no result; by itself, the first call's with one.

        Where no call of the group names its results, it is "" until `rename` gives one.
        """
        if not self.results:
            return ""
        if self._name is None:
            self._name = next((call.call.result_names[0][0] for call in self.calls if call.call.result_names), "")
        return self._name

    def rename(self, name: str) -> None:
        """Let the fused call have another name."""
        self._name = name

    def renamed(self) -> dict[Value, str]:
        """Every value that the fused call defines, with its new text."""
        name, several = self.name, len(self.results) > 1
        values: dict[Value, str] = {}
        for place, number in enumerate(self.results):
            held = self.part.held(self.slots[number])
            assert held is not None  # a slot that is written holds what was written last
            values[held] = f"{name}#{place}" if several else name
        return values

    def _kept_by_pass(self, slot: FinalSlot) -> bool:
        held, passed = self.part.held(slot), self.part.passed(slot)
        assert held is not None
        assert self._operand_uses is not None
        if sum(self.part.passed(other) == passed for other in self.slots) > 1:
            return True  # the value is passed for another slot too, and must not be spoilt for that
        return self._used_outside(held) or self._operand_uses.get(passed, 0) > self._inside(passed)

    def _used_outside(self, value: Value) -> bool:
        assert self.block.uses is not None
        return len(self.block.uses.of.get(value, ())) > self._inside(value)

    def _inside(self, value: Value) -> int:
        leaving = sum(member.operands.count(value) for member in self.leaving)
        return leaving + sum(call.operands.count(value) for call in self.calls)
