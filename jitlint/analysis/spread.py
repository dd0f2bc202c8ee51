"""Facts that spread backward: what holds for a node holds for every node that leads to it.

Nodes are looked at once, on demand, and marked once, so that all questions together cost time linear in the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from jitlint.findings import Note

Node = TypeVar("Node", bound=Hashable)
Look = Callable[[Node], tuple[Note | None, Sequence[tuple[Node, Note]]]]
"""What holds for a node by itself, if anything, and the nodes that it leads to, each with the place that does."""


class Spread(Generic[Node]):
    """Answers whether a node leads to one for which something holds."""

    def __init__(self, look: Look[Node]) -> None:
        self.look = look
        self._marks: dict[Node, tuple[Note, Node | None]] = {}
        self._before: dict[Node, list[tuple[Node, Note]]] = {}

    def way(self, start: Node) -> tuple[Note, ...]:
        """The steps from `start` to what holds, the place where it holds last; () where nothing does."""
        self._explore(start)
        steps: list[Note] = []
        node: Node | None = start
        while node is not None and node in self._marks:
            note, node = self._marks[node]
            steps.append(note)
        return tuple(steps)

    def holds(self, start: Node) -> bool:
        """Whether `start` leads to something that holds."""
        self._explore(start)
        return start in self._marks

    def _explore(self, start: Node) -> None:
        pending = [start] if start not in self._before else []
        self._before.setdefault(start, [])
        while pending:
            node = pending.pop()
            own, edges = self.look(node)
            if own is not None:
                self._mark(node, own, None)
            for target, note in edges:
                if target not in self._before:
                    self._before[target] = []
                    pending.append(target)
                self._before[target].append((node, note))
                if target in self._marks:
                    self._mark(node, note, target)

    def _mark(self, node: Node, note: Note, after: Node | None) -> None:
        pending = [(node, note, after)]
        while pending:
            node, note, after = pending.pop()
            if node not in self._marks:
                self._marks[node] = note, after
                pending.extend((before, step, node) for before, step in self._before[node])
