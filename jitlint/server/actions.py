"""What an editor offers to do: fuse one group, or fix everything that can be fixed."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from jitlint import engine
from jitlint.errors import InternalError
from jitlint.findings import Finding, Span
from jitlint.report.lookup import FUSABLE
from jitlint.report.text import count
from jitlint.result import Result
from jitlint.server.diagnostics import diagnostic
from jitlint.server.documents import Document
from jitlint.syntax.source import Source

FIX_ALL = "source.fixAll.jitlint"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)

Edit = tuple[int, int, str]


def actions(document: Document, span: Span, only: Sequence[str] | None) -> list[types.CodeAction]:
    """What is offered for a span, without the edits, which `edits_of` makes when one is chosen."""
    offered: list[types.CodeAction] = []
    if _wants(only, types.CodeActionKind.QuickFix):
        groups = [each for each in document.result.findings if each.code == FUSABLE and each.fixable]
        offered += [_fuse(document, finding) for finding in groups if _touches(finding, span)]
    if _wants(only, FIX_ALL) and any(finding.fixable for finding in document.result.findings):
        offered.append(_action(document, "Fix all that jitlint can fix", FIX_ALL, None))
    return offered


def edits_of(document: Document, data: object) -> list[types.TextEdit]:
    """The edits of an action that `actions` offered, by its data; none where the fix would not be sound."""
    start = data.get("start") if isinstance(data, dict) else None
    try:
        result = _fixed_all(document) if start is None else _fused(document, int(start))
    except InternalError:
        return []
    return [types.TextEdit(document.positions.range(Span(start, end)), text) for start, end, text in result.edits]


def _fuse(document: Document, finding: Finding) -> types.CodeAction:
    calls = len(finding.group.calls) if finding.group is not None else 0
    action = _action(document, f"Fuse {count(calls, 'call')} into one", types.CodeActionKind.QuickFix, finding)
    action.diagnostics = [diagnostic(document, finding, related=False)]
    action.is_preferred = True
    return action


def _action(document: Document, title: str, kind: str, finding: Finding | None) -> types.CodeAction:
    start = finding.span.start if finding is not None and finding.span is not None else None
    data = {"uri": document.uri, "version": document.version, "start": start}
    return types.CodeAction(title=title, kind=kind, data=data)


def _wants(only: Sequence[str] | None, kind: str) -> bool:
    """Whether a client that asks for some kinds asks for this one: `source` asks for `source.fixAll.jitlint` too."""
    return not only or any(kind == each or kind.startswith(f"{each}.") for each in only)


def _touches(finding: Finding, span: Span) -> bool:
    """Whether a span touches one of the calls of a group."""
    calls = finding.group.calls if finding.group is not None else ()
    places = [finding.span, *(call.span for call in calls)]
    return any(place is not None and place.start <= span.end and span.start <= place.end for place in places)


def _fused(document: Document, start: int) -> Result:
    """The text with one group fused, and no other, not even one that comes of it."""
    text = document.source.text

    def only(finding: Finding, source: Source) -> bool:
        here = finding.code == FUSABLE and finding.span is not None and finding.span.start == start
        return here and source.text == text

    return engine.rewrite(text, document.source.path, document.checker.settings.options, only)


def _fixed_all(document: Document) -> Result:
    return document.checker.fix(document.source.text, document.source.path)
