"""`sarif`: SARIF 2.1.0, which code scanning services read. Notes are related locations, a cycle is a code flow."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jitlint import __version__
from jitlint.findings import Finding, Severity, Span
from jitlint.fingerprint import Fingerprints
from jitlint.report.advice import Options, advice
from jitlint.report.lookup import severity_of
from jitlint.report.protocol import Settings, Write, in_order, symbol
from jitlint.report.run_summary import Summary
from jitlint.result import Result
from jitlint.rules import RULES
from jitlint.rules.base import Category
from jitlint.rules.pages import unlinked
from jitlint.syntax.source import Source

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_encode = json.JSONEncoder(check_circular=False).encode
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


class SarifReport:
    """Writes one log with one run. The results come first, since only they tell which rules to describe."""

    def __init__(self, write: Write, settings: Settings) -> None:
        self._write = write
        self._settings = settings
        self._rules: dict[str, int] = {}
        self._fingerprints = Fingerprints()
        head = {"$schema": SCHEMA, "version": "2.1.0"}
        self._before = f'{json.dumps(head)[:-1]}, "runs": [{{"columnKind": "unicodeCodePoints", "results": ['
        self._crashed = False

    def file(self, path: str, result: Result) -> None:
        """Writes the results of one file."""
        for finding in in_order(result.findings):
            self._write(f"{self._before}\n{_encode(self._result(path, result, finding))}")
            self._before = ","
            self._crashed |= finding.code == "JIT999"

    def close(self, summary: Summary) -> None:
        """Writes the tool with the rules of these results, and ends the log."""
        start = "\n" if self._before == "," else self._before
        invocation = {"executionSuccessful": not self._crashed}
        driver = {
            "name": "jitlint",
            "version": __version__,
            "semanticVersion": __version__,
            "rules": [_rule(code) for code in self._rules],
        }
        self._write(
            f'{start}],\n"invocations": [{json.dumps(invocation)}],\n"tool": {{"driver": {json.dumps(driver)}}}}}]}}\n'
        )

    def _result(self, path: str, result: Result, finding: Finding) -> dict[str, Any]:
        source = result.source
        entry: dict[str, Any] = {
            "ruleId": finding.code,
            "ruleIndex": self._rules.setdefault(finding.code, len(self._rules)),
            "level": _LEVELS[severity_of(finding)],
            "message": {"text": _message(self._settings.options, path, finding)},
            "locations": [_location(path, source, finding.span)],
            "partialFingerprints": {"jitlint/v2": self._fingerprints.of(path, result.source, finding)},
        }
        related = _related(path, source, finding)
        if related:
            entry["relatedLocations"] = related
        if finding.path:
            steps = [{"location": _location(path, source, step.span, step.message)} for step in finding.path]
            entry["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
        fix = self._fix(path, result, finding)
        if fix:
            entry["fixes"] = [fix]
        return entry

    def _fix(self, path: str, result: Result, finding: Finding) -> dict[str, Any] | None:
        if self._settings.fixes is None or not finding.fixable:
            return None
        replacements = [
            {"deletedRegion": _region(result.source, Span(start, end)), "insertedContent": {"text": text}}
            for start, end, text in self._settings.fixes(result, finding)
        ]
        if not replacements:
            return None
        change = {"artifactLocation": _artifact(path), "replacements": replacements}
        return {
            "description": {"text": advice(self._settings.options, path, finding) or finding.message},
            "artifactChanges": [change],
        }


def _message(options: Options, path: str, finding: Finding) -> str:
    todo = advice(options, path, finding)
    return f"{finding.message}\n{todo}" if todo else finding.message


def _rule(code: str) -> dict[str, Any]:
    rule = RULES[code]
    page = unlinked(rule.page()) or rule.summary
    return {
        "id": code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": ["mlir", "performance" if rule.category is Category.PERFORMANCE else "correctness"]},
    }


def _related(path: str, source: Source, finding: Finding) -> list[dict[str, Any]]:
    """The calls of the group in order, the notes, and where else the same is so; each with an id of its own."""
    calls = finding.group.calls if finding.group is not None else ()
    places = [(f"call {number}: {symbol(call.callee)}", call.span) for number, call in enumerate(calls, 1)]
    noted = [(note.message, note.span) for note in finding.notes]
    noted += [(f"also: {each.message}", each.span) for each in finding.also]
    return [
        {"id": number, **_location(path, source, span, message)}
        for number, (message, span) in enumerate([*places, *noted], 1)
    ]


def _location(path: str, source: Source, span: Span | None, message: str | None = None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(path)}
    if span is not None:
        physical["region"] = _region(source, span)
    location: dict[str, Any] = {"physicalLocation": physical}
    if message is not None:
        location["message"] = {"text": message}
    return location


def _region(source: Source, span: Span) -> dict[str, int]:
    start, end = source.range(span.start, span.end)
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


@lru_cache(maxsize=16)
def _artifact(path: str) -> dict[str, str]:
    """A relative path below the root of the sources, an absolute one as a `file` address."""
    if Path(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    address = quote(path.removeprefix("./").encode("utf-8", "surrogateescape"))
    return {"uri": address, "uriBaseId": "%SRCROOT%"}


def open_report(write: Write, settings: Settings) -> SarifReport:
    """The report of this format."""
    return SarifReport(write, settings)
