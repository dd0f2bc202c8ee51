"""Write the body of a wrapper once more, with other names: as it stands, renamed name by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jitlint import lazy
from jitlint.fusion.wrapper.names import Values
from jitlint.ir.functions import Function
from jitlint.ir.tree import Block, Operation
from jitlint.syntax.lexer import NAMES

CONSTANTS = frozenset(
    [
        "arith.constant",
        "complex.constant",
        "index.bool.constant",
        "index.constant",
        "llvm.mlir.constant",
        "llvm.mlir.none",
        "llvm.mlir.poison",
        "llvm.mlir.undef",
        "llvm.mlir.zero",
    ]
)
"""Operations without operands whose result is always the same: they come first in a fused wrapper."""

_INDENT = lazy.pattern(r"[ \t]*")


class Clone:
    """One copy of the single-block body of `function`, with `arguments` for its parameters.

    The constants are asked for before the rest, so that their names come first.
    """

    def __init__(self, function: Function, arguments: Sequence[str], values: Values) -> None:
        assert function.body is not None
        self._block = function.body.blocks[0]
        self._values = values
        named = zip(function.parameters, arguments, strict=True)
        self._names = {parameter.name: argument for parameter, argument in named if parameter.name}
        self._first = frozenset(_to_come_first(self._block))

    def constants(self) -> list[list[str]]:
        """The constant-like operations of the body, each as its lines, the first without indent."""
        return [self._write(self._block[index]) for index in sorted(self._first)]

    def rest(self) -> list[list[str]]:
        """The other operations, the terminator left out."""
        return [self._write(self._block[index]) for index in range(len(self._block) - 1) if index not in self._first]

    def _write(self, operation: Operation) -> list[str]:
        renamed = NAMES.sub(self._rename, operation.own_text())
        if "\n" not in renamed:
            return [renamed]
        indent = indent_at(operation.text, operation.start)
        first, *others = renamed.split("\n")
        return [first.rstrip("\r"), *(line.rstrip("\r").removeprefix(indent) for line in others)]

    def _rename(self, match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return match[0]
        fresh = self._names.get(name)
        if fresh is None:
            fresh = self._names[name] = self._values.like(name)
        return fresh + (match[2] or "")


def _to_come_first(block: Block) -> Iterator[int]:
    """The constant-like operations of a body. One stays where it is if a region above defines its name for itself:
    above that region, the name would be defined twice."""
    further_in: set[str] = set()
    for index, shape in enumerate(block.cut.shapes):
        if index in block.cut.regions:
            further_in.update(name for name, _ in block[index].operands)
        elif shape.name in CONSTANTS and not any(name in further_in for name, _ in block[index].results):
            yield index


def indent_at(text: str, offset: int) -> str:
    """The white space that the line of `offset` begins with."""
    match = _INDENT.match(text, text.rfind("\n", 0, offset) + 1)
    return match[0] if match else ""


def indent_step(function: Function) -> str:
    """How much further in than its function a body stands; two spaces where that cannot be told."""
    text, start = function.operation.text, function.operation.start
    block: Block | None = function.body.blocks[0] if function.body is not None else None
    if block is None or not len(block) or "\n" not in text[start : block[0].start]:
        return "  "
    outer, inner = indent_at(text, start), indent_at(text, block[0].start)
    return inner.removeprefix(outer) if inner.startswith(outer) and inner != outer else "  "
