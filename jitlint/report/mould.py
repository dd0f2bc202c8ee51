"""Excerpts by the thousand: what they look like is worked out once for all that differ in numbers and text alone.

An excerpt is first described by all that its layout depends on: where the marks stand in their lines, how many
characters follow, labels, blanks, the width of the line numbers. Rows are made from nothing but that description, so
excerpts of one description have one layout. Laid out with slots in place of line numbers and text it is a mould, a
format string, and each further excerpt takes its pieces of text and fills it.

A mould is right for text in which each character takes one cell. Any other is laid out by itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from jitlint.report.excerpt import Brush, Mark, Marked, Row, excerpt, parts
from jitlint.report.text import escape
from jitlint.report.window import Window, window
from jitlint.syntax.source import Source

_MOST_MOULDS = 1024
_MOST_INDENT = 200
_FAR = 4096

# A percent sign that begins a slot, while the layout may hold others. Nothing that is printed has this character.
_PERCENT = "\x01"

_ends = itemgetter(0, 1)
_SAME, _NEXT, _GAP, _BETWEEN = range(4)

_Place = tuple[int, int, int, int, int, str, bool, str]
"""A mark in its line.

Which line it is (`_SAME` as the mark before it, the `_NEXT` one, one below a `_GAP`; `_BETWEEN` is a line without a
mark), blanks at its beginning, first and last column of the mark, characters that follow it in the line (negative where
the line ends before the mark does), and what the mark says.
"""

Described = tuple[list[int], list[int], tuple[_Place, ...]]
"""An excerpt: the numbers and the offsets of its lines, on which its layout does not depend, and its places."""

_Key = tuple[str, int, tuple[_Place, ...]]
"""All that a mould depends on: the prefix for primary marks, the digits of line numbers, the places."""


class _Mould(NamedTuple):
    """A format string that takes a line number and a text for each row; `None` for what takes no mould.

    `cuts` say which text: the index of the line, the first and last column to read, and whether blanks at its end
    are not printed. What is read is more than what is shown: the mould cuts it.
    """

    form: str | None
    cuts: list[tuple[int, int, int, bool]]


_MET = _Mould(None, [])
"""For a description that was met once: a mould is made when it comes again, for it takes as long as two excerpts."""


class Excerpts:
    """Makes the excerpts of a report."""

    def __init__(self, brush: Brush) -> None:
        self._brush = brush
        self._reach = max(brush.width, 20) + 1
        self._moulds: dict[_Key, _Mould] = {}

    def of(self, source: Source, marks: Sequence[Marked], primary: str) -> tuple[str, int]:
        """The excerpt for `marks`, and the digits of its line numbers. `primary` is the prefix for primary marks."""
        marks = ordered(marks)
        numbers, starts, places = described(source, marks, self._reach)
        digits = len(str(numbers[-1]))
        key = (primary, digits, places)
        mould = self._moulds.get(key, _MET)
        form, cuts = self._met(key) if mould is _MET else mould
        text = source.text
        values: list[int | str] = []
        for line, first, last, bare in cuts:
            start = starts[line]
            piece = text[start + first : start + last]
            if not (piece.isascii() and piece.isprintable()) or (bare and piece[-1] == " "):
                form = None
                break
            values += (numbers[line], piece)
        if form is None:
            return laid_out(source, (numbers, starts, places), self._brush._replace(primary=primary)), digits
        return form % tuple(values), digits

    def form(
        self, source: Source, marks: Sequence[Marked], primary: str
    ) -> tuple[str, list[tuple[int, int, int]]] | None:
        """The format string of an excerpt that takes a mould; of each row that it shows, the number of the line and the
        piece of the source (start and end)."""
        numbers, starts, places = described(source, ordered(marks), self._reach)
        form, cuts = _mould(places, len(str(numbers[-1])), self._brush._replace(primary=primary))
        if form is None:
            return None
        return form, [(numbers[line], starts[line] + first, starts[line] + last) for line, first, last, _ in cuts]

    def _met(self, key: _Key) -> _Mould:
        """The mould for a description without one."""
        mould = _MET
        if key in self._moulds:
            primary, digits, places = key
            mould = _mould(places, digits, self._brush._replace(primary=primary))
        elif len(self._moulds) >= _MOST_MOULDS:
            self._moulds.clear()
        self._moulds[key] = mould
        return mould


def laid_out(source: Source, described: Described, brush: Brush) -> str:
    """An excerpt laid out by itself, with the text before it."""
    numbers, starts, places = described
    digits = len(str(numbers[-1]))
    lines = _lines([f"{number:>{digits}}" for number in numbers], starts, places, brush.ellipsis.isascii())
    rows = [row for line in lines for row in parts(line, brush.width)]
    return "\n".join(excerpt(rows, digits, partial(window, source.text), brush))


def _mould(places: Sequence[_Place], digits: int, brush: Brush) -> _Mould:
    lines = _lines([f"{_PERCENT}{digits}d"] * len(places), [0] * len(places), places, brush.ellipsis.isascii())
    if not all(_steady(line) for line in lines):
        return _Mould(None, [])
    rows = [(index, row) for index, line in enumerate(lines) for row in parts(line, brush.width)]
    slots = _Slots()
    form = "\n".join(excerpt([row for _, row in rows], digits, slots.view, brush))
    cuts = [(index, *cut, not row.marks) for (index, row), cut in zip(rows, slots.cuts, strict=True)]
    return _Mould(form.replace("%", "%%").replace(_PERCENT, "%"), cuts)


def _steady(line: Row) -> bool:
    """Whether what is shown of a line is the same for every text of single cells, and worth to be kept.

    A window with an empty mark at its edge may be moved, and then the text is read in two places; blanks at the end of
    a line without a mark are not printed; and columns far out are seldom met twice.
    """
    return line.indent < line.end < _FAR and all(mark.start < min(mark.end, line.end) for mark in line.marks)


class _Slots:
    """Stands in for a text of single cells: shows slots, and keeps which columns would have been read."""

    def __init__(self) -> None:
        self.cuts: list[tuple[int, int]] = []

    def view(self, start: int, end: int, focus: tuple[int, int], width: int, ellipsis: str) -> Window:
        """As `window`, with a slot where the text would be."""
        seen = window("x" * end, start, end, focus, width, ellipsis)
        size = seen.last - seen.first
        self.cuts.append((seen.first, seen.first + len(seen.shown) - seen.lead))
        return seen._replace(shown=seen.shown.replace("x" * size, f"{_PERCENT}.{size}s", 1))


def ordered(marks: Sequence[Marked]) -> Sequence[Marked]:
    """The marks by their places, of which most often each is below the one before."""
    before = -1
    for mark in marks:
        if mark[0] <= before:
            return sorted(marks, key=_ends)
        before = mark[0]
    return marks


def described(source: Source, marks: Sequence[Marked], reach: int) -> Described:
    """Describes an excerpt for `marks`, which are in order: the places, on which the layout depends, after the numbers
    and the offsets of their lines, on which it does not.

    Of the characters that follow a mark at most `reach` are counted, and the blanks: no window goes further than a
    screen beyond both, so `reach` is a screen and one more.
    """
    text, starts = source.text, source.line_starts_past(marks[-1][1])
    most = len(starts) - 1
    numbers: list[int] = []
    begins: list[int] = []
    places: list[_Place] = []
    number = begin = end = indent = 0
    beyond = -1
    for first, last, label, primary, above in marks:
        which = _SAME
        if first >= beyond:
            before = number
            if 0 < before < most and first < starts[before + 1]:
                number += 1
            else:
                number = bisect_right(starts, first, before)
            which = _NEXT if number == before + 1 or not before else _GAP
            if which == _GAP and number == before + 2 and not above:
                begin, end, beyond, indent = _line(text, starts, before + 1)
                numbers.append(before + 1)
                begins.append(begin)
                places.append((_BETWEEN, indent, indent, indent, min(end - begin - indent, reach), "", False, ""))
                which = _NEXT
            begin, end, beyond, indent = _line(text, starts, number)
            numbers.append(number)
            begins.append(begin)
        follow = end - last
        if follow > reach + indent:
            follow = reach + indent
        places.append((which, indent, first - begin, last - begin, follow, label, primary, above))
    return numbers, begins, tuple(places)


def _line(text: str, starts: Sequence[int], number: int) -> tuple[int, int, int, int]:
    """Of a line its start, its end without its ending, the start of the next, and how many blanks it begins with."""
    start = starts[number - 1]
    beyond = starts[number] if number < len(starts) else len(text) + 1
    end = beyond - 1
    if end == start:
        return start, end, beyond, 0
    if text[end - 1] == "\r":
        end -= 1
    if text[start] != " ":
        return start, end, beyond, 0
    head = text[start : min(end, start + _MOST_INDENT)]
    return start, end, beyond, len(head) - len(head.lstrip(" "))


def _lines(numbers: Sequence[str], starts: Sequence[int], places: Sequence[_Place], ascii_only: bool) -> list[Row]:
    """The lines that `places` describe, each as one row with all its marks, their labels escaped."""
    lines: list[Row] = []
    for which, indent, first, last, follow, label, primary, above in places:
        if which != _SAME:
            number, start = numbers[len(lines)], starts[len(lines)]
            lines.append(Row(number, start, start + last + follow, indent, which == _GAP, []))
        elif start + last + follow > lines[-1].end:
            lines[-1] = lines[-1]._replace(end=start + last + follow)
        if which != _BETWEEN:
            lines[-1].marks.append(Mark(start + first, start + last, escape(label, ascii_only), primary, above))
    return lines
