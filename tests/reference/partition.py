"""The fewest calls that fusing can leave in a block, by trying every way to part its calls into groups."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from tests.generator.model import Block, Operation
from tests.reference.legality import Group, can_fuse, has_order
from tests.reference.plumbing import fed_by

MOST_CALLS = 12
"""With more calls in one block, trying everything takes too long."""


def fewest_calls(block: Block) -> int | None:
    """How many JIT calls of `block` are left at best, if it is fused once; None for a block of too many calls.

    The calls of a group are joined by values, or lie in the way of one another.
    """
    if len(block.calls) > MOST_CALLS:
        return None
    return len(block.calls) - max(saved(groups) for groups in best_partitions(block))


def saved(groups: Sequence[Group]) -> int:
    """How many calls there are fewer if each of these groups is one."""
    return sum(len(group) - 1 for group in groups)


def best_partitions(block: Block, alone: Collection[Operation] = ()) -> list[tuple[Group, ...]]:
    """The ways to part the calls into groups that leave the fewest: for each its groups of two calls or more.

    Those of `alone` are in no group.
    """
    sets = _sets(block, [call for call in block.calls if call not in alone])
    groups = [group for group in sets if can_fuse(block, [group])]
    return _best(block, groups, block.calls, (), [()])


def _best(
    block: Block, groups: list[Group], rest: list[Operation], chosen: tuple[Group, ...], known: list[tuple[Group, ...]]
) -> list[tuple[Group, ...]]:
    """The best of the partitions `known` and of those that have, beside the groups `chosen`, groups among `rest`.

    The first call of `rest` stays alone, or is in one of the groups that lie in `rest`: the largest are tried first.
    """
    most = saved(known[0])
    if saved(chosen) + max(len(rest) - 1, 0) < most:
        return known
    if not rest:
        return [chosen] if saved(chosen) > most else known if chosen in known else [*known, chosen]
    first = rest[0]
    for group in reversed(groups):
        if first in group and group <= set(rest) and _may_join(block, group, list(chosen)):
            others = [call for call in rest if call not in group]
            known = _best(block, groups, others, (*chosen, group), known)
    return _best(block, groups, rest[1:], chosen, known)


def _may_join(block: Block, group: Group, chosen: list[Group]) -> bool:
    """Whether `group` can be one call beside the groups `chosen`, and nothing comes along that is not in the way.

    However its joined pieces are divided in two, the two could not each be one call, or not both of them.
    """
    if not has_order(block, [*chosen, group]):
        return False
    first, *others = _pieces(block, group)
    for size in range(len(others)):
        for some in combinations(others, size):
            half = first.union(*some)
            if has_order(block, [*chosen, half, group - half]):
                return False
    return True


def _sets(block: Block, calls: list[Operation]) -> Iterator[Group]:
    """Every set of two calls or more of which at least two are joined by a value, passed directly or moved."""
    for size in range(2, len(calls) + 1):
        for some in combinations(calls, size):
            group = frozenset(some)
            if len(_pieces(block, group)) < size:
                yield group


def _pieces(block: Block, group: Group) -> list[Group]:
    """The parts of a set that values join."""
    feeds = _feeds(block)
    pieces: list[Group] = []
    rest = sorted(group, key=lambda call: call.number)
    while rest:
        reached, waiting = {rest[0]}, [rest[0]]
        while waiting:
            call = waiting.pop()
            near = {other for other in rest if other not in reached and (other in feeds[call] or call in feeds[other])}
            reached |= near
            waiting += near
        pieces.append(frozenset(reached))
        rest = [call for call in rest if call not in reached]
    return pieces


@lru_cache(maxsize=64)
def _feeds(block: Block) -> dict[Operation, set[Operation]]:
    return {call: fed_by(block, call) for call in block.calls}
