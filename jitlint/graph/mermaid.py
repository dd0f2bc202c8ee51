"""Pictures as Mermaid flowcharts, which GitHub, GitLab and MkDocs draw in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jitlint.graph import labels
from jitlint.graph.look import GROUP, LOOKS, STROKES
from jitlint.graph.model import BlockGraph, Edge, Graph, Kind, Role

# In a quoted label `"` ends it and `#` begins a code; `<`, `>` and `&` are HTML, `%%` begins a comment wherever it
# stands, and `%%{` a directive. Newer versions read every label as Markdown as well, and all look for `style…:…#…;` in
# their text before they parse it, hence `;`. An underscore inside a word is never Markdown.
_SPECIAL = re.compile(r"[\"#<>&`\\;{}\[\]|~*]|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])|%(?=[%{])|(?<=%)%")

_BOX = 36
"""A name of a group, in characters."""


def render(graph: Graph) -> str:
    """One flowchart of all pictures, in boxes of their own."""
    return "".join(f"{line}\n" for line in _lines(graph.drawn))


def render_block(block: BlockGraph) -> str:
    """The flowchart of one picture."""
    return "".join(f"{line}\n" for line in _lines((block,)))


def escape(text: str) -> str:
    """`text` (on one line, without control characters) as it stands between the quotes of a label."""
    return _SPECIAL.sub(lambda match: "".join(f"#{ord(char)};" for char in match.group()), text)


def _lines(blocks: tuple[BlockGraph, ...]) -> Iterator[str]:
    yield "flowchart TB"
    edges: list[tuple[Edge, str, str]] = []
    roles: dict[Role, list[str]] = {}
    boxes: list[str] = []
    for block in blocks:
        names = {node.key: f"b{block.number}n{place}" for place, node in enumerate(block.nodes)}
        for node in block.nodes:
            roles.setdefault(node.role, []).append(names[node.key])
        boxes += [f"b{block.number}g{place}" for place in range(len(block.boxes))]
        yield from _block(block, names)
        edges += [(edge, names[edge.source], names[edge.target]) for edge in block.edges]
    for edge, source, target in edges:
        label = f'|"{escape(labels.edge(edge))}"|' if edge.label else ""
        yield f"  {source} {STROKES[edge.kind].arrow}{label} {target};"
    for block in blocks:  # behind the arrows, whose numbers `linkStyle` names
        yield from (f"  {line}" for line in _held(block))
    yield from _styles(roles, [edge.kind for edge, _, _ in edges])
    if blocks:
        yield "  classDef is_block fill:none,stroke:#9aa3b0"
        yield f"  class {','.join(f'b{block.number}' for block in blocks)} is_block"
        yield "  classDef is_title fill:none,stroke:none,color:#6b7280"
        yield f"  class {','.join(f'b{block.number}t' for block in blocks)} is_title"
    if boxes:
        paint = GROUP[0]
        yield f"  classDef is_name fill:none,stroke:none,color:{paint.text}"
        yield f"  class {','.join(f'{box}t' for box in boxes)} is_name"
        yield f"  classDef is_group fill:{paint.fill},stroke:{paint.line},color:{paint.text}"
        yield f"  class {','.join(boxes)} is_group"


def _block(block: BlockGraph, names: dict[str, str]) -> Iterator[str]:
    nodes = {node.key: node for node in block.nodes}
    boxed = {key for box in block.boxes for key in box.nodes}

    def line(key: str) -> str:
        node = nodes[key]
        left, right = LOOKS[node.role].brackets
        text = "<br>".join(map(escape, [labels.title(node), *labels.below(node)]))
        return f'{names[key]}{left}"{text}"{right};'

    yield from (f"  %% {escape(line)}" for line in labels.verdict(block))
    yield from (f"  {line}" for line in _opened(f"b{block.number}", [labels.block(block)]))
    for place, box in enumerate(block.boxes):
        yield from (f"    {line}" for line in _opened(f"b{block.number}g{place}", labels.box(box, _BOX)))
        yield from (f"      {line(key)}" for key in box.nodes)
        yield "    end"
    yield from (f"    {line(key)}" for key in nodes if key not in boxed)
    yield "  end"


def _opened(name: str, title: list[str]) -> Iterator[str]:
    """The beginning of a box, with its title.

    Mermaid lays a subgraph out as if it had no title, which then covers what stands beside it. A node has its room.
    """
    yield f'subgraph {name} [" "]'
    yield "  direction TB"
    yield f'  {name}t["{"<br>".join(map(escape, title))}"];'


def _held(block: BlockGraph) -> Iterator[str]:
    """Links nobody sees: a block's title stands above what begins in it, and a group's name below what ends in it."""
    names = {node.key: f"b{block.number}n{place}" for place, node in enumerate(block.nodes)}
    targets = {edge.target for edge in block.edges}
    first = [name for key, name in names.items() if key not in targets]
    if first:
        yield f"b{block.number}t ~~~ {' & '.join(first)};"
    for place, box in enumerate(block.boxes):
        inside = set(box.nodes)
        sources = {edge.source for edge in block.edges if edge.target in inside}
        last = [names[key] for key in box.nodes if key not in sources]
        yield f"{' & '.join(last)} ~~~ b{block.number}g{place}t;"


def _styles(roles: dict[Role, list[str]], kinds: list[Kind]) -> Iterator[str]:
    # Words such as `call` mean something to Mermaid, so its classes have a prefix.
    for role, members in roles.items():
        paint, dashed = LOOKS[role].light, "dashed" in LOOKS[role].style
        dashes = ",stroke-dasharray:4 3" if dashed else ""
        yield f"  classDef is_{role.value} fill:{paint.fill},stroke:{paint.line},color:{paint.text}{dashes}"
        yield f"  class {','.join(members)} is_{role.value}"
    for kind in dict.fromkeys(kinds):
        places = ",".join(str(place) for place, each in enumerate(kinds) if each is kind)
        yield f"  linkStyle {places} stroke:{STROKES[kind].light}"
