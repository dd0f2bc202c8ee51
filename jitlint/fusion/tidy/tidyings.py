"""What can be tidied without fusing: a finding, and the edits that fix it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from jitlint.analysis.blocks import UnitAnalysis
from jitlint.findings import Finding
from jitlint.fusion.edits import Edit
from jitlint.fusion.tidy import dedupe, leftover, prune
from jitlint.fusion.tidy.former import Former


class Tidying(NamedTuple):
    """Something that can be tidied. `turn` orders what must not be done at once: the least is done first.

    What is `due` is done whether or not its finding may be fixed: without it, what a fix left over would not lower.
    """

    finding: Finding | None
    edits: tuple[Edit, ...]
    turn: int
    due: bool = False


def tidyings(analysis: UnitAnalysis, former: Former) -> list[Tidying]:
    """Duplicate and unused wrappers of one module. `former` are symbols that JIT calls named before a fix began."""
    removed = analysis.options.prune_wrappers
    return [
        *(Tidying(finding, edits, 0) for finding, edits in dedupe.duplicates(analysis)),
        *(Tidying(one, edits, 1, due) for one, edits, due in prune.unused(analysis, former, fixable=removed)),
        *(Tidying(None, edits, 2, due=True) for edits in leftover.made_private(analysis, former)),
    ]


def next_edits(tidyings: Sequence[Tidying], allowed: Callable[[Finding], bool]) -> tuple[list[Edit], list[Finding]]:
    """The edits of the next turn that may be done, in text order, and what they fix."""
    wanted = [each for each in tidyings if each.due or _may_be_done(each.finding, allowed)]
    turn = min((each.turn for each in wanted), default=0)
    now = [each for each in wanted if each.turn == turn]
    done = [each.finding for each in now if each.finding is not None and _may_be_done(each.finding, allowed)]
    return sorted(edit for each in now for edit in each.edits), done


def _may_be_done(finding: Finding | None, allowed: Callable[[Finding], bool]) -> bool:
    return finding is not None and finding.fixable and allowed(finding)
