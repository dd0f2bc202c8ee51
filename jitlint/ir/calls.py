"""JIT calls as operations: their wrapper, the values they use and the values they define."""

from __future__ import annotations

import re
from sys import intern
from typing import TYPE_CHECKING

from jitlint.findings import Span
from jitlint.syntax.calls import CallReader, CallSyntax, UnreadCall, places_in
from jitlint.syntax.heads import GAP
from jitlint.syntax.places import CallPlaces, Place, elements_of

if TYPE_CHECKING:
    from jitlint.ir.tree import Block

_GAP = re.compile(GAP)
WHOLE = -1
"""The number that stands for an entry of a call as a whole."""

OWN_ENTRIES = frozenset(
    {"fn", "backend_config", "operand_layouts", "result_layouts", "output_operand_aliases", "xla_side_effect_free"}
)
"""The properties of a call that jitlint knows."""

Value = tuple[str, int]
"""A value: the name that defines it, and its number among the values of that name (`%1#2` is `("%1", 2)`)."""


class JitCall:
    """One JIT call of a block. `index` is its place among the block's operations.

    `begin` is the offset of its name, behind the results. Where else its parts stand, everybody asks the call.
    `is_plain` tells that no string and no comment stands in it, and that it is not generic.
    """

    __slots__ = (
        *("_callee_place", "_places", "begin", "block", "callee", "end", "index", "is_plain"),
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
        callee_place: Place | None = None,
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
        self.is_plain = is_plain
        self._callee_place = callee_place
        self._places: CallPlaces | None = None

    @property
    def symbol(self) -> str:
        """The wrapper's name, or the whole path of a nested symbol, without `@`."""
        callee = self.callee
        return callee[0] if len(callee) == 1 else "::".join(callee)

    @property
    def places(self) -> CallPlaces:
        """Where its parts stand, as offsets from `begin`."""
        if self._places is None:
            self._places = places_in(self.syntax, self.block.region.unit.text[self.begin : self.end])
        return self._places

    @property
    def callee_place(self) -> Place:
        """Where it names its wrapper, the `@` included."""
        if self._callee_place is None:
            start, end = self.places.callee
            self._callee_place = self.begin + start, self.begin + end
        return self._callee_place

    @property
    def name_span(self) -> Span:
        """The place of its name, and of its callee where that follows: there findings about it point."""
        last = self.begin + self.places.name[1] if self.syntax.spelling == "generic" else self.callee_place[1]
        return Span(self.begin, last)

    def entry_span(self, key: str, number: int = WHOLE) -> Span | None:
        """The place of element `number` of the list that it writes for `key`; that of the entry where it is no list,
        or `WHOLE`; None where it does not write the key itself (but by an alias, say)."""
        place = self.places.entries.get(key)
        if place is None:
            return None
        start, end = self.begin + place[0], self.begin + place[1]
        if number >= 0:
            found = elements_of(self.block.region.unit.text[start:end])
            if number < len(found):
                return Span(start + found[number][0], start + found[number][1])
        return Span(start, end)


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
    gap = _GAP.match(text, block[index].operands_start, end)
    begin = gap.end() if gap else start
    call = reader.read(text[begin:end])
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


def own_entries(syntax: CallSyntax) -> tuple[dict[str, str], dict[str, str]]:
    """The operation's own entries, and those of a `{…}` beside its properties, which mean nothing to it."""
    if syntax.properties:
        return dict(syntax.properties), dict(syntax.attributes)
    return dict(syntax.attributes), {}


def says_free(syntax: CallSyntax) -> bool:
    """Whether a call says itself that it has no side effects.

    Nothing tells `{xla_side_effect_free}`, the flag as older printers write it, from an attribute that means nothing:
    current engines take it for one (measured), unless another of its own stands beside it.
    """
    own, _ = own_entries(syntax)
    others = OWN_ENTRIES - {"xla_side_effect_free"}
    return "xla_side_effect_free" in own and not (syntax.spelling == "attributes" and others.isdisjoint(own))
