"""A text with its lines: the step from character offsets to what a person reads."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

_PIECE = 1 << 15
"""Characters of the lines that are looked for together."""


class Position(NamedTuple):
    """A line and a column, both 1-based; columns count characters."""

    line: int
    column: int


class Source:
    """One text under the name that reports print for it.

    `text` is without a byte order mark and with the line endings of the file. A line ends at a line feed; the
    carriage return of a CRLF is not part of what `line` returns.
    """

    def __init__(self, text: str, path: str = "<text>") -> None:
        self.text = text
        self.path = path
        self._starts = [0]
        self._looked = 0

    @property
    def line_starts(self) -> list[int]:
        """Offsets of the first character of each line."""
        return self._starts if self._looked == len(self.text) else self.line_starts_past(len(self.text))

    def line_starts_past(self, offset: int) -> list[int]:
        """Offsets of the first character of each line, at least to the line behind that of `offset`.

        Lines are looked for as far as somebody asks, and once; the list is the same that earlier calls gave, longer.
        """
        text, starts = self.text, self._starts
        while self._looked <= offset and self._looked < len(text):
            begin = self._looked
            stop = text.rfind("\n", begin, begin + _PIECE) + 1
            if stop:
                # To count the bytes of lines takes half the time that looking for line feeds one by one does.
                piece = text[begin:stop]
                lines = piece.encode().split(b"\n") if piece.isascii() else piece.split("\n")
                starts.extend(accumulate([len(line) + 1 for line in lines[:-1]], initial=starts.pop()))
            else:  # a long line, which is not to be copied
                stop = text.find("\n", begin + _PIECE) + 1
                starts += [stop] if stop else []
            self._looked = stop or len(text)
        return starts

    def position(self, offset: int) -> Position:
        """The place of `offset`, which may be the end of the text."""
        starts = self.line_starts_past(offset)
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)

    def range(self, start: int, end: int) -> tuple[Position, Position]:
        """The places of two offsets, the second not before the first; most often they are on one line."""
        first = self.position(start)
        starts, line = self.line_starts_past(start), first.line
        if line == len(starts) or end < starts[line]:
            return first, Position(line, first.column + end - start)
        return first, self.position(end)

    def line(self, number: int) -> str:
        """The text of line `number` (1-based) without its ending; IndexError past the last line."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].removesuffix("\r")
