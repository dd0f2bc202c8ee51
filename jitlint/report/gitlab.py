"""`gitlab`: a Code Quality report, which GitLab shows in the merge request and compares between branches."""

from __future__ import annotations

import json
from typing import Any

from jitlint.findings import Finding, Severity
from jitlint.fingerprint import Fingerprints
from jitlint.report.lookup import name_of, severity_of
from jitlint.report.protocol import Settings, Write, in_order
from jitlint.report.run_summary import Summary
from jitlint.result import Result
from jitlint.rules import RULES

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


class GitlabReport:
    """Writes one JSON array, an entry a line."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._before = "[\n"
        self._fingerprints = Fingerprints()

    def file(self, path: str, result: Result) -> None:
        """Writes the entries of one file."""
        for finding in in_order(result.findings):
            self._write(self._before + json.dumps(self._entry(path, result, finding)))
            self._before = ",\n"

    def close(self, summary: Summary) -> None:
        """Ends the array."""
        self._write("[]\n" if self._before == "[\n" else "\n]\n")

    def _entry(self, path: str, result: Result, finding: Finding) -> dict[str, Any]:
        name = name_of(finding.code)
        return {
            "type": "issue",
            "check_name": f"{finding.code} {name}",
            "description": f"{finding.code} {name}: {finding.message}",
            "categories": [RULES[finding.code].category.value],
            "severity": _SEVERITIES[severity_of(finding)],
            "fingerprint": self._fingerprints.of(path, result.source, finding),
            "location": {"path": path.removeprefix("./"), "lines": _lines(result, finding)},
        }


def _lines(result: Result, finding: Finding) -> dict[str, int]:
    """The first and last line; line 1 for a file without text, since GitLab wants a line."""
    if finding.span is None:
        return {"begin": 1, "end": 1}
    source = result.source
    return {"begin": source.position(finding.span.start).line, "end": source.position(finding.span.end).line}


def open_report(write: Write, settings: Settings) -> GitlabReport:
    """The report of this format."""
    return GitlabReport(write)
