"""From the analysis to findings: one for each group that can be fused, and one for each reason why others cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from jitlint.analysis.blocks import BlockAnalysis, UnitAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.components import Component, Tie
from jitlint.analysis.effects.declared import false_declarations
from jitlint.analysis.leftovers import leftovers
from jitlint.analysis.mpi.overlap import overlapped
from jitlint.analysis.order.order import Detour
from jitlint.analysis.order.unordered import unordered
from jitlint.analysis.partition import Split
from jitlint.analysis.reasons import called, explain, operation_span, told_apart, value_of
from jitlint.analysis.storage.group_storage import Part
from jitlint.analysis.stretches import Stretch
from jitlint.analysis.verdict import Verdict
from jitlint.findings import Finding, Group, Note, Severity, Span
from jitlint.fusion.plan import Plan
from jitlint.fusion.plans import Plans, jit_call, overlap_notes
from jitlint.rules import RULES

_ALWAYS_SAID = frozenset(code for code, rule in RULES.items() if rule.about_call)
"""Verdicts on a single call that are said whether or not it has a neighbour to fuse with: the program is wrong."""

_OF_SYMBOLS = frozenset(code for code, rule in RULES.items() if rule.about_symbol)
"""Those that tell what a symbol names."""

_NEAR = 10_000
"""Characters behind a call's name that are searched for the end of its line: a call may have a thousand faults."""


def diagnose(plans: Plans) -> Iterator[Finding]:
    """All findings of one module, in no order."""
    analysis = plans.analysis
    for block, stretch, own in plans.stretches:
        yield from map(plans.finding, own)
        for part in stretch.kept:
            yield _kept(block, part, analysis)
        apart = [(component, split) for component, split in stretch.splits if len(split.parts) > 1]
        for component, split in apart:
            yield from _left_apart(block, stretch, component, split, analysis)
        if apart:
            yield from _in_the_way(block, stretch, apart)
    for block in analysis.blocks:
        yield from _unsure(block)
        yield from _calls(block)
        yield from _other_blocks(block, analysis)
        yield from _plumbing_left(block)
    for call, verdict in chain(plans.exchanges, unordered(analysis), false_declarations(analysis), leftovers(analysis)):
        yield _finding(verdict, call)


def fixed_races(plans: Plans, fused: Iterable[Plan]) -> Iterator[Finding]:
    """The findings about MPI exchanges that fusing these plans fixes besides."""
    calls = {call for plan in fused for call in plan.calls}
    for call, verdict in plans.exchanges if calls else ():
        if verdict.fixable and call in calls:
            yield _finding(verdict, call)


def _kept(block: BlockAnalysis, part: Part, analysis: UnitAnalysis) -> Finding:
    """The calls that `keep-overlap` keeps apart."""
    calls = tuple(map(jit_call, part.calls))
    found = overlapped(block.place.block, part, analysis.wrappers(block.place.symbols).traffics)
    return Finding(
        "JIT001",
        f"these {len(calls)} calls could be one call, and stay apart for what may run meanwhile",
        calls[0].span,
        tuple(overlap_notes(found, "may run while the exchange is under way")),
        group=Group(calls),
        help="`keep-overlap = false` in the configuration lets them be one",
        severity=Severity.INFO,
    )


def _left_apart(
    block: BlockAnalysis, stretch: Stretch, component: Component, split: Split, analysis: UnitAnalysis
) -> Iterator[Finding]:
    """Why the parts of a component stay apart: each reason once for each two parts."""
    part_of = {call.index: number for number, part in enumerate(split.parts) for call in part.calls}
    for call in component.calls:
        for verdict in call.obstacles:
            if not _is_always_said(verdict, _ALWAYS_SAID):
                yield _finding(verdict, call, f"{called(call)} stays out of the group: {_it(verdict, call)}")
    assert block.uses is not None
    said: set[tuple[object, ...]] = set()
    for tie, reason in split.left.items():
        why = explain(tie, reason, stretch, block.uses, copies=analysis.options.copies)
        if why is None:
            continue
        first = why.notes[0].span if why.notes else None
        key = (part_of[tie.maker.index], part_of[tie.user.index], why.code, first)
        if key not in said:
            said.add(key)
            finding, name = _finding(why, tie.user), tie.user.call.name_span
            yield finding._replace(group=_pair(tie), call=None if finding.span == name else name)


