"""Fuse groups of one module: all their edits together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jitlint.analysis.blocks import BlockAnalysis
from jitlint.analysis.stretches import Stretch
from jitlint.fusion.edits import Edit
from jitlint.fusion.plan import Plan
from jitlint.fusion.plans import Plans
from jitlint.fusion.rewrite import Rewriter


class Fused(NamedTuple):
    """The edits that fuse groups, in text order, and the plans that they carry out: a group inside of what another one
    moves has to wait."""

    edits: list[Edit]
    plans: list[Plan]


def fuse(plans: Plans, wanted: Iterable[Plan]) -> Fused:
    """Fuse the groups of these plans of a module."""
    chosen = set(wanted)
    if not chosen:
        return Fused([], [])
    text = plans.unit.text
    rewriter = Rewriter(text, lambda plan: plans.wrappers(plan.block.place.symbols).reference(plan))
    work: list[tuple[Stretch, list[Plan]]] = []
    # Outer blocks first: inside an operation that moves, nothing is fused this time.
    for block, stretch, all_plans in sorted(plans.stretches, key=_outer_first):
        own = [plan for plan in all_plans if plan in chosen]
        if own and not rewriter.moves(block.place.block.region.start) and rewriter.settle(stretch, own):
            work.append((stretch, own))
    for _, own in work:
        for plan in own:
            rewriter.name_values(plan)
    for stretch, own in work:
        rewriter.rewrite(stretch, own)
    for wrappers in plans.all_wrappers:
        wrappers.write(rewriter.edits)
    return Fused(rewriter.edits.flat(text), [plan for _, own in work for plan in own])


def _outer_first(work: tuple[BlockAnalysis, Stretch, list[Plan]]) -> tuple[int, int]:
    _, stretch, _ = work
    return stretch.block.region.start, stretch.first
