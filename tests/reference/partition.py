"""The fewest calls that fusing can leave in a block, by trying every way to part its calls into groups."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from tests.generator.model import Block, Call, Module, Operation, Value
from tests.reference.legality import Group, can_fuse, has_order

MOST_CALLS = 12
"""With more calls in one block, trying everything takes too long."""


def fewest_calls(block: Block, reorder: bool = False, alone: Collection[Operation] = ()) -> int | None:
    """How many JIT calls of `block` are left at best; None for a block of too many calls.

    The calls of a group are joined by values, or lie in the way of one another. With `reorder` they may run in another
    order than the text's, as they may where one group fuses after another. Those of `alone` are in no group.
    """
    calls = block.calls
    if len(calls) > MOST_CALLS:
        return None
    sets = _sets([call for call in calls if call not in alone])
    groups = [group for group in sets if can_fuse(block, [group], reorder)]
    return len(calls) - _most_saved(block, groups, calls, [], 0)


def fewest_left(module: Module, reorder: bool = False) -> int | None:
    """How many calls are left in the whole module; None where a block is too large, or a wrapper not known enough."""
    calls = [operation.call for block in module.blocks for operation in block.calls]
    if not all(call is None or call.wrapper.certain for call in calls):
        return None
    leaves_layouts = any(call is not None and _leaves_a_layout(call) for call in calls)
    return _left(module, reorder, leaves_layouts)


def _left(module: Module, reorder: bool, leaves_layouts: bool) -> int | None:
    own = [block for function in module.functions for block in function.block.walk()]
    counts = [fewest_calls(block, reorder, _dropped(block) if leaves_layouts else ()) for block in own]
    counts += [
        inner.calls if inner.container == "gpu.module" else _left(inner, reorder, leaves_layouts)
        for inner in module.inner
    ]
    return None if None in counts else sum(count for count in counts if count is not None)


def _leaves_a_layout(call: Call) -> bool:
    return call.layouts is None and any(type_.rank > 1 for type_ in call.wrapper.types)


def _dropped(block: Block) -> set[Operation]:
    """The calls that write layouts and that XLA drops: nothing with effects needs them, and no result of the block."""
    needed: set[Value] = set()
    dropped: set[Operation] = set()
    for operation in reversed(block.operations):
        if operation is block.operations[-1] or operation.has_effects or needed.intersection(operation.results):
            needed.update(operation.uses)
        elif (
            (call := operation.call) is not None
            and call.layouts
            and any(type_.rank > 1 for type_ in call.wrapper.types)
        ):
            dropped.add(operation)
    return dropped


def _most_saved(block: Block, groups: list[Group], rest: list[Operation], chosen: list[Group], least: int) -> int:
    """How many calls fusing can save among `rest`, beside the groups `chosen`; `least`, if it is no more than that.

    The first call of `rest` stays alone, or is in one of the groups that lie in `rest`: the largest are tried first.
    """
    if len(rest) - 1 <= least:
        return least
    first = rest[0]
    for group in reversed(groups):
        if first in group and group <= set(rest) and _may_join(block, group, chosen):
            others = [call for call in rest if call not in group]
            saved = len(group) - 1
            more = _most_saved(block, groups, others, [*chosen, group], max(least - saved, 0))
            least = max(least, saved + more)
    return _most_saved(block, groups, rest[1:], chosen, least)


def _may_join(block: Block, group: Group, chosen: list[Group]) -> bool:
    """Whether `group` can be one call beside the groups `chosen`, and nothing comes along that is not in the way.

    However its joined pieces are divided in two, the two could not each be one call, or not both of them.
    """
    if not has_order(block, [*chosen, group]):
        return False
    first, *others = _pieces(group)
    for size in range(len(others)):
        for some in combinations(others, size):
            half = first.union(*some)
            if has_order(block, [*chosen, half, group - half]):
                return False
    return True


def _sets(calls: list[Operation]) -> Iterator[Group]:
    """Every set of two calls or more of which at least two are joined by a value passed directly."""
    for size in range(2, len(calls) + 1):
        for some in combinations(calls, size):
            group = frozenset(some)
            if len(_pieces(group)) < size:
                yield group


def _pieces(group: Group) -> list[Group]:
    """The parts of a set that values join."""
    pieces: list[Group] = []
    rest = sorted(group, key=lambda call: call.number)
    while rest:
        reached, waiting = {rest[0]}, [rest[0]]
        while waiting:
            call = waiting.pop()
            near = {other for other in rest if other not in reached and (_feeds(call, other) or _feeds(other, call))}
            reached |= near
            waiting += near
        pieces.append(frozenset(reached))
        rest = [call for call in rest if call not in reached]
    return pieces


def _feeds(first: Operation, second: Operation) -> bool:
    return any(value in second.operands for value in first.results)
