"""`json`: the stable format for programs. Its schema is `docs/schema/jitlint.schema.json`.

One diagnostic a line, written as it comes. A diagnostic's notes are followed by the steps of its path.
"""

from __future__ import annotations

import json
from typing import Any

from jitlint.findings import Finding, Group, Span
from jitlint.report.advice import advice
from jitlint.report.lookup import name_of, severity_of
from jitlint.report.protocol import Edit, Settings, Write, in_order, steps
from jitlint.report.run_summary import Summary
from jitlint.result import Result
from jitlint.syntax.source import Source

VERSION = 1
"""Of the format: a later version may take fields away or change what they mean; fields may be added to this one."""

_encode = json.JSONEncoder(check_circular=False).encode


class JsonReport:
    """Writes one JSON object for the whole run."""

    def __init__(self, write: Write, settings: Settings) -> None:
        self._write = write
        self._settings = settings
        self._before = f'{{"version": {VERSION}, "diagnostics": [\n'

    def file(self, path: str, result: Result) -> None:
        """Writes the diagnostics of one file."""
        for finding in in_order(result.findings):
            self._write(self._before + _encode(self._diagnostic(path, result, finding)))
            self._before = ",\n"

    def close(self, summary: Summary) -> None:
        """Writes the summary and ends the object."""
        empty = self._before != ",\n"
        counts: dict[str, object] = {
            "files": summary.files,
            "fusable_groups": summary.fusable_groups,
            "fused_groups": summary.fused_groups,
            "errors": summary.errors,
            "warnings": summary.warnings,
            "infos": summary.infos,
        }
        if summary.proved is not None:
            counts["proved"] = summary.proved._asdict()
        if summary.unproved:
            counts["unproved"] = summary.unproved
        self._write(f'{self._before.rstrip() if empty else chr(10)}], "summary": {_encode(counts)}}}\n')

    def _diagnostic(self, path: str, result: Result, finding: Finding) -> dict[str, Any]:
        edits = self._settings.fixes(result, finding) if self._settings.fixes is not None and finding.fixable else ()
        return {
            **_told(path, result.source, finding),
            "help": advice(self._settings.options, path, finding),
            "fix": {"edits": [_edit(result.source, edit) for edit in edits]} if edits else None,
            "also": [_told(path, result.source, each) for each in finding.also],
        }


def _told(path: str, source: Source, finding: Finding) -> dict[str, Any]:
    """One finding as plain values: strings, numbers, lists, dictionaries, None."""
    return {
        "code": finding.code,
        "name": name_of(finding.code),
        "severity": severity_of(finding).value,
        "message": finding.message,
        "file": path,
        "range": range_of(source, finding.span),
        "notes": [
            {"message": note.message, "file": path, "range": range_of(source, note.span)} for note in steps(finding)
        ],
        "group": _group(source, finding.group),
        "fixable": finding.fixable,
    }


def _edit(source: Source, edit: Edit) -> dict[str, Any]:
    start, end, text = edit
    return {"range": range_of(source, Span(start, end)), "text": text}


def range_of(source: Source, span: Span | None) -> dict[str, dict[str, int]] | None:
    """Lines and columns of a span, 1-based, columns in characters; None where there is no text."""
    if span is None:
        return None
    start, end = source.range(span.start, span.end)
    return {
        "start": {"line": start.line, "column": start.column},
        "end": {"line": end.line, "column": end.column},
    }


def _group(source: Source, group: Group | None) -> dict[str, Any] | None:
    if group is None:
        return None
    calls = [{"callee": call.callee, "line": source.position(call.span.start).line} for call in group.calls]
    return {"calls": calls, "fused_name": group.fused_name}


def open_report(write: Write, settings: Settings) -> JsonReport:
    """The report of this format."""
    return JsonReport(write, settings)
