"""Who uses a value: names are looked up in the text of one function, and only the names that matter.

A name belongs to the region of the block that defines it, from the definition on; regions further in see it too. MLIR
forbids a second definition where the first is visible, so what stands after the definition and inside the region is a
use. Whatever might be a second definition, or a use before the definition, makes the name *doubtful*: it is left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from jitlint.ir.calls import JitCall
from jitlint.ir.tree import Block, Operation
from jitlint.syntax.heads import GAP, RESULTS
from jitlint.syntax.lexer import NAMES

_DEFINES = re.compile(rf"(?::[0-9]++)?+{GAP}=(?!=)")
_COUNT = re.compile(r":[0-9]")
_ARGUMENT = re.compile(rf"{GAP}[:=]")


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a value: its place, with the `#n` if there is one, and the operation of the defining block that it
    stands in or inside of (-1 if it stands in another block)."""

    start: int
    end: int
    operation: int


class Occurrences:
    """Every place in one operation's text where one of some names stands."""

    def __init__(self, scope: Operation, names: Iterable[str]) -> None:
        self.places: dict[str, list[int]] = {name: [] for name in names}
        self.numbers: dict[str, list[str | None]] = {name: [] for name in self.places}
        places, numbers = self.places, self.numbers
        for match in NAMES.finditer(scope.text, scope.start, scope.end):
            name = match[1]
            if name in places:
                places[name].append(match.start())
                numbers[name].append(match[2])


class Uses:
    """The uses of the results of one block's JIT calls.

    `of[value]` lists the uses of a value in text order; `doubtful` maps the names that are left alone to a reason.
    """

    def __init__(self, block: Block, calls: Iterable[JitCall], occurrences: Occurrences) -> None:
        self.block = block
        self.of: dict[tuple[str, int], list[Use]] = {}
        self.doubtful: dict[str, str] = {}
        self._nested = _Nested(block)
        for call in calls:
            for name, count in call.result_names:
                self._find(call, name, count, occurrences)

    def _find(self, call: JitCall, name: str, count: int, occurrences: Occurrences) -> None:
        for number in range(count):
            if (name, number) in self.of:
                self.doubtful[name] = f"{name} is defined twice"
            self.of[name, number] = []
        places, numbers = occurrences.places[name], occurrences.numbers[name]
        region = self.block.region
        first, last = bisect_left(places, region.start), bisect_left(places, region.end)
        text, block_end = region.unit.text, self._nested.end
        starts = self.block.cut.starts
        for place, number in zip(places[first:last], numbers[first:last], strict=True):
            end = place + len(name) + (len(number) if number else 0)
            if place < call.start:
                self._before(name, place, end)
            elif place >= call.end:
                if self._defines(text, place, end):
                    self.doubtful[name] = f"{name} is defined twice"
                value = (name, int(number[1:]) if number else 0)
                if value in self.of and not _COUNT.match(text, end):
                    inside = bisect_right(starts, place) - 1 if place < block_end else -1
                    self.of[value].append(Use(place, end, inside))
                else:
                    self.doubtful[name] = f"{text[place : end + 4].split()[0]} is no value of {name}"

    def _defines(self, text: str, place: int, end: int) -> bool:
        """Whether a name after its definition looks like one that is defined again."""
        if _DEFINES.match(text, end):
            return True
        if text[end : end + 1] in (",", ":", " "):
            before = place - 1
            while before >= 0 and text[before] in " \t\r":
                before -= 1
            if before < 0 or text[before] in "\n{":
                return RESULTS.match(text, place) is not None
        return False

    def _before(self, name: str, place: int, end: int) -> None:
        """A name before its definition belongs to a region further in that defines it itself, or is in doubt."""
        chunk = self._nested.chunk(place)
        text = self.block.region.unit.text
        if chunk is None:
            if place >= self._nested.start or _ARGUMENT.match(text, end):
                self.doubtful[name] = f"{name} stands before its definition"
            else:
                self.of[name, 0].append(Use(place, end, -1))
        elif chunk not in self._nested.defining.get(name, ()):
            if not _ARGUMENT.match(text, end) and RESULTS.match(text, place) is None:
                self.doubtful[name] = f"{name} is used in a region before its definition"
            self._nested.defining.setdefault(name, set()).add(chunk)


class _Nested:
    """The regions inside the operations of a region's blocks, to tell whether a place lies in one of them."""

    def __init__(self, block: Block) -> None:
        region = block.region
        self.spans = sorted(
            span for other in region.blocks for spans in other.cut.regions.values() for span in spans
        )
        self.starts = [start for start, _ in self.spans]
        blocks = region.blocks
        after = blocks[block.number + 1] if block.number + 1 < len(blocks) else None
        self.start = block.cut.label[0] if block.cut.label else region.start
        self.end = after.cut.label[0] if after is not None and after.cut.label else region.end
        self.defining: dict[str, set[int]] = {}

    def chunk(self, place: int) -> int | None:
        """The start of the region that `place` lies in, or None at the blocks' own level."""
        before = bisect_right(self.starts, place) - 1
        return self.starts[before] if before >= 0 and place < self.spans[before][1] else None
