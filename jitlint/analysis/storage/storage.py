"""The slots of a group while its calls run in text order: which value each holds, and who still needs it.

`docs/fusion.md` explains the rules. A read of an outside value shares one slot with all its reads; a mutating use
of an outside value opens a slot of its own; a result takes over the slot of the operand that it aliases, whose old
value is then gone. A value that is needed after that was *overwritten*, and the calls cannot be one.

`Storage` is built call by call (`push`) and taken back call by call (`pop`), so that joining two groups costs what
stands behind the first call of the later one, not the whole of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, count
from types import MappingProxyType
from typing import Any, NamedTuple

from jitlint.analysis.storage.moves import LARGEST, POINTER, Plumbing, is_flat
from jitlint.analysis.storage.slots import Conflict, Copy, FinalSlot, Member, Scratch, Slot, Slots
from jitlint.ir.calls import Value

_SERIALS = count()


class _Mark(NamedTuple):
    """How much a `Storage` held before a push."""

    slots: int
    copies: int
    changes: int
    owed: int
    scratch: int


class Storage:
    """The slots of a growing group. `uses` is the number of uses of each call result in the whole function.

    With `sizes` (the bytes of a tensor type, None if unknown), overwritten values are kept by copies while `copying`.
    `twins` has one of equal constants for the others: they share a slot where they are only read. A view of a value is
    that value: its *root*. `_left` counts the uses of a value that the group has not seen, of all results together
    where plumbing defines it. What plumbing uses counts as used only once all uses of its results are seen: until then
    the plumbing may have to stay outside as well, and needs it. (`_feeding` counts these uses.) Such a value may be
    overwritten before: what is *owed* then is that the members to come are all that use the results. The same is owed
    for what a call writes to a buffer of the wrapper's own, or to a slot whose tensor has another type, since it never
    comes out.
    """

    def __init__(
        self,
        uses: Mapping[Value, int],
        sizes: Mapping[str, int | None] | None = None,
        twins: Mapping[Value, Value] = MappingProxyType({}),
    ) -> None:
        self.members: list[Member | Plumbing] = []
        self.slots: list[Slot] = []
        self.copies: list[Copy] = []
        self.bindings: list[tuple[int, ...]] = []
        self._uses = uses
        self._sizes = sizes
        self._twins = twins
        self._reads: dict[Value, int] = {}
        self._where: dict[Value, int] = {}
        self._left: dict[Value, int] = {}
        self._roots: dict[Value, tuple[Value, Plumbing, int]] = {}
        self._counted: dict[Value, Value] = {}
        self._feeds: dict[Value, Sequence[Value]] = {}
        self._feeding: dict[Value, int] = {}
        self._overwriter: dict[Value, Member] = {}
        self._scratch = 0
        self.copying = True
        self.pushed = 0
        self._owed: list[tuple[Value, Conflict]] = []
        self._changes: list[tuple[Any, Any, Any]] = []
        self._log: list[_Mark] = []

    def push(self, member: Member | Plumbing) -> Conflict | None:
        """Let `member` run after all before it; on a conflict nothing changes. `pushed` counts the calls."""
        self.pushed += 1
        mark = _Mark(len(self.slots), len(self.copies), len(self._changes), len(self._owed), self._scratch)
        binding: list[int] = []
        if isinstance(member, Plumbing):
            conflict = self._pour(member) if member.pieces else self._look(member)
        else:
            conflict = self._bind(member, binding) or self._write(member, binding)
        if conflict is not None:
            self._revert(mark)
            return conflict
        self.members.append(member)
        self.bindings.append(tuple(binding))
        self._log.append(mark)
        return None

    def pop(self) -> Member | Plumbing:
        """Take the last call back."""
        self._revert(self._log.pop())
        self.bindings.pop()
        return self.members.pop()

    def debt(self, first: int) -> Conflict | None:
        """What stands against a group that ends here, by what the members from the number `first` on owe."""
        owed = self._owed[self._log[first].owed :]
        return next((conflict for value, conflict in owed if self._left.get(value, 0) > 0), None)

    def final(self) -> Slots:
        """The slots as they are, told by the numbers of the members instead of the members themselves."""
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
            if not slot.scratch
        )
        scratch = tuple(Scratch(slot.operand_type, slot.scratch) for slot in self.slots if slot.scratch)
        place = self._numbered(len(slots))
        calls = [not isinstance(member, Plumbing) for member in self.members]
        before = {member.index: sum_ for member, sum_ in zip(self.members, accumulate([0, *calls]), strict=False)}
        return Slots(
            slots=slots,
            bindings=tuple(
                tuple(place[slot] for slot in binding)
                for binding, is_call in zip(self.bindings, calls, strict=True)
                if is_call
            ),
            copies=tuple(
                copy._replace(member=before[copy.member], source=place[copy.source], target=place[copy.target])
                for copy in self.copies
            ),
            written=tuple(place for place, slot in enumerate(slots) if slot.mutated),
            serial=next(_SERIALS),
            scratch=scratch,
        )

    def certain_conflict(self, later: Sequence[Member | Plumbing]) -> Conflict | None:
        """A conflict that occurs whatever the order, found without taking anything back: a call of `later` reads a
        value behind the call that overwrites it, or overwrites one that calls outside the union still need."""
        if (self._sizes is not None and self.copying) or any(isinstance(member, Plumbing) for member in later):
            return None  # a copy may keep the value, and a view of it counts as a use of it
        seen = Counter(self._root(value) for member in later for value in member.operands)
        for member in later:
            for number, value in enumerate(member.operands):
                root = self._root(value)
                by = self._overwriter.get(root)
                if by is not None and by.index < member.index:
                    return Conflict("overwritten", value, by, member)
                if number in member.mutated and root in self._where and self._direct(root) > seen[root]:
                    twice = sum(self._root(other) == root for other in member.operands) > 1
                    return Conflict("twice" if twice else "overwritten", value, member)
        return None

    def _root(self, value: Value) -> Value:
        """The value that a view is of; any other value is its own."""
        return self._roots[value][0] if value in self._roots else value

    def _numbered(self, first: int) -> list[int]:
        """The number of each slot when those of the wrapper's own come last, from `first` on."""
        place, own = 0, first
        numbers = []
        for slot in self.slots:
            if slot.scratch:
                numbers.append(own)
                own += 1
            else:
                numbers.append(place)
                place += 1
        return numbers

    def _look(self, member: Plumbing) -> Conflict | None:
        """Let views stand for their operands."""
        for number, (value, result) in enumerate(zip(member.operands, member.results, strict=True)):
            root = self._roots[value][0] if value in self._roots else value
            slot = self._where.get(root)
            if slot is not None and self.slots[slot].holds != root:
                return Conflict("overwritten", value, self._overwriter[root], member)
            self._set(self._roots, result, self._roots.get(value, (value, member, number)))
        self._feed(member)
        return None

    def _pour(self, member: Plumbing) -> Conflict | None:
        """Put pieces together in a buffer of the wrapper's own."""
        size = sum(piece.size for piece in member.pieces)
        if self._scratch + size > LARGEST:
            return Conflict("stack", member.results[0], member)
        self._scratch += size
        binding: list[int] = []
        conflict = self._bind(member, binding)
        if conflict is not None:
            return conflict
        result, target = member.results[0], len(self.slots)
        self.slots.append(Slot(member, 0, result, member.result_types[0], POINTER, None, False, result, size))
        self._set(self._where, result, target)
        for piece in member.pieces:
            self.copies.append(
                Copy(member.index, binding[piece.operand], target, piece.size, piece.source, piece.target)
            )
        self._feed(member)
        return None

    def _feed(self, member: Plumbing) -> None:
        """Note what plumbing uses, and how many uses of its results are unseen."""
        first = member.results[0]
        for result in member.results[1:]:
            self._set(self._counted, result, first)
        self._set(self._feeds, first, member.operands)
        self._count(first, sum(self._uses.get(result, 0) for result in member.results))
        if self._left[first] > 0:
            for value in member.operands:
                self._set(self._feeding, value, self._feeding.get(value, 0) + 1)

    def _count(self, value: Value, more: int) -> None:
        """Note that so many more uses of a value are unseen (fewer, where `more` is negative)."""
        pending = [(value, more)]
        while pending:
            value, change = pending.pop()
            value = self._counted.get(value, value)
            before = self._left.get(value)
            self._set(self._left, value, (before or 0) + change)
            if self._left[value] == 0 and before != 0:
                for source in self._feeds.get(value, ()):
                    pending.append((source, -1))
                    if before:
                        self._set(self._feeding, source, self._feeding[source] - 1)

    def _set(self, table: dict[Any, Any], key: Any, new: Any) -> None:
        """Change an entry of a table, so that `_revert` takes it back."""
        self._changes.append((table, key, table.get(key)))
        table[key] = new

    def _bind(self, member: Member | Plumbing, binding: list[int]) -> Conflict | None:
        """Find the slot of each operand."""
        for number, value in enumerate(member.operands):
            conflict = self._bind_one(member, number, value, binding)
            if conflict is not None:
                return conflict
        return None

    def _bind_one(self, member: Member | Plumbing, number: int, value: Value, binding: list[int]) -> Conflict | None:
        """Find the slot of an operand. The use of a call is counted, that of plumbing when it can be."""
        root = self._roots[value][0] if value in self._roots else value
        index = self._where.get(root)
        if index is None:
            return self._bind_outside(member, number, root, binding)
        binding.append(index)
        slot = self.slots[index]
        if slot.holds != root:
            return Conflict("overwritten", value, self._overwriter[root], member)
        if not isinstance(member, Plumbing):
            self._count(value, -1)
        return self._fits(member, number, value, slot)

    def _bind_outside(
        self, member: Member | Plumbing, number: int, value: Value, binding: list[int]
    ) -> Conflict | None:
        mutated = number in member.mutated
        value = value if mutated else self._twins.get(value, value)
        if not mutated and value in self._reads:
            binding.append(self._reads[value])
            return self._fits(member, number, value, self.slots[binding[-1]])
        binding.append(len(self.slots))
        if not mutated:
            self._set(self._reads, value, len(self.slots))
        passed = member.operands[number]
        by, place = self._roots[passed][1:] if passed in self._roots else (member, number)
        self.slots.append(
            Slot(
                by,
                place,
                value,
                by.operand_types[place],
                member.parameter_types[number],
                by.layouts[place],
                mutated,
            )
        )
        return None

    def _fits(self, member: Member | Plumbing, number: int, value: Value, slot: Slot) -> Conflict | None:
        if member.parameter_types[number] != slot.parameter_type:
            had, has = slot.parameter_type, member.parameter_types[number]
            return Conflict("type", value, member, None, number, had, has)
        if member.layouts[number] != slot.layout and not is_flat(slot.operand_type):
            had, has = str(list(slot.layout or ())), str(list(member.layouts[number] or ()))
            return Conflict("layout", value, member, None, number, had, has)
        return None

    def _write(self, member: Member, binding: list[int]) -> Conflict | None:
        """Let the results take over the slots of the operands that they alias."""
        for number, result in member.mutated.items():
            index = binding[number]
            old = self.slots[index].holds
            if old is not None:
                conflict = self._overwrite(member, number, old, binding)
                if conflict is not None:
                    return conflict
                index = binding[number]
            slot, new = self.slots[index], member.results[result]
            self._changes.append((self.slots, index, slot))
            self.slots[index] = slot._replace(holds=new)
            self._set(self._where, new, index)
            self._count(new, self._uses.get(new, 0))
            if slot.scratch or slot.operand_type != member.operand_types[number]:
                self._owed.append((new, Conflict("scratch", member.operands[number], member, operand=number)))
        return None

    def _overwrite(self, member: Member, number: int, old: Value, binding: list[int]) -> Conflict | None:
        """Overwrite the inside value `old`, which is allowed if nothing needs it any more, or if it can be copied."""
        twice = sum(1 for slot in binding if slot == binding[number]) > 1
        if twice or self._left.get(old, 0) > 0:
            if self._keep(member, number, old, binding):
                return None
            if twice or (self._direct(old) > 0 and not self.slots[binding[number]].scratch):
                return Conflict("twice" if twice else "overwritten", member.operands[number], member)
            if not self.slots[binding[number]].scratch:  # else it is made outside as well, and is still there
                self._owed.append((old, Conflict("overwritten", old, member)))
        self._set(self._overwriter, old, member)
        return None

    def _direct(self, value: Value) -> int:
        """The unseen uses of a value, those left out that are plumbing's of the group."""
        return self._left.get(value, 0) - self._feeding.get(value, 0)

    def _keep(self, member: Member, number: int, old: Value, binding: list[int]) -> bool:
        """Keep `old` by a copy in a new slot, which everything but this operand then uses; False if it cannot be."""
        source = binding[number]
        slot = self.slots[source]
        size = self._sizes.get(slot.operand_type) if self._sizes is not None and self.copying else None
        if size is None or slot.layout is None:  # XLA may lay the new slot out otherwise; and a buffer has none
            return False
        target = len(self.slots)
        self.slots.append(slot._replace(mutated=True, holds=old))
        self.copies.append(Copy(member.index, source, target, size))
        self._set(self._where, old, target)
        for other, bound in enumerate(binding):
            if bound == source and other != number:
                binding[other] = target
        return True

    def _revert(self, mark: _Mark) -> None:
        """Take back what was changed since `mark`, the last change first."""
        while len(self._changes) > mark.changes:
            table, key, before = self._changes.pop()
            if before is None:
                del table[key]
            else:
                table[key] = before
        del self.slots[mark.slots :]
        del self.copies[mark.copies :]
        del self._owed[mark.owed :]
        self._scratch = mark.scratch


def join(storage: Storage, later: list[Member | Plumbing], *, copies: bool = True) -> Conflict | None:
    """Take the calls of `later` (in text order) into `storage`; on a conflict it is as it was before.

    Without `copies` it must do without any, even where `storage` may keep values by them.
    """
    storage.copying = copies
    conflict = storage.certain_conflict(later) or _join(storage, later)
    storage.copying = True
    return conflict


def _join(storage: Storage, later: list[Member | Plumbing]) -> Conflict | None:
    tail: list[Member | Plumbing] = []
    conflict: Conflict | None = None
    while storage.members and storage.members[-1].index > later[0].index:
        tail.append(storage.pop())
    before = len(storage.members)
    for member in sorted([*tail, *later], key=lambda member: member.index):
        conflict = storage.push(member)
        if conflict is not None:
            break
    conflict = conflict or storage.debt(before)
    if conflict is not None:
        while len(storage.members) > before:
            storage.pop()
        storage.copying = True  # these may have needed some
        for old in reversed(tail):
            storage.push(old)
    return conflict
