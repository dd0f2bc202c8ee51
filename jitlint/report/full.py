"""`full`: what a person reads. A header, the source with what matters underlined, the way of a cycle, what to do."""

from __future__ import annotations

from jitlint.findings import Finding, Note, Severity
from jitlint.report.advice import advice
from jitlint.report.concise import FixedLines, Headings, unproved
from jitlint.report.excerpt import Brush, excerpt
from jitlint.report.lookup import severity_of
from jitlint.report.marks import MOST_NOTES, marks_of
from jitlint.report.printable import count, escape, shorten, width_of, wrap
from jitlint.report.protocol import Settings, Write, in_order, symbol, write_together
from jitlint.report.run_summary import Summary
from jitlint.report.theme import theme
from jitlint.report.together import UNUSED_WRAPPER, and_more, more_calls
from jitlint.result import Result
from jitlint.syntax.source import Source

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
        self._headings = Headings(settings)
        look = self._theme
        self._brushes = {each: Brush(look, look.severity(each), settings.width, self._ellipsis) for each in Severity}
        self._remarked: dict[tuple[str, str, str], str] = {}

    def file(self, path: str, result: Result) -> None:
        """Prints the findings of one file, after a line for each thing that a fix fixed."""
        if self._settings.show_fixed:
            self._fixed(path, result)
        source = result.source
        write_together(self._write, (self._finding(path, source, each) for each in in_order(result.findings)))

    def close(self, summary: Summary) -> None:
        """Prints the closing lines."""
        if self._settings.show_summary:
            self._write(self._settings.closing(summary))

    def _fixed(self, path: str, result: Result) -> None:
        before, fixed = result.before or result.source, FixedLines(self._settings)
        lines = [fixed.of(path, before, finding) for finding in in_order(result.fixed)]
        lines += unproved(path, result, self._settings)
        if lines:
            self._write("\n".join([*lines, "", ""]))

    def _finding(self, path: str, source: Source, finding: Finding) -> str:
        if finding.also and finding.code == UNUSED_WRAPPER:
            return f"{self._one_line(path, source, finding)}\n\n"
        pieces = [self._header(path, source, finding, finding.message)]
        margin = "  "
        if finding.span is not None and source.text:
            shown, digits = excerpt(source, marks_of(source.text, finding), self._brushes[severity_of(finding)])
            margin = " " * digits
            pieces.append(shown)
        if len(finding.path) > 1:
            pieces += self._path(margin, source, finding.path)
        return "\n".join([*pieces, *self._remarks(margin, path, source, finding), "\n"])

    def _one_line(self, path: str, source: Source, finding: Finding) -> str:
        """What is not worth an excerpt: the finding and what to do about it."""
        todo = advice(self._settings.options, path, finding)
        return self._header(path, source, finding, f"{finding.message}; {todo}" if todo else finding.message)

    def _header(self, path: str, source: Source, finding: Finding, message: str) -> str:
        """Where it is and what is the matter, the message on lines of its own where it does not fit."""
        plain, styled = self._headings.of(path, source, finding)
        message = escape(message, self._ascii)
        width, strong, reset = self._settings.width, self._theme.strong, self._theme.reset
        if width_of(plain + message) + 2 <= width:
            return f"{styled}: {strong}{message}{reset}"
        words = wrap(message, width - 2, self._ellipsis)
        return f"{styled}\n  {strong}" + f"{reset}\n  {strong}".join(words) + reset

    def _remarks(self, margin: str, path: str, source: Source, finding: Finding) -> list[str]:
        """What stands below the excerpt: notes without a place, the fused name, help."""
        notes, group = finding.notes, finding.group
        remarks = [("note", note.message) for note in notes if note.span is None]
        if len(notes) > MOST_NOTES:
            hidden = sum(note.span is not None for note in notes[MOST_NOTES:])
            if hidden:
                remarks.append(("note", count(hidden, "more place")))
        if group is not None and group.fused_name:
            remarks.append(("fused", group.fused_name))
        if finding.also:
            more = more_calls(finding) if finding.group is None else and_more(source, finding)
            if more:
                remarks.append(("note", more))
        todo = advice(self._settings.options, path, finding)
        if todo:
            remarks.append(("help", todo))
        return [self._remark((margin, *each)) for each in remarks]

    def _remark(self, key: tuple[str, str, str]) -> str:
        """A remark in lines; thousands of findings end in the same few."""
        remark = self._remarked.get(key)
        if remark is None:
            if len(self._remarked) >= _MOST_REMARKS:
                self._remarked.clear()
            remark = self._remarked[key] = self._laid_out(*key)
        return remark

    def _laid_out(self, margin: str, kind: str, message: str) -> str:
        look = self._theme
        style = look.help if kind == "help" else look.strong
        words = escape(message, self._ascii)
        if kind == "fused":
            words = symbol(words)
        indent = len(margin) + len(kind) + 5
        lines = wrap(words, max(self._settings.width - indent, 20), self._ellipsis)
        return f"{margin} {look.gutter}={look.reset} {style}{kind}{look.reset}: " + f"\n{' ' * indent}".join(lines)

    def _path(self, margin: str, source: Source, path: tuple[Note, ...]) -> list[str]:
        """The way from the group and back, a step a line; the frame on the left stands for the one call."""
        steps: list[tuple[str, str]] = []
        left_out = len(path) - _MOST_STEPS
        few = path if left_out <= 0 else (*path[: _MOST_STEPS // 2], *path[-(_MOST_STEPS // 2) :])
        room = max(self._settings.width - len(margin) - 20, 20)
        for step in few:
            line = "" if step.span is None else f"line {source.position(step.span.start).line}"
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
