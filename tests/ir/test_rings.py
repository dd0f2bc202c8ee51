"""Symbols that reach themselves, against following every way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jitlint.ir.rings import Rings

Graph = dict[str, list[str]]
GRAPHS = st.dictionaries(st.sampled_from("abcdefgh"), st.lists(st.sampled_from("abcdefgh"), max_size=3))


def reached(graph: Graph, symbol: str) -> set[str]:
    """What a symbol leads to in one step or more."""
    found, pending = set[str](), list(graph.get(symbol, ()))
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += graph.get(name, ())
    return found


@given(GRAPHS, st.permutations("abcdefgh"))
def test_a_ring_is_what_leads_there_and_back(graph: Graph, order: list[str]) -> None:
    rings = Rings(lambda symbol: graph.get(symbol, ()))
    for symbol in order:
        ring = {other for other in reached(graph, symbol) if symbol in reached(graph, other)}
        assert rings.of(symbol) == min(ring, default=None)


def test_a_long_ring_is_followed_without_recursion() -> None:
    size = 5_000
    asked: list[str] = []

    def references(symbol: str) -> list[str]:
        asked.append(symbol)
        return [f"w{(int(symbol[1:]) + 1) % size:04}"]

    rings = Rings(references)
    assert {rings.of(f"w{number:04}") for number in range(size)} == {"w0000"}
    assert len(asked) == size
