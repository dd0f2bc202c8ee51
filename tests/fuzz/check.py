"""What holds for every text, however broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from jitlint.engine import analyse, rewrite
from jitlint.errors import NotProvedError
from jitlint.findings import Finding
from jitlint.options import Options
from tests.oddities import MOVED, OLD, PARTS, READ

CASES = Path(__file__).resolve().parents[1] / "cases"

CHOICES = (
    Options(),
    Options(form="pass"),
    Options(group="adjacent"),
    Options(copies=True),
    Options(pure_ops=frozenset({"x.y", "stablehlo.custom_call"})),
    Options(prune_wrappers=True),
)

_UNREAD = frozenset({"JIT901", "JIT902"})


class WrongError(AssertionError):
    """Something that has to hold for a text does not."""


def seeds() -> list[str]:
    """The texts that are harmed: all cases, and all oddities."""
    cases = [path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*.mlir"))]
    return [*cases, *READ.values(), *OLD.values(), *MOVED.values(), PARTS]


def check(text: str, options: Options = CHOICES[0]) -> str:
    """Check and fix a text; returns the fixed text.

    Raises NotProvedError where a fix is not proved: of what MLIR cannot read, nothing may be provable. Raises
    WrongError where a finding points outside the text, or the fixed text is read worse than before or is not left alone
    by a second fix. What else is raised is a defect as well.
    """
    findings = analyse(text, "x.mlir", options).findings
    _check_spans(text, findings)
    result = rewrite(text, "x.mlir", options)
    fixed = result.source.text
    if fixed == text:
        return fixed
    if not result.changed or not result.fixed:
        raise WrongError("a text changed, and nothing says why")
    again = rewrite(fixed, "x.mlir", options)
    if again.source.text != fixed:
        raise WrongError("a second fix changed the text again")
    worse = _unread(analyse(fixed, "x.mlir", options).findings) - _unread(findings)
    if worse:
        raise WrongError(f"the fixed text is not read where the text was: {dict(worse)}")
    _check_spans(fixed, result.findings)
    return fixed


def _check_spans(text: str, findings: Iterable[Finding]) -> None:
    for finding in findings:
        spans = [finding.span, *(note.span for note in finding.notes), *(step.span for step in finding.path)]
        for span in spans:
            if span is not None and not 0 <= span.start <= span.end <= len(text) + 1:
                raise WrongError(f"{finding.code} points outside the text: {span}")


def _unread(findings: Iterable[Finding]) -> Counter[str]:
    return Counter(finding.code for finding in findings if finding.code in _UNREAD)


def is_changed(text: str, options: Options = CHOICES[0]) -> bool:
    """Check and fix a text, of which MLIR may make nothing; whether it changed."""
    try:
        return check(text, options) != text
    except NotProvedError:
        return False
