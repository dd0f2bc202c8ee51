"""The fewest calls that fusing can leave in a block, by trying every way to part its calls into groups."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tests.generator.model import Block, Operation
from tests.reference.legality import Group, can_fuse, has_order

MOST_CALLS = 12
"""With more calls in one block, trying everything takes too long."""


def fewest_calls(block: Block) -> int | None:
    """How many JIT calls of `block` are left at best, groups joined by values; None for a block of too many calls."""
    calls = block.calls
    if len(calls) > MOST_CALLS:
        return None
    groups = [group for group in _joined_sets(calls) if can_fuse(block, [group])]
    return min(len(calls) - sum(len(group) - 1 for group in chosen) for chosen in _choices(block, groups))


def _joined_sets(calls: list[Operation]) -> Iterator[Group]:
    """Every set of two calls or more that is connected by values passed directly."""
    for size in range(2, len(calls) + 1):
        for some in combinations(calls, size):
            if _is_joined(some):
                yield frozenset(some)


def _is_joined(calls: tuple[Operation, ...]) -> bool:
    reached, waiting = {calls[0]}, [calls[0]]
    while waiting:
        call = waiting.pop()
        near = {other for other in calls if other not in reached and (_feeds(call, other) or _feeds(other, call))}
        reached |= near
        waiting += near
    return len(reached) == len(calls)


def _feeds(first: Operation, second: Operation) -> bool:
    return any(value in second.operands for value in first.results)


def _choices(block: Block, groups: list[Group]) -> Iterator[list[Group]]:
    """Every choice of groups apart from one another that can be fused at once."""
    waiting: list[tuple[int, list[Group]]] = [(0, [])]
    while waiting:
        at, chosen = waiting.pop()
        yield chosen
        for index in range(at, len(groups)):
            if all(not groups[index] & other for other in chosen):
                more = [*chosen, groups[index]]
                if has_order(block, more):
                    waiting.append((index + 1, more))
