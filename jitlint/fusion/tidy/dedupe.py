"""JIT704: wrappers that differ in nothing but their names, of which every call can name the first."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.analysis.blocks import UnitAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.reasons import short
from jitlint.analysis.wrapper.convention import abi_verdicts
from jitlint.analysis.wrapper.lowering import Fate, Lowering
from jitlint.findings import Finding, Note
from jitlint.fusion.edits import Edit
from jitlint.fusion.tidy.equality import without_name
from jitlint.ir.functions import Function
from jitlint.ir.symbols import SymbolTable
from jitlint.syntax.grammar import without_comments
from jitlint.syntax.lexer import SSA

_OTHERS = ("JIT302", "JIT307")
"""What makes equal wrappers differ: the engine finds another one by the name, or makes globals for each."""


def duplicates(analysis: UnitAnalysis) -> Iterator[tuple[Finding, tuple[Edit, ...]]]:
    """The wrappers of a module's JIT calls that repeat one further up, each with the edits that make its calls name
    that one.

    A wrapper that reaches a mutable global is left out: the engine compiles every wrapper with globals of its own, so
    that two wrappers have two of them. So is one in a table that the engine passes by, and so are the calls of a block
    that was not understood.
    """
    by_table: dict[SymbolTable, dict[str, tuple[Function, list[Candidate]]]] = {}
    lowerings: dict[SymbolTable, Lowering] = {}
    for block in analysis.blocks:
        table = by_table.setdefault(block.place.symbols, {})
        lowerings[block.place.symbols] = analysis.wrappers(block.place.symbols).lowering
        for call in () if block.place.unsure else block.candidates:
            function = call.kind.wrapper.function
            if function is not None and function.body is not None:
                table.setdefault(function.symbol, (function, []))[1].append(call)
    for key, table in by_table.items():
        if len(table) > 1:
            yield from _of_table(table, lowerings[key])


def _of_table(
    table: dict[str, tuple[Function, list[Candidate]]], lowering: Lowering
) -> Iterator[tuple[Finding, tuple[Edit, ...]]]:
    in_order = sorted(table.values(), key=lambda entry: entry[0].operation.start)
    alike: dict[tuple[object, ...], list[tuple[Function, list[Candidate]]]] = {}
    for function, calls in in_order:
        if not any(verdict.code in _OTHERS for verdict in calls[0].kind.wrapper.verdicts):
            alike.setdefault(_outline(function), []).append((function, calls))
    for group in alike.values():
        firsts: dict[str, Function] = {}
        for function, calls in group if len(group) > 1 else ():
            first = firsts.setdefault(without_name(function.operation.own_text()), function)
            if first is function:
                continue
            if why := _why_not_left(function, lowering):
                yield _finding(function, first)._replace(fixable=False, help=why), ()
            else:
                yield _finding(function, first), tuple(renamed(call, first.reference) for call in calls)


def _why_not_left(function: Function, lowering: Lowering) -> str | None:
    """Why no fix may leave a wrapper without a call; what does not lower then is taken away in the next turn."""
    if lowering.fate(function) is Fate.REMOVED:
        if abi_verdicts(function):
            return f"nothing would use @{short(function.symbol)} any more, and the module would not compile with it"
        if namers := lowering.named_by(function.symbol):
            return f"@{short(function.symbol)} would have to go, and @{short(min(namers))} names it"
    return lowering.why_not_left(function)


def _outline(function: Function) -> tuple[object, ...]:
    """What equal functions have in common and what is quickly told: their texts without the names of values."""
    before, after = function.without_symbol()
    text = SSA.sub("%", without_comments(before + after))
    return len(function.parameters), function.kind, tuple(text.split())


def _finding(function: Function, first: Function) -> Finding:
    return Finding(
        code="JIT704",
        message=f"@{short(function.symbol)} is a copy of @{short(first.symbol)}",
        span=function.symbol_span,
        notes=(Note(f"@{short(first.symbol)} is defined here", first.symbol_span),),
        fixable=True,
        help=f"`jitlint --fix` makes every call use @{short(first.symbol)}",
    )


def renamed(call: Candidate, reference: str) -> Edit:
    """The edit that lets a call name another wrapper, by a reference as the text spells it."""
    start, end = call.call.callee_place
    return start, end, reference
