"""Where the JIT calls of a module stand: the blocks that hold them, each with its symbols and its function.

Only the way down to the calls is cut; a region without calls stays a pair of offsets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jitlint.ir.call_table import CallTable
from jitlint.ir.calls import JitCall, UnreadableCall
from jitlint.ir.effects import OPERATIONS, full_name
from jitlint.ir.symbols import SYMBOL_TABLES, SymbolTable, may_be_table
from jitlint.ir.tree import Block, Operation, Region, Unit
from jitlint.syntax.heads import GAP
from jitlint.syntax.lexer import SyntaxProblem


class CallBlock(NamedTuple):
    """A block with JIT calls; one without, if there are some in its region that belong to no operation.

    `symbols` is the nearest table that is known to be one, `scope` the operation of its region that holds the block
    (the function), or None for a call outside any. `unsure` tells why nothing in the block may be touched, with the
    place; what a call names is known only where it is empty.
    """

    block: Block
    symbols: SymbolTable
    scope: Operation | None
    calls: list[JitCall]
    unread: list[UnreadableCall]
    unsure: list[tuple[int, str]]

    @property
    def start(self) -> int:
        """Where its first JIT call stands, or might stand."""
        cut = self.block.cut
        return cut.starts[cut.calls[0]] if cut.calls else self.unsure[0][0]


def call_blocks(unit: Unit) -> Iterator[CallBlock]:
    """The blocks of `unit` with JIT calls, in no particular order. Raises SyntaxProblem where brackets do not match."""
    table = CallTable(unit.call_reader)
    pending = [_Place(unit.body, SymbolTable(unit.body), None)]
    while pending:
        place = pending.pop()
        region = place.region
        missed = _missed(unit, region)
        place = place._replace(unsure=(*place.unsure, *_used_above(region)))
        unsure = [*place.unsure, *region.problems, *missed]
        if missed and not any(block.cut.calls for block in region.blocks):
            yield CallBlock(region.blocks[0], place.symbols, place.scope, [], [], missed)
        for block in region.blocks:
            if block.cut.calls:
                if place.scope is None:
                    unsure.append((region.start, "the operations of a module stand in no order"))
                calls, unread = table.read(block)
                doubts = [*unsure, *place.doubts(calls)]
                yield CallBlock(block, place.symbols, place.scope, calls, unread, doubts)
            for index, spans in block.cut.regions.items():
                if any(unit.braces.holds_call(start, end) for start, end in spans):
                    pending.extend(_inside(place, block[index], unit, unsure))


class _Place(NamedTuple):
    """A region on the way down to calls. `unsure` are doubts about its text or that of a table around it, `foreign`
    one about which table decides; `may_define` is an operation below the nearest known table that may define symbols.
    """

    region: Region
    symbols: SymbolTable
    scope: Operation | None
    unsure: tuple[tuple[int, str], ...] = ()
    foreign: tuple[tuple[int, str], ...] = ()
    may_define: Operation | None = None

    def doubts(self, calls: Sequence[JitCall]) -> tuple[tuple[int, str], ...]:
        """Why it is not known what these calls name: it may stand in a table that nobody knows to be one."""
        if self.may_define is None or self.foreign:
            return self.foreign
        known = self.symbols.names
        return _foreign(self.may_define) if any(call.callee[0] not in known for call in calls) else ()


def _inside(place: _Place, operation: Operation, unit: Unit, unsure: list[tuple[int, str]]) -> Iterator[_Place]:
    """The regions of `operation` with calls. A doubt about a table's own block is one about all its symbols."""
    is_table = operation.name in SYMBOL_TABLES
    unknown = not is_table and may_be_table(operation)
    for region in operation.regions:
        if not unit.braces.holds_call(region.start, region.end):
            continue
        if is_table:
            yield _Place(region, SymbolTable(region, operation.name), None, tuple(unsure))
            continue
        top = place.scope is None
        inside = place._replace(region=region, scope=operation) if top else place._replace(region=region)
        if top:
            inside = inside._replace(unsure=tuple(unsure))
        yield _with_symbols(inside, operation) if unknown and not place.foreign else inside


def _with_symbols(place: _Place, operation: Operation) -> _Place:
    """A region of an operation that might be a symbol table: its own symbols tell whether it makes a difference."""
    own = SymbolTable(place.region)
    if not own.names:
        return place
    if own.is_certain or place.symbols.shares_a_name(own):
        return place._replace(foreign=_foreign(operation))
    return place._replace(may_define=operation)


def _foreign(operation: Operation) -> tuple[tuple[int, str], ...]:
    reason = f"`{operation.name}` may be a symbol table of its own, and then it decides what a call names"
    return ((operation.start, reason),)


def _used_above(region: Region) -> Iterator[tuple[int, str]]:
    """The first value that an operation uses above its definition. So it may be where a dialect says that operations
    happen all together (the body of a `hw.module`): then no call comes before another one."""
    if region.parent is None or (full_name(region.parent.name) in OPERATIONS and region.parent.name not in _GRAPHS):
        return
    for block in region.blocks:
        defined = {name: index for index in range(len(block)) for name, _ in block[index].results}
        for index, operation in enumerate(block.operations if defined else ()):
            early = [match for match in operation.names_used if defined.get(match[1], -1) >= index]
            own = {
                match[1]
                for match in early
                if index in block.cut.regions and _DEFINES.match(region.unit.text, match.end())
            }
            for match in early:
                if match[1] not in own:
                    reason = f"{match[1]} is used above its definition, so the order of operations means nothing here"
                    yield match.start(), reason
                    return


_DEFINES = re.compile(rf":|{GAP}=(?!=)")
"""What stands behind a name that a region defines itself, or that an operation gives to it."""

_GRAPHS = frozenset(["ml_program.subgraph"])
"""Operations of the table whose region is a graph region, and that are no modules."""


def _missed(unit: Unit, region: Region) -> list[tuple[int, str]]:
    """The JIT calls of a region's own level that cutting did not find as operations."""
    spans = [span for block in region.blocks for nested in block.cut.regions.values() for span in nested]
    inside = sum(unit.braces.count_calls(start, end) for start, end in spans)
    found = sum(len(block.cut.calls) for block in region.blocks)
    if unit.braces.count_calls(region.start, region.end) == inside + found:
        return []
    known = {
        offset
        for block in region.blocks
        for index in block.cut.calls
        for offset in unit.braces.calls_in(block.cut.starts[index], block.cut.ends[index])[:1]
    }
    known.update(offset for start, end in spans for offset in unit.braces.calls_in(start, end))
    missed = [offset for offset in unit.braces.calls_in(region.start, region.end) if offset not in known]
    return [(offset, "a JIT call stands where no operation was found to begin") for offset in missed]


__all__ = ["CallBlock", "SyntaxProblem", "call_blocks"]
