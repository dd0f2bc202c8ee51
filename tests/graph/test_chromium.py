"""The page in a real browser, which nobody sees: what it makes of the page, and that it is painted light and dark."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.cli import run
from tests.graph.browser import HEIGHT, WIDTH, chromium, colours, measured, pixels
from tests.graph.pictures import case, chains, hostile, long_chain
from tests.graph.test_page import Reader

LIGHT, DARK = (0xF6, 0xF7, 0xF9), (0x0F, 0x12, 0x16)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    source, target = tmp_path / "parts.mlir", tmp_path / "page.html"
    source.write_text(case("part_of_a_component"), encoding="utf-8")
    assert run(["graph", str(source), "--html", "--output", str(target)]) == 0
    return target


@pytest.mark.parametrize(
    ("scheme", "paper", "group"),
    [("1", LIGHT, (0xDC, 0xF3, 0xE4)), ("0", DARK, (0x16, 0x35, 0x24))],
    ids=["light", "dark"],
)
def test_the_page_is_painted(
    page: Path, tmp_path: Path, scheme: str, paper: tuple[int, ...], group: tuple[int, ...]
) -> None:
    target = tmp_path / "screen.png"
    chromium(tmp_path / "profile", page, f"--screenshot={target}", f"--blink-settings=preferredColorScheme={scheme}")
    width, height, rows = pixels(target.read_bytes())
    assert (width, height) == (WIDTH, HEIGHT)
    assert tuple(rows[0][:3]) == paper
    found = colours(rows)
    assert len(found) > 200, "words and lines are drawn"
    assert group in found, "the fused calls of the picture after the fix"


def test_the_browser_finds_what_the_page_says(page: Path, tmp_path: Path) -> None:
    read = Reader(chromium(tmp_path / "profile", page, "--dump-dom"))
    assert not read.open
    assert read.tags.count("svg") == 2
    assert len(read.texts["node call"]) == 4
    assert len(read.texts["node fused"]) == 2
    assert len(read.texts["node step"]) == 2
    assert len(read.texts["cluster group"]) == 2
    assert len(read.texts["card warning"]) == 2
    assert len(read.texts["card info"]) == 1
    assert len(read.texts["row"]) == case("part_of_a_component").count("\n")


def test_the_browser_reads_a_hostile_file_as_text(tmp_path: Path) -> None:
    source, target = tmp_path / "evil.mlir", tmp_path / "page.html"
    source.write_text(hostile(), encoding="utf-8")
    assert run(["graph", str(source), "--html", "--output", str(target)]) == 0
    read = Reader(chromium(tmp_path / "profile", target, "--dump-dom"))
    assert not read.open
    assert any("<b>|x|" in text for text in read.texts["row"])


FITS = """
    if (document.readyState != "complete") return null;
    const root = document.documentElement;
    const parts = [...document.querySelectorAll("header, main, article, .card, .chip, h1, figure")];
    const words = [...document.querySelectorAll("figure svg text")];
    const outside = parts.filter(each => each.getBoundingClientRect().right > root.clientWidth + 1);
    return {
        overflow: root.scrollWidth - root.clientWidth,
        words: Math.min(...words.map(each => each.getBoundingClientRect().height)),
        outside: outside.map(each => each.className),
        requests: document.defaultView.performance.getEntriesByType("resource").length,
    };"""


def test_the_page_fits_a_desk_and_a_phone_and_loads_nothing(tmp_path: Path) -> None:
    pages = []
    for place, text in enumerate((case("part_of_a_component"), hostile(), long_chain(500), chains(50))):
        source, target = tmp_path / f"{place}.mlir", tmp_path / f"{place}.html"
        source.write_text(text, encoding="utf-8")
        assert run(["graph", str(source), "--html", "--output", str(target)]) == 0
        pages += [(target, 1280), (target, 390)]
    for (shown, width), found in zip(pages, measured(tmp_path, pages, FITS), strict=True):
        assert isinstance(found, dict)
        assert found["words"] > 6, "the words of a picture can be read"
        assert (found["overflow"], found["outside"], found["requests"]) == (0, [], 0), (shown, width)
