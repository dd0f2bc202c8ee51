"""Where two executions part: the first effect or value that differs, in words and with its places."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jitlint.findings import Span
from jitlint.ir.tree import Block, Operation
from jitlint.proof.answer import Difference
from jitlint.proof.block_execution import Record, Use
from jitlint.proof.promises import World
from jitlint.syntax.heads import RESULTS

_HEAD = re.compile(r"\s*([^\s(<{]+(?: +@[^\s(<{]+)?)")

Records = Mapping[tuple[int, int], Record]


def first_difference(
    what: str, pair: tuple[Operation, Operation], before: Records, after: Records, world: World
) -> Difference:
    """The first difference of two operations whose terms differ. Where an operation with regions differs, so do its
    regions, most often, and the first difference in them is meant."""
    found = Difference(f"{what} differs", first_line(pair[0]), first_line(pair[1]))
    pending = [pair]
    while pending:
        one, two = pending.pop()
        if len(one.regions) != len(two.regions):
            break
        for region, other in zip(one.regions, two.regions, strict=True):
            for block, its in zip(region.blocks, other.blocks, strict=False):
                records = before.get((region.start, block.number)), after.get((other.start, its.number))
                if records[0] is None or records[1] is None:
                    continue
                difference = _in_blocks(what, (block, its), (records[0], records[1]), world)
                if difference is not None:
                    inner = _holders((block, its), difference)
                    if inner is None:
                        return difference
                    found, pending = difference, [inner]
                    break
            if pending:
                break
    return found


def first_line(operation: Operation) -> Span:
    """Where an operation stands: its first line."""
    return _line(operation.text, operation.start, operation.end)


def _holders(blocks: tuple[Block, Block], difference: Difference) -> tuple[Operation, Operation] | None:
    """The operations that differ, if both have regions."""
    if difference.before is None or difference.after is None:
        return None
    found = [
        next((each for each in block.operations if each.start == span.start and each.regions), None)
        for block, span in zip(blocks, (difference.before, difference.after), strict=True)
    ]
    return (found[0], found[1]) if found[0] is not None and found[1] is not None else None


def _in_blocks(
    what: str, blocks: tuple[Block, Block], records: tuple[Record, Record], world: World
) -> Difference | None:
    first, second = records
    texts = [block.region.unit.text for block in blocks]
    pairs = zip(first.effects, second.effects, strict=False)
    number = next((index for index, (one, two) in enumerate(pairs) if one.term != two.term), None)
    if number is None and len(first.effects) != len(second.effects):
        number = min(len(first.effects), len(second.effects))
    if number is not None:
        one = first.effects[number] if number < len(first.effects) else None
        two = second.effects[number] if number < len(second.effects) else None
        return Difference(_effect(what, number + 1, one, two, texts, world), _span(texts[0], one), _span(texts[1], two))
    for number, (one, two) in enumerate(zip(first.operands, second.operands, strict=False), 1):
        if one.term != two.term:
            names = texts[0][one.start : one.end], texts[1][two.start : two.end]
            same = f"{names[0]} differs" if names[0] == names[1] else f"{names[1]} is not what {names[0]} was"
            name = _head(texts[0], first.last)
            where = [_definition(block, use) for block, use in zip(blocks, (one, two), strict=True)]
            return Difference(f"{same}: operand {number} of `{name}` in {what}", *where)
    if first.last.term != second.last.term:
        message = f"`{_head(texts[0], first.last)}` differs, the last operation of a block of {what}"
        return Difference(message, _span(texts[0], first.last), _span(texts[1], second.last))
    return None


def _effect(what: str, number: int, one: Use | None, two: Use | None, texts: list[str], world: World) -> str:
    """What to say about an effect that differs; `number` counts from 1."""
    overwritten = _overwritten(world, two, texts[1])
    if overwritten is not None and _overwritten(world, one, texts[0]) is None:
        return f"{overwritten} is overwritten, and no result stands for that, in {what}"
    if one is None or two is None:
        use, text = (one, texts[0]) if one is not None else (two, texts[1])
        assert use is not None
        return f"effect {number} of {what} is {'gone' if two is None else 'new'}: `{_head(text, use)}`{_why(use)}"
    return f"effect {number} of {what} differs: `{_head(texts[0], one)}`{_why(two) or _why(one)}"


def _why(use: Use) -> str:
    """Why a call is not followed, if it is not."""
    return f", which is not followed: {use.unknown}" if use.unknown else ""


def _overwritten(world: World, use: Use | None, text: str) -> str | None:
    """The operand whose buffer an effect overwrites without saying so, if it is one that does."""
    said = world.terms.nodes[use.term][1] if use is not None else None
    if use is None or not isinstance(said, tuple) or said[0] != "writes undeclared":
        return None
    start = text.find("(", use.start, use.end)
    names = [each.strip() for each in text[start + 1 : text.find(")", start)].split(",")]
    return f"the buffer of {names[said[1]]}" if said[1] < len(names) else "the buffer of an operand"


def _definition(block: Block, use: Use) -> Span:
    """Where the operand of a block's last operation is defined in that block; else the operand itself."""
    text = block.region.unit.text
    name = text[use.start : use.end].partition("#")[0]
    for operation in block.operations:
        if any(name == own for own, _ in operation.results):
            return first_line(operation)
    return Span(use.start, use.end)


def _head(text: str, use: Use) -> str:
    """The name of the operation at a place, with the symbol behind it."""
    results = RESULTS.match(text, use.start, use.end)
    match = _HEAD.match(text, results.end() if results else use.start, use.end)
    return match[1][:80].strip('"') if match else text[use.start : min(use.end, use.start + 40)]


def _span(text: str, use: Use | None) -> Span | None:
    return _line(text, use.start, use.end) if use is not None else None


def _line(text: str, start: int, end: int) -> Span:
    stop = text.find("\n", start, end)
    return Span(start, stop if stop >= 0 else end)
