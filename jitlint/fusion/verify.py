"""The last look before anything is written: the new text is read again and compared with what was meant.

The text outside the edits must be what it was, and every value that an edited operation uses must be defined above
it. That every symbol resolves is what reading the new text again finds out.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from jitlint.errors import InternalError
from jitlint.ir.tree import Block, Operation, Region, Unit
from jitlint.syntax.heads import RESULT, RESULTS
from jitlint.syntax.lexer import SSA

Edit = tuple[int, int, str]


def verify(before: str, edits: Sequence[Edit], after: str, units: Iterable[Unit]) -> None:
    """Check a new text. `units` are its modules with JIT calls, as read again. Raises InternalError."""
    spans = _same_outside(before, edits, after)
    for unit in units:
        first, last = bisect_left(spans, (unit.start, 0)), bisect_left(spans, (unit.end + 1, 0))
        _check_unit(unit, spans[first:last])


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
    touched: dict[int, tuple[Block, set[int]]] = {}
    region = unit.body
    for start, end in spans:
        # The next edit is most often in the same region as the one before.
        region = _innermost(region if region.start < start and end < region.end else unit.body, start, end)
        block, first, last = _operations(region, start, end)
        touched.setdefault(id(block), (block, set()))[1].update(range(first, last))
    for block, indices in touched.values():
        _check_block(block, indices)


def _innermost(region: Region, start: int, end: int) -> Region:
    """The innermost region, from `region` on, that holds an edited place."""
    while True:
        block, first, last = _operations(region, start, end)
        inner = (
            block[index].regions[number]
            for index in range(first, last)
            for number, (low, high) in enumerate(block.cut.regions.get(index, ()))
            if low < start and end < high
        )
        nested = next(inner, None)
        if nested is None:
            return region
        region = nested


def _operations(region: Region, start: int, end: int) -> tuple[Block, int, int]:
    """The block of a region that `start` lies in, and the range of its operations that the place touches."""
    block = region.blocks[0]
    for other in region.blocks[1:]:
        if other.cut.label is not None and other.cut.label[0] <= start:
            block = other
    first = max(bisect_right(block.cut.starts, start) - 1, 0)
    if first < len(block) and block.cut.ends[first] <= start:
        first += 1
    return block, first, bisect_left(block.cut.starts, max(end, start + 1))


def _check_block(block: Block, indices: set[int]) -> None:
    """Every name that these operations use is defined above, in this block or around it."""
    first_use: dict[str, int] = {}
    for index in sorted(indices):
        for name in _names(block, index):
            first_use.setdefault(name, index)
    text, cut = block.region.unit.text, block.cut
    defined: set[str] = set()
    for index, start in enumerate(cut.starts):
        if text[start] != "%":
            continue
        for name in _results(text, start, cut.ends[index]):
            if name in first_use and name not in defined:
                defined.add(name)
                if first_use[name] <= index and not _inside(block[first_use[name]], name):
                    raise InternalError(f"{name} would be used before it is defined")


def _names(block: Block, index: int) -> Iterable[str]:
    """The names that an operation uses."""
    operation = block[index]
    text = operation.text[operation.operands_start : operation.end]
    if '"' in text or "//" in text:
        return (match[1] for match in operation.names_used)
    return SSA.findall(text)


def _results(text: str, start: int, end: int) -> list[str]:
    """The names that an operation defines."""
    name = SSA.match(text, start, end)
    assert name is not None
    if text[name.end() : name.end() + 3] == " = ":
        return [name[0]]
    match = RESULTS.match(text, start, end)
    return [found for found, _ in RESULT.findall(match[0])] if match else []


def _inside(operation: Operation, name: str) -> bool:
    """Whether a name may be one that a region of the operation defines itself."""
    return bool(operation.regions) and name in operation.own_text()