def _in_the_way(block: BlockAnalysis, stretch: Stretch, apart: Sequence[tuple[Component, Split]]) -> Iterator[Finding]:
    """Why calls of no such component do not come along, although they lie in the way."""
    own = {call.index for component, _ in apart for call in component.calls}
    ways = (reason.path for _, split in apart for reason in split.left.values() if isinstance(reason, Detour))
    nodes = dict.fromkeys(node + stretch.first for path in ways for edge in path for node in edge)
    for index in sorted(nodes.keys() - own):
        call = stretch.call_at(index)
        if call is None:
            continue
        for verdict in call.obstacles:
            if not _is_always_said(verdict, _ALWAYS_SAID):
                yield _finding(verdict, call, f"{called(call)} stands in the way of a group: {_it(verdict, call)}")


def _pair(tie: Tie) -> Group:
    return Group((jit_call(tie.maker), jit_call(tie.user)))


def _finding(verdict: Verdict, call: Candidate, message: str | None = None) -> Finding:
    code, said, span, notes, path, help_text, severity, entry, fixable = verdict
    name = call.call.name_span
    place = None if entry is None else call.call.entry_span(*entry)
    if place is None:
        return Finding(code, message or said, span or name, notes, path, None, fixable, help_text, severity)
    if call.call.block.region.unit.text.find("\n", name.end, min(place.start, name.end + _NEAR)) >= 0:
        notes = (*notes, Note("of this call", name))
    return Finding(code, message or said, place, notes, path, None, fixable, help_text, severity, call=name)


def _calls(block: BlockAnalysis) -> Iterator[Finding]:
    """What is wrong with single calls. Where the text is in doubt, so are the symbols of the module."""
    said = _ALWAYS_SAID - _OF_SYMBOLS if block.place.unsure else _ALWAYS_SAID
    for candidate in block.candidates:
        if candidate.kind.verdicts:
            for verdict in candidate.kind.verdicts:
                if _is_always_said(verdict, said):
                    yield _finding(verdict, candidate, _of_call(verdict, candidate))
    for call in block.place.unread:
        span = Span(call.start, min(call.end, call.start + 200))
        yield Finding("JIT902", f"this JIT call is not analysed: {call.reason}", span)


def _is_always_said(verdict: Verdict, codes: frozenset[str]) -> bool:
    """Whether a verdict with one of these codes is said whether or not the call has a neighbour: what is no more than
    a doubt is not."""
    return verdict.code in codes and verdict.severity is not Severity.INFO


def _it(verdict: Verdict, call: Candidate) -> str:
    """The verdict's words in a sentence that has named the call already."""
    own = f"@{call.call.symbol} "
    return f"it {verdict.message.removeprefix(own)}" if verdict.message.startswith(own) else verdict.message


def _of_call(verdict: Verdict, call: Candidate) -> str:
    """The verdict's words in a sentence of their own."""
    return verdict.message if verdict.message.startswith("@") else f"{called(call)}: {verdict.message}"


def _unsure(block: BlockAnalysis) -> Iterator[Finding]:
    """The block that nothing is touched in, and why."""
    if not block.place.unsure:
        return
    offset, reason = block.place.unsure[0]
    cut = block.place.block.cut
    notes: tuple[Note, ...] = ()
    if cut.calls:
        first = cut.starts[cut.calls[0]]
        notes = (Note("the first JIT call of the block", Span(first, min(cut.ends[cut.calls[0]], first + 200))),)
    yield Finding("JIT902", f"this block is not analysed: {reason}", Span(offset, offset + 1), notes)


def _plumbing_left(block: BlockAnalysis) -> Iterator[Finding]:
    """Why what only moves bytes between calls is not taken into a wrapper with them."""
    for index, why in block.plumbing.refused.items():
        operation = block.place.block[index]
        message = f"`{operation.name}` cannot be taken into one wrapper with the calls around it: {why}"
        yield Finding("JIT304", message, operation_span(operation))


def _other_blocks(block: BlockAnalysis, analysis: UnitAnalysis) -> Iterator[Finding]:
    """JIT101: a call uses a value of a call in another block."""
    regions, own = block.place.block.cut.regions, block.place.block
    if block.is_alone or block.uses is None or not (block.uses.elsewhere or regions):
        return
    for candidate in block.candidates:
        for value in candidate.results:
            for use in block.uses.of.get(value, ()):
                if use.operation >= 0 and use.operation not in regions:
                    continue
                user = analysis.call_around(use.start)
                if user is None or user.block is own:
                    continue
                first, second = told_apart(candidate.call, user)
                yield Finding(
                    "JIT101",
                    f"{first} and {second} cannot be one call: they stand in different blocks",
                    user.name_span,
                    notes=(
                        Note(f"{value_of(candidate, value)} of {first} is defined here", candidate.call.name_span),
                        Note(f"and {second} uses it here", Span(use.start, use.end)),
                    ),
                    severity=Severity.INFO,
                )
