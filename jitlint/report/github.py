"""`github`: workflow commands, which GitHub Actions shows as annotations on the changed lines."""

from __future__ import annotations

from jitlint.findings import Finding, Severity
from jitlint.report.advice import advice
from jitlint.report.lookup import name_of, severity_of
from jitlint.report.printable import escape
from jitlint.report.protocol import Settings, Write, in_order
from jitlint.report.run_summary import Summary
from jitlint.report.together import with_more
from jitlint.result import Result

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


class GithubReport:
    """Writes one workflow command a finding."""

    def __init__(self, write: Write, settings: Settings) -> None:
        self._write = write
        self._options = settings.options

    def file(self, path: str, result: Result) -> None:
        """Writes the commands for one file."""
        for finding in in_order(result.findings):
            properties = [("file", path), *_place(result, finding), ("title", _title(finding))]
            listed = ",".join(f"{key}={escape(value).translate(_PROPERTY)}" for key, value in properties)
            text = "\n".join(map(escape, self._lines(path, result, finding)))
            self._write(f"::{_LEVELS[severity_of(finding)]} {listed}::{text.translate(_DATA)}\n")

    def close(self, summary: Summary) -> None:
        """Writes nothing: annotations have no end."""

    def _lines(self, path: str, result: Result, finding: Finding) -> list[str]:
        """The message, which says where and which rule, since the log of a job shows nothing else; a cycle, help."""
        where = path
        if finding.span is not None:
            where += ":{}:{}".format(*result.source.position(finding.span.start))
        message = with_more(result.source, finding)
        cycle = [f"{index}. {step.message}" for index, step in enumerate(finding.path, 1)]
        todo = advice(self._options, path, finding)
        help_lines = [f"help: {todo}"] if todo else []
        return [f"{where}: {finding.code} {name_of(finding.code)}: {message}", *cycle, *help_lines]


def _title(finding: Finding) -> str:
    return f"jitlint ({finding.code} {name_of(finding.code)})"


def _place(result: Result, finding: Finding) -> list[tuple[str, str]]:
    """Columns only where the finding ends on its first line: GitHub drops an annotation that has them elsewhere."""
    if finding.span is None:
        return []
    start = result.source.position(finding.span.start)
    end = result.source.position(finding.span.end)
    lines = [("line", str(start.line)), ("endLine", str(end.line))]
    if start.line != end.line:
        return lines
    return [*lines, ("col", str(start.column)), ("endColumn", str(end.column))]


def open_report(write: Write, settings: Settings) -> GithubReport:
    """The report of this format."""
    return GithubReport(write, settings)
