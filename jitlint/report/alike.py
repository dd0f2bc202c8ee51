"""Findings by the thousand: one that differs from an earlier one in digits alone is printed as that one was.

Two findings are alike that say the same, digits aside, about pieces of the source that are the same, digits aside, with
places that lie at the same distances. Then nothing about their layout differs: it depends on how long things are, and
on what they are made of. The first is laid out; of the second a form is made, which takes the line numbers, the pieces
of the message and those of the source that are shown; for all others the form is filled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from jitlint.findings import Finding
from jitlint.syntax.shapes import digits_alike
from jitlint.syntax.source import Source

_MOST_FORMS = 1024
_FARTHEST = 4096
"""Characters of the source, at the most, that a finding which is kept is about."""

_Key = tuple[object, ...]


class Form(NamedTuple):
    """A format string for a finding: the line number of its heading, pieces of its message, and for each row that is
    shown a line number and a piece of the source.

    `heading` and the first number of a row count lines from the first, `message` and the other numbers of a row are
    pieces (start and end) of the message and of the source from the begin of the first line on.
    """

    form: str
    heading: int
    message: Sequence[slice]
    rows: Sequence[tuple[int, slice]]

    def filled(self, line: int, message: str, piece: str) -> str:
        """The finding whose first line has the number `line`; `piece` is the source from there on."""
        values: list[object] = [line + self.heading]
        for words in self.message:
            values.append(message[words])  # noqa: PERF401 - seldom more than two
        for number, shown in self.rows:
            values += (line + number, piece[shown])
        return self.form % tuple(values)


class Alike:
    """Prints the findings of one file, in text order.

    `lay_out` prints one by itself, and `form_of` makes the form of one, if it can, for the line and the offset that it
    is to count from.
    """

    def __init__(
        self, source: Source, lay_out: Callable[[Finding], str], form_of: Callable[[Finding, int, int], Form | None]
    ) -> None:
        self._text = source.text
        self._lay_out = lay_out
        self._form_of = form_of
        self._forms: dict[_Key, Form | None] = {}
        self._line, self._begin = 1, 0
        self._limit = 10  # the first number with more digits than that of the line

    def printed(self, finding: Finding) -> str:
        """The finding, as `lay_out` would print it."""
        code, message, span, notes, path, group, fixable, help_text, severity = finding
        if span is None or path:
            return self._lay_out(finding)
        text, places = self._text, [*span]
        said: list[object] = []
        for note in notes:
            words, place = note
            if place is None:
                said.append(note)
            else:
                said.append(words)
                places += place
        if group is not None:
            for _, place in group[0]:
                places += place
            said.append((group[1], len(group[0])))
        begin, end = text.rfind("\n", 0, min(places)) + 1, text.find("\n", max(places))
        if end < 0 or end - begin > _FARTHEST:
            return self._lay_out(finding)
        piece, line = text[begin:end], self._line_at(begin)
        if line >= self._limit or line * 10 < self._limit:
            self._limit = 10 ** len(str(line))
        if line + _FARTHEST >= self._limit and line + piece.count("\n") >= self._limit:
            return self._lay_out(finding)  # its lines have numbers of different lengths
        key = (
            *(code, fixable, help_text, severity, self._limit, digits_alike(piece), digits_alike(message)),
            *said,
            *[place - begin for place in places],
        )
        form = self._forms.get(key, _NEW)
        if form is None:
            return self._lay_out(finding)
        if form is not _NEW and form is not _MET:
            return form.filled(line, message, piece)
        return self._learned(key, finding, line, begin, piece, met=form is _MET)

    def _learned(self, key: _Key, finding: Finding, line: int, begin: int, piece: str, *, met: bool) -> str:
        """Print a finding whose like has no form yet, and keep one if this is the second of its kind."""
        text = self._lay_out(finding)
        if len(self._forms) >= _MOST_FORMS:
            self._forms.clear()
        form: Form | None = _MET
        if met:
            form = self._form_of(finding, line, begin)
            if form is not None and form.filled(line, finding.message, piece) != text:
                form = None
        self._forms[key] = form
        return text

    def _line_at(self, begin: int) -> int:
        """The number of the line that begins there; most often a little below the one that was asked for before."""
        if begin == self._begin:
            return self._line
        if begin > self._begin:
            self._line += self._text.count("\n", self._begin, begin)
        else:
            self._line -= self._text.count("\n", begin, self._begin)
        self._begin = begin
        return self._line


_NEW = Form("", 0, (), ())
_MET = Form("met", 0, (), ())
