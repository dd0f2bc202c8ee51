"""Pictures in DOT, the language of Graphviz."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping

from jitlint.graph import labels
from jitlint.graph.look import BLOCK, GROUP, LOOKS, STROKES, Paint
from jitlint.graph.model import BlockGraph, Box, Edge, Graph, Kind, Node, Role, connected

FONT = "DejaVu Sans Mono,Menlo,Consolas,monospace"
_SMALL = 10
_IN_A_ROW = 3
_BARRED = frozenset({Kind.APART})


def render(graph: Graph, *, links: bool = False) -> str:
    """One graph of all pictures. With `links`, each node links to the line it stands on, `#L12`."""
    return _graph(graph.drawn, links=links)


def render_block(block: BlockGraph, *, links: bool = False, framed: bool = True) -> str:
    """The graph of one picture; without its frame and title unless `framed`."""
    return _graph((block,), links=links, framed=framed)


def quote(text: str) -> str:
    """`text` as a quoted string of DOT: what it says is what it is, backslashes included."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r").replace("\n", "\\n")
    return f'"{text}"'


def node_name(block: BlockGraph, place: int) -> str:
    """The name of a block's node in the graph."""
    return f"b{block.number}n{place}"


def _graph(blocks: tuple[BlockGraph, ...], *, links: bool, framed: bool = True) -> str:
    lines = [
        "digraph jitlint {",
        f"  graph [fontname={quote(FONT)}, fontsize=11, nodesep=0.35, ranksep=0.45, pad=0.2, bgcolor=transparent];",
        f'  node [fontname={quote(FONT)}, fontsize=12, margin="0.16,0.08", height=0.3, penwidth=1.2];',
        f"  edge [fontname={quote(FONT)}, fontsize=10, arrowsize=0.75, weight=8];",
    ]
    for block in blocks:
        lines += (f"  {line}" for line in _block(block, links=links, framed=framed))
    return "".join(f"{line}\n" for line in [*lines, "}"])


def _block(block: BlockGraph, *, links: bool, framed: bool) -> Iterator[str]:
    names = {node.key: node_name(block, place) for place, node in enumerate(block.nodes)}
    nodes = {node.key: _node(node, names[node.key], links=links) for node in block.nodes}
    boxed = {key for box in block.boxes for key in box.nodes}
    yield f"subgraph {'cluster_' if framed else ''}b{block.number} {{"
    if framed:
        title = _lines([labels.block(block), *labels.verdict(block)], align="left")
        yield f"  {_cluster(title, BLOCK[0], 'block')}"
    for place, box in enumerate(block.boxes):
        yield from (f"  {line}" for line in _box(f"cluster_b{block.number}g{place}", box, nodes))
    yield from (f"  {text}" for key, text in nodes.items() if key not in boxed)
    yield from (f"  {_edge(edge, names)}" for edge in block.edges)
    yield from (f"  {line}" for line in _rows(block, names))
    yield "}"


def _rows(block: BlockGraph, names: Mapping[str, str]) -> Iterator[str]:
    """Lines nobody sees, so that what nothing ties together stands in rows, in its order, and not all in one row.

    Graphviz can pack such parts by itself, but loses the words at their edges then (in version 2.43).
    """
    sources, targets = {edge.source for edge in block.edges}, {edge.target for edge in block.edges}
    boxed = {key for box in block.boxes for key in box.nodes}
    ends = [
        (
            next((key for key in part if key not in targets and key not in boxed), None)
            or next((key for key in part if key not in targets), part[0]),
            next((key for key in reversed(part) if key not in sources), part[-1]),
        )
        for part in connected(block)
    ]
    for (_, bottom), (top, _) in zip(ends, ends[_IN_A_ROW:], strict=False):
        yield f"{names[bottom]} -> {names[top]} [style=invis, weight=2];"
    for start in range(0, len(ends), _IN_A_ROW):
        # A node of a group cannot be put beside one outside of it.
        row = [names[top] for top, _ in ends[start : start + _IN_A_ROW] if top not in boxed]
        if len(row) > 1:
            yield f"{{ rank=same; {' -> '.join(row)} [style=invis, weight=1]; }}"


def _box(name: str, box: Box, nodes: Mapping[str, str]) -> Iterator[str]:
    yield f"subgraph {name} {{"
    yield f"  {_cluster(_lines(labels.box(box), align='left'), GROUP[0], 'group')}"
    yield from (f"  {nodes[key]}" for key in box.nodes)
    yield "}"


def _cluster(label: str, paint: Paint, name: str) -> str:
    return (
        f'graph [class={name}, style="filled,rounded", label={label}, labeljust=l, margin=14, '
        f'fillcolor="{paint.fill}", color="{paint.line}", fontcolor="{paint.text}"];'
    )


def _node(node: Node, name: str, *, links: bool) -> str:
    look = LOOKS[node.role]
    paint = look.light
    attributes = [
        f"label={_lines([labels.title(node), *labels.below(node)])}",
        f"class={node.role.value}",
        f"shape={look.shape}",
        f'style="{look.style}"',
        f'fillcolor="{paint.fill}"',
        f'color="{paint.line}"',
        f'fontcolor="{paint.text}"',
    ]
    if node.role is Role.INPUT:
        attributes.append('margin="0.14,0.05"')
    if links and node.line is not None:
        attributes += [f'URL="#L{node.line}"', f"tooltip={quote(labels.title(node))}"]
    return f"{name} [{', '.join(attributes)}];"


def _edge(edge: Edge, names: Mapping[str, str]) -> str:
    stroke = STROKES[edge.kind]
    attributes = [
        f"class={edge.kind.value}",
        f'color="{stroke.light}"',
        f'fontcolor="{stroke.light}"',
        f"style={stroke.style}",
        f"penwidth={stroke.width}",
    ]
    if edge.label:
        # The blanks keep the words off the line.
        attributes.append(f"label={quote(f' {labels.edge(edge)} ')}")
    if edge.kind in _BARRED:
        attributes.append("arrowhead=teenormal")
    return f"{names[edge.source]} -> {names[edge.target]} [{', '.join(attributes)}];"


def _lines(lines: list[str], align: str = "center") -> str:
    """A label of Graphviz's own HTML: a title, and small lines under it."""
    title, *below = map(html.escape, lines)
    parts = [f"<b>{title}</b>", *(f'<font point-size="{_SMALL}">{line or " "}</font>' for line in below)]
    end = f'<br align="{align}"/>'
    return f"<{end.join(parts)}{end if align == 'left' else ''}>"
