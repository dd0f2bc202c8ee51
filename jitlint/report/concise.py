"""`concise`: one line a finding, which editors and `grep` read: `file:line:column: severity: CODE name: message`."""

from __future__ import annotations

from jitlint.findings import Finding, Severity
from jitlint.report.lookup import FUSABLE, name_of, severity_of
from jitlint.report.printable import count, escape
from jitlint.report.protocol import Settings, Write, in_order, symbol, write_together
from jitlint.report.run_summary import Summary
from jitlint.report.theme import theme
from jitlint.report.together import with_more
from jitlint.result import Result
from jitlint.syntax.source import Source

_MOST_SAID = 1024


class ConciseReport:
    """Writes a line a finding, never wrapped."""

    def __init__(self, write: Write, settings: Settings) -> None:
        self._write = write
        self._settings = settings
        self._theme = theme(settings.color)
        self._headings = Headings(settings)

    def file(self, path: str, result: Result) -> None:
        """Prints the findings of one file, after a line for each thing that a fix fixed."""
        settings = self._settings
        if settings.show_fixed:
            before, fixed = result.before or result.source, FixedLines(settings)
            write_together(self._write, (f"{fixed.of(path, before, each)}\n" for each in in_order(result.fixed)))
            self._write("".join(f"{line}\n" for line in unproved(path, result, settings)))
        write_together(self._write, (self._line(path, result.source, each) for each in in_order(result.findings)))

    def _line(self, path: str, source: Source, finding: Finding) -> str:
        styled = self._headings.of(path, source, finding)[1]
        return f"{styled}: {escape(with_more(source, finding), not self._settings.unicode)}\n"

    def close(self, summary: Summary) -> None:
        """Prints the closing line."""
        if self._settings.show_summary:
            self._write(self._settings.closing(summary))


def place(path: str, source: Source, finding: Finding, ascii_only: bool) -> str:
    """`file:line:column`, or the file alone where the finding has no span."""
    name = escape(path, ascii_only)
    if finding.span is None:
        return name
    line, column = source.position(finding.span.start)
    return f"{name}:{line}:{column}"


class Headings:
    """Makes what stands before the messages. What follows the place is the same for thousands of findings."""

    def __init__(self, settings: Settings) -> None:
        self._ascii = not settings.unicode
        self._color = settings.color
        self._theme = theme(settings.color)
        self._titles: dict[tuple[str, Severity | None, bool], tuple[str, str]] = {}

    def of(self, path: str, source: Source, finding: Finding) -> tuple[str, str]:
        """Everything before the message, without and with colours."""
        where = place(path, source, finding, self._ascii)
        key = (finding.code, finding.severity, finding.fixable)
        plain, styled = self._titles.get(key) or self._title(key, finding)
        said = where + plain
        return said, f"{self._theme.strong}{where}{styled}" if self._color else said

    def _title(self, key: tuple[str, Severity | None, bool], finding: Finding) -> tuple[str, str]:
        look, code, name = self._theme, finding.code, name_of(finding.code)
        severity = severity_of(finding)
        style, reset = look.severity(severity), look.reset
        plain, mark = (" [*]", f" {look.place}[*]{reset}") if finding.fixable else ("", "")
        title = self._titles[key] = (
            f": {severity.value}: {code}{plain} {name}",
            f"{reset}: {style}{severity.value}: {code}{reset}{mark} {style}{name}{reset}",
        )
        return title


def unproved(path: str, result: Result, settings: Settings) -> list[str]:
    """The line that warns of a fix that was written and is not proved, if this is one."""
    difference = result.proof.difference if result.proof is not None else None
    if difference is None or result.before is None:
        return []
    look = theme(settings.color)
    about = Finding("", difference.message, difference.after)
    words = escape(difference.message, not settings.unicode)
    title = f"{look.severity(Severity.WARNING)}warning{look.reset}"
    return [
        f"{place(path, result.source, about, not settings.unicode)}: {title}: not proved to compute the same: {words}"
    ]


class FixedLines:
    """Makes the lines that say what a fix fixed. What follows the place is the same for thousands of groups."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._theme = theme(settings.color)
        self._said: dict[tuple[object, ...], str] = {}

    def of(self, path: str, before: Source, finding: Finding) -> str:
        """What was fixed, in one line, with the place where it stood."""
        group = finding.group
        key = (finding.code, finding.message, group and (group.fused_name, len(group.calls)))
        said = self._said.get(key)
        if said is None:
            if len(self._said) >= _MOST_SAID:
                self._said.clear()
            said = self._said[key] = self._words(finding)
        return place(path, before, finding, not self._settings.unicode) + said

    def _words(self, finding: Finding) -> str:
        look, ascii_only, dry_run = self._theme, not self._settings.unicode, self._settings.dry_run
        done = "would fix" if dry_run else "fixed"
        if finding.code == FUSABLE and finding.group is not None:
            verb = "would become" if dry_run else "became"
            name = finding.group.fused_name
            into = symbol(escape(name, ascii_only)) if name else "one call"
            message = f"{count(len(finding.group.calls), 'call')} {verb} {into}"
        else:
            message = escape(finding.message, ascii_only)
        return f": {look.help}{done}: {finding.code}{look.reset} {name_of(finding.code)}: {message}"


def open_report(write: Write, settings: Settings) -> ConciseReport:
    """The report of this format."""
    return ConciseReport(write, settings)
