"""The last look before anything is written: the new text is read again and compared with what was meant.

The text outside the edits must be what it was, and every value and every attribute or type alias that an edited
operation uses must be defined above it. Whether every symbol still resolves is asked of the new text where it is read
again (`engine`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from jitlint import lazy
from jitlint.errors import InternalError
from jitlint.fusion.edits import Edit
from jitlint.ir.symbols import Tables
from jitlint.ir.tree import Block, Region, Unit
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.heads import GAP, RESULT_LIST, RESULTS, results_in
from jitlint.syntax.lexer import COMMENT, NAMES, SSA, SSA_NAME, STRING, SYMBOL

_RESULTS = lazy.pattern(rf"{SSA_NAME}(?::[0-9]++)? = |{RESULT_LIST}")
_SYMBOL = lazy.pattern(rf"{STRING}|{COMMENT}|({SYMBOL})")
_ARGUMENT = lazy.pattern(rf"({SSA_NAME}){GAP}(?:=|:(?!:))")
"""A name that an operation gives to an argument of its region, or a use with its type."""


def verify(before: str, edits: Sequence[Edit], after: str, units: Iterable[Unit]) -> None:
    """Check a new text. `units` are its modules with JIT calls, as read again. Raises InternalError."""
    spans = _same_outside(before, edits, after)
    for unit in units:
        first, last = bisect_left(spans, (unit.start, 0)), bisect_left(spans, (unit.end + 1, 0))
        _check_unit(unit, spans[first:last])
        _check_aliases(unit, spans[first:last])


def still_named(unit: Unit, names: Collection[str]) -> str | None:
    """One of `names`, which the modules with calls do not define any more, that a symbol in the unit means; None where
    none does. A symbol inside another symbol table that defines the name means that one."""
    tables = Tables(unit)
    for match in _SYMBOL.finditer(unit.text, unit.start, unit.end) if names else ():
        name = symbol_name(match[1]) if match[1] is not None else ""
        if name in names and tables.defining(name, match.start(1)) is None:
            return name
    return None


def undefined_use(block: Block) -> tuple[str, int] | None:
    """A name that an operation of a block, or of the regions inside it, uses without a definition above, and where
    that operation starts; None where all is well, as in every text that MLIR accepts."""
    definitions, pending = _Definitions(), [block]
    while pending:
        current = pending.pop()
        found = _undefined(current, set(range(len(current))), definitions)
        if found is not None:
            return found[0], current.cut.starts[found[1]]
        pending += (
            inner for index in current.cut.regions for region in current[index].regions for inner in region.blocks
        )
    return None


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
    definitions = _Definitions()
    for block, indices in _touched(unit, spans):
        _check_block(block, indices, definitions)


def _check_aliases(unit: Unit, spans: list[tuple[int, int]]) -> None:
    """Check that the aliases that the new pieces use are defined above them."""
    for start, end in spans if unit.aliases else ():
        if unit.last_alias(unit.text[start:end]) > start:
            raise InternalError("an alias would be used above its definition")


def _touched(unit: Unit, spans: list[tuple[int, int]]) -> Iterator[tuple[Block, set[int]]]:
    """The blocks that edited places lie in, from the outside in, each with the operations that they touch."""
    starts = [start for start, _ in spans]
    pending = [(unit.body, 0, len(spans))]
    while pending:
        region, number, last = pending.pop()
        labels = [block.bounds[0] for block in region.blocks]
        touched: dict[int, set[int]] = {}
        while number < last:
            start, end = spans[number]
            place = max(bisect_right(labels, start) - 1, 0)
            block = region.blocks[place]
            inner = block.region_around(start, end)
            if inner is not None:
                after = bisect_left(starts, inner.end + 1, number, last)
                pending.append((inner, number, after))
                number = after
                continue
            touched.setdefault(place, set()).update(_operations(block, start, end))
            number += 1
        yield from ((region.blocks[place], indices) for place, indices in touched.items())


def _operations(block: Block, start: int, end: int) -> range:
    """The operations of a block that a place touches; one without characters touches what it lies inside of."""
    first = max(bisect_right(block.cut.starts, start) - 1, 0)
    if first < len(block) and block.cut.ends[first] <= start:
        first += 1
    return range(first, bisect_left(block.cut.starts, end))


def _check_block(block: Block, indices: set[int], definitions: _Definitions) -> None:
    """Every name that these operations use is defined above, in this block or around it."""
    found = _undefined(block, indices, definitions)
    if found is not None:
        raise InternalError(f"{found[0]} would be used without a definition above")


def _undefined(block: Block, indices: set[int], definitions: _Definitions) -> tuple[str, int] | None:
    """The first name that these operations use and nothing above defines, with the operation."""
    first_use: dict[str, int] = {}
    for index in sorted(indices):
        for name in _names(block, index):
            first_use.setdefault(name, index)
    pending = definitions.missing(block, _not_at_hand(block, first_use))
    if not pending:
        return None
    text, cut = block.region.unit.text, block.cut
    for index, start in enumerate(cut.starts):
        if text[start] == "%":
            pending.difference_update(
                name for name in _results(text, start, cut.ends[index]) if first_use.get(name, -1) > index
            )
    return min(((name, first_use[name]) for name in pending), key=lambda found: found[1], default=None)


def _not_at_hand(block: Block, first_use: dict[str, int]) -> set[str]:
    """The names whose definition is not found at once: shortly before their first use, where most are, or by a search
    from the start of the block, where constants are. Those searches come to an end when they have cost too much."""
    text, starts = block.region.unit.text, block.cut.starts
    top = block.bounds[0]
    left = _SEARCHED * (block.bounds[1] - top)
    found: set[str] = set()
    for name, index in first_use.items():
        use = starts[index]
        for defined in (f"{name} = ", f"{name}:"):
            place = text.rfind(defined, max(top, use - _NEAR), use)
            if place < 0 and left > 0:
                place = text.find(defined, top, use)
                left -= (place if place >= 0 else use) - top
            if place >= 0 and starts[bisect_left(starts, place)] == place:
                found.add(name)
                break
    return first_use.keys() - found


_NEAR = 1 << 12
"""Characters before a use in which a definition is looked for first."""
_SEARCHED = 4
"""How often a block may be searched through for the other definitions."""


class _Definitions:
    """What is defined around the blocks of a module; regions are gone through when they are asked for."""

    def __init__(self) -> None:
        self._results: dict[Region, dict[str, tuple[int, int]]] = {}
        self._labels: dict[Region, set[str]] = {}
        self._heads: dict[tuple[int, int], dict[str, int]] = {}
        self._seen: dict[Region, set[str]] = {}

    def missing(self, block: Block, names: set[str]) -> set[str]:
        """Those of `names`, which `block` does not define, that nothing around it defines either."""
        asked: list[tuple[set[str], set[str]]] = []
        place = -1
        while names:
            region = block.region
            seen = self._seen.setdefault(region, set())
            names = names - seen
            asked.append((seen, names))
            names = {name for name in names - self._labels_of(region) if not self._in_head(region, name)}
            if names and (place >= 0 or len(region.blocks) > 1):
                results = self._results_of(region)
                names = {name for name in names if not _above(results.get(name), block.number, place)}
            if region.parent is None:
                break
            block, place = region.parent.block, region.parent.index
        for seen, those in asked:
            seen |= those - names
        return names

    def _labels_of(self, region: Region) -> set[str]:
        """The arguments of a region's blocks, as their labels have them."""
        found = self._labels.get(region)
        if found is None:
            spans = [block.cut.arguments for block in region.blocks if block.cut.arguments]
            found = self._labels[region] = set(_names_in(region.unit.text, spans))
        return found

    def _in_head(self, region: Region, name: str) -> bool:
        """Whether a name stands in what its operation says before a region, where the region's arguments are."""
        operation = region.parent
        if operation is None:
            return False
        key = operation.start, operation.end
        firsts = self._heads.get(key)
        if firsts is None:
            firsts = self._heads[key] = {}
            start = operation.start
            for inner in operation.regions:
                for each in _names_in(region.unit.text, [(start, inner.start)]):
                    firsts.setdefault(each, inner.start)
                start = inner.end
        return firsts.get(name, region.end) <= region.start

    def _results_of(self, region: Region) -> dict[str, tuple[int, int]]:
        """The numbers of the block and of the operation that define each name first."""
        found = self._results.get(region)
        if found is None:
            found = self._results[region] = {}
            text = region.unit.text
            for block in region.blocks:
                for index, start in enumerate(block.cut.starts):
                    if text[start] == "%":
                        for name in _results(text, start, block.cut.ends[index]):
                            found.setdefault(name, (block.number, index))
        return found


