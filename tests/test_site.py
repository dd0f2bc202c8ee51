"""The built site loads nothing from elsewhere, and its pictures are drawn without a network."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.graph.browser import measured

ROOT = Path(__file__).parents[1]
LOADS = {"script": "src", "img": "src", "source": "srcset", "iframe": "src", "video": "src", "audio": "src"}
LINKS_THAT_LOAD = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "manifest",
    "modulepreload",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


class Loaded(HTMLParser):
    """What a page loads by itself: links to follow are not among it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "link" and LINKS_THAT_LOAD & set((given.get("rel") or "").split()):
            self.addresses.append(given.get("href") or "")
        elif tag in LOADS:
            self.addresses += [each.split()[0] for each in (given.get(LOADS[tag]) or "").split(",") if each.strip()]


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 30
    addresses = {(page, address) for page in pages for address in Loaded(page.read_text(encoding="utf-8")).addresses}
    assert any("mermaid" in address for _, address in addresses)
    assert [address for _, address in addresses if re.match(r"(?:[a-z]+:)?//", address)] == []
    for page, address in addresses:
        file = address.partition("?")[0]
        assert (site / file[1:] if file.startswith("/") else page.parent / file).exists(), (page, address)


def test_no_style_loads_anything_from_elsewhere(site: Path) -> None:
    styles = [path.read_text(encoding="utf-8") for path in [*site.rglob("*.css"), *site.rglob("*.html")]]
    loaded = [name for text in styles for name in re.findall(r"(?:@import|url\()\s*[\"']?([^\"')\s]+)", text)]
    assert [name for name in loaded if not name.startswith(("data:", "#"))] == []


DRAWN = """
    const drawn = [...document.querySelectorAll("div.mermaid")];
    if (document.readyState != "complete" || document.querySelector("pre.mermaid")) return null;
    const root = document.documentElement;
    return {
        pictures: drawn.map(each => each.getBoundingClientRect().height),
        overflow: root.scrollWidth - root.clientWidth,
        elsewhere: document.defaultView.performance.getEntriesByType("resource").map(each => each.name)
            .filter(name => !/^(file|data|blob):/.test(name)),
    };"""


def test_pictures_are_drawn_without_a_network_and_pages_fit_a_phone(site: Path, tmp_path: Path) -> None:
    names = (".", "graph", "rules/JIT403", "commands", "configuration", "editors")
    pages = [(site / name / "index.html", width) for name in names for width in (1280, 390)]
    for (page, width), found in zip(pages, measured(tmp_path, pages, DRAWN), strict=True):
        assert isinstance(found, dict)
        assert (found["overflow"], found["elsewhere"]) == (0, []), (page, width)
        assert all(height > 300 for height in found["pictures"])
        assert len(found["pictures"]) == (page.parent.name == "graph")
