"""The part of a source line that fits the screen, and the columns of what is marked in it.

A line may have 50 million characters. Nothing here reads more of it than a few screen widths around the marks.
"""

from __future__ import annotations

from typing import NamedTuple

from jitlint.report.printable import char_width, escape

TAB = 4
"""Tab stops in excerpts, in cells."""


class Window(NamedTuple):
    """A piece of a line as printed.

    `first` and `last` are the offsets in the text that it shows, `lead` the cells before them (a sign of a cut).
    `columns` holds the cell of each character, None where each takes one.
    """

    shown: str
    first: int
    last: int
    lead: int
    columns: list[int] | None

    def column(self, offset: int) -> int:
        """The cell, from 0, at which the character at `offset` stands; clipped to the window."""
        first, last = self.first, self.last
        index = 0 if offset < first else (last if offset > last else offset) - first
        return self.lead + (index if self.columns is None else self.columns[index])


def window(text: str, start: int, end: int, focus: tuple[int, int], width: int, ellipsis: str) -> Window:
    """The piece of the line `text[start:end]` that shows `focus` in `width` cells, cut with `ellipsis`.

    `focus` is a pair of offsets into `text`; where it is itself too wide, its beginning is shown.
    """
    first = start
    cut = len(ellipsis)
    if end - start > width and focus[1] - start > width - cut:
        room = max((width - 2 * cut - (focus[1] - focus[0])) // 2, 0)
        first = max(start, focus[0] - min(room, width // 3))
    view = _view(text, start, end, first, width, ellipsis)
    for nearer in (focus[0] - 8, focus[0]):
        if focus[0] < view.last or view.last == end or nearer <= first:
            break
        view = _view(text, start, end, nearer, width, ellipsis)
    return view


def _view(text: str, start: int, end: int, first: int, width: int, ellipsis: str) -> Window:
    lead = ellipsis if first > start else ""
    room = width - len(lead)
    last = min(end, first + room)
    piece = text[first:last]
    if not (piece.isascii() and piece.isprintable()):
        return _expanded(piece, end, first, room, lead, ellipsis)
    if last < end:
        last -= len(ellipsis)
        piece = piece[: last - first] + ellipsis
    return Window(lead + piece, first, last, len(lead), None)


def _expanded(piece: str, end: int, first: int, room: int, lead: str, ellipsis: str) -> Window:
    """As `_view` for text whose characters take other than one cell each: tabs, wide ones, combining ones, escapes."""
    shown: list[str] = []
    columns = [0]
    column = 0
    ascii_only = ellipsis.isascii()
    for char in piece:
        printed = " " * (TAB - column % TAB) if char == "\t" else escape(char, ascii_only)
        column += len(printed) if printed.isascii() else char_width(printed)
        shown.append(printed)
        columns.append(column)
    keep = len(piece)
    if first + keep < end or column > room:
        while keep and columns[keep] > room - len(ellipsis):
            keep -= 1
        shown[keep:] = [ellipsis]
    return Window(lead + "".join(shown), first, first + keep, len(lead), columns)
