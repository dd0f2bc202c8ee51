"""The dependency graph of a stretch of a block: who uses whose results, and in what order effects happen."""

from __future__ import annotations

from jitlint.analysis.effects.operations import Effect, Effects
from jitlint.ir.tree import Block
from jitlint.syntax.heads import RESULTS, results_in
from jitlint.syntax.lexer import NAMES


class Graph:
    """The operations `first` to `last` of a block as nodes 0 to `last - first`, and the edges between them.

    `before[n]` and `after[n]` are the nodes with an edge to and from `n`. `effects[n]` is the effect of a node, if it
    has one. `defined` maps a name to the node that defines it.
    """

    def __init__(self, block: Block, first: int, last: int, effects: Effects) -> None:
        self.block = block
        self.first = first
        size = last - first + 1
        self.before: list[set[int]] = [set() for _ in range(size)]
        self.after: list[list[int]] = [[] for _ in range(size)]
        self.effects: list[Effect | None] = [None] * size
        self.defined: dict[str, int] = {}
        self._connect(block, first, last, effects)

    def _connect(self, block: Block, first: int, last: int, effects: Effects) -> None:
        text, starts, ends = block.region.unit.text, block.cut.starts, block.cut.ends
        defined, find = self.defined.get, NAMES.finditer
        barrier = -1
        for index in range(first, last + 1):
            node, start, end = index - first, starts[index], ends[index]
            results = RESULTS.match(text, start, end) if text[start] == "%" else None
            before = self.before[node]
            for match in find(text, results.end() if results else start, end):
                definition = defined(match[1])
                if definition is not None:
                    before.add(definition)
            effect = self.effects[node] = effects.of(block, index)
            if effect is not None:
                if barrier >= 0:
                    before.add(barrier)
                barrier = node
            for definition in before:
                self.after[definition].append(node)
            if results:
                for name, _ in results_in(results.group()):
                    self.defined[name] = node

    def value_between(self, definition: int, user: int) -> str | None:
        """The name of a value that ties two nodes, with its `#n`; None if only the order of effects does."""
        operation = self.block[self.first + user]
        for match in operation.names_used:
            if self.defined.get(match.group(1)) == definition:
                return match.group()
        return None
