"""Modules, regions, blocks and operations, in MLIR's own words, over text that is cut only where somebody looks.

A `Unit` is one module text (a file, or one part of it between `// -----` lines). Its `body` is the region of the
implicit top-level module. Regions cut themselves when their blocks are first asked for; operations are made on demand
from the block's arrays, so that a block of half a million operations costs little until it is read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from jitlint import lazy
from jitlint.syntax.braces import Braces
from jitlint.syntax.calls import CallReader
from jitlint.syntax.cut import Cutter
from jitlint.syntax.cutting import CutBlock, Cutting
from jitlint.syntax.grammar import without_comments
from jitlint.syntax.heads import GAP, RESULTS, results_in
from jitlint.syntax.lexer import COMMENT, NAMES, SSA, STRING, whole
from jitlint.syntax.shapes import A_LOCATION, Shape

_ALIAS = lazy.pattern(rf"([#!][\w$.-]++){GAP}={GAP}")
_ALIAS_USE = lazy.pattern(rf"{STRING}|{COMMENT}|(![A-Za-z0-9_$-]++(?![.<])|#[A-Za-z_][A-Za-z0-9_$-]*+(?![.<]))")

_QUOTED = re.compile(rf'{GAP}"')


class Unit:
    """One module text: `text[start:end]`, its braces, its cutter and its outermost region.

    Raises SyntaxProblem where braces do not match or a string does not end on its line.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        from jitlint.ir.effects import OPERATIONS

        self.text = text
        self.start = start
        self.end = end
        self.braces = Braces(text, start, end)
        self.cutter = Cutter(text, self.braces.close, OPERATIONS)
        self.body = Region(self, start, end, None)

    @cached_property
    def call_reader(self) -> CallReader:
        """What reads the unit's JIT calls, and remembers their shapes."""
        return CallReader(self.aliases)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """The attribute and type aliases that the unit defines (`#map`, `!t`), each with the text of its value.

        Plain locations (`#loc1 = loc(…)`) are left out: nothing asks for them, and there may be a million.
        """
        found: dict[str, str] = {}
        for block in self.body.blocks:
            for index, shape in enumerate(block.cut.shapes):
                if shape.name == "alias" and shape is not A_LOCATION:
                    text = self.text[block.cut.starts[index] : block.cut.ends[index]]
                    if match := _ALIAS.match(text):
                        found[match.group(1)] = without_comments(text[match.end() :]).strip()
        return found

    @cached_property
    def _alias_places(self) -> dict[str, tuple[int, int]]:
        """Where each of `aliases` is defined that must be so above its uses. (A location's may stand anywhere.)"""
        places: dict[str, tuple[int, int]] = {}
        for block in self.body.blocks if self.aliases else ():
            for index, shape in enumerate(block.cut.shapes):
                if shape.name == "alias" and shape is not A_LOCATION:
                    start, end = block.cut.starts[index], block.cut.ends[index]
                    match = _ALIAS.match(self.text, start, end)
                    if match is not None and not self.aliases[match.group(1)].startswith("loc"):
                        places[match.group(1)] = start, end
        return places

    def last_alias(self, text: str) -> int:
        """The offset behind the last of the definitions of the aliases that `text` uses; -1 if it uses none."""
        if not self.aliases:
            return -1
        used = (match[1] for match in _ALIAS_USE.finditer(text) if match[1] is not None)
        return max((self._alias_places[name][1] for name in used if name in self._alias_places), default=-1)

    def early_use(self) -> tuple[str, int] | None:
        """An alias that is used above its definition, which MLIR accepts in no text, and the place."""
        for match in _ALIAS_USE.finditer(self.text, self.start, self.end) if self.aliases else ():
            place = self._alias_places.get(match[1])
            if place is not None and match.start() < place[1] and match.start() != place[0]:
                return match[1], match.start()
        return None


class Region:
    """A region: `start` and `end` are the offsets inside its braces. `parent` is the operation that holds it."""

    def __init__(self, unit: Unit, start: int, end: int, parent: Operation | None) -> None:
        self.unit = unit
        self.start = start
        self.end = end
        self.parent = parent

    @cached_property
    def cutting(self) -> Cutting:
        """The region, cut; raises SyntaxProblem where its brackets do not match."""
        return self.unit.cutter.cut(self.start, self.end)

    @cached_property
    def blocks(self) -> list[Block]:
        """The blocks in text order. An empty region has one empty block. Raises as `cutting` does."""
        return [Block(self, number, cut) for number, cut in enumerate(self.cutting.blocks)]

    @property
    def problems(self) -> list[tuple[int, str]]:
        """Where and why cutting the region was not certain."""
        return self.cutting.problems

    @cached_property
    def _nested(self) -> list[tuple[int, int]]:
        """The spans of the regions inside the operations of its blocks, from `{` to after `}`, in text order."""
        return sorted(span for block in self.blocks for spans in block.cut.regions.values() for span in spans)

    def nested_around(self, offset: int) -> tuple[int, int] | None:
        """The span of the region of one of its own operations that `offset` lies in, or None."""
        before = bisect_right(self._nested, (offset, self.end)) - 1
        if before < 0 or offset >= self._nested[before][1]:
            return None
        return self._nested[before]


