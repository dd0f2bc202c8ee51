"""Which places of a finding an excerpt marks: the calls of its group in order, what its notes say, its own span."""

from __future__ import annotations

import re
from functools import lru_cache

from jitlint.findings import Finding, JitCall, Span
from jitlint.report.excerpt import Mark
from jitlint.report.printable import count
from jitlint.report.together import MOST_PLACES

FIRST_CALLS = 3
"""Of a group with more calls than `FIRST_CALLS + 2`, so many are shown, and the last."""
MOST_NOTES = 8
"""So many notes have their place shown."""

_LONG = 48
# An operation up to its operands or attributes: `%1:2 = stablehlo.custom_call @log`.
_HEAD = re.compile(r"(?:[^({<:\s]|:\d|[ \t](?![({<:])){1,200}")
_MOST_READ = 401
"""Two characters for each of the 200, and one that is looked at."""


def marks_of(text: str, finding: Finding) -> list[Mark]:
    """The marks for `finding`, which has a span; one a place, the strongest reason for it kept."""
    notes, path = finding.notes, finding.path
    calls = finding.group.calls if finding.group is not None else ()
    if calls and not notes and not path:
        return _calls(text, calls, primary=True)
    places = [(span, message, False) for message, span in notes[:MOST_NOTES] if span is not None]
    steps = [(span, "", True) for _, span in path[1:-1][:MOST_NOTES] if span is not None] if path else []
    if steps:
        places += steps
    elif finding.span is not None:
        places.append((finding.span, "", True))
    if not calls:
        places += [(each.span, "", True) for each in finding.also[: MOST_PLACES - 1] if each.span is not None]
    marks = _calls(text, calls, primary=False) if calls else []
    taken = {call.span: index for index, call in enumerate(_shown(calls))} if calls else {}
    for span, label, primary in places:
        index = taken.setdefault(span, len(marks))
        if index < len(marks):
            marks[index] = _joined(marks[index], label, primary)
        else:
            marks.append(Mark(span[0], head_end(text, span), label, primary))
    return marks


def _shown(calls: tuple[JitCall, ...]) -> tuple[JitCall, ...]:
    return calls if len(calls) <= FIRST_CALLS + 2 else (*calls[:FIRST_CALLS], calls[-1])


def _calls(text: str, calls: tuple[JitCall, ...], primary: bool) -> list[Mark]:
    """The calls that are shown, numbered; what is left out is counted above the last."""
    few = _shown(calls)
    marks: list[Mark] = []
    for number, (_, span, callee) in enumerate(few, 1):
        start, end = callee or span
        marks.append(Mark(start, end, str(number), primary))
    if len(few) < len(calls):
        marks[-1] = marks[-1]._replace(label=str(len(calls)), above=count(len(calls) - len(few), "more call"))
    return marks


def _joined(mark: Mark, label: str, primary: bool) -> Mark:
    """A mark with a label and an emphasis added, where it stands for one more reason."""
    said = ": ".join(part for part in (mark.label, label) if part)
    return mark._replace(label=said, primary=mark.primary or primary)


def head_end(text: str, span: Span) -> int:
    """The end of a span, of a long one that of what names it: of an operation its results, its name and its symbol."""
    start, end = span
    if end - start <= _LONG and text.find("\n", start, end) < 0:
        return end
    size = _head_size(text[start : min(end, start + _MOST_READ)])
    return end if size is None else start + size


@lru_cache(maxsize=1024)
def _head_size(piece: str) -> int | None:
    """How many characters name the operation that a text begins with; many calls name the same wrapper."""
    match = _HEAD.match(piece)
    return None if match is None else match.end()
