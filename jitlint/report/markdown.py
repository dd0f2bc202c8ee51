"""`markdown`: a job summary, which says in one table what was found.

GitHub takes at most 1 MiB of a step's summary, so the table ends before that and says how much is left out.
"""

from __future__ import annotations

import html
import re

from jitlint.findings import Finding, Severity
from jitlint.report.advice import Options, advice
from jitlint.report.lookup import name_of, severity_of
from jitlint.report.printable import count, escape, shorten
from jitlint.report.protocol import Settings, Write, callees, in_order, symbol
from jitlint.report.run_summary import Summary
from jitlint.report.together import with_more
from jitlint.result import Result

MOST_BYTES = 700_000
"""Of the rows together, in UTF-8."""
_MOST_PICTURES = 200_000
"""Of the pictures together, in bytes: they come after the rows."""
_WIDEST = 300
_SIGNS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~$&@])")


class MarkdownReport:
    """Keeps the first rows until the counts are known, since the sentence comes before the table."""

    def __init__(self, write: Write, settings: Settings) -> None:
        self._write = write
        self._settings = settings
        self._rows: list[str] = []
        self._bytes = 0
        self._left_out = 0
        self._pictures: list[str] = []
        self._pictured = 0

    def file(self, path: str, result: Result) -> None:
        """Takes the findings of one file."""
        for finding in in_order(result.findings):
            row = "" if self._left_out else _row(self._settings.options, path, result, finding)
            self._bytes += len(row.encode())
            if self._left_out or self._bytes > MOST_BYTES:
                self._left_out += 1
            else:
                self._rows.append(row)
        if self._settings.pictures is not None and self._pictured < _MOST_PICTURES:
            self._picture(path, self._settings.pictures(result))

    def _picture(self, path: str, drawn: str) -> None:
        self._pictured += len(drawn.encode())
        if drawn and self._pictured <= _MOST_PICTURES:
            words = html.escape(escape(path))
            self._pictures.append(f"<details>\n<summary>{words}</summary>\n\n{drawn}</details>\n\n")

    def close(self, summary: Summary) -> None:
        """Writes the summary."""
        self._write("## jitlint\n\n")
        for line in self._settings.closing(summary).splitlines():
            self._write(f"{plain(line)}\n\n")
        if self._rows:
            self._write("| | Rule | Place | What |\n| --- | --- | --- | --- |\n")
            for row in self._rows:
                self._write(row)
            if self._left_out:
                self._write(f"\n… and {count(self._left_out, 'more finding')}.\n")
        if self._pictures:
            self._write(f"\n### Calls\n\n{''.join(self._pictures)}")


def _row(options: Options, path: str, result: Result, finding: Finding) -> str:
    severity = severity_of(finding)
    place = escape(path)
    if finding.span is not None:
        place += f":{result.source.position(finding.span.start).line}"
    rule = f"{_code(finding.code)} {name_of(finding.code)}"
    return (
        f"| {_SIGNS[severity]} {severity.value} | {rule} | {_code(place)} | {_what(options, path, result, finding)} |\n"
    )


def _what(options: Options, path: str, result: Result, finding: Finding) -> str:
    parts = [plain(with_more(result.source, finding))]
    names = callees(finding.group)
    if names:
        shown = names if len(names) <= 5 else [*names[:3], names[-1]]
        calls = [_code(symbol(escape(name))) for name in shown]
        if len(shown) < len(names):
            calls.insert(3, f"{len(names) - len(shown):,} more")
        parts.append(" → ".join(calls))
    if finding.path:
        parts.append("Cycle: " + " → ".join(plain(step.message) for step in finding.path[:12]))
    todo = advice(options, path, finding)
    if todo:
        parts.append(plain(todo))
    return "<br>".join(parts)


def plain(text: str) -> str:
    """`text` as words: what Markdown or HTML would read as markup is escaped. Code in backquotes stays code."""
    pieces = shorten(escape(text), _WIDEST, "…").split("`")
    if len(pieces) % 2 == 0:
        return _SPECIAL.sub(r"\\\1", "`".join(pieces))
    return "".join(_code(piece) if index % 2 else _SPECIAL.sub(r"\\\1", piece) for index, piece in enumerate(pieces))


def _code(text: str) -> str:
    """`text` as code in a table cell: fenced by more backquotes than it has, its bars escaped."""
    text = shorten(text, _WIDEST, "…").replace("|", "\\|")
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"


def open_report(write: Write, settings: Settings) -> MarkdownReport:
    """The report of this format."""
    return MarkdownReport(write, settings)
