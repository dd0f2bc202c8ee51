"""A source excerpt: the marked lines with what is marked underlined and labelled, gaps between them elided.

What is laid out here is rows, and the text is read through one function, a `View`: `jitlint.report.mould` puts in
another one to learn where the text goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from jitlint.report.text import width_of, wrap
from jitlint.report.theme import PLAIN, Theme
from jitlint.report.window import Window

GAP = "..."

View = Callable[[int, int, tuple[int, int], int, str], Window]
"""`jitlint.report.window.window` without its first argument, the text."""


Marked = tuple[int, int, str, bool, str]
"""What a `Mark` is made of; a report with 40,000 findings describes 100,000 marks and makes but a few."""


class Mark(NamedTuple):
    """A span to underline, its label, whether it is what the finding is about or only related to it,
    and words for the gap above it.
    """

    start: int
    end: int
    label: str = ""
    primary: bool = False
    above: str = ""


class Brush(NamedTuple):
    """How an excerpt looks: the theme, the prefix for primary marks, the width in cells, the sign of a cut."""

    theme: Theme = PLAIN
    primary: str = ""
    width: int = 80
    ellipsis: str = "…"


class Row(NamedTuple):
    """Marks that are shown in one window; without marks, the only line between two that have some.

    `number` is the line's number as printed, `start` and `end` are offsets, `end` at most a screen beyond the last
    mark. `indent` counts the blanks that the line begins with, `gap` says that lines above it are left out.
    """

    number: str
    start: int
    end: int
    indent: int
    gap: bool
    marks: list[Mark]


def parts(line: Row, width: int) -> list[Row]:
    """One row, or several where the marks of a line are too far apart for a screen of `width` cells."""
    if len(line.marks) <= 1:
        return [line]
    reach = width * 2 // 3
    found = []
    row = line._replace(marks=line.marks[:1])
    for mark in line.marks[1:]:
        end = min(mark.end, row.end)
        if end - row.marks[0].start <= reach or end - row.start - row.indent <= reach:
            row.marks.append(mark)
        else:
            found.append(row)
            row = row._replace(marks=[mark], gap=False)
    return [*found, row]


def excerpt(rows: Sequence[Row], digits: int, view: View, brush: Brush) -> list[str]:
    """The printed lines for `rows`, whose numbers take `digits` cells.

    Blanks that all the marked lines begin with are left out.
    """
    common = min(row.indent for row in rows if row.marks)
    gutter, dim, reset = brush.theme.gutter, brush.theme.dim, brush.theme.reset
    room = max(brush.width - digits - 3, 20)
    bar = f"{gutter}{' ' * digits} |{reset}"
    lines = [bar]
    for row in rows:
        if not row.marks:
            start = row.start + min(row.indent, common)
            seen = view(start, row.end, (start, start), room, brush.ellipsis)
            lines.append(f"{gutter}{row.number} |{reset} {seen.shown}".rstrip())
            continue
        first, last = row.marks[0], row.marks[-1]
        if first.above:
            lines.append(f"{gutter}{GAP:<{digits + 2}}{reset} {dim}{first.above}{reset}")
        elif row.gap:
            lines.append(f"{gutter}{GAP}{reset}")
        seen = view(row.start + common, row.end, (first.start, min(last.end, row.end)), room, brush.ellipsis)
        lines.append(f"{gutter}{row.number} |{reset} {seen.shown}")
        lines += [f"{bar} {under}" for under in _under(row.marks, seen, room, brush)]
    return lines


def _under(marks: list[Mark], view: Window, room: int, brush: Brush) -> list[str]:
    """The underlines of one row, with the last label beside its mark and the others below theirs."""
    reset = brush.theme.reset
    line, at = "", 0
    labels: list[tuple[int, Mark]] = []
    for mark in marks:
        column = view.column(mark.start)
        begin = column if column > at else at
        end = view.column(mark.end)
        if end <= begin:
            end = begin + (begin == column)
        style, sign = (brush.primary, "^") if mark.primary else (brush.theme.mark, "-")
        line += f"{' ' * (begin - at)}{style}{sign * (end - begin)}{reset}"
        at = end
        if mark.label:
            labels.append((column, mark))
    last = marks[-1]
    if last.label and at + 1 + width_of(last.label) <= room:
        labels.pop()
        line += f" {brush.primary if last.primary else brush.theme.mark}{last.label}{reset}"
    return [line, *_below(labels, room, brush)] if labels else [line]


def _below(labels: list[tuple[int, Mark]], room: int, brush: Brush) -> Iterator[str]:
    """Labels on lines of their own, from the last mark to the first, each tied to its mark by bars."""
    theme = brush.theme
    while labels:
        column, mark = labels.pop()
        style = brush.primary if mark.primary else theme.mark
        bars, at = "", 0
        for other, above in labels:
            if at <= other < column:
                bars += f"{' ' * (other - at)}{brush.primary if above.primary else theme.mark}|{theme.reset}"
                at = other + 1
        widest = min(width_of(mark.label), room // 2)
        indent = column if at else min(column, room - widest)
        for text in wrap(mark.label, max(room - indent, 20), brush.ellipsis):
            yield f"{bars}{' ' * (indent - at)}{style}{text}{theme.reset}"
