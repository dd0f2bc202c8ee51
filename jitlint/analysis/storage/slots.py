"""Storage slots: which value each pointer of a fused wrapper holds while the calls run in text order.

`docs/fusion.md` explains the rules. A read of an outside value shares one slot with all its reads; a mutating use
of an outside value opens a slot of its own; a result takes over the slot of the operand that it aliases, whose old
value is then gone. A value that is needed after that was *overwritten*, and the calls cannot be one.

`Storage` is built call by call (`push`) and taken back call by call (`pop`), so that joining two groups costs what
stands behind the first call of the later one, not the whole of both.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import NamedTuple, Protocol

from jitlint.ir.calls import Value

Layout = tuple[int, ...]
_SERIALS = count()


class Member(Protocol):
    """What storage needs to know of a call; every sequence has one entry for each operand."""

    @property
    def index(self) -> int:
        """Its place in its block."""

    @property
    def operands(self) -> tuple[Value, ...]:
        """The values that it uses."""

    @property
    def results(self) -> tuple[Value, ...]:
        """The values that it defines."""

    @property
    def mutated(self) -> Mapping[int, int]:
        """The result that aliases an operand, by the operand's number."""

    @property
    def operand_types(self) -> tuple[str, ...]:
        """The tensor types of its operands."""

    @property
    def parameter_types(self) -> tuple[str, ...]:
        """The types of its wrapper's parameters."""

    @property
    def layouts(self) -> tuple[Layout | None, ...]:
        """The layouts of its operands, minor to major; None where XLA chooses."""


class Slot(NamedTuple):
    """One pointer of the fused wrapper.

    `operand` is the outside value passed for it, `holds` the inside value it holds now (None while it holds the
    operand), `mutated` whether any call writes it. `member` and `number` are the call and the operand that opened it.
    """

    member: Member
    number: int
    operand: Value
    operand_type: str
    parameter_type: str
    layout: Layout | None
    mutated: bool
    holds: Value | None = None


class Copy(NamedTuple):
    """A value kept by a copy: before `member` (its index) runs, the bytes of slot `source` go to slot `target`."""

    member: int
    source: int
    target: int
    size: int


class Conflict(NamedTuple):
    """Why a call cannot be pushed.

    `kind` is "overwritten" (`value` is needed after `by` overwrote it; by `reader` inside the group, or outside if
    None), "twice" (`by` takes the inside `value` to write and once more), "type" or "layout" (operand `operand` of
    `by` does not fit the slot, whose property is `had`, with `has`).
    """

    kind: str
    value: Value
    by: Member
    reader: Member | None = None
    operand: int = 0
    had: str = ""
    has: str = ""


class FinalSlot(NamedTuple):
    """A slot of a group that is settled. `member` and `number` tell the call and the operand that is passed for it,
    `holds` the call and the result that it holds in the end (None if it is only read); calls by their number."""

    member: int
    number: int
    operand_type: str
    parameter_type: str
    layout: Layout | None
    mutated: bool
    holds: tuple[int, int] | None


class Slots(NamedTuple):
    """The slots of a group that is settled, in order; groups of the same pattern share one.

    `bindings` has the slot of each parameter of each call, `written` the slots that some call writes. The `member` of
    a copy is the number of a call. No two have the same `serial`, so that it may stand for them in keys.
    """

    slots: tuple[FinalSlot, ...]
    bindings: tuple[tuple[int, ...], ...]
    copies: tuple[Copy, ...]
    written: tuple[int, ...]
    serial: int


class _Undo:
    """What one push changed."""

    __slots__ = ("copies", "held", "moved", "reads", "slots", "used", "writers")

    def __init__(self, slots: int, copies: int) -> None:
        self.slots = slots
        self.copies = copies
        self.reads: list[Value] = []
        self.held: list[tuple[int, Value | None]] = []
        self.moved: list[tuple[Value, int | None]] = []
        self.used: list[Value] = []
        self.writers: list[Value] = []


