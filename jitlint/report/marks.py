"""Which places of a finding an excerpt marks: the calls of its group in order, what its notes say, its own span."""

from __future__ import annotations

import re

from jitlint.findings import Finding, JitCall, Span
from jitlint.report.common import callee_span
from jitlint.report.excerpt import Mark
from jitlint.report.text import count, escape

FIRST_CALLS = 3
"""Of a group with more calls than `FIRST_CALLS + 2`, so many are shown, and the last."""
MOST_NOTES = 8
"""So many notes have their place shown."""

_LONG = 48
# An operation up to its operands or attributes: `%1:2 = stablehlo.custom_call @log`.
_HEAD = re.compile(r"(?:[^({<:\s]|:\d|[ \t](?![({<:])){1,200}")


def marks_of(text: str, finding: Finding, ascii_only: bool) -> list[Mark]:
    """The marks for `finding`, which has a span; one a place, the strongest reason for it kept."""
    calls = finding.group.calls if finding.group is not None else ()
    if calls and not finding.notes and not finding.path:
        return _calls(text, calls, primary=True)
    marks = _calls(text, calls, primary=False)
    taken = {call.span: index for index, call in enumerate(_shown(calls))}
    for note in finding.notes[:MOST_NOTES]:
        if note.span is not None:
            _add(text, marks, taken, note.span, escape(note.message, ascii_only))
    for step in finding.path[1:-1][:MOST_NOTES]:
        if step.span is not None:
            _add(text, marks, taken, step.span, "", primary=True)
    if finding.span is not None and not any(mark.primary for mark in marks):
        _add(text, marks, taken, finding.span, "", primary=True)
    return marks


def _shown(calls: tuple[JitCall, ...]) -> tuple[JitCall, ...]:
    return calls if len(calls) <= FIRST_CALLS + 2 else (*calls[:FIRST_CALLS], calls[-1])


def _calls(text: str, calls: tuple[JitCall, ...], primary: bool) -> list[Mark]:
    """The calls that are shown, numbered; what is left out is counted above the last."""
    marks = []
    few = _shown(calls)
    for number, call in enumerate(few, 1):
        span = callee_span(text, call)
        above = ""
        if number == len(few) < len(calls):
            number, above = len(calls), count(len(calls) - len(few), "more call")
        marks.append(Mark(span.start, span.end, str(number), primary, above))
    return marks


def _add(text: str, marks: list[Mark], taken: dict[Span, int], span: Span, label: str, primary: bool = False) -> None:
    """Marks `span`, or adds the label and the emphasis to the mark that stands for it already."""
    index = taken.get(span)
    if index is None:
        taken[span] = len(marks)
        span = head(text, span)
        marks.append(Mark(span.start, span.end, label, primary))
        return
    mark = marks[index]
    joined = ": ".join(part for part in (mark.label, label) if part)
    marks[index] = mark._replace(label=joined, primary=mark.primary or primary)


def head(text: str, span: Span) -> Span:
    """A long span cut to what names it: of an operation its results, its name and its symbol."""
    if span.end - span.start <= _LONG and text.find("\n", span.start, span.end) < 0:
        return span
    match = _HEAD.match(text, span.start, span.end)
    return span if match is None else Span(span.start, match.end())
