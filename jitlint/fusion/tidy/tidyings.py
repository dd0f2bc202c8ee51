"""What can be tidied without fusing: a finding, and the edits that mend it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from jitlint.analysis.blocks import UnitAnalysis
from jitlint.findings import Finding
from jitlint.fusion.edits import Edit
from jitlint.fusion.tidy import dedupe, prune


class Tidying(NamedTuple):
    """Something that can be tidied. `turn` orders what must not be done at once: the least is done first."""

    finding: Finding
    edits: tuple[Edit, ...]
    turn: int


def tidyings(analysis: UnitAnalysis, former: Collection[str]) -> list[Tidying]:
    """Duplicate and unused wrappers of one module. `former` are symbols that JIT calls named before a fix began."""
    removed = analysis.options.prune_wrappers
    return [
        *(Tidying(finding, edits, 0) for finding, edits in dedupe.duplicates(analysis)),
        *(Tidying(finding, edits, 1) for finding, edits in prune.unused(analysis, former, fixable=removed)),
    ]


def next_edits(tidyings: Sequence[Tidying], allowed: Callable[[Finding], bool]) -> tuple[list[Edit], list[Finding]]:
    """The edits of the next turn that may be done, in text order, and what they mend."""
    wanted = [each for each in tidyings if each.finding.fixable and allowed(each.finding)]
    turn = min((each.turn for each in wanted), default=0)
    now = [each for each in wanted if each.turn == turn]
    return sorted(edit for each in now for edit in each.edits), [each.finding for each in now]
