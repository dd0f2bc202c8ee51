"""The shapes of lines, looked up many lines at a time.

Two tables, one behind the other. Most lines differ from one seen before in nothing but digits, and to write every digit
as the same one is ten times as fast as to take names out by regular expression: so a line is looked for under that text
first. A line that is new there is looked for under the text without its names, and read only if that is new too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Generic, TypeVar, cast

from jitlint.syntax.shapes import A_LOCATION, A_LONG_LINE, LOCATION_ALIAS, LONGEST, Shape, digits_alike, without_names

_NUMBERED = re.compile(r"(?<![\w$.])(?=[\w$]*+\.)(?=[A-Za-z_$.]*+[0-9])[A-Za-z_]|[#!][A-Za-z_$-]*+[0-9]", re.ASCII)
"""A word with a dot and a digit, which may be the name of an operation, or an alias of a type or an attribute with one:
there a digit makes a difference, to what operation it is or to whether it works on memory."""

_MOST = 1 << 23
"""Characters that a table holds at the most: beyond it the table starts afresh, so that a text of odd lines costs time,
not memory."""

_Key = TypeVar("_Key", str, bytes)


class _Table(Generic[_Key]):
    """Shapes by the texts of their lines."""

    def __init__(self) -> None:
        self.known: dict[_Key, Shape] = {}
        self._size = 0

    def keep(self, key: _Key, shape: Shape) -> None:
        """Remember `shape` for all lines of this key."""
        if len(key) > LONGEST:
            return
        self._size += len(key)
        if self._size > _MOST:
            self.known.clear()
            self._size = len(key)
        self.known[key] = shape


class LineShapes:
    """The shapes of the lines of one text so far. `learn` reads a line; `read` counts how often it was asked."""

    def __init__(self, learn: Callable[[str], Shape]) -> None:
        self._learn = learn
        self._alike: _Table[bytes] = _Table()
        self._nameless: _Table[str] = _Table()
        self.read = 0

    def of(self, piece: str) -> tuple[list[Shape], list[int]]:
        """The shape of each line of `piece`, and the characters in it."""
        keys = digits_alike(piece).split(b"\n")
        found = list(map(self._alike.known.get, keys))
        missing = [number for number, shape in enumerate(found) if shape is None] if None in found else ()
        lines = piece.split("\n") if missing or not piece.isascii() else None
        if missing and lines:
            unknown = [lines[number] for number in missing]
            nameless = without_names("\n".join(unknown)).split("\n")
            for number, line, key in zip(missing, unknown, nameless, strict=True):
                shape = found[number] = self._nameless.known.get(key) or self._read(key, line)
                if shape is A_LOCATION or not _NUMBERED.search(key):
                    self._alike.keep(keys[number], shape)
        return cast("list[Shape]", found), list(map(len, lines or keys))

    def _read(self, key: str, line: str) -> Shape:
        if len(line) > LONGEST:
            return A_LONG_LINE
        if LOCATION_ALIAS.fullmatch(line):
            return A_LOCATION
        self.read += 1
        shape = self._learn(line)
        self._nameless.keep(key, shape)
        return shape
