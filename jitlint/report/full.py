"""`full`: what a person reads. A header, the source with what matters underlined, the way of a cycle, what to do."""

from __future__ import annotations

from jitlint.findings import Finding, Note
from jitlint.report.common import Settings, Write, advice, in_order, symbol
from jitlint.report.concise import fixed_line, heading
from jitlint.report.excerpt import Brush, excerpt
from jitlint.report.lookup import severity_of
from jitlint.report.marks import MOST_NOTES, marks_of
from jitlint.report.summary import Summary, closing
from jitlint.report.text import count, escape, shorten, width_of, wrap
from jitlint.report.theme import theme
from jitlint.result import Result

_MOST_STEPS = 12
_MOST_REMARKS = 1024


class FullReport:
    """Writes each finding with its excerpt, and one sentence at the end."""

    def __init__(self, write: Write, settings: Settings) -> None:
        self._write = write
        self._settings = settings
        self._theme = theme(settings.color)
        self._ellipsis = "…" if settings.unicode else "..."
        self._ascii = not settings.unicode
        self._remarked: dict[tuple[str, str, str], list[str]] = {}

    def file(self, path: str, result: Result) -> None:
        """Prints the findings of one file, after a line for each thing that a fix mended."""
        if self._settings.show_fixed:
            self._fixed(path, result)
        for finding in in_order(result.findings):
            lines = self._finding(path, result, finding)
            lines.append("\n")
            self._write("\n".join(lines))

    def close(self, summary: Summary) -> None:
        """Prints the closing lines."""
        if self._settings.show_summary:
            self._write(closing(summary, self._settings.dry_run))

    def _fixed(self, path: str, result: Result) -> None:
        before = result.before or result.source
        lines = [fixed_line(path, before, finding, self._settings, self._theme) for finding in in_order(result.fixed)]
        if lines:
            self._write("\n".join([*lines, "", ""]))

    def _finding(self, path: str, result: Result, finding: Finding) -> list[str]:
        look = self._theme
        severity = look.severity(severity_of(finding))
        lines = self._header(path, result, finding)
        margin = "  "
        if finding.span is not None and result.source.text:
            brush = Brush(look, severity, self._settings.width, self._ellipsis)
            shown, margin = excerpt(result.source, marks_of(result.source.text, finding, self._ascii), brush)
            lines += shown
        lines += self._remarks(margin, path, result, finding)
        return lines

    def _header(self, path: str, result: Result, finding: Finding) -> list[str]:
        plain, styled = heading(path, result.source, finding, self._settings, self._theme)
        message = escape(finding.message, self._ascii)
        width = self._settings.width
        if width_of(plain) + 2 + width_of(message) <= width:
            return [f"{styled}: {self._theme.strong}{message}{self._theme.reset}"]
        look = self._theme
        return [styled, *(f"  {look.strong}{line}{look.reset}" for line in wrap(message, width - 2, self._ellipsis))]

    def _remarks(self, margin: str, path: str, result: Result, finding: Finding) -> list[str]:
        """What stands below the excerpt: the path, notes without a place, the fused name, help."""
        lines: list[str] = []
        look = self._theme
        if len(finding.path) > 1:
            lines += self._path(margin, result, finding.path)
        elsewhere = [note.message for note in finding.notes if note.span is None]
        hidden = sum(note.span is not None for note in finding.notes[MOST_NOTES:])
        if hidden:
            elsewhere.append(count(hidden, "more place"))
        for message in elsewhere:
            lines += self._remark(margin, "note", look.strong, escape(message, self._ascii))
        if finding.group is not None and finding.group.fused_name:
            lines += self._remark(margin, "fused", look.strong, symbol(escape(finding.group.fused_name, self._ascii)))
        todo = advice(path, finding)
        if todo:
            lines += self._remark(margin, "help", look.help, escape(todo, self._ascii))
        return lines

    def _remark(self, margin: str, kind: str, style: str, message: str) -> list[str]:
        """A remark in lines; thousands of findings end in the same few."""
        key = (margin, kind, message)
        lines = self._remarked.get(key)
        if lines is None:
            if len(self._remarked) >= _MOST_REMARKS:
                self._remarked.clear()
            lines = self._remarked[key] = self._laid_out(margin, kind, style, message)
        return lines

    def _laid_out(self, margin: str, kind: str, style: str, message: str) -> list[str]:
        look = self._theme
        sign = f"{margin} {look.gutter}={look.reset} {style}{kind}{look.reset}: "
        indent = len(margin) + len(kind) + 5
        lines = wrap(message, max(self._settings.width - indent, 20), self._ellipsis)
        lines[0] = sign + lines[0]
        lines[1:] = [" " * indent + line for line in lines[1:]]
        return lines

    def _path(self, margin: str, result: Result, path: tuple[Note, ...]) -> list[str]:
        """The way from the group and back, a step a line; the frame on the left stands for the one call."""
        steps: list[tuple[str, str]] = []
        left_out = len(path) - _MOST_STEPS
        few = path if left_out <= 0 else (*path[: _MOST_STEPS // 2], *path[-(_MOST_STEPS // 2) :])
        room = max(self._settings.width - len(margin) - 20, 20)
        for step in few:
            line = "" if step.span is None else f"line {result.source.position(step.span.start).line}"
            steps.append((shorten(escape(step.message, self._ascii), room, self._ellipsis), line))
        if left_out > 0:
            steps.insert(_MOST_STEPS // 2, (count(left_out, "more step"), ""))
        return _drawing(f"{margin}   ", steps, self._settings.unicode, self._theme.gutter, self._theme.reset)


def _drawing(margin: str, steps: list[tuple[str, str]], unicode: bool, style: str, reset: str) -> list[str]:
    begin, through, back = ("╭─→", "│ ↓", "╰─←") if unicode else ("+->", "| v", "+-<")
    widest = max(width_of(message) for message, _ in steps)
    lines = []
    for index, (message, line) in enumerate(steps):
        sign = begin if index == 0 else back if index == len(steps) - 1 else through
        gap = " " * (widest - width_of(message) + 2)
        lines.append(f"{margin}{style}{sign}{reset} {message}{gap}{style}{line}{reset}".rstrip())
    return lines


def open_report(write: Write, settings: Settings) -> FullReport:
    """The report of this format."""
    return FullReport(write, settings)
