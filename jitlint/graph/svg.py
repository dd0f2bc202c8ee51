"""Pictures as SVG, laid out by Graphviz's `dot`, with colours for light and dark pages."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import lru_cache

from jitlint.errors import JitlintError
from jitlint.graph import dot
from jitlint.graph.look import BLOCK, GROUP, LOOKS, STROKES
from jitlint.graph.model import BlockGraph, Graph

_SECONDS = 60
"""How long `dot` may take: it is slow only where the picture is too large to be read anyway."""
_SMALLEST = 0.65
"""How far a page may shrink a picture."""
_SVG = re.compile(r"<svg\b[^>]*>")
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_TITLE = re.compile(r"<title>[^<]*</title>\n?")
_CLUSTER = re.compile(r'<g id="[^"]*" class="cluster ([^"]*)">.*?</g>', re.DOTALL)
_WORDS = re.compile(r"<text\b.*?</text>", re.DOTALL)
_SIZE = re.compile(r'width="([\d.]+)pt" height="([\d.]+)pt"')


class GraphvizError(JitlintError):
    """There is no `dot` to lay out a picture with, or it cannot do it."""


def available() -> bool:
    """Whether Graphviz's `dot` is there."""
    return shutil.which("dot") is not None


def render(graph: Graph) -> str:
    """An SVG document of all pictures. Raises GraphvizError where `dot` is missing or fails."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _styled(_laid_out(dot.render(graph)), graph.path, css(""))


def render_block(block: BlockGraph, label: str, *, links: bool) -> str:
    """One picture as an `<svg>` element for a page that has the colours (`css`) itself and the words around it.

    `label` is its alternative text. With `links`, calls link to their lines. Raises GraphvizError as `render` does.
    """
    return _styled(_laid_out(dot.render_block(block, links=links, framed=False)), label, "")


@lru_cache(maxsize=4)
def css(under: str) -> str:
    """The colours, as rules for what is below the selector `under`; dark ones where the reader prefers them."""
    light = "".join(_rules(under, dark=False))
    dark = "".join(_rules(under, dark=True))
    return f"{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


def _rules(under: str, *, dark: bool) -> list[str]:
    rules = []
    for role, look in LOOKS.items():
        paint = look.dark if dark else look.light
        at = f"{under} .node.{role.value}".strip()
        rules.append(f"{at} :is(path, polygon, ellipse) {{ fill: {paint.fill}; stroke: {paint.line}; }}\n")
        rules.append(f"{at} polyline {{ stroke: {paint.line}; }}\n{at} text {{ fill: {paint.text}; }}\n")
    for kind, stroke in STROKES.items():
        color = stroke.dark if dark else stroke.light
        at = f"{under} .edge.{kind.value}".strip()
        rules.append(f"{at} path {{ stroke: {color}; }}\n{at} polyline {{ stroke: {color}; }}\n")
        rules.append(f"{at} polygon {{ fill: {color}; stroke: {color}; }}\n{at} text {{ fill: {color}; }}\n")
    for name, paints in (("group", GROUP), ("block", BLOCK)):
        paint = paints[dark]
        at = f"{under} .cluster.{name}".strip()
        rules.append(f"{at} path {{ fill: {paint.fill}; stroke: {paint.line}; }}\n")
        halo = f"stroke: {paint.fill}; stroke-width: 4px; stroke-linejoin: round; paint-order: stroke"
        rules.append(f"{under} .title.{name}".strip() + f" text {{ fill: {paint.text}; {halo}; }}\n")
    return rules


def _laid_out(text: str) -> str:
    try:
        done = subprocess.run(
            ["dot", "-Tsvg"],
            input=text,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise GraphvizError(
            "`dot` is needed to lay out the picture: install Graphviz (on Debian `apt install graphviz`, on macOS "
            "`brew install graphviz`), or use --format mermaid or dot"
        ) from None
    except subprocess.TimeoutExpired:
        raise GraphvizError(f"`dot` took more than {_SECONDS} seconds; draw less (--block, --line, --limit)") from None
    if done.returncode or "</svg>" not in done.stdout:
        said = next(iter(done.stderr.splitlines()), "it says nothing")
        raise GraphvizError(f"`dot` failed: {said}")
    return done.stdout


def _styled(svg: str, label: str, style: str) -> str:
    """Only the element, with an alternative text, without names that mean nothing to a reader, and with a style."""
    from html import escape

    svg = svg[svg.index("<svg") :]
    svg = _titles_on_top(_TITLE.sub("", _COMMENT.sub("", svg)))
    head = _SVG.match(svg)
    assert head is not None
    # Points are what dot counts in; a page shows them as pixels, so that the words have the size that they say.
    opened = _SIZE.sub(_sized if not style else r'width="\1" height="\2"', head.group())[:-1]
    opened += f' role="img" aria-label="{escape(label)}">'
    inside = f"\n<style>\n{style}</style>" if style else ""
    return opened + inside + svg[head.end() :]


def _titles_on_top(svg: str) -> str:
    """Draw the words of boxes last, above the arrows that cross them: `dot` draws a box with its words first."""
    titles: list[str] = []

    def taken(match: re.Match[str]) -> str:
        words = "\n".join(_WORDS.findall(match[0]))
        titles.append(f'<g class="title {match[1]}">\n{words}\n</g>\n')
        return _WORDS.sub("", match[0])

    body, end, rest = _CLUSTER.sub(taken, svg).rpartition("</g>")
    return "".join((body, *titles, end, rest))


def _sized(match: re.Match[str]) -> str:
    """The size of a picture on a page, which may shrink it to fit, but no further than its words can be read."""
    width, height = match.groups()
    return f'width="{width}" height="{height}" style="min-width: {float(width) * _SMALLEST:.0f}px"'
