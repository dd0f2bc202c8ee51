"""JIT702: wrappers that nothing names, and taking them away."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from jitlint import lazy
from jitlint.analysis.blocks import UnitAnalysis
from jitlint.analysis.reasons import short
from jitlint.analysis.wrapper.convention import abi_verdicts
from jitlint.analysis.wrapper.lowering import Fate, Lowering, is_exported
from jitlint.findings import Finding
from jitlint.fusion import whole_lines
from jitlint.fusion.edits import Edit
from jitlint.fusion.tidy.former import Former
from jitlint.ir.functions import FUNCTIONS, Function
from jitlint.ir.symbols import MODULES, SymbolTable
from jitlint.ir.tree import Unit
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.lexer import COMMENT, STRING, SYMBOL

_SYMBOL = lazy.pattern(SYMBOL)
_COMMENT = lazy.pattern(rf"{STRING}|({COMMENT})")
_BLANK = lazy.pattern(r"[ \t\r]*\n")


def unused(
    analysis: UnitAnalysis, former: Former, *, fixable: bool
) -> Iterator[tuple[Finding, tuple[Edit, ...], bool]]:
    """The wrappers that no symbol reference of a module leads to from outside such wrappers, each with the edit that
    takes it away, and whether it must go: a JIT call named it before the fix began (`former`), and the module does not
    lower with it.

    Only what can hardly be anything but a wrapper counts: a function with a body that takes nothing but buffers and
    returns nothing, and that is an `llvm.func`, a private `func.func`, or one that a JIT call named before the fix
    began (`former`). A string that spells its name keeps it too.
    """
    candidates: list[_Unused] = []
    for symbols, names in former.of(analysis):
        if not symbols.region.problems:
            candidates += _candidates(symbols, analysis, names)
    due = {each for each in candidates if _must_go(each)}
    rest = [each for each in candidates if each not in due]
    unnamed = due.union(_unnamed(rest, analysis) if rest else ())
    for each in sorted(unnamed, key=lambda each: each.function.operation.start):
        yield _finding(each.function, fixable=fixable or each in due), (_removal(each.function),), each in due


@dataclass(frozen=True, slots=True, eq=False)
class _Unused:
    """A function that no JIT call names, and whether one named it before the fix began."""

    function: Function
    symbols: SymbolTable
    lowering: Lowering
    was_named: bool


def _must_go(each: _Unused) -> bool:
    """Whether the module does not lower while a function stays that a JIT call named before.

    Who else has its name is not asked: where nothing that calls name does, it speaks of another function, in another
    module, for the engine took this one away before.
    """
    lowering, function = each.lowering, each.function
    return each.was_named and lowering.fate(function) is Fate.REMOVED and lowering.can_be_taken_away(function)


def _candidates(symbols: SymbolTable, analysis: UnitAnalysis, former: Collection[str]) -> Iterator[_Unused]:
    wrappers, named, unit = analysis.wrappers(symbols), analysis.named_in(symbols), analysis.unit
    for name, (number, index) in symbols.names.items():
        cut = symbols.region.blocks[number].cut
        if cut.shapes[index].name not in FUNCTIONS or name in named or name in symbols.repeated:
            continue
        if index not in cut.regions or unit.braces.holds_call(cut.starts[index], cut.ends[index]):
            continue
        function = wrappers.functions.get(name)
        if isinstance(function, Function) and _is_wrapper(function, former):
            yield _Unused(function, symbols, wrappers.lowering, name in former)


def _is_wrapper(function: Function, former: Collection[str]) -> bool:
    """Whether a function can hardly be anything but a wrapper."""
    if not (function.parameters or function.symbol in former) or abi_verdicts(function):
        return False
    if "llvm.emit_c_interface" in function.attributes:
        return False
    if function.attributes.get("sym_visibility", '"private"') != '"private"':
        return False
    return not is_exported(function) or function.symbol in former


def _unnamed(candidates: list[_Unused], analysis: UnitAnalysis) -> list[_Unused]:
    """The candidates that no name leads to, but those in candidates that no name leads to.

    A name leads to the function that has it in the nearest module around; one that is part of a nested name
    (`@m::@w`), or that no module around is known to define, to all functions that have it. The text is looked through
    once.
    """
    unit, text = analysis.unit, analysis.unit.text
    in_order = sorted(candidates, key=lambda each: each.function.operation.start)
    starts = [each.function.operation.start for each in in_order]
    definitions = {each.function.symbol_span.start for each in in_order}
    named: dict[str, list[int]] = {}
    for place, each in enumerate(in_order):
        named.setdefault(each.function.symbol, []).append(place)
    nearest = _Nearest(analysis)
    leads: dict[int, list[int]] = {}
    reached = {place for name in _spelled([each.function for each in in_order], unit) for place in named[name]}
    for match in _SYMBOL.finditer(text, unit.start, unit.end):
        name, start = symbol_name(match.group()), match.start()
        if name not in named or start in definitions or _in_comment(text, start):
            continue
        places = named[name]
        table = None if text.endswith("::", 0, start) else nearest.defining(name, start)
        if table is not None:
            places = [place for place in places if in_order[place].symbols is table]
        inside = bisect_right(starts, start) - 1
        if inside >= 0 and start < in_order[inside].function.operation.end:
            leads.setdefault(inside, []).extend(places)
        else:
            reached.update(places)
    pending = list(reached)
    while pending:
        new = set(leads.pop(pending.pop(), ())) - reached
        reached |= new
        pending += new
    return [each for place, each in enumerate(in_order) if place not in reached]


class _Nearest:
    """Which of the symbol tables of a module's calls is the nearest one around a place."""

    def __init__(self, analysis: UnitAnalysis) -> None:
        self._tables = sorted(analysis.tables, key=lambda symbols: symbols.region.start)
        self._starts = [symbols.region.start for symbols in self._tables]
        self._around: list[int] = []
        open_ones: list[int] = []
        for number, symbols in enumerate(self._tables):
            while open_ones and self._tables[open_ones[-1]].region.end <= symbols.region.start:
                open_ones.pop()
            self._around.append(open_ones[-1] if open_ones else -1)
            open_ones.append(number)

    def defining(self, name: str, offset: int) -> SymbolTable | None:
        """The nearest module around a place that defines `name`, as far as is known; None for another table, which the
        engine passes by."""
        number = bisect_right(self._starts, offset) - 1
        while number >= 0:
            symbols = self._tables[number]
            if offset < symbols.region.end and name in symbols.names:
                return symbols if symbols.holder in MODULES else None
            number = self._around[number]
        return None


