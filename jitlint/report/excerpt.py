"""A source excerpt: the marked lines with what is marked underlined and labelled, gaps between them elided."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from jitlint.report.printable import escape, width_of, wrap
from jitlint.report.theme import PLAIN, Theme
from jitlint.report.window import Window, window
from jitlint.syntax.source import Source

GAP = "..."
_MOST_INDENT = 200
"""Blanks at the beginning of a line, at most, that are counted: a line may be nothing else."""


_PLACE = itemgetter(0, 1)


class Mark(NamedTuple):
    """A span to underline, its label, whether it is what the finding is about or only related to it,
    and words for the gap above it.
    """

    start: int
    end: int
    label: str = ""
    primary: bool = False
    above: str = ""


_Label = tuple[int, str, str]
"""The cell of a mark, its style and its label as printed."""


class Brush(NamedTuple):
    """How an excerpt looks: the theme, the prefix for primary marks, the width in cells, the sign of a cut."""

    theme: Theme = PLAIN
    primary: str = ""
    width: int = 80
    ellipsis: str = "…"


class _Row(NamedTuple):
    """Marks that are shown in one window of a line; without marks, the only line between two that have some.

    `start` and `end` are the offsets of the line. `indent` counts the blanks that it begins with, `gap` says that
    lines above it are left out.
    """

    number: int
    start: int
    end: int
    indent: int
    gap: bool
    marks: list[Mark]


def excerpt(source: Source, marks: Sequence[Mark], brush: Brush) -> tuple[str, int]:
    """The printed lines for `marks`, of which there is at least one, and the cells that the line numbers take.

    Blanks that all the marked lines begin with are left out.
    """
    ordered = sorted(marks, key=_PLACE)
    rows = [row for line in _lines(source, ordered) for row in _parts(line, brush.width)]
    digits = len(str(rows[-1].number))
    common = min(row.indent for row in rows if row.marks)
    gutter, dim, reset = brush.theme.gutter, brush.theme.dim, brush.theme.reset
    room = max(brush.width - digits - 3, 20)
    bar = f"{gutter}{' ' * digits} |{reset}"
    lines = [bar]
    for row in rows:
        if not row.marks:
            start = row.start + min(row.indent, common)
            seen = window(source.text, start, row.end, (start, start), room, brush.ellipsis)
            lines.append(f"{gutter}{row.number:>{digits}} |{reset} {seen.shown}".rstrip())
            continue
        first, last = row.marks[0], row.marks[-1]
        if first.above:
            lines.append(f"{gutter}{GAP:<{digits + 2}}{reset} {dim}{first.above}{reset}")
        elif row.gap:
            lines.append(f"{gutter}{GAP}{reset}")
        focus = (first.start, min(last.end, row.end))
        seen = window(source.text, row.start + common, row.end, focus, room, brush.ellipsis)
        lines.append(f"{gutter}{row.number:>{digits}} |{reset} {seen.shown}")
        lines += [f"{bar} {under}" for under in _under(row.marks, seen, room, brush)]
    return "\n".join(lines), digits


def _lines(source: Source, marks: Iterable[Mark]) -> Iterator[_Row]:
    """The lines of marks that are in order, each as one row with all its marks."""
    row: _Row | None = None
    beyond = 0
    for mark in marks:
        if row is None or mark.start >= beyond:
            starts = source.line_starts_past(mark.start)
            number = bisect_right(starts, mark.start)
            before = number - 1 if row is None else row.number
            if row is not None:
                yield row
            if number == before + 2 and not mark.above:
                before += 1
                yield _line(source, before, gap=False)[0]
            row, beyond = _line(source, number, gap=number > before + 1)
        row.marks.append(mark)
    if row is not None:
        yield row


def _line(source: Source, number: int, gap: bool) -> tuple[_Row, int]:
    """A line without marks yet, and where the next one starts."""
    text, start = source.text, source.line_starts_past(0)[number - 1]
    end = text.find("\n", start)
    beyond = end + 1 if end >= 0 else len(text) + 1
    end = beyond - 1
    if end > start and text[end - 1] == "\r":
        end -= 1
    head = text[start : min(end, start + _MOST_INDENT)]
    return _Row(number, start, end, len(head) - len(head.lstrip(" ")), gap, []), beyond


def _parts(line: _Row, width: int) -> list[_Row]:
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


def _under(marks: list[Mark], view: Window, room: int, brush: Brush) -> list[str]:
    """The underlines of one row, with the last label beside its mark and the others below theirs."""
    reset, ascii_only = brush.theme.reset, brush.ellipsis.isascii()
    line, at, label = "", 0, ""
    labels: list[_Label] = []
    for start, stop, label, primary, _ in marks:
        column = view.column(start)
        begin = column if column > at else at
        end = view.column(stop)
        if end <= begin:
            end = begin + (begin == column)
        style, sign = (brush.primary, "^") if primary else (brush.theme.mark, "-")
        line += f"{' ' * (begin - at)}{style}{sign * (end - begin)}{reset}"
        at = end
        if label:
            labels.append((column, style, escape(label, ascii_only)))
    if label and at + 1 + width_of(labels[-1][2]) <= room:
        _, style, label = labels.pop()
        line += f" {style}{label}{reset}"
    return [line, *_below(labels, room, brush)] if labels else [line]


def _below(labels: list[_Label], room: int, brush: Brush) -> Iterator[str]:
    """Labels on lines of their own, from the last mark to the first, each tied to its mark by bars."""
    reset = brush.theme.reset
    while labels:
        column, style, label = labels.pop()
        bars, at = "", 0
        for other, above, _ in labels:
            if at <= other < column:
                bars += f"{' ' * (other - at)}{above}|{reset}"
                at = other + 1
        widest = min(width_of(label), room // 2)
        indent = column if at else min(column, room - widest)
        for text in wrap(label, max(room - indent, 20), brush.ellipsis):
            yield f"{bars}{' ' * (indent - at)}{style}{text}{reset}"
