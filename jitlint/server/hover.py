"""What a rule's code, a diagnostic or a JIT call is about, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jitlint.analysis.blocks import BlockAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.components import Component
from jitlint.analysis.partition import Split
from jitlint.analysis.reasons import explain, shown
from jitlint.analysis.storage.group_storage import Part
from jitlint.findings import Finding, Span
from jitlint.fusion.plans import Plans
from jitlint.ir.functions import MEMORY_EFFECTS, memory_effects
from jitlint.report.printable import count, escape, shorten
from jitlint.report.protocol import symbol
from jitlint.rules import RULES
from jitlint.server.diagnostics import page_uri
from jitlint.server.documents import Document

_NAME = 80
_MOST_ROWS = 12
_MOST_REASONS = 5


def hover(document: Document, offset: int) -> tuple[str, Span] | None:
    """What there is to say about a place, in Markdown, and the span that it is about."""
    suppressed = _suppressed(document, offset)
    if suppressed is not None:
        return suppressed
    said: list[str] = []
    span: Span | None = None
    call = _call(document, offset)
    if call is not None:
        text, span = call
        said.append(text)
    here = [each for each in document.result.findings if each.span and each.span.start <= offset <= each.span.end]
    said += map(_rule, dict.fromkeys(finding.code for finding in here))
    if not said:
        return None
    return "\n\n---\n\n".join(said), span or _span(here)


def _span(findings: Sequence[Finding]) -> Span:
    span = findings[0].span
    assert span is not None  # only findings with a place were asked for
    return span


def _suppressed(document: Document, offset: int) -> tuple[str, Span] | None:
    """What the rules say that a suppression names here."""
    for each in document.suppressions().all:
        for word in each.codes or ():
            if word.span.start <= offset <= word.span.end:
                listed = [_rule(name) for name in sorted(word.codes)]
                return "\n\n".join(listed) or escape(word.problem), word.span
    return None


def _rule(rule_code: str) -> str:
    """What a rule says in one line, and where its page is."""
    rule = RULES[rule_code]
    uri = page_uri(rule_code)
    more = f" [Read more]({uri})" if uri is not None else f" `jitlint explain {rule_code}`"
    return f"**{rule_code} {rule.name}** ({rule.severity.value}): {rule.summary}{more}"


def _call(document: Document, offset: int) -> tuple[str, Span] | None:
    found = document.call_at(offset)
    if found is None:
        return None
    call = found[2].call
    return "\n".join(_about(document, *found)), Span(call.start, call.end)


def _about(document: Document, plans: Plans, block: BlockAnalysis, call: Candidate) -> Iterator[str]:
    """The wrapper of a call, its operands, its effects, and what becomes of it."""
    component, split = _component(block, call)
    part = next((each for each in split.parts if call in each.calls), None) if split is not None else None
    yield from _wrapper(document, call)
    yield ""
    yield from _operands(call, part)
    yield ""
    yield _effects(call)
    yield ""
    if block.place.unsure:
        yield f"The block is not analysed: {_words(block.place.unsure[0][1])} (JIT902)."
        return
    yield from _group(document, plans, part)
    if component is not None and split is not None:
        yield from _reasons(document, plans, block, call, component, split)
    for verdict in block.obstacles(call):
        yield f"- It cannot be part of a group: {_words(verdict.message)} ({verdict.code})."


def _component(block: BlockAnalysis, call: Candidate) -> tuple[Component | None, Split | None]:
    for stretch in block.stretches:
        for component, split in stretch.splits:
            if call in component.calls:
                return component, split
    return None, None


def _wrapper(document: Document, call: Candidate) -> Iterator[str]:
    name = code(symbol(call.call.symbol))
    function = call.kind.wrapper.function
    if function is None:
        yield f"**JIT call of** {name}, whose wrapper could not be read"
        return
    line = document.source.position(function.symbol_span.start).line
    kind = function.operation.name
    yield f"**JIT call of** {name}, an `{kind}` on line {line}"


def _operands(call: Candidate, part: Part | None) -> Iterator[str]:
    """A row for each operand: whether it is written, and by which result; in a group also its slot."""
    if not call.operands:
        yield "It has no operands."
        return
    slots = _slots(call, part)
    yield f"| operand | value | type | buffer |{' slot |' if slots else ''}"
    yield f"|---|---|---|---|{'---|' if slots else ''}"
    for number, value in enumerate(call.operands[:_MOST_ROWS]):
        result = call.mutated.get(number)
        buffer = "only read" if result is None else f"written: {_result(call, result)} is this buffer"
        row = f"| {number} | {code(shown(value, value[1] + 1))} | {code(call.operand_types[number])} | {buffer} |"
        yield f"{row} {slots[number]} |" if slots else row
    if len(call.operands) > _MOST_ROWS:
        yield f"\n… and {count(len(call.operands) - _MOST_ROWS, 'more operand')}."
    aliased = set(call.mutated.values())
    for number in range(len(call.results)):
        if number not in aliased:
            yield f"\n{_result(call, number)} aliases no operand: nothing writes it (JIT401)."


def _result(call: Candidate, number: int) -> str:
    name, own = call.results[number]
    if not name:
        return f"result #{number}"
    several = len(call.call.result_names) == 1 and len(call.results) > 1
    return f"result {code(shown((name, own), 2 if several else 1))}"


def _slots(call: Candidate, part: Part | None) -> tuple[int, ...]:
    """The slots of the fused wrapper that a call's operands stand for; empty where it is in no group."""
    if part is None or part.slots is None or len(part.calls) < 2:
        return ()
    return part.slots.bindings[list(part.calls).index(call)]


