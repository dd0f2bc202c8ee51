"""Symbol tables: which operation of a module a symbol names."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from jitlint.syntax.calls import symbol_name
from jitlint.syntax.lexer import STRING, SYMBOL

if TYPE_CHECKING:
    from jitlint.ir.tree import Operation, Region

_SYMBOL = re.compile(rf"{STRING}|({SYMBOL})")
_SYM_NAME = re.compile(rf"sym_name\s*+=\s*+({STRING})")
_CALLS_OTHERS = frozenset({"call", "func.call", "llvm.call", "return", "llvm.return", "func.return"})


class SymbolTable:
    """The symbols that a module defines itself, by name; where a name is defined twice it names nothing."""

    def __init__(self, region: Region) -> None:
        self.region = region

    @cached_property
    def names(self) -> dict[str, tuple[int, int]]:
        """Each symbol with the numbers of its block and of its operation."""
        names: dict[str, tuple[int, int]] = {}
        for number, block in enumerate(self.region.blocks):
            text, cut = block.region.unit.text, block.cut
            for index, start in enumerate(cut.starts):
                name = _defined(text, start, cut.ends[index], cut.shapes[index].name)
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


def _defined(text: str, start: int, end: int, operation: str) -> str | None:
    """The symbol that an operation of a module defines, by where symbols stand in a definition: first, or `sym_name`."""
    if text[start] == "%" or operation in _CALLS_OTHERS or operation in ("alias", "metadata"):
        return None
    if text[start] == '"':
        match = _SYM_NAME.search(text, start, end)
        return symbol_name("@" + match.group(1)) if match else None
    for match in _SYMBOL.finditer(text, start, end):
        if match.group(1):
            return symbol_name(match.group(1))
        if text.find("\n", start, match.start()) >= 0:
            break
    return None