def _spelled(candidates: Collection[Function], unit: Unit) -> set[str]:
    """The names that stand in a string as a whole, the `sym_name` of a generic definition aside."""
    symbols = {function.symbol for function in candidates}
    whole_string = re.compile(rf'"([\w$.]{{1,{max(map(len, symbols))}}}+)"')  # a constant may be a string of 50 MB
    own = [(function.symbol_span.start, function.symbol_span.end) for function in candidates]
    definitions = {place for first, last in own for place in range(first, last + 1)}
    return {
        match[1]
        for match in whole_string.finditer(unit.text, unit.start, unit.end)
        if match[1] in symbols and match.start(1) not in definitions
    }


def _in_comment(text: str, offset: int) -> bool:
    start = whole_lines.line_start(text, offset)
    if text.find("//", start, offset) < 0:
        return False
    end = whole_lines.next_line(text, offset)
    return any(match[1] is not None and match.start() < offset for match in _COMMENT.finditer(text, start, end))


def _finding(function: Function, *, fixable: bool) -> Finding:
    return Finding(
        code="JIT702",
        message=f"nothing in this file uses @{short(function.symbol)}",
        span=function.symbol_span,
        fixable=fixable,
        help="`jitlint --fix --prune-wrappers` removes what is unused; keep what another file names",
    )


def _removal(function: Function) -> Edit:
    """The lines of a function, and the blank line behind it where one stands before it as well."""
    text = function.operation.text
    start, end, left = whole_lines.removal(text, function.operation.start, function.operation.end)
    blank = _BLANK.match(text, end)
    if (
        blank
        and whole_lines.begins_line(text, start)
        and not text[whole_lines.line_start(text, max(start - 1, 0)) : start].strip()
    ):
        end = blank.end()
    return start, end, left
