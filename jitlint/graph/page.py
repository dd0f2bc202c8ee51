"""One self-contained page: the pictures before and after a fix, and the source with its findings. It loads nothing."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice

from jitlint.findings import Finding
from jitlint.graph import labels, outline, svg
from jitlint.graph.listing import listing
from jitlint.graph.look import LOOKS, STROKES
from jitlint.graph.model import BlockGraph, Graph, Kind, Role
from jitlint.report.diff import unified_diff
from jitlint.report.lookup import FUSABLE, severity_of
from jitlint.report.printable import count, escape
from jitlint.result import Result

_MOST_DIFF = 400
"""Lines of the change that are shown."""

_NODES = (
    (Role.CALL, "JIT call"),
    (Role.FUSED, "fused call"),
    (Role.EFFECT, "in the way: side effects"),
    (Role.STEP, "in the way: needs one, feeds the other"),
    (Role.LOST, "value that would be lost"),
    (Role.KEPT_OUT, "call that fuses with none"),
)
_EDGES = (
    (Kind.WRITES, "buffer passed on and written"),
    (Kind.READS, "only read"),
    (Kind.APART, "joins calls that stay apart"),
    (Kind.EFFECTS, "order of side effects"),
)


@dataclass(frozen=True, slots=True)
class Page:
    """What a page tells: a check, and a fix of the same text with its picture, if anything can be fixed."""

    checked: Result
    before: Graph
    fixed: Result | None = None
    after: Graph | None = None
    remark: str | None = None
    """Something that the reader must know, such as calls that are not drawn."""


def render(page: Page) -> str:
    """The page, as HTML."""
    path = html.escape(escape(page.checked.source.path))
    style = files("jitlint.graph").joinpath("page.css").read_text(encoding="utf-8") + svg.css("figure")
    style += f"{_legend_css(dark=False)}@media (prefers-color-scheme: dark) {{\n{_legend_css(dark=True)}}}\n"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Nothing is loaded, and nothing runs: whatever a checked file holds, it cannot make this page act.
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f'<meta name="color-scheme" content="light dark">\n'
        f"<title>{path} · jitlint</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"{''.join(_header(page, path))}<main>\n{''.join(_pictures(page))}{_change(page)}"
        f'<section>\n<h2>Source</h2>\n<div class="source">\n{listing(page.checked.source, page.checked.findings)}'
        f"</div>\n</section>\n</main>\n</body>\n</html>\n"
    )


def _header(page: Page, path: str) -> Iterator[str]:
    yield f'<header>\n<p class="tool">jitlint</p>\n<h1>{path}</h1>\n<ul class="chips">\n'
    findings = page.checked.findings
    groups = sum(finding.code == FUSABLE for finding in findings)
    if groups:
        yield _chip("fused", f"{count(groups, 'group')} can be one call" + (" each" if groups > 1 else ""))
    else:
        yield _chip("quiet", "nothing to fuse")
    for severity, number in _by_severity(findings):
        yield _chip(severity, count(number, severity))
    yield _chip("quiet", f"{count(page.before.calls, 'JIT call')} in {count(page.before.blocks, 'block')}")
    yield "</ul>\n"
    if page.remark:
        yield f'<p class="remark">{html.escape(page.remark)}</p>\n'
    yield "</header>\n"


def _by_severity(findings: Iterable[Finding]) -> list[tuple[str, int]]:
    counts = {"error": 0, "warning": 0, "info": 0}
    for finding in findings:
        counts[severity_of(finding).value] += finding.code != FUSABLE
    return [(severity, number) for severity, number in counts.items() if number]


def _chip(name: str, text: str) -> str:
    return f'<li class="chip {name}">{html.escape(text)}</li>\n'


def _pictures(page: Page) -> Iterator[str]:
    if not page.before.drawn:
        return
    after = {block.number: block for block in page.after.drawn} if page.after is not None else {}
    yield '<section id="pictures">\n<h2>Calls</h2>\n'
    if not svg.available():
        yield '<p class="remark">Graphviz (<code>dot</code>) was not found, so the pictures are told in words.</p>\n'
    yield _legend(page)
    for block in page.before.drawn:
        then = after.get(block.number)
        changed = then is not None and (then.nodes, then.edges) != (block.nodes, block.edges) and block.groups > 0
        yield f'<article class="block">\n<h3>{html.escape(labels.block(block))}</h3>\n'
        yield f"<p>{html.escape('. '.join(labels.verdict(block)))}.</p>\n"
        yield '<div class="pair">\n' if changed else '<div class="single">\n'
        yield _figure(block, "Before" if changed else "")
        if then is not None and changed:
            yield _figure(then, "After jitlint --fix")
        yield "</div>\n</article>\n"
    yield "</section>\n"


def _figure(block: BlockGraph, caption: str) -> str:
    title = f"<figcaption>{caption}</figcaption>\n" if caption else ""
    try:
        links = not caption.startswith("After")  # the lines of the page are those of the text before
        drawn = svg.render_block(block, f"{caption or 'Calls'}: {labels.block(block)}", links=links)
    except svg.GraphvizError as problem:
        reason = "" if not svg.available() else f"<p>{html.escape(str(problem))}</p>\n"
        drawn = f"{reason}<pre>{html.escape(outline.render_block(block))}</pre>\n"
    return f"<figure>\n{title}{drawn}</figure>\n"


def _legend(page: Page) -> str:
    """What the colours mean that the pictures have."""
    blocks = [*page.before.drawn, *(page.after.drawn if page.after is not None else ())]
    roles = {node.role for block in blocks for node in block.nodes}
    kinds = {edge.kind for block in blocks for edge in block.edges}
    items = [f'<li><span class="swatch {role.value}"></span>{text}</li>' for role, text in _NODES if role in roles]
    items += [f'<li><span class="stroke {kind.value}"></span>{text}</li>' for kind, text in _EDGES if kind in kinds]
    return f'<ul class="legend">{"".join(items)}</ul>\n'


def _legend_css(*, dark: bool) -> str:
    rules = []
    for role, _ in _NODES:
        paint = LOOKS[role].dark if dark else LOOKS[role].light
        line = "dashed" if "dashed" in LOOKS[role].style else "solid"
        rules.append(f".swatch.{role.value} {{ background: {paint.fill}; border: 1.5px {line} {paint.line}; }}\n")
    for kind, _ in _EDGES:
        color = STROKES[kind].dark if dark else STROKES[kind].light
        line = STROKES[kind].style
        rules.append(f".stroke.{kind.value} {{ border-top: 2px {line} {color}; }}\n")
    return "".join(rules)


def _change(page: Page) -> str:
    """What a fix would write, as a diff."""
    fixed = page.fixed
    if fixed is None or fixed.before is None or not fixed.changed:
        return ""
    diff = unified_diff(fixed.before.text, fixed.source.text, fixed.source.path, fixed.edits)
    lines = list(islice(diff, 2, _MOST_DIFF + 3))  # without the names of the files
    rows = "".join(_diff_row(line) for line in lines[:_MOST_DIFF])
    if len(lines) > _MOST_DIFF:
        rows += '<span class="place">… and more\n</span>'
    return (
        "<section>\n<details>\n<summary><h2>What <code>--fix</code> writes</h2></summary>\n"
        f'<pre class="diff">{rows}</pre>\n</details>\n</section>\n'
    )


def _diff_row(line: str) -> str:
    names = {"+": "added", "-": "removed", "@": "place", "\\": "place"}
    name = names.get(line[:1], "same")
    text = escape(line.rstrip("\r\n").replace("\t", "    "))
    return f'<span class="{name}">{html.escape(text[:600])}\n</span>'
