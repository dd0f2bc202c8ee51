"""What `check` and `fix` give: values that never change, and that later versions may give more fields.

They are made by name and read by name, so that a field more breaks nobody. Inside jitlint findings are named tuples
(`jitlint.findings`), since a large check makes hundreds of thousands of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from jitlint import findings as inner
from jitlint.findings import Severity
from jitlint.report.lookup import name_of, severity_of
from jitlint.result import Result as InnerResult
from jitlint.syntax.source import Position, Source

__all__ = ["Edit", "Finding", "Group", "JitCall", "Note", "Position", "Proof", "Result", "Severity", "Source", "Span"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A part of a text: character offsets from 0, `start <= offset < end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A place that belongs to a finding, in words. `span` is None for what is said of no place."""

    message: str
    span: Span | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JitCall:
    """One call of a group: the symbol of its wrapper, without `@`, and its place."""

    callee: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The calls that a finding is about, in text order, and the wrapper that fusing them makes, None if it cannot."""

    calls: tuple[JitCall, ...]
    fused_name: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding. `path` holds the steps of a dependency cycle, `help` what to do, None where there is no more to say.

    `span` is None only where there is no text. `severity` is the one in force, whether the rule's own or a chosen one.
    `fixable` says whether a fix under the same choices fixes it. `call` is the name of the call that it is about, where
    `span` is another place (an entry of the call that is wrong): a suppression may stand at either.
    """

    code: str
    name: str
    severity: Severity
    message: str
    help: str | None
    span: Span | None
    notes: tuple[Note, ...]
    path: tuple[Note, ...]
    group: Group | None
    fixable: bool
    call: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A replacement: what stands at `span` of the text before becomes `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The proof of a fix: how many functions were compared, and how many values, effects and calls executed for it.

    `difference` is None where the new text is proved to compute what the text before does. Only with `form="pass"` can
    it be anything else: what differs, in words.
    """

    functions: int
    values: int
    effects: int
    calls: int
    difference: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of one text.

    `source` is the text that the spans of `findings` point into: the given text for a check, the new text for a fix.
    `fixed` holds what a fix fixed, with spans into `before`, the text as it was, which is None for a check. `edits`
    lead from `before` to `source`; they are sorted and do not touch. `proof` is None where nothing was changed.
    """

    source: Source
    findings: tuple[Finding, ...]
    before: Source | None
    fixed: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    proof: Proof | None

    @property
    def changed(self) -> bool:
        """Whether a fix changed the text."""
        return self.before is not None and self.before.text != self.source.text


def public(result: InnerResult) -> Result:
    """A result as the API gives it."""
    return Result(
        source=result.source,
        findings=tuple(map(_finding, result.findings)),
        before=result.before,
        fixed=tuple(map(_finding, result.fixed)),
        edits=tuple(Edit(span=Span(start=start, end=end), text=text) for start, end, text in result.edits),
        proof=_proof(result),
    )


def _proof(result: InnerResult) -> Proof | None:
    if result.proof is None:
        return None
    functions, values, effects, calls, difference = result.proof
    words = difference.message if difference is not None else None
    return Proof(functions=functions, values=values, effects=effects, calls=calls, difference=words)


def _finding(finding: inner.Finding) -> Finding:
    return Finding(
        code=finding.code,
        name=name_of(finding.code),
        severity=severity_of(finding),
        message=finding.message,
        help=finding.help,
        span=_span(finding.span),
        notes=tuple(map(_note, finding.notes)),
        path=tuple(map(_note, finding.path)),
        group=_group(finding.group),
        fixable=finding.fixable,
        call=_span(finding.call),
    )


def _note(note: inner.Note) -> Note:
    return Note(message=note.message, span=_span(note.span))


def _group(group: inner.Group | None) -> Group | None:
    if group is None:
        return None
    calls = (JitCall(callee=call.callee, span=Span(start=call.span.start, end=call.span.end)) for call in group.calls)
    return Group(calls=tuple(calls), fused_name=group.fused_name)


def _span(span: inner.Span | None) -> Span | None:
    return None if span is None else Span(start=span.start, end=span.end)
