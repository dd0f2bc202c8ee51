"""Pictures as a browser draws them with the Mermaid of today: nothing overlaps, and every word has its room."""

from __future__ import annotations

import html
import importlib.util
from pathlib import Path

import pytest

from jitlint.graph import mermaid
from tests.graph.browser import measured
from tests.graph.pictures import case, chains, different_chains, hostile, in_main, long_chain, picture
from tests.texts import call

HOOK = Path(__file__).parents[2] / "docs" / "_hooks" / "mermaid.py"

OTHER_BLOCK = in_main(
    call("%0", "double", "%a"),
    call("%1", "double", "%0"),
    '"scf.if"(%c) ({',
    f"  {call('%2', 'double', '%1')}",
    f"  {call('%3', 'double', '%2')}",
    "}) : (i1) -> ()",
)
TEXTS = {
    "part_of_a_component": case("part_of_a_component"),
    "overwritten_result": case("overwritten_result"),
    "irecv_wait": case("irecv_wait"),
    "diamond": case("diamond"),
    "six groups": different_chains(6),
    "fifty groups": chains(50),
    "a group of 500": long_chain(500),
    "two blocks": OTHER_BLOCK,
    "hostile": hostile(),
}

MEASURE = """
    if (!document.body || !document.body.dataset.done) return null;
    const first = (each, ...paths) => paths.map(path => each.querySelector(":scope > " + path)).find(found => found);
    const box = of => { const it = of.getBoundingClientRect();
        return {left: it.left, right: it.right, top: it.top, bottom: it.bottom}; };
    return [...document.querySelectorAll("pre")].map(pre => ({
        error: pre.querySelector("svg .node, svg .cluster") ? "" : pre.innerText,
        clusters: [...pre.querySelectorAll("g.cluster")].map(each => box(first(each, "rect"))),
        nodes: [...pre.querySelectorAll("g.node")].map(each => box(first(each, "rect", "polygon", "path", "g"))),
        words: [...pre.querySelectorAll("g.node")].map(each => box(each.querySelector(".label"))),
        texts: [...pre.querySelectorAll("g.node")].map(each => each.querySelector(".label").textContent),
    }));"""

Box = dict[str, float]
Drawn = dict[str, dict[str, list[Box]]]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    """What stands where in the pictures of the texts."""
    spec = importlib.util.spec_from_file_location("mermaid_hook", HOOK)
    assert spec is not None and spec.loader is not None
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    folder = tmp_path_factory.mktemp("mermaid")
    page = folder / "pictures.html"
    pictures = (f'<pre class="mermaid">{html.escape(mermaid.render(picture(text)))}</pre>' for text in TEXTS.values())
    page.write_text(
        f"""<!doctype html><meta charset="utf-8">{"".join(pictures)}<script src="{hook.script().as_uri()}"></script>
<script>
mermaid.initialize({{startOnLoad: false}});
mermaid.run({{querySelector: ".mermaid", suppressErrors: true}}).then(() => {{ document.body.dataset.done = "yes"; }});
</script>""",
        encoding="utf-8",
    )
    (found,) = measured(folder, [(page, 1200)], MEASURE)
    assert isinstance(found, list)
    return dict(zip(TEXTS, found, strict=True))


def apart(one: Box, two: Box) -> bool:
    """Whether two boxes share no more than their edges."""
    side_by_side = one["right"] <= two["left"] + 1 or two["right"] <= one["left"] + 1
    return side_by_side or one["bottom"] <= two["top"] + 1 or two["bottom"] <= one["top"] + 1


def within(one: Box, two: Box) -> bool:
    """Whether the first box lies in the second."""
    across = one["left"] >= two["left"] - 1 and one["right"] <= two["right"] + 1
    return across and one["top"] >= two["top"] - 1 and one["bottom"] <= two["bottom"] + 1


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_overlaps(drawn: Drawn, name: str) -> None:
    found = drawn[name]
    assert not found["error"]
    clusters, nodes = found["clusters"], found["nodes"]
    assert len(clusters) >= 1
    assert len(nodes) >= 3
    for place, one in enumerate(clusters):
        for two in clusters[:place]:
            assert apart(one, two) or within(one, two) or within(two, one), (one, two)
    for place, one in enumerate(nodes):
        assert all(apart(one, two) for two in nodes[:place]), one
        assert all(within(one, two) or apart(one, two) for two in clusters), one
    for words, node in zip(found["words"], nodes, strict=True):
        assert within(words, node), words


def test_a_group_of_500_says_so(drawn: Drawn) -> None:
    texts = [str(text) for text in drawn["a group of 500"]["texts"]]
    assert any(text.startswith("500 calls become one") for text in texts)
