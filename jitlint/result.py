"""What checking or fixing one text gives: the value that `api` returns and every report reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jitlint.findings import Finding
from jitlint.proof.answer import Proof
from jitlint.syntax.source import Source


class Result(NamedTuple):
    """The outcome for one text.

    `source` is the text the findings' spans point into: the given text for a check, the text as it stands after the
    fix for a fix. `fixed` holds what a fix fixed, with spans into `before` (the text as it was), which is
    None for a check. `edits` are the changes as (start, end, new text) in `before`, sorted and apart from one another.
    `found` is everything found in `before`, if the fix was asked to keep that. `proof` shows that a changed text
    computes what `before` does; only with `form = "pass"` may it show a difference.
    """

    source: Source
    findings: tuple[Finding, ...]
    before: Source | None = None
    fixed: tuple[Finding, ...] = ()
    edits: Sequence[tuple[int, int, str]] = ()
    found: tuple[Finding, ...] = ()
    proof: Proof | None = None

    @property
    def changed(self) -> bool:
        """Whether a fix changed the text."""
        return self.before is not None and self.before.text != self.source.text
