"""The words of a picture: names cut to what can be read, control characters made visible, counts."""

from __future__ import annotations

from jitlint.graph.model import BlockGraph, Box, Edge, Node, Role
from jitlint.report.lookup import name_of
from jitlint.report.printable import count, escape, shorten, wrap
from jitlint.report.protocol import symbol

NAME = 44
"""The longest name, in characters."""
_BOX = 64
_VALUE = 24
_LINE = 46
_WIDE = 70
_MOST_LINES = 5
_CALLS = frozenset({Role.CALL, Role.FUSED, Role.KEPT_OUT, Role.ELSEWHERE})


def call_name(name: str) -> str:
    """A wrapper's name with its `@`, cut."""
    return cut(symbol(name))


def cut(text: str, width: int = NAME) -> str:
    """`text` on one line, without anything that acts on a screen, and cut in its middle."""
    return shorten(escape(text), width, "…")


def title(node: Node) -> str:
    """The first line of a node."""
    return call_name(node.title) if node.role in _CALLS else cut(node.title)


def below(node: Node) -> list[str]:
    """The lines under a node's title: where it stands, what it is about, and why."""
    lines = [f"line {node.line:,}"] if node.line is not None else []
    lines += node.codes
    place = [" · ".join(lines)] if lines else []
    words = [line for detail in node.details for line in wrap(escape(detail), _LINE, "…")]
    if len(words) > _MOST_LINES:
        words = [*words[: _MOST_LINES - 1], words[_MOST_LINES - 1] + " …"]
    return place + words


def edge(edge: Edge) -> str:
    """What stands at an arrow."""
    return cut(edge.label, _VALUE)


def box(box: Box, width: int = _BOX) -> list[str]:
    """The title of a box in two lines: how many calls, and their name, which takes at most `width` characters."""
    often = f", in {box.times:,} places" if box.times > 1 else ""
    return [f"{count(box.calls, 'call')} become one{often}", cut(symbol(box.fused_name), width)]


def block(block: BlockGraph) -> str:
    """The title of a block's picture."""
    first, last = block.lines
    lines = f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"
    return f"{cut(block.title)}, {lines}"


def verdict(block: BlockGraph) -> list[str]:
    """What the analysis came to: a few lines."""
    said = [count(block.calls, "JIT call")]
    if block.untouched is not None:
        said.append(f"The block is not analysed: {cut(block.untouched, 200)}")
    elif block.groups:
        each = f"{block.groups:,} groups can each be one call"
        said.append("One group can be one call" if block.groups == 1 else each)
    elif not block.reasons:
        said.append("Nothing to fuse")
    if block.reasons:
        said.append(f"Kept apart by {', '.join(f'{name_of(code)} ({code})' for code in block.reasons)}")
    if block.left_out:
        said.append(f"{count(block.left_out, 'call')} not drawn")
    return [line for sentence in said for line in wrap(sentence, _WIDE, "…")]
