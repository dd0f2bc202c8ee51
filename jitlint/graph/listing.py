"""The source of a page: numbered lines with coloured words, marked places, and findings under the lines they are on."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jitlint.findings import Finding, Note, Severity, Span
from jitlint.report.advice import advice
from jitlint.report.lookup import name_of, severity_of
from jitlint.report.printable import count, escape, shorten
from jitlint.report.protocol import callees, in_order, steps, symbol
from jitlint.syntax.lexer import STRING
from jitlint.syntax.source import Source

MOST_FINDINGS = 200
_WHOLE = 300
"""Lines of a text that is shown whole; of a longer one, what is near a finding is."""
_NEAR = 4
_WIDEST = 600
"""Characters of a line that are shown."""
_WORD = re.compile(
    rf"(?P<comment>//[^\n]*+)|(?P<string>{STRING})|(?P<value>%[\w$.\-#]++)|(?P<symbol>@[\w$.\-]++)"
    r"|(?P<type>[!#][A-Za-z][\w$.\-]*+|\b(?:tensor|memref|vector|index|[fiu][0-9]++|bf16)\b)"
    r"|(?P<op>\b[a-z_][\w$]*+(?:\.[a-z_][\w$]*+)++)|(?P<number>\b[0-9][\w.]*+)"
)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A place on one line, in columns, and the class that marks it."""

    start: int
    end: int
    name: str


def listing(source: Source, findings: Sequence[Finding]) -> str:
    """The rows of the source, as HTML."""
    shown = in_order(findings)[:MOST_FINDINGS]
    under: dict[int, list[Finding]] = {}
    marks: dict[int, list[_Mark]] = {}
    for finding in shown:
        if finding.span is not None:
            under.setdefault(source.position(finding.span.start).line, []).append(finding)
            _mark(source, finding.span, severity_of(finding).value, marks)
        for call in finding.group.calls if finding.group is not None else ():
            _mark(source, call.span, severity_of(finding).value, marks)
        for note in (*finding.notes, *finding.path):
            if note.span is not None:
                _mark(source, note.span, "note", marks)
    rows = [_card(source, finding) for finding in shown if finding.span is None]
    rows += _rows(source, marks, under)
    if len(findings) > len(shown):
        rows.append(f'<div class="gap">{count(len(findings) - len(shown), "more finding")} not shown</div>\n')
    return "".join(rows)


def _rows(source: Source, marks: dict[int, list[_Mark]], under: dict[int, list[Finding]]) -> Iterator[str]:
    last = 0
    for number in _shown_lines(source, marks, under):
        if number > last + 1:
            yield f'<div class="gap">{count(number - last - 1, "line")}</div>\n'
        last = number
        yield _row(source, number, marks.get(number, []))
        for finding in under.get(number, ()):
            yield _card(source, finding)
    left = len(source.line_starts) - last - (source.line_starts[-1] == len(source.text))
    if left > 0:
        yield f'<div class="gap">{count(left, "line")}</div>\n'


def _shown_lines(source: Source, marks: dict[int, list[_Mark]], under: dict[int, list[Finding]]) -> Sequence[int]:
    lines = len(source.line_starts)
    if source.line_starts[-1] == len(source.text):
        lines -= 1  # the text ends with its last line
    if lines <= _WHOLE:
        return range(1, lines + 1)
    near = {
        number
        for marked in (*marks, *under)
        for number in range(max(marked - _NEAR, 1), min(marked + _NEAR, lines) + 1)
    }
    return sorted(near)


def _mark(source: Source, span: Span, name: str, marks: dict[int, list[_Mark]]) -> None:
    """Mark a place, or as much of it as stands on its first line."""
    place = source.position(span.start)
    end = min(span.end, source.line_starts[place.line - 1] + len(source.line(place.line)))
    column = place.column - 1
    marks.setdefault(place.line, []).append(_Mark(column, max(column + end - span.start, column + 1), name))


def _row(source: Source, number: int, marks: list[_Mark]) -> str:
    text = source.line(number)
    code = "".join(_pieces(text[:_WIDEST], marks))
    if len(text) > _WIDEST:
        code += f'<span class="cut"> … {count(len(text) - _WIDEST, "more character")}</span>'
    return f'<div class="row" id="L{number}"><a href="#L{number}">{number}</a><code>{code or " "}</code></div>\n'


def _pieces(text: str, marks: list[_Mark]) -> Iterator[str]:
    """The line, cut where a word or a mark begins or ends."""
    words = [(match.start(), match.end(), match.lastgroup or "") for match in _WORD.finditer(text)]
    cuts = {0, len(text), *(place for start, end, _ in words for place in (start, end))}
    cuts |= {min(place, len(text)) for mark in marks for place in (mark.start, mark.end)}
    places = sorted(cuts)
    word = 0
    for start, end in pairwise(places):
        while word < len(words) and words[word][1] <= start:
            word += 1
        names = [words[word][2]] if word < len(words) and words[word][0] <= start else []
        names += dict.fromkeys(mark.name for mark in marks if mark.start <= start < mark.end)
        piece = html.escape(_visible(text[start:end]))
        yield f'<span class="{" ".join(names)}">{piece}</span>' if names else piece


def _visible(text: str) -> str:
    return escape(text.replace("\t", "    "))


def _card(source: Source, finding: Finding) -> str:
    """A finding: what it says, the places that belong to it, and what to do."""
    severity = severity_of(finding)
    parts = [
        f'<p><b class="code">{finding.code}</b> <span class="name">{html.escape(name_of(finding.code))}</span> '
        f"{_said(finding.message)}</p>"
    ]
    names = callees(finding.group)
    if finding.fixable and names:
        some = names if len(names) <= 8 else [*names[:4], "…", *names[-3:]]
        chain = " → ".join(f"<code>{html.escape(shorten(escape(symbol(name)), 48, '…'))}</code>" for name in some)
        parts.append(f"<p>{chain}</p>")
    notes = steps(finding)[:10]
    if notes:
        parts.append(f"<ul>{''.join(_note(source, note) for note in notes)}</ul>")
    todo = advice((), source.path, finding)
    if todo:
        parts.append(f'<p class="help">{_said(todo)}</p>')
    return f'<div class="card {severity.value}">{_badge(severity)}<div>{"".join(parts)}</div></div>\n'


def _badge(severity: Severity) -> str:
    return f'<span class="badge">{severity.value}</span>'


def _note(source: Source, note: Note) -> str:
    if note.span is None:
        return f"<li>{_said(note.message)}</li>"
    line = source.position(note.span.start).line
    return f'<li><a href="#L{line}">line {line:,}</a> {_said(note.message)}</li>'


def _said(text: str) -> str:
    """Words of a report; what stands in backquotes is code."""
    pieces = html.escape(shorten(escape(text), 400, "…")).split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    return "".join(f"<code>{piece}</code>" if place % 2 else piece for place, piece in enumerate(pieces))
