"""What a wrapper reaches: itself and through whatever operations of its module its body names.

Every symbol that stands in a body counts as reached, called or not: a function can be called through its address.
"""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple

from jitlint import lazy
from jitlint.analysis.spread import Spread
from jitlint.analysis.wrapper.lowering import names_itself
from jitlint.findings import Note, Span
from jitlint.ir.functions import Function, Lookup
from jitlint.ir.globals import is_mutable_global
from jitlint.ir.rings import Rings
from jitlint.ir.symbols import SYMBOL_TABLES
from jitlint.ir.tree import Operation
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.lexer import COMMENT, STRING, SYMBOL

GPU_OPERATIONS = frozenset(
    {
        "gpu.launch",
        "gpu.launch_func",
        "enzymexla.kernel_call",
        "enzymexla.gpu_wrapper",
        "enzymexla.gpu_kernel_address",
        "enzymexla.gpu_occupancy",
    }
)
"""Operations that start a kernel on a GPU or need its module."""

_GPU = "|".join(re.escape(name) for name in sorted(GPU_OPERATIONS, key=len, reverse=True))
_INVARIANT = r"(?<=[\s,<{])invariant(?:_group|Group)?+(?=[\s,>}])"
_START = r"llvm\.intr\.invariant\.start"
_SEEN = lazy.pattern(
    rf'"(?:{_GPU})"|(?P<invariant>"{_START}"|{_INVARIANT}|(?<![\w$.]){_START}(?![\w$.]))'
    rf"|{STRING}|{COMMENT}|(?P<symbol>{SYMBOL})|(?P<gpu>(?<![\w$.])(?:{_GPU})(?![\w$.]))"
)
_SYMBOLS = lazy.pattern(rf"{STRING}|{COMMENT}|(?P<symbol>{SYMBOL})")
_MARKS = (*GPU_OPERATIONS, "invariant")
"""Without any of these in a text there is nothing but symbols to see, which is found out in a quarter of the time."""

GPU, GLOBAL, INVARIANT = "gpu", "global", "invariant"
KINDS = (GPU, GLOBAL, INVARIANT)
"""What is looked for: a GPU kernel, a mutable global, an operation that promises that memory never changes."""


class _Seen(NamedTuple):
    """What one operation's text names, as offsets from its start: the symbols, and the first place of each kind."""

    symbols: tuple[tuple[str, int, int], ...]
    kinds: dict[str, tuple[int, int]]


class Reachability:
    """Finds what the functions of one symbol table reach; each text is looked through once."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._seen: dict[str, _Seen] = {}
        self._rings = Rings(self._others)
        self._spread = {kind: Spread[str](partial(self._look, kind)) for kind in KINDS}

    def ways(self, function: Function) -> dict[str, tuple[Note, ...]]:
        """For each kind that `function` reaches, the steps from its body to the first place of that kind."""
        found = {kind: self._spread[kind].way(function.symbol) for kind in KINDS}
        return {kind: way for kind, way in found.items() if way}

    def itself(self, function: Function) -> bool:
        """Whether the body of `function` leads back to it."""
        return names_itself(function) or self._rings.of(function.symbol) is not None

    def names(self, function: Function) -> dict[str, Span]:
        """The symbols that the text of `function` names, its own among them, each with the first place."""
        start = function.operation.start
        seen = self._scanned(function.symbol, function.operation)
        return {name: Span(start + first, start + last) for name, first, last in seen.symbols}

    def _look(self, kind: str, symbol: str) -> tuple[Note | None, list[tuple[str, Note]]]:
        operation = self._lookup(symbol)
        if operation is None or operation.name in SYMBOL_TABLES:
            return None, []
        seen = self._scanned(symbol, operation)
        edges = [
            (name, Note(f"@{symbol} names @{name} here", Span(operation.start + first, operation.start + last)))
            for name, first, last in seen.symbols
            if name != symbol
        ]
        return self._own(kind, symbol, operation, seen), edges

    def _others(self, symbol: str) -> list[str]:
        """The symbols that the definition of a symbol names, its own aside."""
        operation = self._lookup(symbol)
        if operation is None or operation.name in SYMBOL_TABLES:
            return []
        return [name for name, _, _ in self._scanned(symbol, operation).symbols if name != symbol]

    def _scanned(self, symbol: str, operation: Operation) -> _Seen:
        seen = self._seen.get(symbol)
        if seen is None:
            seen = self._seen[symbol] = _scan(operation)
        return seen

    def _own(self, kind: str, symbol: str, operation: Operation, seen: _Seen) -> Note | None:
        if kind == GLOBAL:
            if not is_mutable_global(operation):
                return None
            return Note(f"@{symbol} is a global that can change", Span(operation.start, operation.end))
        place = seen.kinds.get(kind)
        if place is None:
            return None
        span = Span(operation.start + place[0], operation.start + place[1])
        if kind == GPU:
            name = operation.text[span.start : span.end].strip('"')
            return Note(f"`{name}` needs a GPU kernel", span)
        return Note("this promises that memory never changes", span)


def _scan(operation: Operation) -> _Seen:
    symbols: dict[str, tuple[str, int, int]] = {}
    kinds: dict[str, tuple[int, int]] = {}
    text, start, end = operation.text, operation.start, operation.end
    seen = _SEEN if any(text.find(mark, start, end) >= 0 for mark in _MARKS) else _SYMBOLS
    for match in seen.finditer(text, start, end):
        kind, found = match.lastgroup, match.group()
        if kind is None and found[1:-1] not in GPU_OPERATIONS:
            continue
        place = match.start() - start, match.end() - start
        if kind == "symbol":
            name = symbol_name(found)
            symbols.setdefault(name, (name, *place))
        else:
            kinds.setdefault(kind or GPU, place)
    return _Seen(tuple(symbols.values()), kinds)
