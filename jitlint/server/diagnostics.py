"""Findings as the diagnostics of the protocol."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lsprotocol import types

import jitlint
from jitlint.findings import Finding, Severity, Span
from jitlint.report.lookup import severity_of
from jitlint.report.printable import escape
from jitlint.report.protocol import steps
from jitlint.rules import RULES
from jitlint.server.documents import Document

SOURCE = "jitlint"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_UNNECESSARY = frozenset(code for code, rule in RULES.items() if rule.unnecessary)
"""What editors show faded: it could go."""


def diagnostics(document: Document, *, related: bool) -> list[types.Diagnostic]:
    """The diagnostics of a document; with `related`, each with the other places that it is about."""
    return [diagnostic(document, finding, related=related) for finding in document.result.findings]


def diagnostic(document: Document, finding: Finding, *, related: bool) -> types.Diagnostic:
    """One finding."""
    message = finding.message if finding.help is None else f"{finding.message}\n{finding.help}"
    return types.Diagnostic(
        range=document.positions.range(finding.span or Span(0, 0)),
        severity=_SEVERITIES[severity_of(finding)],
        code=finding.code,
        code_description=_description(finding.code),
        source=SOURCE,
        message=escape_lines(message),
        tags=[types.DiagnosticTag.Unnecessary] if finding.code in _UNNECESSARY else None,
        related_information=_related(document, finding) if related else None,
    )


@cache
def page_uri(code: str) -> str | None:
    """Where the page of a rule is on this machine: beside the package, or in the repository that it is run from."""
    package = Path(jitlint.__file__).resolve().parent
    for folder in (package / "docs", package.parent / "docs"):
        page = folder / "rules" / f"{code}.md"
        if page.exists():
            return page.as_uri()
    return None


def _description(code: str) -> types.CodeDescription | None:
    uri = page_uri(code)
    return types.CodeDescription(uri) if uri is not None else None


def escape_lines(text: str) -> str:
    """Words for a person, on several lines, with control characters made visible."""
    return "\n".join(map(escape, text.split("\n")))


def _related(document: Document, finding: Finding) -> list[types.DiagnosticRelatedInformation]:
    places = [(note.span, note.message) for note in steps(finding)]
    if not places and finding.group is not None:
        numbered = enumerate(finding.group.calls, 1)
        places = [(call.span, f"call {number}: @{call.callee}") for number, call in numbered]
    return [
        types.DiagnosticRelatedInformation(
            types.Location(document.uri, document.positions.range(span)), escape_lines(message)
        )
        for span, message in places
        if span is not None
    ]
