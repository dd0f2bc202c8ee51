"""What fusing leaves in the end: a fused call is a call like any other, and is fused again where that can be.

Its calls then run where they stand together, which need not be the order of the text before; so more can be one call
than at first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import product

from tests.generator.layout_text import seems_unusual
from tests.generator.model import Block, Call, Module, Operation, Value, Wrapper
from tests.reference.legality import Group, slots_of, stays_too
from tests.reference.partition import MOST_CALLS, best_partitions
from tests.reference.plumbing import taken_in


@dataclass(frozen=True)
class _Fused(Wrapper):
    """A fused wrapper; its parameters need not be of one kind.

    `called` are the wrappers that it calls if it is a `func.func`. Such a one is called itself when it is fused again,
    and so stays in the module: then no JIT call may name what it calls, since the engine takes that away.
    """

    slots: tuple[str, ...] = ()
    shown: frozenset[int] = frozenset()
    called: frozenset[str] = frozenset()

    @property
    def shows(self) -> frozenset[int]:
        return self.shown

    def slot_type(self, parameter: int) -> str:
        return self.slots[parameter]


def ends(module: Module) -> set[int] | None:
    """How many calls of a module may be left when nothing fuses any more, if each time as many fuse as can: one number,
    unless it matters which do. None where a block is too large, or a wrapper not known enough."""
    made = [call for block in module.blocks for call in _calls(block)]
    if not all(call.wrapper.certain for call in made):
        return None
    return _ends(module, any(map(_leaves_a_layout, made)) and any(map(_lays_out, made)))


def _ends(module: Module, unsettled: bool) -> set[int] | None:
    blocks = [block for function in module.functions for block in function.block.walk()]
    if any(len(block.calls) > MOST_CALLS for block in blocks):
        return None
    names = [{call.wrapper.name for call in _calls(block)} for block in blocks]
    found: list[set[int] | None] = []
    for number, block in enumerate(blocks):
        elsewhere = frozenset[str]().union(*names[:number], *names[number + 1 :])
        found.append(ends_of(block, elsewhere, _of_rank_two(block) if unsettled else ()))
    found += [{inner.calls} if inner.container == "gpu.module" else _ends(inner, unsettled) for inner in module.inner]
    together = {0}
    for each in found:
        if each is None:
            return None
        together = {sum(both) for both in product(together, each)}
    return together


def ends_of(block: Block, elsewhere: frozenset[str] = frozenset(), alone: Collection[Operation] = ()) -> set[int]:
    """The same of a block. Other blocks' calls name the wrappers `elsewhere`, and the calls `alone` are in no group."""
    partitions = list(dict.fromkeys(tuple(filter(_may_be, groups)) for groups in best_partitions(block, alone)))
    left = {len(block.calls)} if () in partitions else set[int]()
    after = [fused(block, groups, elsewhere) for groups in partitions if groups]
    return left.union(*(ends_of(each, elsewhere, alone) for each in after))


def _may_be(group: Group) -> bool:
    """Whether no comment at one of its calls says that the group is to stay."""
    return not any(each.call and each.call.suppression for each in group)


def _of_rank_two(block: Block) -> set[Operation]:
    return {each for each in block.operations if each.call and any(type_.rank > 1 for type_ in each.call.wrapper.types)}


def _leaves_a_layout(call: Call) -> bool:
    return call.layouts is None and any(type_.rank > 1 for type_ in call.wrapper.types)


def _lays_out(call: Call) -> bool:
    """Whether a call writes a layout of two dimensions or more that is not the default, or does not look like it."""
    return seems_unusual(call.layouts or (), call.spelling)


def _calls(block: Block) -> list[Call]:
    return [operation.call for operation in block.operations if operation.call]


def fused(block: Block, groups: Sequence[Group], elsewhere: frozenset[str] = frozenset()) -> Block:
    """The block with one call for each group, which stands where the first of its calls stood if it can."""
    whole = {call: group for group in groups for call in group}
    calls = {group: _one_call(block, group) for group in groups}
    gone = {move for group in groups for move in {*taken_in(block, group)} - stays_too(block, group)}
    left = [each for each in block.operations if each not in gone]
    become = {each: calls[whole[each]] if each in whole else each for each in left}
    waiting = list(dict.fromkeys(become.values()))
    effects = list(dict.fromkeys(become[each] for each in left if each.has_effects))
    made = {value for each in waiting for value in each.results}
    placed: list[Operation] = []
    while waiting:
        known = {value for each in placed for value in each.results}
        ready = (each for each in waiting if known >= made.intersection(each.uses))
        following = next(each for each in ready if not each.has_effects or each is effects[0])
        waiting.remove(following)
        placed.append(following)
        if following.has_effects:
            effects.pop(0)
    after = Block(block.arguments, placed)
    _keep_out(after, elsewhere)
    return after


def _keep_out(block: Block, elsewhere: frozenset[str]) -> None:
    """Let no fused call be fused again whose wrapper calls one that a JIT call still names."""
    named = elsewhere.union(call.wrapper.name for call in _calls(block))
    for operation in block.calls:
        call = operation.call
        if call and isinstance(call.wrapper, _Fused):
            fusable = named.isdisjoint(call.wrapper.called)
            operation.call = replace(call, wrapper=replace(call.wrapper, fusable=fusable))


def _one_call(block: Block, group: Group) -> Operation:
    """The call that a group becomes: an operand for each slot, a result for each that is written."""
    members = [each.call for each in block.calls if each in group and each.call]
    slots = slots_of(block, group)
    assert slots
    tensors = tuple(slot.given.type for slot in slots)
    laid = any(call.layouts and any(type_.rank > 1 for type_ in call.wrapper.types) for call in members)
    layouts = tuple(slot.type[1] or slot.given.type.default_layout for slot in slots) if laid else None
    types = tuple(slot.type[0] for slot in slots)
    kinds = {call.wrapper.kind for call in members}
    names = [name for each in members for name in (getattr(each.wrapper, "called", ()) or [each.wrapper.name])]
    called = frozenset(names if kinds != {"llvm"} else ())
    effects = () if not any(call.has_effects for call in members) else None
    wrapper = _Fused(
        "",
        "pointer" if called else "llvm",
        tensors,
        (),
        effects,
        True,
        (),
        pending=frozenset(index for index, slot in enumerate(slots) if slot.pending),
        slots=types,
        shown=frozenset(index for index, slot in enumerate(slots) if slot.shows),
        called=called,
    )
    written = tuple(index for index, slot in enumerate(slots) if slot.is_written)
    call = Call(wrapper, written, layouts=layouts)
    results = [slots[index].gives or Value(tensors[index]) for index in written]
    return Operation("enzymexla.jit_call", [slot.given for slot in slots], results, call=call)
