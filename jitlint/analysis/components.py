"""Calls that belong together: joined by a value, or standing side by side where the user asks for that too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from jitlint.analysis.candidates import Candidate
from jitlint.ir.calls import Value


class Tie(NamedTuple):
    """Why two calls are tried together: operand `operand` of `user` is a result of `maker`; -1 if they only stand
    side by side."""

    maker: Candidate
    user: Candidate
    operand: int

    @property
    def value(self) -> Value | None:
        """The value that ties them."""
        return self.user.operands[self.operand] if self.operand >= 0 else None


class Component(NamedTuple):
    """Calls that ties connect, in text order, and the ties by the user's place, then the operand's number.

    Once the block has been split into parts, the bystanders of a part belong to it too.
    """

    calls: tuple[Candidate, ...]
    ties: tuple[Tie, ...]


def components(
    calls: Sequence[Candidate],
    side_by_side: Callable[[Candidate, Candidate], bool] | None,
    through: Mapping[Value, Sequence[int]] = MappingProxyType({}),
) -> list[Component]:
    """The components of a block's calls (in text order) that have two calls or more, by their first calls.

    `side_by_side`, if given, tells whether nothing with effects stands between two calls that follow one another;
    `through` has the places of the calls that a value comes from through plumbing.
    """
    maker: dict[Value, int] = {}
    leader = list(range(len(calls)))
    ties: list[tuple[int, Tie]] = []
    number_of = {call.index: place for place, call in enumerate(calls)} if through else {}

    def find(place: int) -> int:
        while leader[place] != place:
            leader[place] = leader[leader[place]]
            place = leader[place]
        return place

    for place, call in enumerate(calls):
        own = []
        for number, value in enumerate(call.operands):
            made = maker.get(value)
            if made is not None:
                own.append((made, Tie(calls[made], call, number)))
            elif through and value in through:
                own += ((number_of[made], Tie(calls[number_of[made]], call, number)) for made in through[value])
        if side_by_side is not None and place and side_by_side(calls[place - 1], call):
            own.append((place - 1, Tie(calls[place - 1], call, -1)))
        for made, tie in own:
            first, second = find(made), find(place)
            leader[max(first, second)] = min(first, second)
            ties.append((place, tie))
        for value in call.results:
            maker[value] = place
    if not ties:
        return []
    members: dict[int, list[Candidate]] = {}
    for place, call in enumerate(calls):
        members.setdefault(find(place), []).append(call)
    tied: dict[int, list[Tie]] = {}
    for place, tie in ties:
        tied.setdefault(find(place), []).append(tie)
    return [Component(tuple(group), tuple(tied[first])) for first, group in members.items() if len(group) > 1]