class Storage:
    """The slots of a growing group. `uses` is the number of uses of each call result in the whole function.

    With `sizes` (the bytes of a tensor type, None if unknown), overwritten values are kept by copies.
    """

    def __init__(self, uses: Mapping[Value, int], sizes: Mapping[str, int | None] | None = None) -> None:
        self.members: list[Member] = []
        self.slots: list[Slot] = []
        self.copies: list[Copy] = []
        self.bindings: list[tuple[int, ...]] = []
        self._uses = uses
        self._sizes = sizes
        self._reads: dict[Value, int] = {}
        self._where: dict[Value, int] = {}
        self._used: dict[Value, int] = {}
        self._overwriter: dict[Value, Member] = {}
        self._log: list[_Undo] = []

    def push(self, member: Member) -> Conflict | None:
        """Let `member` run after all before it; on a conflict nothing changes."""
        undo = _Undo(len(self.slots), len(self.copies))
        binding: list[int] = []
        conflict = self._bind(member, binding, undo) or self._write(member, binding, undo)
        if conflict is not None:
            self._revert(undo)
            return conflict
        self.members.append(member)
        self.bindings.append(tuple(binding))
        self._log.append(undo)
        return None

    def pop(self) -> Member:
        """Take the last call back."""
        self._revert(self._log.pop())
        self.bindings.pop()
        return self.members.pop()

    def final(self) -> Slots:
        """The slots as they are, told by the numbers of the calls instead of the calls themselves."""
        number = {member.index: place for place, member in enumerate(self.members)}
        holder = {
            value: (place, n) for place, member in enumerate(self.members) for n, value in enumerate(member.results)
        }
        slots = tuple(
            FinalSlot(
                number[slot.member.index],
                slot.number,
                slot.operand_type,
                slot.parameter_type,
                slot.layout,
                slot.mutated,
                None if slot.holds is None else holder[slot.holds],
            )
            for slot in self.slots
        )
        return Slots(
            slots=slots,
            bindings=tuple(self.bindings),
            copies=tuple(copy._replace(member=number[copy.member]) for copy in self.copies),
            written=tuple(place for place, slot in enumerate(slots) if slot.mutated),
            serial=next(_SERIALS),
        )

    def _bind(self, member: Member, binding: list[int], undo: _Undo) -> Conflict | None:
        """Find the slot of each operand."""
        for number, value in enumerate(member.operands):
            slot = self._where.get(value)
            if slot is None:
                conflict = self._bind_outside(member, number, value, binding, undo)
            else:
                conflict = self._bind_inside(member, number, value, slot, undo)
                binding.append(slot)
            if conflict is not None:
                return conflict
        return None

    def _bind_inside(self, member: Member, number: int, value: Value, index: int, undo: _Undo) -> Conflict | None:
        slot = self.slots[index]
        if slot.holds != value:
            return Conflict("overwritten", value, self._overwriter[value], member)
        self._used[value] = self._used.get(value, 0) + 1
        undo.used.append(value)
        return self._fits(member, number, value, slot)

    def _bind_outside(
        self, member: Member, number: int, value: Value, binding: list[int], undo: _Undo
    ) -> Conflict | None:
        mutated = number in member.mutated
        if not mutated and value in self._reads:
            binding.append(self._reads[value])
            return self._fits(member, number, value, self.slots[binding[-1]])
        binding.append(len(self.slots))
        if not mutated:
            self._reads[value] = len(self.slots)
            undo.reads.append(value)
        self.slots.append(
            Slot(
                member,
                number,
                value,
                member.operand_types[number],
                member.parameter_types[number],
                member.layouts[number],
                mutated,
            )
        )
        return None

    def _fits(self, member: Member, number: int, value: Value, slot: Slot) -> Conflict | None:
        if member.parameter_types[number] != slot.parameter_type:
            had, has = slot.parameter_type, member.parameter_types[number]
            return Conflict("type", value, member, None, number, had, has)
        if member.layouts[number] != slot.layout:
            had, has = str(list(slot.layout or ())), str(list(member.layouts[number] or ()))
            return Conflict("layout", value, member, None, number, had, has)
        return None

    def _write(self, member: Member, binding: list[int], undo: _Undo) -> Conflict | None:
        """Let the results take over the slots of the operands that they alias."""
        for number, result in member.mutated.items():
            index = binding[number]
            old = self.slots[index].holds
            if old is not None:
                conflict = self._overwrite(member, number, old, binding, undo)
                if conflict is not None:
                    return conflict
                index = binding[number]
            undo.held.append((index, self.slots[index].holds))
            new = member.results[result]
            self.slots[index] = self.slots[index]._replace(holds=new)
            undo.moved.append((new, self._where.get(new)))
            self._where[new] = index
        return None

    def _overwrite(self, member: Member, number: int, old: Value, binding: list[int], undo: _Undo) -> Conflict | None:
        """Overwrite the inside value `old`, which is allowed if nothing needs it any more, or if it can be copied."""
        twice = sum(1 for slot in binding if slot == binding[number]) > 1
        needed = self._uses.get(old, 0) > self._used.get(old, 0)
        if twice or needed:
            if not self._keep(member, number, old, binding, undo):
                return Conflict("twice" if twice else "overwritten", old, member)
            return None
        self._overwriter[old] = member
        undo.writers.append(old)
        return None

    def _keep(self, member: Member, number: int, old: Value, binding: list[int], undo: _Undo) -> bool:
        """Keep `old` by a copy in a new slot, which everything but this operand then uses; False if it cannot be."""
        source = binding[number]
        slot = self.slots[source]
        size = self._sizes.get(slot.operand_type) if self._sizes is not None else None
        if size is None or slot.layout is None:  # XLA may lay the new slot out otherwise
            return False
        target = len(self.slots)
        self.slots.append(slot._replace(mutated=True, holds=old))
        self.copies.append(Copy(member.index, source, target, size))
        undo.moved.append((old, source))
        self._where[old] = target
        for other, bound in enumerate(binding):
            if bound == source and other != number:
                binding[other] = target
        return True

    def _revert(self, undo: _Undo) -> None:
        for index, held in reversed(undo.held):
            self.slots[index] = self.slots[index]._replace(holds=held)
        for value, place in reversed(undo.moved):
            if place is None:
                del self._where[value]
            else:
                self._where[value] = place
        for value in undo.reads:
            del self._reads[value]
        for value in undo.used:
            self._used[value] -= 1
        for value in undo.writers:
            del self._overwriter[value]
        del self.slots[undo.slots :]
        del self.copies[undo.copies :]


def join(storage: Storage, later: list[Member]) -> Conflict | None:
    """Take the calls of `later` (in text order) into `storage`; on a conflict it is as it was before."""
    tail: list[Member] = []
    while storage.members and storage.members[-1].index > later[0].index:
        tail.append(storage.pop())
    before = len(storage.members)
    for member in sorted([*tail, *later], key=lambda member: member.index):
        conflict = storage.push(member)
        if conflict is not None:
            while len(storage.members) > before:
                storage.pop()
            for old in reversed(tail):
                storage.push(old)
            return conflict
    return None
