"""The symbols that JIT calls named before a fix began: what a fix leaves over, and what was there all the time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jitlint.analysis.blocks import UnitAnalysis
from jitlint.ir.symbols import SymbolTable


class Former:
    """The symbols by table: one name can stand for a wrapper in one module and for any other function in the next.

    A table is told by its number, which fusing does not change (`UnitAnalysis.tables`).
    """

    def __init__(self) -> None:
        self._names: list[set[str]] = []

    def add(self, analysis: UnitAnalysis) -> None:
        """Note what the calls of a module name now."""
        tables = analysis.tables
        self._names += [set() for _ in tables[len(self._names) :]]
        for names, symbols in zip(self._names, tables, strict=False):
            names.update(analysis.named_in(symbols))

    def of(self, analysis: UnitAnalysis) -> Iterator[tuple[SymbolTable, set[str]]]:
        """Each table of the module as it is now, with the symbols that calls named in it."""
        tables = analysis.tables
        none: Iterable[set[str]] = (set() for _ in tables[len(self._names) :])
        yield from zip(tables, [*self._names, *none], strict=False)