def _effects(call: Candidate) -> str:
    if call.kind.metadata.effect_free:
        return "Side effects: none, as `xla_side_effect_free` says."
    function = call.kind.wrapper.function
    effects = memory_effects(function.attributes) if function is not None else None
    if effects is None:
        return f"Side effects: every kind, since its wrapper has no `{MEMORY_EFFECTS}`."
    return f"Side effects: {', '.join(effects) or 'none'}, as its wrapper says."


def _group(document: Document, plans: Plans, part: Part | None) -> Iterator[str]:
    plan = next((each for each in plans if each.part is part), None) if part is not None else None
    if plan is None:
        yield "It is not part of a group that can be fused."
        return
    calls = [f"{code(symbol(each.call.symbol))} (line {_line(document, each)})" for each in plan.calls[:8]]
    more = f" → {count(len(plan.calls) - 8, 'more call')}" if len(plan.calls) > 8 else ""
    yield f"It can be one call (JIT001): {' → '.join(calls)}{more}, as {code(symbol(plans.fused_name(plan)))}."


def _reasons(
    document: Document, plans: Plans, block: BlockAnalysis, call: Candidate, component: Component, split: Split
) -> Iterator[str]:
    """Why it is not one with the calls that values join it to."""
    assert block.uses is not None
    stretch = next(each for each in block.stretches if any(pair[0] is component for pair in each.splits))
    said = 0
    for tie, reason in split.left.items():
        if call not in (tie.maker, tie.user) or said >= _MOST_REASONS:
            continue
        other = tie.user if tie.maker is call else tie.maker
        verdict = explain(tie, reason, stretch, block.uses, copies=plans.analysis.options.copies)
        where = f"{code(symbol(other.call.symbol))} on line {_line(document, other)}"
        if verdict is None:
            yield f"- It cannot be fused with {where}, which cannot be part of a group."
        else:
            yield f"- It cannot be fused with {where}: {_words(verdict.message)} ({verdict.code})."
        said += 1


def _line(document: Document, call: Candidate) -> int:
    return document.source.position(call.call.start).line


def _words(text: str) -> str:
    """Words of a report: names in them must not be read as markup."""
    return re.sub(r"([\\*_\[\]<>|#&])", r"\\\1", shorten(escape(text), 400, "…"))


def code(text: str) -> str:
    """`text` as code in a cell of a table, cut: fenced by more backquotes than it has, its bars escaped."""
    text = shorten(escape(text), _NAME, "…").replace("|", "\\|")
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"
