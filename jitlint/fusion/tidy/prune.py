"""JIT702: wrappers that nothing names, and taking them away."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping

from jitlint import lazy
from jitlint.analysis.blocks import UnitAnalysis
from jitlint.analysis.explain import short
from jitlint.analysis.wrapper.lowering import Fate, is_exported
from jitlint.analysis.wrapper.wrappers import Wrappers, abi_verdicts
from jitlint.findings import Finding
from jitlint.fusion import lines
from jitlint.fusion.edits import Edit
from jitlint.ir.functions import FUNCTIONS, Function
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Unit
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.lexer import COMMENT, STRING, SYMBOL

_SYMBOL = lazy.pattern(SYMBOL)
_COMMENT = lazy.pattern(rf"{STRING}|({COMMENT})")
_WHOLE_STRING = lazy.pattern(r'"([\w$.]++)"')
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
    tables = {id(block.place.symbols): block.place.symbols for block in analysis.blocks}
    for symbols in tables.values():
        if symbols.region.problems:
            continue
        named = analysis.named
        wrappers = analysis.wrappers(symbols)
        candidates = list(_candidates(symbols, wrappers, named, former, analysis.unit))
        for function in _unnamed(candidates, analysis.unit) if candidates else ():
            must_go = function.symbol in former and wrappers.lowering.fate(function) is Fate.REMOVED
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
    """The candidates that no name leads to, but those in candidates that no name leads to."""
    by_name = {function.symbol: function for function in candidates}
    in_order = sorted(candidates, key=lambda function: function.operation.start)
    starts = [function.operation.start for function in in_order]
    names_in: dict[str, list[str]] = {}
    reached = _spelled(by_name, unit)
    for match in _SYMBOL.finditer(unit.text, unit.start, unit.end):
        function = by_name.get(symbol_name(match.group()))
        if function is None or match.start() == function.symbol_span.start or _in_comment(unit.text, match.start()):
            continue
        place = bisect_right(starts, match.start()) - 1
        holder = in_order[place] if place >= 0 and match.start() < in_order[place].operation.end else None
        if holder is None:
            reached.add(function.symbol)
        else:
            names_in.setdefault(holder.symbol, []).append(function.symbol)
    pending = list(reached)
    while pending:
        for name in names_in.pop(pending.pop(), ()):
            reached.add(name)
            pending.append(name)
    return [function for function in in_order if function.symbol not in reached]


def _spelled(by_name: Mapping[str, Function], unit: Unit) -> set[str]:
    """The names that stand in a string as a whole, the `sym_name` of a generic definition aside."""
    found = set()
    for match in _WHOLE_STRING.finditer(unit.text, unit.start, unit.end):
        function = by_name.get(match[1])
        if function is not None and not function.symbol_span.start <= match.start(1) <= function.symbol_span.end:
            found.add(match[1])
    return found


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
