"""Whether sets of JIT calls of one block can each become one call.

Order: the block's operations as a graph, every set contracted to one node, must have no cycle. Storage: the calls run
in text order on slots, and whoever needs a value must find it where it was put. What only moves bytes on the ways
between the calls of a set goes into the one call with them; what is needed outside too stays there as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tests.generator.layout_text import Layout
from tests.generator.model import Block, Call, Operation, Value
from tests.reference.plumbing import is_flat, is_view, taken_in

Group = frozenset[Operation]

POINTER = "!llvm.ptr"
SlotType = tuple[str, Layout | None]
"""What all uses of one slot must agree on: the type of the parameter, and how the buffer is laid out."""


def can_fuse(block: Block, groups: Iterable[Group]) -> bool:
    """Whether all `groups`, apart from one another, can be fused at once."""
    groups = list(groups)
    return all(stores_correctly(block, group) for group in groups) and has_order(block, groups)


def has_order(block: Block, groups: Iterable[Group]) -> bool:
    """Whether the block's dependency graph stays acyclic with every group as one node."""
    node: dict[Operation, object] = {operation: operation for operation in block.operations}
    node.update((member, group) for group in groups for member in [*group, *taken_in(block, group)])
    after: dict[object, set[object]] = {name: set() for name in node.values()}
    for first, second in _dependencies(block):
        if node[first] is not node[second]:
            after[node[first]].add(node[second])
    return not _has_cycle(after)


def _dependencies(block: Block) -> Iterable[tuple[Operation, Operation]]:
    """From each definition to its users, and between any two operations with side effects, in text order."""
    maker = {value: operation for operation in block.operations for value in operation.results}
    for operation in block.operations:
        for value in operation.uses:
            if value in maker:
                yield maker[value], operation
    yield from combinations([operation for operation in block.operations if operation.has_effects], 2)


def _has_cycle(after: dict[object, set[object]]) -> bool:
    """Take away what nothing stands before, until nothing is left or everything waits for something."""
    before = dict.fromkeys(after, 0)
    for followers in after.values():
        for name in followers:
            before[name] += 1
    ready = [name for name, count in before.items() if count == 0]
    taken = 0
    while ready:
        taken += 1
        for name in after[ready.pop()]:
            before[name] -= 1
            if before[name] == 0:
                ready.append(name)
    return taken < len(after)


@dataclass
class Slot:
    """One pointer parameter of the fused wrapper: the value in its buffer, as it is and at first."""

    type: SlotType
    holds: Value
    given: Value
    is_written: bool = False
    is_own: bool = False
    """Whether it is memory of the fused wrapper's own instead, of which nothing comes out."""
    shows: bool = False
    """Whether a call shows that it is the host's memory."""
    pending: bool = False
    """Whether a nonblocking operation goes on using it."""

    @property
    def gives(self) -> Value | None:
        """The value that a result of the fused call for this slot is."""
        return self.holds if not self.is_own and self.holds.type == self.given.type else None


@dataclass
class _Memory:
    """The slots while the calls of a group run."""

    inside: set[Value]
    slots: list[Slot] = field(default_factory=list)
    readers: dict[Value, Slot] = field(default_factory=dict)
    viewed: dict[Value, Value] = field(default_factory=dict)
    """What a value is another shape of."""

    def origin(self, value: Value) -> Value:
        """The value in whose place another one lies."""
        return self.viewed.get(value, value)

    def move(self, operation: Operation) -> bool:
        """Do what an operation that only moves bytes does."""
        if is_view(operation):
            origins = [self.origin(value) for value in operation.operands]
            self.viewed.update(zip(operation.results, origins, strict=True))
            return all(origin not in self.inside or self.holding(origin) for origin in origins)
        pieces = [self.read(self.origin(value), (POINTER, None)) for value in operation.operands]
        (result,) = operation.results
        self.slots.append(Slot((POINTER, None), result, result, is_own=True))
        return None not in pieces

    def read(self, value: Value, type_: SlotType) -> Slot | None:
        """The slot that a read-only operand is passed, None where there is none."""
        if value in self.inside:
            return self.holding(value, type_)
        slot = self.readers.setdefault(value, Slot(type_, value, value))
        return slot if slot.type == type_ else None

    def write(self, value: Value, type_: SlotType) -> Slot | None:
        """The slot that a mutated operand is passed, None where there is none."""
        if value in self.inside:
            return self.holding(value, type_)
        self.slots.append(Slot(type_, value, value, is_written=True))
        return self.slots[-1]

    def holding(self, value: Value, type_: SlotType | None = None) -> Slot | None:
        """The slot that a call of the group left `value` in, None where another value is there by now."""
        slots = [slot for slot in self.slots if slot.holds is value and type_ in (None, slot.type)]
        return slots[0] if slots else None


