"""JIT702: wrappers that nothing names, and taking them away."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator

from jitlint import lazy
from jitlint.analysis.blocks import UnitAnalysis
from jitlint.analysis.explain import short
from jitlint.analysis.wrapper.lowering import Fate, Lowering, is_exported
from jitlint.analysis.wrapper.wrappers import Wrappers, abi_verdicts
from jitlint.findings import Finding, Span
from jitlint.fusion import lines
from jitlint.fusion.edits import Edit
from jitlint.ir.functions import FUNCTIONS, Function
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Unit
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.lexer import COMMENT, STRING, SYMBOL

_SYMBOL = lazy.pattern(SYMBOL)
_COMMENT = lazy.pattern(rf"{STRING}|({COMMENT})")
_BLANK = lazy.pattern(r"[ \t\r]*\n")


def unused(
    analysis: UnitAnalysis, former: Collection[str], *, fixable: bool
) -> Iterator[tuple[Finding, tuple[Edit, ...], bool]]:
    """The wrappers that no symbol reference of a module leads to from outside such wrappers, each with the edit that
    takes it away, and whether it must go: a JIT call named it before the fix began (`former`), and the module does not
    lower with it.

    Only what can hardly be anything but a wrapper counts: a function with a body that takes nothing but buffers and
    returns nothing, and that is an `llvm.func`, a private `func.func`, or one that a JIT call named before the fix
    began (`former`). A string that spells its name keeps it too.
    """
    tables = dict.fromkeys(block.place.symbols for block in analysis.blocks)
    named = analysis.named
    lowerings: dict[Span, Lowering] = {}
    candidates: list[Function] = []
    for symbols in tables:
        if not symbols.region.problems:
            wrappers = analysis.wrappers(symbols)
            found = list(_candidates(symbols, wrappers, named, former, analysis.unit))
            candidates += found
            lowerings.update((function.symbol_span, wrappers.lowering) for function in found)
    for function in _unnamed(candidates, analysis.unit) if candidates else ():
        must_go = function.symbol in former and lowerings[function.symbol_span].fate(function) is Fate.REMOVED
        yield _finding(function, fixable=fixable or must_go), (_removal(function),), must_go


def _candidates(
    symbols: SymbolTable, wrappers: Wrappers, named: Collection[str], former: Collection[str], unit: Unit
) -> Iterator[Function]:
    for name, (number, index) in symbols.names.items():
        cut = symbols.region.blocks[number].cut
        if cut.shapes[index].name not in FUNCTIONS or name in named or name in symbols.repeated:
            continue
        if index not in cut.regions or unit.braces.holds_call(cut.starts[index], cut.ends[index]):
            continue
        function = wrappers.functions.get(name)
        if isinstance(function, Function) and _is_wrapper(function, former):
            yield function


def _is_wrapper(function: Function, former: Collection[str]) -> bool:
    """Whether a function can hardly be anything but a wrapper."""
    if not (function.parameters or function.symbol in former) or abi_verdicts(function):
        return False
    if "llvm.emit_c_interface" in function.attributes:
        return False
    if function.attributes.get("sym_visibility", '"private"') != '"private"':
        return False
    return not is_exported(function) or function.symbol in former


def _unnamed(candidates: list[Function], unit: Unit) -> list[Function]:
    """The candidates that no name leads to, but those in candidates that no name leads to.

    A name leads to all functions that have it, in whatever module. The text is looked through once.
    """
    in_order = sorted(candidates, key=lambda function: function.operation.start)
    starts = [function.operation.start for function in in_order]
    definitions = {function.symbol_span.start for function in in_order}
    symbols = {function.symbol for function in in_order}
    names_in: dict[int, list[str]] = {}
    reached = _spelled(in_order, unit)
    for match in _SYMBOL.finditer(unit.text, unit.start, unit.end):
        name = symbol_name(match.group())
        if name not in symbols or match.start() in definitions or _in_comment(unit.text, match.start()):
            continue
        place = bisect_right(starts, match.start()) - 1
        if place >= 0 and match.start() < in_order[place].operation.end:
            names_in.setdefault(place, []).append(name)
        else:
            reached.add(name)
    named: dict[str, list[int]] = {}
    for place, function in enumerate(in_order):
        named.setdefault(function.symbol, []).append(place)
    pending = list(reached)
    while pending:
        for place in named[pending.pop()]:
            for name in names_in.pop(place, ()):
                if name not in reached:
                    reached.add(name)
                    pending.append(name)
    return [function for function in in_order if function.symbol not in reached]


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
    start = lines.line_start(text, offset)
    if text.find("//", start, offset) < 0:
        return False
    end = lines.next_line(text, offset)
    return any(match[1] is not None and match.start() < offset for match in _COMMENT.finditer(text, start, end))


def _finding(function: Function, *, fixable: bool) -> Finding:
    return Finding(
        code="JIT702",
        message=f"nothing in this file uses @{short(function.symbol)}",
        span=function.symbol_span,
        fixable=fixable,
        help="`jitlint --fix --prune-wrappers` removes it; keep it if another file names it",
    )


def _removal(function: Function) -> Edit:
    """The lines of a function, and the blank line behind it where one stands before it as well."""
    text = function.operation.text
    start, end, left = lines.removal(text, function.operation.start, function.operation.end)
    blank = _BLANK.match(text, end)
    if blank and lines.begins_line(text, start) and not text[lines.line_start(text, max(start - 1, 0)) : start].strip():
        end = blank.end()
    return start, end, left
