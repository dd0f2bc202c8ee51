"""The pictures of the cases and of some texts made for tests."""

from __future__ import annotations

from pathlib import Path

from jitlint.graph.build import EVERYTHING, Choice, graph_of
from jitlint.graph.model import BlockGraph, Graph, Node, Role
from jitlint.options import Options
from jitlint.syntax.source import Source
from tests.texts import DOUBLE, T, call

CASES = Path(__file__).parent.parent / "cases"

HOSTILE = r"evil \22 <b>|x|;{}[]%%{init: style :#a;`__b__` \\ & -->\1B[31m"
"""A symbol as it is quoted in a text, with what means something to Mermaid, DOT, HTML, Markdown or a terminal."""


def case(name: str) -> str:
    return (CASES / f"{name}.mlir").read_text(encoding="utf-8")


def picture(text: str, choice: Choice = EVERYTHING, options: Options | None = None) -> Graph:
    return graph_of(Source(text, "test.mlir"), options or Options(), choice)


def only_block(text: str, choice: Choice = EVERYTHING) -> BlockGraph:
    (block,) = picture(text, choice).drawn
    return block


def node(block: BlockGraph, role: Role) -> Node:
    (found,) = (each for each in block.nodes if each.role is role)
    return found


def named(block: BlockGraph) -> dict[str, Node]:
    """The nodes by their keys."""
    return {each.key: each for each in block.nodes}


def arrows(block: BlockGraph) -> set[tuple[str, str, str, str]]:
    """The edges in words: from, kind, label, to; a node is its title and its line."""
    words = {each.key: each.title if each.line is None else f"{each.title}:{each.line}" for each in block.nodes}
    return {(words[edge.source], edge.kind.value, edge.label, words[edge.target]) for edge in block.edges}


def in_main(*lines: str, wrappers: str = DOUBLE) -> str:
    """A module whose `@main` has an argument %a and these lines."""
    body = "".join(f"    {line}\n" for line in lines)
    return f"module {{\n{wrappers}  func.func @main(%a: {T}) {{\n{body}    return\n  }}\n}}\n"


def chains(number: int) -> str:
    """`@main` with that many groups of two calls that double in place."""
    lines = []
    for place in range(0, 2 * number, 2):
        lines += [call(f"%{place}", "double", "%a"), call(f"%{place + 1}", "double", f"%{place}")]
    return in_main(*lines)


def different_chains(number: int) -> str:
    """The same, but each group has a wrapper of its own: no two are alike."""
    wrappers = "".join(DOUBLE.replace("@double", f"@double_{place}") for place in range(number))
    lines = []
    for place in range(number):
        lines += [call(f"%{2 * place}", f"double_{place}", "%a")]
        lines += [call(f"%{2 * place + 1}", f"double_{place}", f"%{2 * place}")]
    return in_main(*lines, wrappers=wrappers)


def long_chain(number: int) -> str:
    """`@main` with one group of that many calls that double in place."""
    return in_main(call("%0", "double", "%a"), *(call(f"%{n}", "double", f"%{n - 1}") for n in range(1, number)))


def hostile() -> str:
    """A module with a group of two calls whose wrappers have a hostile name, and a call that cannot join them."""
    wrapper = DOUBLE.replace("@double", f'@"{HOSTILE}"')
    double = call("%0", "double", "%a")
    barrier = f"%1 = stablehlo.custom_call @log(%a) {{has_side_effect = true}} : ({T}) -> {T}"
    evil = call("%2", "double", "%0").replace("@double", f'@"{HOSTILE}"')
    return in_main(double, barrier, evil, call("%3", "double", "%2"), wrappers=DOUBLE + wrapper)