def stores_correctly(block: Block, group: Group) -> bool:
    """Whether one call with slots computes what the calls of `group` compute one by one, in text order."""
    return slots_of(block, group) is not None


def slots_of(block: Block, group: Group) -> list[Slot] | None:
    """The slots of one call that does what the calls of `group` do, after it; None where there can be none."""
    calls = [call for call in block.calls if call in group]
    made = {value for call in calls for value in call.results}
    if not _agree_on_layouts(calls) or not all(_writes_as_declared(block, call, made) for call in calls):
        return None
    if not all(call.call and call.call.fusable for call in calls):
        return None
    if any(_written_elsewhere(block, call) for call in calls):
        return None
    moves = taken_in(block, group)
    memory = _Memory(made | {value for move in moves if not is_view(move) for value in move.results})
    for operation in block.operations:
        if (operation in moves and not memory.move(operation)) or (operation in group and not _run(operation, memory)):
            return None
    given = {slot.gives for slot in memory.slots}
    if not all(value in given for value in made & _needed_outside(block, group)[0]):
        return None
    return [*memory.readers.values(), *(slot for slot in memory.slots if not slot.is_own)]


def stays_too(block: Block, group: Group) -> set[Operation]:
    """Of the operations that go into one call with `group`, those that are needed outside as well."""
    return _needed_outside(block, group)[1]


def _needed_outside(block: Block, group: Group) -> tuple[set[Value], set[Operation]]:
    """The values that are needed outside the one call, and the moves that have to stay outside as well for that."""
    moves = taken_in(block, group)
    members = {*group, *moves}
    needed = {value for operation in block.operations if operation not in members for value in operation.uses}
    stay: set[Operation] = set()
    for move in reversed(moves):
        if needed.intersection(move.results):
            stay.add(move)
            needed.update(move.operands)
    return needed, stay


def is_unseen(block: Block, operation: Operation, operand: int) -> bool:
    """Whether nobody can tell what an undeclared write to an operand leaves behind.

    A call with effects of the same block makes the value, and nothing else uses it.
    """
    value = operation.operands[operand]
    made = any(value in other.results and other.call and other.has_effects for other in block.operations)
    return made and sum(each is value for other in block.operations for each in other.uses) == 1


def _writes_as_declared(block: Block, operation: Operation, inside: set[Value]) -> bool:
    """Whether all undeclared writes of a call go to values of the group that nothing else uses."""
    call = operation.call
    assert call
    uses = [value for other in block.operations for value in other.uses]
    return all(
        operation.operands[index] in inside and sum(each is operation.operands[index] for each in uses) == 1
        for index in call.undeclared
    )


def _written_elsewhere(block: Block, operation: Operation) -> bool:
    """Whether a call uses a value of the block's calls that another one writes undeclared."""
    made = {value for call in block.calls for value in call.results}
    written = {
        other.operands[index]
        for other in block.calls
        if other is not operation and other.call
        for index in other.call.undeclared
    }
    return not made.isdisjoint(written.intersection(operation.operands))


def _agree_on_layouts(calls: Sequence[Operation]) -> bool:
    """Whether all calls whose types have more than one layout spell them, or none does."""
    made = [call.call for call in calls if call.call]
    spelled = {call.layouts is not None for call in made if any(type_.rank > 1 for type_ in call.wrapper.types)}
    return len(spelled) < 2


def _slot_type(call: Call, index: int) -> SlotType:
    layout = call.layouts[index] if call.layouts and not is_flat(call.wrapper.types[index]) else None
    return call.wrapper.slot_type(index), layout


def _run(operation: Operation, memory: _Memory) -> bool:
    """Let one call work on the slots; False where it would find the wrong value in one."""
    call = operation.call
    assert call
    operands = [memory.origin(value) for value in operation.operands]
    if _torn(operands, call.aliases, memory.inside):
        return False
    passed: list[Slot] = []
    for index, value in enumerate(operands):
        take = memory.write if index in call.aliases else memory.read
        slot = take(value, _slot_type(call, index))
        if slot is None:
            return False
        slot.shows |= index in call.wrapper.shows
        slot.pending |= index in call.wrapper.pending
        passed.append(slot)
    for result, operand in zip(operation.results, call.aliases, strict=True):
        passed[operand].holds = result
    return True


def _torn(operands: Sequence[Value], mutated: Sequence[int], inside: set[Value]) -> bool:
    """Whether a value made inside is passed to a mutated operand and to another one."""
    return any(operands[index] in inside and operands.count(operands[index]) > 1 for index in mutated)
