"""New names for values, where an old one would come to stand where it may not be defined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jitlint.ir.tree import Operation
from jitlint.ir.values import Occurrences, Uses
from jitlint.syntax.lexer import NAMES


class FreshNames:
    """Hands out names that a function does not use, each once."""

    def __init__(self, scope: Operation) -> None:
        found = NAMES.finditer(scope.text, scope.start, scope.end)
        self._taken = {match[1] for match in found if match[1] is not None}
        self._next: dict[str, int] = {}

    def like(self, name: str) -> str:
        """`name` with the first `_0`, `_1`, … that is free; a numbered name gets a `v` before its number."""
        stem = f"%v{name[1:]}" if name[1:].isdigit() else name
        number = self._next.get(stem, 0)
        while (fresh := f"{stem}_{number}") in self._taken:
            number += 1
        self._next[stem] = number + 1
        self._taken.add(fresh)
        return fresh


class _Definition(NamedTuple):
    """What `Uses` asks of an operation."""

    start: int
    end: int
    result_names: tuple[tuple[str, int], ...]


class Renaming:
    """Renames results of operations of one function: every name that may have to change is looked up at once."""

    def __init__(self, scope: Operation, names: Iterable[str], fresh: FreshNames) -> None:
        self._occurrences = Occurrences(scope, names)
        self._fresh = fresh

    def edits(self, operation: Operation, name: str) -> list[tuple[int, int, str]] | None:
        """The edits that name a result of an operation anew, at its definition and at all its uses; None where not
        every use can be told."""
        counts = tuple((own, count) for own, count in operation.results if own == name)
        definition = _Definition(operation.start, operation.operands_start, counts)
        uses = Uses(operation.block, [definition], self._occurrences)
        if uses.doubtful:
            return None
        new = self._fresh.like(name)
        places = [*_definitions(operation, name), *(use.start for found in uses.of.values() for use in found)]
        return [(place, place + len(name), new) for place in places]


def _definitions(operation: Operation, name: str) -> Iterator[int]:
    """Where a name stands among an operation's results."""
    for match in NAMES.finditer(operation.text, operation.start, operation.operands_start):
        if match[1] == name:
            yield match.start()
