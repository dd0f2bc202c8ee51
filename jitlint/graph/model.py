"""What a picture shows, in plain values that every format draws: nodes, edges, and boxes around what becomes one call.

All texts are the module's own, uncut and unescaped: names are cut and control characters made visible by `labels`,
and each format quotes what is left.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Role(enum.Enum):
    """What a node is. The values name styles: they are identifiers."""

    CALL = "call"
    """A JIT call."""
    FUSED = "fused"
    """A call of a fused wrapper, as a fix writes it."""
    KEPT_OUT = "out"
    """A JIT call that can be fused with none."""
    EFFECT = "effect"
    """An operation in the way that has side effects, or may have."""
    STEP = "step"
    """An operation in the way through which a value leaves a group and comes back."""
    LOST = "lost"
    """A value that would be overwritten while it is needed, or another reason that two calls do not fit."""
    USER = "user"
    """An operation outside that needs a lost value."""
    INPUT = "input"
    """A value from outside that feeds a buffer that is written."""
    ELSEWHERE = "elsewhere"
    """A JIT call in another block."""
    MORE = "more"
    """Calls for which one node stands, or that are left out of the picture."""


class Kind(enum.Enum):
    """What an edge says."""

    WRITES = "writes"
    """The value's buffer is written: a result aliases the operand."""
    READS = "reads"
    """The value is only read."""
    APART = "apart"
    """The value joins two calls that stay apart."""
    WAY = "way"
    """A step of what is in the way."""
    EFFECTS = "effects"
    """The same, where only the order of side effects ties the two."""


@dataclass(frozen=True, slots=True)
class Node:
    """One thing in a picture. `line` is where it stands (1-based); `codes` the rules that it is an example of."""

    key: str
    role: Role
    title: str
    line: int | None = None
    details: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow from one node's key to another's."""

    source: str
    target: str
    kind: Kind
    label: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """The calls that become one, and the name of the wrapper that they get.

    `calls` counts them all, also those for which one node stands; `times` counts the groups that are like this one,
    which is drawn for all of them.
    """

    key: str
    fused_name: str
    nodes: tuple[str, ...]
    calls: int
    times: int = 1


@dataclass(frozen=True, slots=True)
class BlockGraph:
    """One block. `number` counts the blocks with JIT calls from 1; `lines` are the first and the last call's.

    `calls` and `groups` count what the block holds, `left_out` the calls that the picture does not tell of. `untouched`
    says why nothing in the block is changed, where that is so. `reasons` are the codes of what keeps calls apart.
    """

    number: int
    title: str
    lines: tuple[int, int]
    calls: int
    groups: int
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    boxes: tuple[Box, ...] = ()
    left_out: int = 0
    untouched: str | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """The pictures of one text, block by block, in the order of the text. `blocks` and `calls` count all there are."""

    path: str
    drawn: tuple[BlockGraph, ...]
    blocks: int
    calls: int

    @property
    def left_out(self) -> int:
        """The calls of the text that no picture shows."""
        return self.calls - sum(block.calls - block.left_out for block in self.drawn)


def connected(block: BlockGraph) -> list[list[str]]:
    """The keys of the nodes that arrows or boxes tie together, in parts, by the places of their first nodes."""
    leader = {node.key: node.key for node in block.nodes}

    def find(key: str) -> str:
        while leader[key] != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for edge in block.edges:
        leader[find(edge.target)] = find(edge.source)
    for box in block.boxes:
        for key in box.nodes[1:]:
            leader[find(key)] = find(box.nodes[0])
    parts: dict[str, list[str]] = {}
    for node in block.nodes:
        parts.setdefault(find(node.key), []).append(node.key)
    return list(parts.values())
