"""What Graphviz makes of the pictures."""

from __future__ import annotations

import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from jitlint.graph import dot, labels, svg
from jitlint.graph.model import Role
from tests.graph.pictures import CASES, case, different_chains, hostile, picture

SVG = "{http://www.w3.org/2000/svg}"


def texts(root: ET.Element) -> list[str]:
    return ["".join(each.itertext()).replace("\xa0", " ") for each in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("path", sorted(CASES.glob("*.mlir")), ids=lambda path: path.stem)
def test_graphviz_takes_every_case_without_a_word(path: Path) -> None:
    text = dot.render(picture(path.read_text(encoding="utf-8")))
    done = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, encoding="utf-8", check=True)
    assert done.stderr == ""


def test_the_picture_shows_every_name_as_it_is() -> None:
    graph = picture(hostile())
    shown = texts(ET.fromstring(svg.render(graph).encode()))
    for node in graph.drawn[0].nodes:
        assert labels.title(node) in shown
    assert set(labels.box(graph.drawn[0].boxes[0])) <= set(shown)


def test_groups_and_obstacles_have_classes_to_colour_them_by() -> None:
    root = ET.fromstring(svg.render(picture(case("part_of_a_component"))).encode())
    classes = [each.get("class", "").split() for each in root.iter(f"{SVG}g")]
    assert sum(names == ["cluster", "group"] for names in classes) == 2
    assert sum(names == ["node", Role.STEP.value] for names in classes) == 1
    style = root.find(f"{SVG}style")
    assert style is not None
    assert "@media (prefers-color-scheme: dark)" in (style.text or "")


def test_no_arrow_is_drawn_over_the_words_of_a_box() -> None:
    root = ET.fromstring(svg.render(picture(case("part_of_a_component"))).encode())
    classes = [each.get("class", "").split()[0] for each in root.iter(f"{SVG}g")]
    assert classes.count("title") == classes.count("cluster") == 3
    assert max(place for place, name in enumerate(classes) if name == "edge") < classes.index("title")
    assert not [
        text for each in root.iter(f"{SVG}g") if "cluster" in each.get("class", "") for text in each.iter(f"{SVG}text")
    ]


def test_the_document_stands_alone_and_says_what_it_shows() -> None:
    text = svg.render(picture(case("chain")))
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"]
    assert 'role="img" aria-label="test.mlir"' in text
    assert "<title>" not in text


def test_a_defect_of_graphviz_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "dot"
    fake.write_text("#!/bin/sh\necho 'Error: out of ink' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(svg.GraphvizError, match=r"^`dot` failed: Error: out of ink$"):
        svg.render(picture(case("chain")))


def test_what_nothing_ties_together_stands_in_rows_in_its_order() -> None:
    root = ET.fromstring(svg.render_block(picture(different_chains(6)).drawn[0], "", links=False).encode())
    at = dict(zip(texts(root), root.iter(f"{SVG}text"), strict=True))
    firsts = [at[f"line {number}"] for number in range(39, 50, 2)]
    places = [(float(each.get("y", "0")), float(each.get("x", "0"))) for each in firsts]
    assert places == sorted(places)
    assert len({y for y, _ in places}) == 2
