"""The page: one file with the source, its findings and the pictures, whatever the source holds."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from jitlint.checker import Checker
from jitlint.graph.build import EVERYTHING, Choice
from jitlint.graph.page import Page, render
from tests.graph.pictures import case, chains, hostile, in_main, picture


def page(text: str, choice: Choice = EVERYTHING, path: str = "test.mlir") -> str:
    checker = Checker()
    fixed = checker.fix(text, path)
    return render(Page(checker.check(text, path), picture(text, choice), fixed, picture(fixed.source.text, choice)))


class Reader(HTMLParser):
    """Reads a page: the texts by class, and whether what opens closes."""

    VOID = frozenset({"meta", "br", "link", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.texts: dict[str, list[str]] = {}
        self.tags: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = dict(attrs)
        assert not any(name.startswith("on") for name in names)
        if tag not in self.VOID:
            self.open.append((tag, names.get("class") or ""))
            self.texts.setdefault(self.open[-1][1], []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, name in self.open:
            self.texts[name][-1] += data


@pytest.fixture(autouse=True)
def without_graphviz(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def test_findings_stand_under_their_lines() -> None:
    text = page(case("barrier_between"))
    assert re.search(r'id="L10">.*\n<div class="row" id="L11">.*\n<div class="card info">', text)
    read = Reader(text)
    assert not read.open
    (card,) = read.texts["card info"]
    assert "JIT201 side-effect-between @double (1) and @double (2) cannot be one call" in card
    assert "line 10" in card
    assert len(read.texts["row"]) == case("barrier_between").count("\n")


def test_the_source_is_shown_to_the_letter() -> None:
    read = Reader(page(case("chain")))
    lines = [re.sub(r"^\d+", "", row).rstrip("\n") for row in read.texts["row"]]
    assert lines == [line or " " for line in case("chain").splitlines()]


def test_pictures_before_and_after_in_words_without_graphviz() -> None:
    text = page(case("chain"))
    assert "Graphviz (<code>dot</code>) was not found" in text
    assert "<figcaption>Before</figcaption>" in text
    assert "<figcaption>After jitlint --fix</figcaption>" in text
    assert "3 calls become one: @__enzyme_fused_double_accumulate_double" in text
    assert "+    %0 = enzymexla.jit_call @__enzyme_fused_double_accumulate_double" in text


def test_nothing_is_fixed_where_nothing_can_be() -> None:
    text = page(case("overwritten_result"))
    assert "<figcaption>" not in text
    assert "<details>" not in text
    assert "nothing to fuse" in text


def test_a_hostile_file_cannot_act() -> None:
    text = page(hostile(), path='<img src=x onerror="1">.mlir')
    read = Reader(text)
    assert {"script", "img", "b"} & set(read.tags) == {"b"}
    assert "\x1b" not in text
    assert "default-src 'none'" in text
    assert not re.findall(r"(?:src|href)=\"(?!#)[^\"]*", text)
    assert "url(" not in text


def test_of_a_long_file_only_what_is_near_a_finding_is_shown() -> None:
    filler = "".join(f"    // line {number}\n" for number in range(5000))
    text = case("barrier_between").replace("    return", f"{filler}    return")
    read = Reader(page(text))
    assert len(read.texts["row"]) < 40
    assert any("lines" in gap for gap in read.texts["gap"])


def test_of_many_findings_and_long_lines_the_first_are_shown() -> None:
    text = page(chains(400).replace("    %0 = enz", f"    // {'x' * 5000}\n    %0 = enz", 1), Choice(most=4))
    read = Reader(text)
    assert len(read.texts["card warning"]) == 200
    assert "200 more findings not shown" in text
    assert "more characters" in text
    assert len(text) < 600_000


def test_a_file_without_calls_has_a_page() -> None:
    text = page(in_main())
    assert "0 JIT calls in 0 blocks" in text
    assert 'id="pictures"' not in text
