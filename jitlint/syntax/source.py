"""A text with its lines: the step from character offsets to what a person reads."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

_NEWLINE = re.compile("\n")


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

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets of the first character of each line, found once, when a place is first asked for."""
        return [0, *(match.end() for match in _NEWLINE.finditer(self.text))]

    def position(self, offset: int) -> Position:
        """The place of `offset`, which may be the end of the text."""
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def range(self, start: int, end: int) -> tuple[Position, Position]:
        """The places of two offsets, the second not before the first; most often they are on one line."""
        first = self.position(start)
        starts, line = self.line_starts, first.line
        if line == len(starts) or end < starts[line]:
            return first, Position(line, first.column + end - start)
        return first, self.position(end)

    def line(self, number: int) -> str:
        """The text of line `number` (1-based) without its ending; IndexError past the last line."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].removesuffix("\r")
