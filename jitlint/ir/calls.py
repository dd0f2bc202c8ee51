"""JIT calls as operations: their wrapper, the values they use and the values they define."""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING

from jitlint.findings import Span
from jitlint.syntax.calls import CallReader, CallSyntax, UnreadCall

if TYPE_CHECKING:
    from jitlint.ir.tree import Block

Value = tuple[str, int]
"""A value: the name that defines it, and its number among the values of that name (`%1#2` is `("%1", 2)`)."""


class JitCall:
    """One JIT call of a block. `index` is its place among the block's operations.

    `begin` is the offset of its name, behind the results. `name_place` keeps where its name and callee stand, once
    somebody has looked. `is_plain` tells that no string and no comment stands in it, and that it is not generic.
    """

    __slots__ = (
        *("begin", "block", "callee", "end", "index", "is_plain", "name_place"),
        *("operands", "result_names", "results", "start", "syntax"),
    )

    def __init__(
        self,
        block: Block,
        index: int,
        start: int,
        begin: int,
        end: int,
        syntax: CallSyntax,
        callee: tuple[str, ...],
        operands: tuple[Value, ...],
        result_names: tuple[tuple[str, int], ...],
        results: tuple[Value, ...],
        name_place: Span | None = None,
        is_plain: bool = False,
    ) -> None:
        self.block = block
        self.index = index
        self.start = start
        self.begin = begin
        self.end = end
        self.syntax = syntax
        self.callee = callee
        self.operands = operands
        self.result_names = result_names
        self.results = results
        self.name_place = name_place
        self.is_plain = is_plain

    @property
    def symbol(self) -> str:
        """The wrapper's name, or the whole path of a nested symbol, without `@`."""
        callee = self.callee
        return callee[0] if len(callee) == 1 else "::".join(callee)


class UnreadableCall:
    """A JIT call that could not be read, and why."""

    __slots__ = ("end", "index", "reason", "start")

    def __init__(self, index: int, start: int, end: int, reason: str) -> None:
        self.index = index
        self.start = start
        self.end = end
        self.reason = reason


def read_call(block: Block, index: int, reader: CallReader) -> JitCall:
    """The JIT call at a place of a block. Raises UnreadCall or SyntaxProblem."""
    text, cut = block.region.unit.text, block.cut
    start, end = cut.starts[index], cut.ends[index]
    result_names = block[index].results
    body = text[block[index].operands_start : end].lstrip()
    begin = end - len(body)
    call = reader.read(body)
    syntax, names = call.syntax, list(map(intern, call.operands))
    if len(names) != len(syntax.numbers):
        raise UnreadCall("its operands could not be told apart")
    if len(syntax.operand_types) != len(names):
        raise UnreadCall(f"it has {len(names)} operands and {len(syntax.operand_types)} operand types")
    count = sum(count for _, count in result_names)
    if result_names and len(syntax.result_types) != count:
        raise UnreadCall(f"it has {count} results and {len(syntax.result_types)} result types")
    results = _values(result_names or (("", len(syntax.result_types)),))
    operands = tuple(zip(names, syntax.numbers, strict=True))
    return JitCall(
        block, index, start, begin, end, syntax, tuple(map(intern, call.callee)), operands, result_names, results
    )


def _values(names: tuple[tuple[str, int], ...]) -> tuple[Value, ...]:
    if len(names) == 1 and names[0][1] == 1:
        return ((names[0][0], 0),)
    return tuple((name, number) for name, count in names for number in range(count))
