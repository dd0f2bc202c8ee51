"""What an editor offers to do: fix one finding, suppress it on its line, or fix everything that can be fixed.

An action is offered without its edits. Its `data` says which maker of edits makes them, for the finding of which code
and place; they are made when the action is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from lsprotocol import types

from jitlint import engine, rules
from jitlint.config.selection import FAILURES
from jitlint.errors import InternalError
from jitlint.findings import Finding, Span
from jitlint.fusion.edits import Edit
from jitlint.fusion.tidy.dedupe import renamed
from jitlint.report.lookup import FUSABLE
from jitlint.report.printable import count, escape, shorten
from jitlint.report.protocol import symbol
from jitlint.server.diagnostics import diagnostic
from jitlint.server.documents import Document
from jitlint.suppress.add_ignores import insertions
from jitlint.suppress.suppressions import UNUSED
from jitlint.syntax.source import Source

FIX_ALL = "source.fixAll.jitlint"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)

_PRUNED = "JIT702"
_TITLES = {_PRUNED: "Remove this wrapper", "JIT704": "Let every call name the first of these wrappers"}


def actions(document: Document, span: Span, only: Sequence[str] | None) -> list[types.CodeAction]:
    """What is offered for a span, without the edits, which `edits_of` makes when one is chosen."""
    offered: list[types.CodeAction] = []
    if _wants(only, types.CodeActionKind.QuickFix):
        here = [finding for finding in document.result.findings if _touches(finding, span)]
        offered += [action for finding in here for action in _fixing(document, finding)]
        offered += [_suppressing(document, finding) for finding in here if _can_be_suppressed(finding)]
    if _wants(only, FIX_ALL) and any(finding.fixable for finding in document.result.findings):
        offered.append(_action(document, "Fix all that jitlint can fix", "all", None, FIX_ALL))
    return offered


def edits_of(document: Document, data: object) -> list[types.TextEdit]:
    """The edits of an action that `actions` offered, by its data; none where the fix would not be sound."""
    given = data if isinstance(data, dict) else {}
    maker = _MAKERS.get(str(given.get("maker")))
    finding = next(
        (
            each
            for each in document.result.findings
            if each.code == given.get("code") and each.span is not None and each.span.start == given.get("start")
        ),
        None,
    )
    if maker is None or (finding is None and given.get("code") is not None):
        return []
    try:
        edits = maker(document, finding)
    except InternalError:
        return []
    return [types.TextEdit(document.positions.range(Span(start, end)), text) for start, end, text in edits]


def _fixing(document: Document, finding: Finding) -> Iterator[types.CodeAction]:
    """What fixes one finding."""
    if finding.code == UNUSED and finding.fixable:
        yield _fix(document, "Remove what suppresses nothing", "unused", finding)
    elif finding.code == FUSABLE and finding.fixable:
        calls = len(finding.group.calls) if finding.group is not None else 0
        yield _fix(document, f"Fuse {count(calls, 'call')} into one", "engine", finding)
    elif finding.code == _PRUNED or finding.fixable:
        yield _fix(document, _TITLES.get(finding.code, f"Fix {finding.code}"), "engine", finding)
    elif (meant := _meant(document, finding)) is not None:
        yield _fix(document, f"Change it to {shorten(escape(meant), 60, '…')}", "meant", finding)


def _fix(document: Document, title: str, maker: str, finding: Finding) -> types.CodeAction:
    action = _action(document, title, maker, finding, types.CodeActionKind.QuickFix)
    action.is_preferred = True
    return action


def _suppressing(document: Document, finding: Finding) -> types.CodeAction:
    title = f"Suppress {finding.code} on this line"
    return _action(document, title, "suppress", finding, types.CodeActionKind.QuickFix)


def _can_be_suppressed(finding: Finding) -> bool:
    return finding.code != UNUSED and finding.code not in FAILURES


def _action(
    document: Document, title: str, maker: str, finding: Finding | None, kind: types.CodeActionKind | str
) -> types.CodeAction:
    data: dict[str, object] = {"uri": document.uri, "version": document.version, "maker": maker}
    action = types.CodeAction(title=title, kind=kind, data=data)
    if finding is not None and finding.span is not None:
        data |= {"code": finding.code, "start": finding.span.start}
        action.diagnostics = [diagnostic(document, finding, related=False)]
    return action


def _wants(only: Sequence[str] | None, kind: str) -> bool:
    """Whether a client that asks for some kinds asks for this one: `source` asks for `source.fixAll.jitlint` too."""
    return not only or any(kind == each or kind.startswith(f"{each}.") for each in only)


def _touches(finding: Finding, span: Span) -> bool:
    """Whether a span touches a finding or the call that it is about; for a group that can be fused, a call of it."""
    calls = finding.group.calls if finding.code == FUSABLE and finding.group is not None else ()
    places = [finding.span, finding.call, *(call.span for call in calls)]
    return any(place is not None and place.start <= span.end and span.start <= place.end for place in places)


def _all(document: Document, _: Finding | None) -> Sequence[Edit]:
    return document.checker.fix(document.source.text, document.source.path).edits


def _by_engine(document: Document, finding: Finding | None) -> Sequence[Edit]:
    """Fix one finding and no other, not even one that comes of it."""
    assert finding is not None
    text = document.source.text

    def only(each: Finding, source: Source) -> bool:
        return each.code == finding.code and each.span == finding.span and source.text == text

    options = document.checker.settings.options
    if finding.code == _PRUNED:
        options = options._replace(prune_wrappers=True)
    return engine.rewrite(text, document.source.path, options, only).edits


def _unused(document: Document, finding: Finding | None) -> Sequence[Edit]:
    """Take out what is unused in one comment."""
    assert finding is not None and finding.span is not None
    removals = document.checker.removals(document.source.text, document.source.path)
    return [edit for edit in removals if edit[0] <= finding.span.start < edit[1]]


def _suppressed(document: Document, finding: Finding | None) -> Sequence[Edit]:
    assert finding is not None
    return insertions(document.source, [finding])[0]


def _meant(document: Document, finding: Finding) -> str | None:
    """The name that was probably meant where a finding is about one that there is not."""
    if finding.span is None:
        return None
    if finding.code == UNUSED:
        word = document.source.text[finding.span.start : finding.span.end]
        return rules.nearest(word) if word.isprintable() and " " not in word else None
    return _symbol_meant(document, finding)


def _symbol_meant(document: Document, finding: Finding) -> str | None:
    found = document.call_at(finding.span.start) if finding.span is not None else None
    if finding.code != "JIT301" or found is None:
        return None
    plans, block, call = found
    meant = plans.analysis.wrappers(block.place.symbols).meant(call.call.symbol)
    return symbol(meant) if meant is not None else None


def _renamed(document: Document, finding: Finding | None) -> Sequence[Edit]:
    assert finding is not None and finding.span is not None
    meant = _meant(document, finding)
    if meant is None:
        return []
    if finding.code == UNUSED:
        return [(finding.span.start, finding.span.end, meant)]
    found = document.call_at(finding.span.start)
    return [renamed(found[2], meant)] if found is not None else []


_MAKERS: Mapping[str, Callable[[Document, Finding | None], Sequence[Edit]]] = {
    "all": _all,
    "engine": _by_engine,
    "unused": _unused,
    "suppress": _suppressed,
    "meant": _renamed,
}
