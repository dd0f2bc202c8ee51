"""JIT calls as operations: their wrapper, the values they use and the values they define."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING

from jitlint.syntax.calls import CallReader, CallSyntax, UnreadCall
from jitlint.syntax.lexer import SSA, SSA_NAME, SYMBOL, SyntaxProblem
from jitlint.syntax.shapes import OPERATION, Shape

if TYPE_CHECKING:
    from jitlint.ir.tree import Block

_SYMBOL = re.compile(SYMBOL)
_PLAIN_CALLEE = re.compile(r"enzymexla\.jit_call @([A-Za-z_][\w$.]*+) ?\(", re.ASCII)
"""A name, a callee and the bracket of the operands, as the printer writes them."""
_PLAIN_RESULT = re.compile(rf"({SSA_NAME})(?::([0-9]{{1,6}}))? = ")
"""One name before the `=`, as the printer writes it."""

Value = tuple[str, int]
"""A value: the name that defines it, and its number among the values of that name (`%1#2` is `("%1", 2)`)."""


@dataclass(slots=True, eq=False)
class JitCall:
    """One JIT call of a block. `index` is its place among the block's operations.

    `begin` is the offset of its name, behind the results. `name_place` keeps where its name and callee stand, once
    somebody has looked.
    """

    block: Block
    index: int
    start: int
    begin: int
    end: int
    syntax: CallSyntax
    callee: tuple[str, ...]
    operands: tuple[Value, ...]
    result_names: tuple[tuple[str, int], ...]
    results: tuple[Value, ...]
    name_place: tuple[int, int] | None = None

    @property
    def symbol(self) -> str:
        """The wrapper's name, or the whole path of a nested symbol, without `@`."""
        return "::".join(self.callee)


@dataclass(frozen=True, slots=True)
class UnreadableCall:
    """A JIT call that could not be read, and why."""

    index: int
    start: int
    end: int
    reason: str


def read_calls(block: Block, reader: CallReader) -> tuple[list[JitCall], list[UnreadableCall]]:
    """The JIT calls of a block in text order, and those that could not be read."""
    calls: list[JitCall] = []
    unread: list[UnreadableCall] = []
    for index in block.cut.calls:
        try:
            calls.append(_read(block, index, reader))
        except UnreadCall as problem:
            unread.append(UnreadableCall(index, block.cut.starts[index], block.cut.ends[index], str(problem)))
        except SyntaxProblem as problem:
            unread.append(UnreadableCall(index, block.cut.starts[index], block.cut.ends[index], problem.message))
    return calls, unread


def _read(block: Block, index: int, reader: CallReader) -> JitCall:
    text, cut = block.region.unit.text, block.cut
    start, end, shape = cut.starts[index], cut.ends[index], cut.shapes[index]
    result_names, begin = _results(block, index, text, start)
    syntax, names, callee = _call_text(text, begin, end, shape, reader)
    if len(names) != len(syntax.numbers):
        raise UnreadCall("its operands could not be told apart")
    if len(syntax.operand_types) != len(names):
        raise UnreadCall(f"it has {len(names)} operands and {len(syntax.operand_types)} operand types")
    count = sum(count for _, count in result_names)
    if result_names and len(syntax.result_types) != count:
        raise UnreadCall(f"it has {count} results and {len(syntax.result_types)} result types")
    results = _values(result_names or (("", len(syntax.result_types)),))
    operands = tuple(zip(names, syntax.numbers, strict=True))
    return JitCall(block, index, start, begin, end, syntax, callee, operands, result_names, results)


def _results(block: Block, index: int, text: str, start: int) -> tuple[tuple[tuple[str, int], ...], int]:
    """The result names of an operation and the offset behind its `=`."""
    if text[start] != "%":
        return (), start
    plain = _PLAIN_RESULT.match(text, start)
    if plain is not None:
        return ((plain[1], int(plain[2] or 1)),), plain.end()
    operation = block[index]
    return operation.results, operation.operands_start


def _call_text(
    text: str, begin: int, end: int, shape: Shape, reader: CallReader
) -> tuple[CallSyntax, Sequence[str], tuple[str, ...]]:
    """Read a call, or take what is known of its line's shape and only the names from the text.

    A line's shape leaves out dense numbers, which a call's does not, and comments and strings may hold names: lines
    with any of them are read afresh.
    """
    known = shape.cache
    if isinstance(known, CallSyntax):
        plain = _PLAIN_CALLEE.match(text, begin)
        if plain is not None:
            operands = SSA.findall(text, plain.end(), text.find(")", plain.end()))
            return known, list(map(intern, operands)), (intern(plain[1]),)
        symbols = _SYMBOL.findall(text, begin, end)[known.callee : known.callee + known.callee_parts]
        return known, list(map(intern, SSA.findall(text, begin, end))), tuple(intern(symbol[1:]) for symbol in symbols)
    body = text[begin:end].lstrip()
    call = reader.read(body)
    if shape.kind == OPERATION and "dense<" not in body and "//" not in body and '"' not in body:
        shape.cache = call.syntax
    return call.syntax, call.operands, call.callee


def _values(names: tuple[tuple[str, int], ...]) -> tuple[Value, ...]:
    if len(names) == 1 and names[0][1] == 1:
        return ((names[0][0], 0),)
    return tuple((name, number) for name, count in names for number in range(count))
