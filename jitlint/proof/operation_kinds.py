"""Reading a module's blocks for execution: what kind each operation is, and which names it uses.

Operations that differ in nothing but names are read once: names are taken out of many lines at a time, and what is left
of a line is looked up.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from jitlint.ir.call_table import CallTable
from jitlint.ir.calls import JitCall
from jitlint.ir.effects import NONE, declared, full_name, works_on_addresses
from jitlint.ir.tree import Block, Operation
from jitlint.proof.known_results import KNOWN
from jitlint.proof.module_facts import ADDRESSES, CALLS, Module, holds_type
from jitlint.proof.plain_text import Plain
from jitlint.syntax.lexer import SSA_NAME
from jitlint.syntax.shapes import LONGEST

_NAME = re.compile(rf"({SSA_NAME}(?:#[0-9]+)?)")
_PLACE = re.compile(r" ?loc\(#loc[0-9]*\)")
_ODD = re.compile(r'["^]|//|loc\(')
"""What keeps an operation off the quick road, on which names are taken out by expression and nothing else is."""


class Kind(NamedTuple):
    """What operations of one text without names have in common.

    `counts` are the numbers of values that each of the names before the `=` stands for. `acts` tells whether it has
    effects. `is_known` marks operations that may only move bytes, or add constants.
    """

    text: str
    counts: tuple[int, ...]
    acts: bool
    is_known: bool


class Program:
    """A symbol table's module as a program. `symbol` tells how a symbol is written in a plain text."""

    def __init__(self, module: Module, symbol: Callable[[str], str]) -> None:
        self.module = module
        self.symbol = symbol
        self._table = CallTable(module.region.unit.call_reader)
        self._kinds: dict[str, Kind | None] = {}
        self._defined: dict[tuple[int, int], str] | None = None

    def calls(self, block: Block, first: int = 0, last: int | None = None) -> dict[int, JitCall]:
        """The JIT calls of a block, by their places, from the operation `first` to `last`. One that cannot be read is
        an operation with effects like any other."""
        found = block.cut.calls
        some = found[bisect_left(found, first) : bisect_right(found, last) if last is not None else None]
        if not some:
            return {}
        calls, _ = self._table.read(block, some)
        return {call.index: call for call in calls}

    def read(self, block: Block, some: Sequence[int]) -> tuple[list[str], list[Kind | None], list[int]]:
        """The names in some operations, one after another, what kind each operation is (None: to be looked at by
        itself), and how many of the names are its own."""
        text, starts, ends = block.region.unit.text, block.cut.starts, block.cut.ends
        regions, calls = block.cut.regions, block.cut.calls  # read elsewhere: when its regions are, and by `calls`
        odd = {index for index in some if index in regions or ends[index] - starts[index] > LONGEST}
        odd.update(calls[bisect_left(calls, some[0]) : bisect_right(calls, some[-1])])
        lines = ["" if index in odd else text[starts[index] : ends[index]] for index in some]
        joined = "\n".join(lines)
        if joined.count("\n") >= len(lines):
            joined = "\n".join(["" if "\n" in line else line for line in lines])
        if "loc(#" in joined:
            joined = _PLACE.sub("", joined)
        if '"' in joined or "^" in joined or "//" in joined or "loc(" in joined:
            joined = "\n".join(["" if _ODD.search(line) else line for line in joined.split("\n")])
        parts = _NAME.split(joined)
        names = parts[1::2]
        parts[1::2] = ["%"] * len(names)
        keys = "".join(parts).split("\n")
        known = self._kinds
        kinds = [
            known[key] if key in known else self._learn(key, block, index)
            for key, index in zip(keys, some, strict=True)
        ]
        return names, kinds, [key.count("%") for key in keys]

    def _learn(self, key: str, block: Block, index: int) -> Kind | None:
        found = self.look_at(block[index], {})[1] if key and "enzymexla.jit_call" not in key else None
        self._kinds[key] = found
        return found

    def look_at(self, operation: Operation, labels: dict[str, str]) -> tuple[Plain, Kind]:
        """What kind an operation without regions is, and its plain text with the names in it."""
        plain = self.module.texts.plain([(operation.operands_start, operation.end)], self.symbol, labels)
        counts = tuple(count for _, count in operation.results)
        return plain, Kind(plain.text, counts, self.acts(operation, plain.text), operation.name in KNOWN)

    def acts(self, operation: Operation, text: str) -> bool:
        """Whether an operation has effects, its regions aside. Whatever is done with an address is one, but for
        computing another: no buffer is followed here."""
        if self.module.acts(operation, text) or operation.name == "enzymexla.jit_call":
            return True
        if holds_type(ADDRESSES, text):
            name = full_name(operation.name)
            return declared(name) != NONE or not works_on_addresses(name)
        if operation.name not in CALLS:
            return False
        called = self.module.symbols_in(operation.operands_start, operation.end)
        return not called or any(self.module.facts(symbol).has_effects for symbol in called)

    def defines(self, operation: Operation) -> str | None:
        """The symbol that an operation of the module's own block defines."""
        found = self.module.symbols.names
        if operation.block.region is not self.module.region:
            return None
        place = operation.block.number, operation.index
        if self._defined is None:
            self._defined = {where: name for name, where in found.items()}
        return self._defined.get(place)
