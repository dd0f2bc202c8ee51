"""JIT604: calls that do something outside, and that no value brings into an order."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.analysis.blocks import BlockAnalysis, UnitAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.reasons import told_apart
from jitlint.analysis.verdict import Verdict
from jitlint.analysis.wrapper.outside import Outside
from jitlint.findings import Note, Severity
from jitlint.ir.tree import Block
from jitlint.syntax.lexer import SSA

_PASS = "to keep their order, pass a result of the first to the second"
_ADJACENT = "or make them one call, which runs them in the order of the text: `jitlint --fix --group adjacent`"


def unordered(analysis: UnitAnalysis) -> Iterator[tuple[Candidate, Verdict]]:
    """For each block, the first two calls that are in no order. Calls of one group come to be, and are left out."""
    for block in analysis.blocks:
        if len(block.candidates) > 1 and block.is_sound:
            found = _first(block, analysis.wrappers(block.place.symbols).outside)
            if found is not None:
                before, call, way = found
                helps = [_PASS]
                if _adjacent_helps(analysis, block, before, call):
                    helps.append(_ADJACENT)
                first, second = told_apart(before.call, call.call)
                message = (
                    f"{first} and {second} both have side effects, and no value connects them: "
                    "XLA does not promise to run them in order"
                )
                notes = (Note(f"{first} is called here", before.call.name_span), *way)
                yield call, Verdict("JIT604", message, notes=notes, help=", ".join(helps), severity=Severity.INFO)


def _adjacent_helps(analysis: UnitAnalysis, block: BlockAnalysis, before: Candidate, call: Candidate) -> bool:
    """Whether the calls would be tried together, and neither is kept out of a group by itself."""
    asked_for = analysis.options.group == "adjacent"  # and was in vain
    return (
        not asked_for
        and not (before.kind.verdicts or call.kind.verdicts)
        and analysis.side_by_side(block.place, before, call)
    )


def _first(block: BlockAnalysis, outside: Outside) -> tuple[Candidate, Candidate, tuple[Note, ...]] | None:
    """The first two effectful calls that follow one another and are in no order, with what the second does."""
    before: Candidate | None = None
    for call in block.candidates:
        function = call.kind.wrapper.function
        if call.kind.effect_free or function is None or not (way := outside.way(function)):
            continue
        part = block.part_of(call.index)
        together = before is not None and part is not None and part is block.part_of(before.index)
        if before is not None and not together and not _hands_on(block.place.block, before, call.index):
            return before, call, way
        before = call
    return None


def _hands_on(block: Block, call: Candidate, user: int) -> bool:
    """Whether an operation below a call uses one of its results, through whatever lies between."""
    names = {name for name, _ in call.call.result_names}
    if not names:
        return False
    text, cut, first = block.region.unit.text, block.cut, call.index + 1
    plain = text.find('"', call.call.end, cut.ends[user]) < 0 and text.find("//", call.call.end, cut.ends[user]) < 0
    for index, (start, end) in enumerate(zip(cut.starts[first:user], cut.ends[first:user], strict=True), first):
        if not names.isdisjoint(SSA.findall(text, start, end) if plain else block[index].names) and text[start] == "%":
            names.update(SSA.findall(text, start, text.find("=", start)))
    return not names.isdisjoint(block[user].names)
