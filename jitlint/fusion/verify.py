"""The last look before anything is written: the new text is read again and compared with what was meant.

The text outside the edits must be what it was, and every value that an edited operation uses must be defined above
it. That every symbol resolves is what reading the new text again finds out.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from jitlint.errors import InternalError
from jitlint.ir.tree import Block, Operation, Unit
from jitlint.syntax.heads import RESULT, RESULTS

Edit = tuple[int, int, str]


def verify(before: str, edits: Sequence[Edit], after: str, units: Iterable[Unit]) -> None:
    """Check a new text. `units` are its modules with JIT calls, as read again. Raises InternalError."""
    spans = _same_outside(before, edits, after)
    for unit in units:
        _check_unit(unit, [span for span in spans if unit.start <= span[0] <= unit.end])


def _same_outside(before: str, edits: Sequence[Edit], after: str) -> list[tuple[int, int]]:
    """Compare everything between the edits; returns the places of the new pieces in `after`."""
    spans, position, shift = [], 0, 0
    for start, end, new in edits:
        if start < position or not _equal(before, position, start, after, shift):
            raise InternalError("the text outside the edits changed")
        spans.append((start + shift, start + shift + len(new)))
        if not after.startswith(new, start + shift):
            raise InternalError("an edit did not arrive")
        shift += len(new) - (end - start)
        position = end
    if len(after) != len(before) + shift or not _equal(before, position, len(before), after, shift):
        raise InternalError("the text outside the edits changed")
    return spans


def _equal(before: str, start: int, end: int, after: str, shift: int) -> bool:
    return after.startswith(before[start:end], start + shift)


def _check_unit(unit: Unit, spans: list[tuple[int, int]]) -> None:
    """Check that what the edited operations use is defined above them."""
    by_block: dict[int, tuple[Block, list[int]]] = {}
    for start, end in spans:
        for block, index in _operations(unit, start, end):
            by_block.setdefault(id(block), (block, []))[1].append(index)
    for block, indices in by_block.values():
        _check_block(block, sorted(set(indices)))


def _operations(unit: Unit, start: int, end: int) -> list[tuple[Block, int]]:
    """The innermost operations that an edited place touches."""
    region, found = unit.body, []
    while True:
        inner = None
        for block in _blocks_at(region.blocks, start):
            first = max(bisect_right(block.cut.starts, start) - 1, 0)
            last = bisect_left(block.cut.starts, max(end, start + 1))
            for index in range(first, last):
                if block.cut.ends[index] <= start:
                    continue
                spans = block.cut.regions.get(index, ())
                holder = next((n for n, (low, high) in enumerate(spans) if low < start and end < high), None)
                if holder is not None:
                    inner = block[index].regions[holder]
                else:
                    found.append((block, index))
        if inner is None:
            return found
        region, found = inner, []


def _blocks_at(blocks: Sequence[Block], offset: int) -> Sequence[Block]:
    """The block of a region that `offset` lies in."""
    starts = [block.cut.label[0] if block.cut.label else block.region.start for block in blocks]
    return blocks[max(bisect_right(starts, offset) - 1, 0) :][:1]


def _check_block(block: Block, indices: list[int]) -> None:
    """Every name that these operations use is defined above, in this block or around it."""
    needed: dict[str, int] = {}
    for index in indices:
        operation = block[index]
        for match in operation.names_used:
            needed.setdefault(match[1], index)
    for name, index in needed.items():
        if not _defined_above(block, name, index):
            raise InternalError(f"{name} would be used before it is defined")


def _defined_above(block: Block, name: str, index: int) -> bool:
    """Whether a name is defined before operation `index` of a block, inside the operation, or further out."""
    definitions = _definitions(block).get(name)
    if definitions is None:
        return True  # further out, or inside the operation itself: neither has moved
    return definitions[0] < index or _inside(block[index], name)


def _inside(operation: Operation, name: str) -> bool:
    return bool(operation.regions) and name in operation.own_text()


def _definitions(block: Block) -> dict[str, list[int]]:
    """The operations of a block that define each name."""
    found: dict[str, list[int]] | None = getattr(block, "_definitions", None)
    if found is None:
        found = {}
        text, cut = block.region.unit.text, block.cut
        for index, start in enumerate(cut.starts):
            if text[start] == "%":
                match = RESULTS.match(text, start, cut.ends[index])
                if match:
                    for name, _ in RESULT.findall(match.group()):
                        found.setdefault(name, []).append(index)
        block._definitions = found  # type: ignore[attr-defined]
    return found

