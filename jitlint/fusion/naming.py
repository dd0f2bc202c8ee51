"""New names for values, where an old one would come to stand where it may not be defined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jitlint.analysis.blocks import BlockAnalysis
from jitlint.ir.tree import Operation
from jitlint.ir.values import Occurrences, Uses


def free_name(block: BlockAnalysis, name: str) -> str:
    """`name` with the first `_0`, `_1`, … that the function does not use."""
    scope = block.place.scope
    assert scope is not None
    text, number = scope.own_text(), 0
    stem = name if not name[1:].isdigit() else f"%v{name[1:]}"
    while f"{stem}_{number}" in text:
        number += 1
    return f"{stem}_{number}"


@dataclass(frozen=True, slots=True)
class _Definition:
    """What `Uses` asks of an operation."""

    start: int
    end: int
    result_names: tuple[tuple[str, int], ...]


def rename_operation(block: BlockAnalysis, operation: Operation, name: str) -> Iterator[tuple[int, int, str]]:
    """The edits that name a result of an operation anew, at its definition and at all its uses."""
    scope = block.place.scope
    assert scope is not None
    new = free_name(block, name)
    counts = tuple((own, count) for own, count in operation.results if own == name)
    definition = _Definition(operation.start, operation.operands_start, counts)
    uses = Uses(operation.block, [definition], Occurrences(scope, [name]))  # type: ignore[list-item]
    place = operation.text.index(name, operation.start)
    yield place, place + len(name), new
    for found in uses.of.values():
        for use in found:
            yield use.start, use.start + len(name), new
