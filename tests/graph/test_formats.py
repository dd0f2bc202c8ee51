"""Mermaid and DOT: the structure is right, and no name breaks out of its label."""

from __future__ import annotations

import html
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from jitlint.graph import dot, labels, mermaid, outline
from jitlint.graph.model import BlockGraph, Box, Edge, Graph, Kind, Node, Role
from jitlint.report.printable import escape
from tests.graph.pictures import case, hostile, picture

_LABEL = re.compile(r'"([^"]*)"')


def meant(label: str) -> str:
    """What Mermaid shows for a label."""
    return html.unescape(re.sub(r"#(\d+);", r"&#\1;", label))


def test_mermaid_boxes_groups_and_marks_what_is_in_the_way() -> None:
    lines = mermaid.render(picture(case("part_of_a_component"))).splitlines()
    assert lines[0] == "flowchart TB"
    assert '    subgraph b1g0 [" "]' in lines
    assert '      b1g0t["2 calls become one<br>@#95;#95;enzyme_fused_double_accumulate"];' in lines
    assert "  b1n1 ~~~ b1g0t;" in lines
    assert '    b1n4["stablehlo.negate<br>line 18 · JIT102<br>in the way"];' in lines
    assert '  b1n0 ==>|"%0"| b1n1;' in lines
    assert '  b1n1 --x|"%1"| b1n2;' in lines
    assert "  class b1n4 is_step" in lines
    assert "  class b1g0,b1g1 is_group" in lines
    styled = [line.split()[1] for line in lines if line.startswith("  linkStyle")]
    edges = sum(re.match(r"  b1n\d+ (?:==>|-\.->|--x|-->)", line) is not None for line in lines)
    assert sorted(int(place) for places in styled for place in places.split(",")) == list(range(edges))
    links = [line for line in lines if re.match(r"  b1\w+ (?:==>|-\.->|--x|-->|~~~)", line)]
    assert all("~~~" in line for line in links[edges:]), "links nobody sees would shift the numbers of the others"


def test_mermaid_is_empty_but_whole_without_calls() -> None:
    assert mermaid.render(picture("module {\n}\n")) == "flowchart TB\n"


def test_no_name_breaks_out_of_a_mermaid_label() -> None:
    text = mermaid.render(picture(hostile()))
    assert "\x1b" not in text
    for line in text.splitlines():
        assert line.count('"') % 2 == 0
        assert "%%{" not in line
        for label in _LABEL.findall(line):
            assert not re.search(r"[<>&`\\{}\[\]|~*]", label.replace("<br>", "")), label
    shown = [meant(label) for label in _LABEL.findall(text)]
    (evil,) = (label for label in shown if label.startswith('@"evil'))
    assert evil.split("<br>")[0] in {labels.title(node) for node in picture(hostile()).drawn[0].nodes}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_mermaid_shows_what_was_said(text: str) -> None:
    shown = escape(text)
    quoted = mermaid.escape(shown)
    assert meant(quoted) == shown
    assert not re.search(r'["<>&`\\{}\[\]|~*\n]', quoted)
    assert "%%" not in quoted


@given(st.text(max_size=40))
def test_a_quoted_string_of_dot_ends_where_it_should(text: str) -> None:
    quoted = dot.quote(text)
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"', quoted, re.DOTALL)
    plain = re.sub(r"\\(.)", lambda match: {"n": "\n", "r": "\r"}.get(match[1], match[1]), quoted[1:-1])
    assert plain == text


def test_dot_has_a_cluster_for_each_group() -> None:
    text = dot.render(picture(case("part_of_a_component")))
    assert text.count("subgraph cluster_b1g") == 2
    assert text.count("class=group") == 2
    assert "label=<<b>stablehlo.negate</b><br" in text
    assert "URL=" not in text
    assert 'URL="#L18"' in dot.render(picture(case("part_of_a_component")), links=True)


def test_the_outline_says_the_same_in_words() -> None:
    text = outline.render(picture(case("barrier_between")))
    assert "    stablehlo.custom_call: line 10 · JIT201 in the way: it has side effects\n" in text
    assert "    @double (line 9) -x @double (line 11)  (%0)\n" in text
    text = outline.render(picture(case("same_value_twice")))
    assert "  2 calls become one: @__enzyme_fused_double_accumulate\n" in text


def test_a_picture_drawn_by_hand_needs_no_analysis() -> None:
    nodes = (Node("a", Role.CALL, "f", 1), Node("b", Role.CALL, "f", 2))
    edges, boxes = (Edge("a", "b", Kind.WRITES, "%0"),), (Box("g", "ff", ("a", "b"), 2),)
    block = BlockGraph(1, "@f", (1, 2), 2, 1, nodes, edges, boxes)
    graph = Graph("x.mlir", (block,), 1, 2)
    assert 'b1n0 ==>|"%0"| b1n1;' in mermaid.render(graph)
    assert "b1n0 -> b1n1 [class=writes" in dot.render(graph)


def test_the_picture_in_the_documentation_is_what_is_printed() -> None:
    root = Path(__file__).parents[2]
    text = (root / "docs" / "examples" / "overwritten.mlir").read_text(encoding="utf-8")
    printed = mermaid.render(picture(text))
    assert f"```mermaid\n{printed}```\n" in (root / "docs" / "graph.md").read_text(encoding="utf-8")
