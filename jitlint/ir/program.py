"""Where the JIT calls of a module stand: the blocks that hold them, each with its symbols and its function.

Only the way down to the calls is cut; a region without calls stays a pair of offsets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jitlint.ir.call_table import CallTable
from jitlint.ir.calls import JitCall, UnreadableCall
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Block, Operation, Region, Unit
from jitlint.syntax.lexer import SyntaxProblem

MODULES = frozenset({"module", "builtin.module"})


class CallBlock(NamedTuple):
    """A block with JIT calls; one without, if there are some in its region that belong to no operation.

    `symbols` is the table of the nearest module, `scope` the operation of that module that holds the block (the
    function), or None for a call outside any. `unsure` tells why nothing in the block may be touched, with the place.
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
    pending = [_Place(unit.body, SymbolTable(unit.body), None, ())]
    while pending:
        place = pending.pop()
        region = place.region
        missed = _missed(unit, region)
        unsure = [*place.unsure, *region.problems, *missed]
        if missed and not any(block.cut.calls for block in region.blocks):
            yield CallBlock(region.blocks[0], place.symbols, place.scope, [], [], missed)
        for block in region.blocks:
            if block.cut.calls:
                if place.scope is None:
                    unsure.append((region.start, "the operations of a module stand in no order"))
                calls, unread = table.read(block)
                yield CallBlock(block, place.symbols, place.scope, calls, unread, unsure)
            for index, spans in block.cut.regions.items():
                if any(unit.braces.holds_call(start, end) for start, end in spans):
                    pending.extend(_inside(place, block[index], unit, unsure))


class _Place(NamedTuple):
    region: Region
    symbols: SymbolTable
    scope: Operation | None
    unsure: tuple[tuple[int, str], ...]


def _inside(place: _Place, operation: Operation, unit: Unit, unsure: list[tuple[int, str]]) -> Iterator[_Place]:
    """The regions of `operation` with calls. A doubt about a module's own block is one about all its symbols."""
    is_module = operation.name in MODULES
    for region in operation.regions:
        if not unit.braces.holds_call(region.start, region.end):
            continue
        if is_module:
            yield _Place(region, SymbolTable(region), None, tuple(unsure))
        elif place.scope is None:
            yield _Place(region, place.symbols, operation, tuple(unsure))
        else:
            yield _Place(region, place.symbols, place.scope, place.unsure)


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
