"""Symbol tables: which operation of a module a symbol names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from jitlint import lazy
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.heads import GAP
from jitlint.syntax.lexer import BARE, STRING, SYMBOL, tokens

if TYPE_CHECKING:
    from jitlint.ir.tree import Block, Operation, Region

_LEADING = re.compile(rf"(?:{BARE}|{STRING}|{GAP})*+({SYMBOL})")
_SYM_NAME = lazy.pattern(rf"\bsym_name\s*+=\s*+({STRING})")
_NO_DEFINITIONS = frozenset({"alias", "metadata", "return", "llvm.return", "func.return"})


class SymbolTable:
    """The symbols that a module defines itself, by name; where a name is defined twice it names nothing."""

    def __init__(self, region: Region) -> None:
        self.region = region

    @cached_property
    def names(self) -> dict[str, tuple[int, int]]:
        """Each symbol with the numbers of its block and of its operation."""
        names: dict[str, tuple[int, int]] = {}
        for number, block in enumerate(self.region.blocks):
            for index in range(len(block)):
                name = _defined(block, index)
                if name is not None:
                    if name in names:
                        self.repeated.add(name)
                    names[name] = (number, index)
        return names

    @cached_property
    def repeated(self) -> set[str]:
        """Names that more than one operation defines."""
        return set()

    def lookup(self, name: str) -> Operation | None:
        """The operation that defines `name`, or None."""
        place = self.names.get(name)
        if place is None or name in self.repeated:
            return None
        return self.region.blocks[place[0]][place[1]]


def _defined(block: Block, index: int) -> str | None:
    """The symbol that an operation of a module defines: in the generic form `sym_name`, else the first symbol that
    stands in no brackets. What calls (`llvm.call @f`) names a symbol and defines none."""
    text, cut = block.region.unit.text, block.cut
    start, end, name = cut.starts[index], cut.ends[index], cut.shapes[index].name
    if text[start] == "%" or name in _NO_DEFINITIONS or name.endswith("call"):
        return None
    spans = cut.regions.get(index, ())
    if text[start] == '"':
        return _generic(text, start, end, spans)
    match = _LEADING.match(text, start, end)
    symbol = match.group(1) if match else _behind_brackets(block[index], spans)
    return symbol_name(symbol) if symbol is not None else None


def _generic(text: str, start: int, end: int, regions: Iterable[tuple[int, int]]) -> str | None:
    """The `sym_name` of a generic operation, which stands before or after its regions."""
    for first, last in (*regions, (end, end)):
        match = _SYM_NAME.search(text, start, first)
        if match:
            return symbol_name("@" + match.group(1))
        start = last
    return None


def _behind_brackets(operation: Operation, regions: Iterable[tuple[int, int]]) -> str | None:
    """The first symbol behind brackets of whatever kind: `omp.private {type = private} @x`."""
    depth, start = 0, operation.start
    for first, last in (*regions, (operation.end, operation.end)):
        for token in tokens(operation.text, start, first):
            if depth == 0 and token.kind == "symbol":
                return token.text
            depth += (token.kind == "open") - (token.kind == "close")
        start = last
    return None
