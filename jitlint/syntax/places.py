"""Where the parts of a JIT call stand: found once for all calls of one shape, and moved to each call's own text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from jitlint.syntax.lexer import tokens

Place = tuple[int, int]
"""The offsets of the first character of something and of the one behind it."""

Change = tuple[int, int, int]
"""What was written anew in a text: where it begins, how many characters it had, and how many it has."""


class CallPlaces(NamedTuple):
    """The places of a call's parts, as offsets into its text from its name on.

    `entries` has the keys of both dictionaries, each with the place of the key and its value together; an entry that
    only an alias says is not in it. `location` is None where the call has none.
    """

    name: Place
    callee: Place
    operands: tuple[Place, ...]
    entries: Mapping[str, Place]
    location: Place | None

    def moved(self, to: Callable[[int], int | None]) -> CallPlaces:
        """The same parts in another text: `to` gives the new offset of an old one, None where there is none."""
        entries = {key: place for key, old in self.entries.items() if (place := _moved(old, to)) is not None}
        return CallPlaces(
            _moved(self.name, to) or self.name,
            _moved(self.callee, to) or self.name,  # a callee that an alias stands for is refused
            tuple(place for old in self.operands if (place := _moved(old, to)) is not None),
            entries,
            None if self.location is None else _moved(self.location, to),
        )


def _moved(place: Place, to: Callable[[int], int | None]) -> Place | None:
    start, end = to(place[0]), to(place[1])
    return None if start is None or end is None else (start, end)


def before(changes: Iterable[Change]) -> Callable[[int], int | None]:
    """From an offset in a text to the one before these changes, which are in text order; None for what is inside one.

    What ends where a change ends ended there before.
    """
    found = list(changes)
    shifts = list(accumulate((old - new for _, old, new in found), initial=0))
    starts = [start - shift for (start, _, _), shift in zip(found, shifts, strict=False)]
    ends = [start + new for start, (_, _, new) in zip(starts, found, strict=True)]

    def to(offset: int) -> int | None:
        over = bisect_right(ends, offset)
        inside = over < len(starts) and starts[over] < offset
        return None if inside else offset + shifts[over]

    return to


@lru_cache(maxsize=16)
def elements_of(entry: str) -> tuple[Place, ...]:
    """The places of the elements of the list that an entry (`key = […]`) holds; none where it holds no list. (One call
    may have a thousand faults.)"""
    return tuple(_elements(entry))


def _elements(entry: str) -> Iterator[Place]:
    found = list(tokens(entry))[2:]
    if not found or found[0].text != "[":
        return
    depth, first, last = 0, -1, -1
    for token in found:
        depth -= token.kind == "close"
        if depth == 0 or (depth == 1 and token.text == ","):
            if first >= 0:
                yield first, last
            first = -1
        else:
            first, last = token.start if first < 0 else first, token.end
        depth += token.kind == "open"
