"""Pictures as plain text, for a page where nothing can lay them out."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.graph import labels
from jitlint.graph.model import BlockGraph, Graph, Kind, Node

_ARROWS = {Kind.WRITES: "=>", Kind.READS: "->", Kind.APART: "-x", Kind.WAY: "->", Kind.EFFECTS: "->"}


def render(graph: Graph) -> str:
    """All pictures, one under the other."""
    return "\n".join(render_block(block) for block in graph.drawn)


def render_block(block: BlockGraph) -> str:
    """The groups of a block with their calls, then all else, then the arrows."""
    return "".join(f"{line}\n" for line in _lines(block))


def _lines(block: BlockGraph) -> Iterator[str]:
    nodes = {node.key: node for node in block.nodes}
    boxed = {key for box in block.boxes for key in box.nodes}
    yield labels.block(block)
    yield from (f"  {line}" for line in labels.verdict(block))
    for box in block.boxes:
        yield f"  {': '.join(labels.box(box))}"
        yield from (f"    {_node(nodes[key])}" for key in box.nodes)
    rest = [node for key, node in nodes.items() if key not in boxed]
    if rest:
        yield "  on its own" if len(rest) == 1 else "  on their own"
        yield from (f"    {_node(node)}" for node in rest)
    if block.edges:
        yield "  arrows"
    for edge in block.edges:
        label = f"  ({labels.edge(edge)})" if edge.label else ""
        yield f"    {_short(nodes[edge.source])} {_ARROWS[edge.kind]} {_short(nodes[edge.target])}{label}"


def _node(node: Node) -> str:
    below = labels.below(node)
    return f"{labels.title(node)}{': ' if below else ''}{' '.join(below)}"


def _short(node: Node) -> str:
    return labels.title(node) + (f" (line {node.line:,})" if node.line is not None else "")
