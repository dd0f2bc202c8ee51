"""JIT calls that differ only in their names, read as the rows of a table.

The grammar reads one call of each row's kind. Where names stand in it decides where they stand in all the others; the
names of many calls, and the texts between them, are taken apart together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from sys import intern
from typing import NamedTuple

from jitlint.ir.calls import JitCall, UnreadableCall, Value, read_call
from jitlint.ir.tree import Block
from jitlint.syntax.calls import CallReader, CallSyntax, UnreadCall
from jitlint.syntax.lexer import BARE, SSA_NAME, SyntaxProblem

_NAME = re.compile(rf"({SSA_NAME}|@{BARE}|#loc[0-9]++(?![\w$.-]))")
_SIGIL = itemgetter(0)
_PLAIN = "enzymexla.jit_call @"
_CALLEE = len(_PLAIN) - 1
_ODD = re.compile(r'["\n]|//')
"""What hides names, or may: calls with any of it are read one by one."""
_TOGETHER = 256
"""Calls that are taken apart together."""


class _Row(NamedTuple):
    """Where the parts of calls of one kind stand; `syntax` is None for calls that have to be read one by one.

    `names` counts the names in such a call. If it has results, all are of the first name, `results` is their number,
    and the name of the operation begins `begin` characters behind that name. The callee is the name at `callee`, and
    the operands follow it.
    """

    names: int
    syntax: CallSyntax | None = None
    results: int = 0
    callee: int = 0
    begin: int = 0


class CallTable:
    """Reads the JIT calls of one module."""

    def __init__(self, reader: CallReader) -> None:
        self._reader = reader
        self._rows: dict[str, _Row] = {"": _Row(0)}
        self._callees: dict[str, tuple[str, ...]] = {}

    def read(self, block: Block, some: Sequence[int] | None = None) -> tuple[list[JitCall], list[UnreadableCall]]:
        """The JIT calls of a block, or `some` of them, in text order, and those that could not be read."""
        calls: list[JitCall] = []
        unread: list[UnreadableCall] = []
        indices = block.cut.calls if some is None else some
        for first in range(0, len(indices), _TOGETHER):
            self._some(block, indices[first : first + _TOGETHER], calls, unread)
        return calls, unread

    def _some(self, block: Block, indices: Sequence[int], calls: list[JitCall], unread: list[UnreadableCall]) -> None:
        """Some calls of a block: their lines without names tell what they are, and the names are dealt out to them."""
        text, starts, ends, rows = block.region.unit.text, block.cut.starts, block.cut.ends, self._rows
        lines = [text[starts[index] : ends[index]] for index in indices]
        joined = "\n".join(lines)
        if '"' in joined or "//" in joined or joined.count("\n") >= len(lines):
            joined = "\n".join(["" if _ODD.search(line) else line for line in lines])
        parts = _NAME.split(joined)
        names = parts[1::2]
        parts[1::2] = map(_SIGIL, names)
        first = 0
        for index, line, key in zip(indices, lines, "".join(parts).split("\n"), strict=True):
            row = rows.get(key) or self._learn(block, index, key, line)
            if row.syntax is not None:
                calls.append(self._call(block, index, row, names, first))
            elif isinstance(call := self._alone(block, index), JitCall):
                calls.append(call)
            else:
                unread.append(call)
            first += row.names

    def _call(self, block: Block, index: int, row: _Row, names: list[str], first: int) -> JitCall:
        """The call of a known kind whose names are those from `first` on."""
        total, syntax, count, callee_at, begin = row
        assert syntax is not None
        symbol, start = names[first + callee_at], block.cut.starts[index]
        callee = self._callees.get(symbol)
        if callee is None:
            callee = self._callees[symbol] = (intern(symbol[1:]),)
        result_names: tuple[Value, ...] = ()
        results: tuple[Value, ...] = ()
        if count:
            name = names[first]
            begin += start + len(name)
            result_names = ((name, count),)
            results = ((name, 0),) if count == 1 else tuple([(name, number) for number in range(count)])
        else:
            begin = start
            if syntax.result_types:
                results = tuple([("", number) for number in range(len(syntax.result_types))])
        at, end = begin + _CALLEE, block.cut.ends[index]
        place = at, at + len(symbol)
        operands = tuple(zip(names[first + callee_at + 1 : first + total], syntax.numbers))  # noqa: B905 - a location may follow
        return JitCall(
            block,
            index,
            start,
            begin,
            end,
            syntax,
            callee,
            operands,
            result_names,
            results,
            place,
            True,
        )

    def _alone(self, block: Block, index: int) -> JitCall | UnreadableCall:
        """The call at a place, read by itself."""
        try:
            return read_call(block, index, self._reader)
        except UnreadCall as problem:
            reason = str(problem)
        except SyntaxProblem as problem:
            reason = problem.message
        return UnreadableCall(index, block.cut.starts[index], block.cut.ends[index], reason)

    def _learn(self, block: Block, index: int, key: str, line: str) -> _Row:
        """Find out where the parts stand in a call of a new kind: there where they are found in this one."""
        names = _NAME.findall(line)
        call = self._alone(block, index)
        row = _Row(len(names))
        if isinstance(call, JitCall):
            callee = int(bool(call.result_names))
            begin = call.begin - call.start - (len(names[0]) if callee else 0)
            results = call.result_names[0][1] if callee else 0
            guess = _Row(len(names), call.syntax, results, callee, begin)
            if line.startswith(_PLAIN, call.begin - call.start) and _same(
                self._call(block, index, guess, names, 0), call
            ):
                row = guess
        self._rows[key] = row
        return row


def _same(one: JitCall, other: JitCall) -> bool:
    """Whether two ways to read a call have come to the same."""
    return all(getattr(one, part) == getattr(other, part) for part in _PARTS)


_PARTS = ("begin", "callee", "operands", "result_names", "results")
