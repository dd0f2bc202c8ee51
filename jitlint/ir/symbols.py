"""Symbol tables: which operation a symbol names. The nearest table around a use decides, and no other is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from jitlint import lazy
from jitlint.ir.effects import OPERATIONS, full_name
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.heads import GAP
from jitlint.syntax.lexer import BARE, STRING, SYMBOL, tokens

if TYPE_CHECKING:
    from jitlint.ir.tree import Block, Operation, Region, Unit

SYMBOL_TABLES = frozenset(
    [
        "module",
        "builtin.module",
        "gpu.module",
        "spirv.module",
        "vm.module",
        "enzymexla_tt_ext.module",
        "firrtl.circuit",
        "firrtl.layer",
        "flow.executable",
        "stream.executable",
        "hal.executable",
        "hal.executable.source",
        "hal.executable.variant",
        "aie.device",
    ]
)
"""Operations that hold functions and are symbol tables, by the trait `SymbolTable` of their definitions."""

MODULES = frozenset({"module", "builtin.module"})
"""The symbol tables in which the engine looks for what a JIT call names; it passes by those in between."""

_SYMBOLS = frozenset({"func", "func.func", "llvm.func", "llvm.mlir.global", "memref.global"}) | SYMBOL_TABLES
"""Operations that are symbols: MLIR lets one stand in nothing but a symbol table."""

_LEADING = re.compile(rf"(?:{BARE}|{STRING}|{GAP})*+({SYMBOL})")
_SYM_NAME = lazy.pattern(rf"\bsym_name\s*+=\s*+({STRING})")
_NO_DEFINITIONS = frozenset({"alias", "metadata", "return", "llvm.return", "func.return"})


class SymbolTable:
    """The symbols that a module defines itself, by name; where a name is defined twice it names nothing.

    `holder` is the name of the operation whose region this is.
    """

    def __init__(self, region: Region, holder: str = "module") -> None:
        self.region = region
        self.holder = holder

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

    @cached_property
    def is_certain(self) -> bool:
        """Whether an operation is sure to define a symbol here, which makes its region that of a symbol table."""
        return any(
            block.region.unit.text[block.cut.starts[index]] == '"' or block.cut.shapes[index].name in _SYMBOLS
            for block, index in ((self.region.blocks[number], index) for number, index in self.names.values())
        )

    def shares_a_name(self, inner: SymbolTable) -> bool:
        """Whether a function or a table of this region has a name that `inner`, further in, may define too."""
        return any(
            place is not None and self.region.blocks[place[0]].cut.shapes[place[1]].name in _SYMBOLS
            for place in map(self.names.get, inner.names)
        )


class Tables:
    """The symbol tables of a unit, each made when a place in it is asked about."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._tables: dict[int, SymbolTable] = {}

    def defining(self, name: str, place: int) -> SymbolTable | None:
        """The nearest table around a place of the text that defines `name`."""
        region: Region | None = self._unit.body
        nearest = None
        while region is not None:
            holder = region.parent.name if region.parent is not None else "module"
            if holder in SYMBOL_TABLES:
                table = self._tables.setdefault(region.start, SymbolTable(region, holder))
                nearest = table if name in table.names else nearest
            number = sum(block.bounds[0] <= place for block in region.blocks[1:])
            region = region.blocks[number].region_around(place, place)
        return nearest


def may_be_table(operation: Operation) -> bool:
    """Whether an operation might be a symbol table, for all that is known of it."""
    return full_name(operation.name) not in OPERATIONS


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