def _names_in(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    for start, end in spans:
        yield from (match[1] for match in NAMES.finditer(text, start, end) if match[1] is not None)


def _above(definition: tuple[int, int] | None, block: int, index: int) -> bool:
    """Whether a definition stands in another block, or before operation `index` of the same."""
    return definition is not None and (definition[0] != block or definition[1] < index)


def _names(block: Block, index: int) -> Iterable[str]:
    """The names that an operation uses itself: what stands in its braces, or names an argument, it may define."""
    start, end = block.cut.starts[index], block.cut.ends[index]
    text = block.region.unit.text[start:end]
    if index in block.cut.regions:
        regions = block[index].regions
        text = text[: regions[0].start - start] + text[regions[-1].end - start :]
    if text[0] == "%" and (results := _RESULTS.match(text)):
        text = text[results.end() :]
    if '"' not in text and "//" not in text and "{" not in text:
        return SSA.findall(text)
    names = {match[1] for match in NAMES.finditer(text) if match[1] is not None}
    if "{" in text and not block.cut.shapes[index].is_jit_call:
        names -= {match[1] for match in _ARGUMENT.finditer(text)}
    return names


def _results(text: str, start: int, end: int) -> list[str]:
    """The names that an operation defines."""
    name = SSA.match(text, start, end)
    assert name is not None
    if text[name.end() : name.end() + 3] == " = ":
        return [name[0]]
    match = RESULTS.match(text, start, end)
    return [found for found, _ in results_in(match[0])] if match else []
