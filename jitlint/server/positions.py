"""Between offsets of a text and the positions of the protocol, which count lines from 0 and columns in code units."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from lsprotocol import types

from jitlint.findings import Span

Units = Callable[[str], int]
"""How many code units a string takes in the encoding that client and server agreed on; usually UTF-16."""

_LINE_END = re.compile(r"\r\n|\n|\r")


class Positions:
    """The lines of a text as the protocol has them: they end at a line feed, a carriage return, or both.

    Python's `splitlines`, and what is built on it, also ends lines at form feeds and the like, which editors do not.
    """

    def __init__(self, text: str, units: Units) -> None:
        self.text = text
        self._units = units
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int) -> types.Position:
        """The position of an offset."""
        line = bisect_right(self._starts, offset) - 1
        return types.Position(line, self._width(self.text[self._starts[line] : offset]))

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return types.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: types.Position) -> int:
        """The offset of a position; one behind the end of a line, or of the text, is that end."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        match = _LINE_END.search(self.text, start)
        line = self.text[start : match.start() if match else len(self.text)]
        if line.isascii():
            return start + min(position.character, len(line))
        used = 0
        for column, char in enumerate(line):
            used += self._units(char)
            if used > position.character:
                return start + column
        return start + len(line)

    def whole(self) -> types.Range:
        """The range of the whole text."""
        return self.range(Span(0, len(self.text)))

    def _width(self, text: str) -> int:
        return len(text) if text.isascii() else self._units(text)