class Block:
    """A block of a region. `len(block)` is the number of its operations; `block[i]` makes one of them."""

    def __init__(self, region: Region, number: int, cut: CutBlock) -> None:
        self.region = region
        self.number = number
        self.cut = cut
        self._made: dict[int, Operation] = {}

    def __len__(self) -> int:
        return len(self.cut.shapes)

    def __getitem__(self, index: int) -> Operation:
        operation = self._made.get(index)
        if operation is None:
            operation = self._made[index] = Operation(self, index)
        return operation

    @property
    def operations(self) -> Iterator[Operation]:
        """The operations in text order, made one by one."""
        return (self[index] for index in range(len(self)))

    def region_around(self, start: int, end: int) -> Region | None:
        """The region of one of its operations that holds `text[start:end]`, None where none does."""
        if not self.cut.regions:
            return None
        index = bisect_right(self.cut.starts, start) - 1
        spans = self.cut.regions.get(index, ())
        holder = next((number for number, (low, high) in enumerate(spans) if low < start and end < high), None)
        return self[index].regions[holder] if holder is not None else None

    @property
    def bounds(self) -> tuple[int, int]:
        """Where the block begins, its label included, and where the next block or the end of the region is."""
        after = self.region.blocks[self.number + 1 : self.number + 2]
        start = self.cut.label[0] if self.cut.label else self.region.start
        return start, after[0].cut.label[0] if after and after[0].cut.label else self.region.end

    @property
    def label_name(self) -> str | None:
        """The block's name with its `^`; None for an entry block without a label."""
        return None if self.cut.label is None else self.region.unit.text[slice(*self.cut.label)]


class Operation:
    """One operation: a place in a block, with its text, name, results and regions."""

    def __init__(self, block: Block, index: int) -> None:
        self.block = block
        self.index = index

    @property
    def text(self) -> str:
        """The whole text that `start` and `end` are offsets of."""
        return self.block.region.unit.text

    @property
    def start(self) -> int:
        """The offset of its first token."""
        return self.block.cut.starts[self.index]

    @property
    def end(self) -> int:
        """The offset after its last token, a trailing `loc(…)` included."""
        return self.block.cut.ends[self.index]

    @property
    def shape(self) -> Shape:
        """What is known of all operations written like this one."""
        return self.block.cut.shapes[self.index]

    @property
    def name(self) -> str:
        """The full name as written, such as `llvm.func` or `return`; that of a generic operation without its quotes."""
        return self.shape.name

    @property
    def is_generic(self) -> bool:
        """Whether it is written in the generic form, its name a string."""
        return _QUOTED.match(self.text, self.operands_start, self.end) is not None

    def own_text(self) -> str:
        """The text of the operation, its regions included."""
        return self.text[self.start : self.end]

    @cached_property
    def results(self) -> tuple[tuple[str, int], ...]:
        """The names before its `=`, each with the number of values it stands for."""
        if self.text[self.start] != "%":
            return ()
        match = RESULTS.match(self.text, self.start, self.end)
        if match is None:
            return ()
        return tuple((name, whole(count or "1")) for name, count in results_in(match.group()))

    @cached_property
    def operands_start(self) -> int:
        """The offset where names are uses: after the results."""
        match = RESULTS.match(self.text, self.start, self.end) if self.text[self.start] == "%" else None
        return match.end() if match else self.start

    @property
    def names_used(self) -> Iterator[re.Match[str]]:
        """Every SSA name after the results, nested regions included: group 1 the name, group 2 a `#n` or None."""
        for match in NAMES.finditer(self.text, self.operands_start, self.end):
            if match.group(1) is not None:
                yield match

    @property
    def names(self) -> list[str]:
        """The names of `names_used`. Where no string or comment can hide any, a plain search finds them."""
        text, start, end = self.text, self.start, self.end
        if text.find('"', start, end) >= 0 or text.find("//", start, end) >= 0:
            return [match[1] for match in self.names_used]
        return SSA.findall(text, text.find("=", start, end) if text[start] == "%" else start, end)

    @property
    def operands(self) -> list[tuple[str, int]]:
        """Every SSA name after the results with its offset, nested regions included."""
        return [(match.group(1), match.start()) for match in self.names_used]

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """Its regions in text order."""
        spans = self.block.cut.regions.get(self.index, ())
        return tuple(Region(self.block.region.unit, start + 1, end - 1, self) for start, end in spans)
