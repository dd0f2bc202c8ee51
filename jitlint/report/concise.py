"""`concise`: one line a finding, which editors and `grep` read: `file:line:column: severity: CODE name: message`."""

from __future__ import annotations

from jitlint.findings import Finding, Severity
from jitlint.report.common import Settings, Write, in_order, symbol
from jitlint.report.lookup import FUSABLE, name_of, severity_of
from jitlint.report.summary import Summary, closing
from jitlint.report.text import count, escape
from jitlint.report.theme import Theme, theme
from jitlint.result import Result
from jitlint.syntax.source import Source


class ConciseReport:
    """Writes a line a finding, never wrapped."""

    def __init__(self, write: Write, settings: Settings) -> None:
        self._write = write
        self._settings = settings
        self._theme = theme(settings.color)
        self._headings = Headings(settings)

    def file(self, path: str, result: Result) -> None:
        """Prints the findings of one file, after a line for each thing that a fix mended."""
        settings, look = self._settings, self._theme
        if settings.show_fixed:
            before = result.before or result.source
            for finding in in_order(result.fixed):
                self._write(fixed_line(path, before, finding, settings, look) + "\n")
        for finding in in_order(result.findings):
            styled = self._headings.of(path, result.source, finding)[1]
            self._write(f"{styled}: {escape(finding.message, not settings.unicode)}\n")

    def close(self, summary: Summary) -> None:
        """Prints the closing line."""
        if self._settings.show_summary:
            self._write(closing(summary, self._settings.dry_run))


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


def fixed_line(path: str, before: Source, finding: Finding, settings: Settings, look: Theme) -> str:
    """What a fix mended, in one line, with the place where it stood."""
    ascii_only = not settings.unicode
    where = place(path, before, finding, ascii_only)
    done = "would fix" if settings.dry_run else "fixed"
    if finding.code == FUSABLE and finding.group is not None:
        verb = "would become" if settings.dry_run else "became"
        name = finding.group.fused_name
        into = symbol(escape(name, ascii_only)) if name else "one call"
        message = f"{count(len(finding.group.calls), 'call')} {verb} {into}"
    else:
        message = escape(finding.message, ascii_only)
    return f"{where}: {look.help}{done}: {finding.code}{look.reset} {name_of(finding.code)}: {message}"


def open_report(write: Write, settings: Settings) -> ConciseReport:
    """The report of this format."""
    return ConciseReport(write, settings)
