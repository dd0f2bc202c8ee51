"""Calls that XLA drops, and the layouts that go with them."""

from __future__ import annotations

from collections.abc import Sequence

from jitlint.analysis.candidates import Kind
from jitlint.analysis.effects.operations import Effects
from jitlint.analysis.verdict import Verdict
from jitlint.ir.calls import WHOLE, JitCall
from jitlint.ir.tree import Block
from jitlint.syntax.heads import RESULTS
from jitlint.syntax.lexer import NAMES


def dropped(block: Block, calls: Sequence[JitCall], kinds: Sequence[Kind], effects: Effects) -> dict[int, Verdict]:
    """What is said of each call of a block, by its place, that writes layouts and that XLA drops, since it has no
    effects and nothing needs its results.

    In a group it would stay, and its layouts with it: XLA would lay out its operands for it, and other users of these
    that leave their layouts to XLA would see them differ (measured: other results). Only asked where there are such.
    """
    pairs = zip(calls, kinds, strict=True)
    written = [call for call, kind in pairs if kind.effect_free and kind.metadata.fixes_a_layout]
    if not written:
        return {}
    needed = _needed(block, effects, written[0].index)
    help_ = "take the call away, or write `operand_layouts` at every call"
    return {
        call.index: Verdict(
            "JIT501",
            f"XLA drops @{call.symbol}, whose results nothing needs; in a group its layouts would stay",
            help=help_,
            entry=("operand_layouts", WHOLE),
        )
        for call in written
        if not needed.intersection(name for name, _ in call.result_names)
    }


def _needed(block: Block, effects: Effects, first: int) -> set[str]:
    """The names that operations from `first` on use which have effects, end the block, or are needed themselves."""
    text, cut = block.region.unit.text, block.cut
    needed: set[str] = set()
    for index in range(len(block) - 1, first - 1, -1):
        start, end = cut.starts[index], cut.ends[index]
        results = RESULTS.match(text, start, end) if text[start] == "%" else None
        own = {match[1] for match in NAMES.finditer(text, start, results.end())} if results else set()
        if index == len(block) - 1 or own & needed or effects.of(block, index) is not None:
            uses = NAMES.finditer(text, results.end() if results else start, end)
            needed.update(match[1] for match in uses if match[1] is not None)
    return needed
