"""Edits of a text: replacements, and stretches that move with the replacements inside them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from jitlint.errors import InternalError

Edit = tuple[int, int, str]
"""A plain replacement: the offsets where it starts and ends, and the new text."""


class Move(NamedTuple):
    """`text[start:end]` moves: what is edited inside it moves with it. `lead` and `tail` are put around it."""

    start: int
    end: int
    lead: str = ""
    tail: str = ""


Piece = str | Move


class Edits:
    """Edits of one text, gathered in any order.

    `replaced` are small edits inside operations (start, end, new text); `outer` are those of whole lines and
    operations, whose new text may hold moved stretches. Neither kind overlaps itself; a replacement may lie in a
    stretch that moves, or is lost with one that an outer edit takes away.
    """

    def __init__(self) -> None:
        self.replaced: list[Edit] = []
        self.outer: list[tuple[int, int, tuple[Piece, ...]]] = []

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace a few characters."""
        self.replaced.append((start, end, text))

    def rewrite(self, start: int, end: int, *pieces: Piece) -> None:
        """Replace a stretch of whole operations by pieces; `start == end` inserts."""
        self.outer.append((start, end, pieces))

    def flat(self, text: str) -> list[Edit]:
        """The edits as plain replacements in text order, none overlapping another.

        Raises InternalError where they overlap: nothing may be written then.
        """
        self.replaced.sort()
        outer = sorted(self.outer, key=lambda edit: (edit[0], edit[1]))
        starts = [start for start, _, _ in self.replaced]
        flat: list[Edit] = []
        next_small, position = 0, 0
        for start, end, pieces in outer:
            if start < position:
                raise InternalError(f"two edits overlap at offset {start}")
            while next_small < len(self.replaced) and self.replaced[next_small][0] < start:
                flat.append(self.replaced[next_small])
                next_small += 1
            flat.append((start, end, "".join(self._render(text, piece, starts) for piece in pieces)))
            next_small = max(next_small, bisect_left(starts, end))
            position = end
        flat += self.replaced[next_small:]
        for (_, end, _), (start, _, _) in pairwise(flat):
            if start < end:
                raise InternalError(f"two edits overlap at offset {start}")
        return flat

    def _render(self, text: str, piece: Piece, starts: list[int]) -> str:
        if isinstance(piece, str):
            return piece
        first, last = bisect_left(starts, piece.start), bisect_left(starts, piece.end)
        inside = self.replaced[first:last]
        return piece.lead + apply(text, inside, piece.start, piece.end) + piece.tail


def apply(text: str, edits: Sequence[Edit], start: int = 0, end: int | None = None) -> str:
    """`text[start:end]` with edits, in text order, applied."""
    pieces: list[str] = []
    position = start
    for begin, stop, new in edits:
        pieces += (text[position:begin], new)
        position = stop
    pieces.append(text[position : len(text) if end is None else end])
    return "".join(pieces)


def compose(first: Sequence[Edit], middle: str, second: Sequence[Edit]) -> list[Edit]:
    """One list of edits that does what two do one after the other: `middle` is the text between them.

    Both are in text order without overlaps, and so is what they give; edits that touch become one.
    """
    composed: list[Edit] = []
    i = j = shift = 0  # `shift` is how much further a character stands in `middle` than in the text before
    while i < len(first) or j < len(second):
        low = min([edit[0] + shift for edit in first[i : i + 1]] + [edit[0] for edit in second[j : j + 1]])
        high, start, done = low, low - shift, j
        while True:
            if i < len(first) and first[i][0] + shift <= high:
                begin, end, new = first[i]
                high = max(high, begin + shift + len(new))
                shift += len(new) - (end - begin)
                i += 1
            elif j < len(second) and second[j][0] <= high:
                high = max(high, second[j][1])
                j += 1
            else:
                break
        composed.append((start, high - shift, apply(middle, second[done:j], low, high)))
    return composed
