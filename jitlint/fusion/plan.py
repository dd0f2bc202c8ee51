"""From a legal group to what its fused call is: slots, results, names of values, and the key of its wrapper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jitlint.analysis.blocks import BlockAnalysis, Stretch
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.partition import Part
from jitlint.analysis.storage import Copy, Slot
from jitlint.ir.calls import Value
from jitlint.options import Form

WrapperKey = tuple[tuple[str, ...], tuple[tuple[int, ...], ...], tuple[Copy, ...], Form]
"""What makes two fused wrappers the same: the wrappers in order, the slot of each of their parameters, the copies."""


@dataclass(slots=True, eq=False)
class Plan:
    """A group that is to be fused.

    `results` are the slots that the results of the fused call alias, in order; `renamed` maps every value of the group
    that is used outside to its new text. `name` is the name before the `=`, "" where there is no result.
    """

    block: BlockAnalysis
    stretch: Stretch
    part: Part
    results: tuple[int, ...]
    name: str
    renamed: Mapping[Value, str]
    key: WrapperKey

    @property
    def calls(self) -> list[Candidate]:
        """The calls in text order."""
        return self.part.calls

    @property
    def slots(self) -> list[Slot]:
        """The slots, in order."""
        return self.part.storage.slots


def plan(block: BlockAnalysis, stretch: Stretch, part: Part, form: Form, operand_uses: Mapping[Value, int]) -> Plan:
    """Plan the fused call of a part of two calls or more.

    `operand_uses` counts the uses of outside values in the function, which only `form = "pass"` asks for.
    """
    storage = part.storage
    results = tuple(
        number
        for number, slot in enumerate(storage.slots)
        if slot.mutated and (form == "sound" or _kept_by_pass(slot, part, block, operand_uses))
    )
    name = next((call.call.result_names[0][0] for call in part.calls if call.call.result_names), "")
    if results and not name:
        name = _fresh(block, "%fused")
    renamed: dict[Value, str] = {}
    for place, number in enumerate(results):
        held = storage.slots[number].holds
        assert held is not None  # a slot that is written holds what was written last
        renamed[held] = f"{name}#{place}" if len(results) > 1 else name
    key = (
        tuple(call.call.symbol for call in part.calls),
        tuple(storage.bindings),
        tuple(Copy(_member(part, copy), copy.source, copy.target, copy.size) for copy in storage.copies),
        form,
    )
    return Plan(block, stretch, part, results, name if results else "", renamed, key)


def used_outside(value: Value, part: Part, block: BlockAnalysis) -> bool:
    """Whether anything but the part's own calls uses a value."""
    assert block.uses is not None
    inside = sum(call.operands.count(value) for call in part.calls)
    return len(block.uses.of.get(value, ())) > inside


def _kept_by_pass(slot: Slot, part: Part, block: BlockAnalysis, operand_uses: Mapping[Value, int]) -> bool:
    """The compiler pass drops a result that is used inside only, where its operand has no other use."""
    assert slot.holds is not None
    if used_outside(slot.holds, part, block):
        return True
    inside = sum(call.operands.count(slot.operand) for call in part.calls)
    return operand_uses.get(slot.operand, 0) > inside


def _member(part: Part, copy: Copy) -> int:
    """The number among the part's calls of the one before which a copy is made."""
    return next(number for number, call in enumerate(part.calls) if call.index == copy.member)


def _fresh(block: BlockAnalysis, name: str) -> str:
    """A name that the function does not use."""
    scope = block.place.scope
    assert scope is not None
    text = scope.own_text()
    number = 0
    while (taken := f"{name}_{number}") in text:
        number += 1
    return taken
