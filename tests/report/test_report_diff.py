"""`--diff`: what real tools make of it, and, for random edits, that it says exactly what changed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitlint.report.diff import paint, unified_diff
from jitlint.report.protocol import Edit
from jitlint.report.theme import theme

TOOLS = [["git", "apply", "-"], ["patch", "-p1", "-s", "--binary"]]
LINES = [f"line {n}\n" for n in range(40)]


def edited(text: str, edits: list[Edit]) -> str:
    pieces, at = [], 0
    for start, end, replacement in edits:
        pieces += [text[at:start], replacement]
        at = end
    return "".join([*pieces, text[at:]])


def applied(before: str, diff: list[str]) -> str:
    """What `diff` makes of `before`; an assertion fails where it does not fit."""
    old = before.split("\n")
    old = [line + "\n" for line in old[:-1]] + ([old[-1]] if old[-1] else [])
    new: list[str] = []
    at = 0
    lines = diff[2:]
    while lines:
        head = re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@\n", lines.pop(0))
        assert head is not None
        left, added = int(head[2] or 1), int(head[3] or 1)
        start = int(head[1]) - (left > 0)
        new += old[at:start]
        at = start
        while left or added:
            sign, text = lines[0][0], lines.pop(0)[1:]
            if text.endswith("\n\\ No newline at end of file\n"):
                text = text.partition("\n")[0]
            if sign in " -":
                assert old[at] == text
                at, left = at + 1, left - 1
            if sign in " +":
                new.append(text)
                added -= 1
    return "".join(new + old[at:])


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    lines = draw(st.lists(st.sampled_from(["", "a", "b", "cc", "ddd", "e\r"]), max_size=30))
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\r\n"]))
    points = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    replacement = st.sampled_from(["", "x", "x\n", "\nq", "m\nn\n", "z\r\n"])
    pairs = zip(points[::2], points[1::2], strict=False)
    return text, [(start, end, draw(replacement)) for start, end in pairs]


@given(changes())
def test_diff_of_random_edits_gives_the_new_text(case: tuple[str, list[Edit]]) -> None:
    before, edits = case
    after = edited(before, edits)
    diff = list(unified_diff(before, after, "f.mlir", edits))
    assert (applied(before, diff) if diff else before) == after


@pytest.mark.parametrize("tool", TOOLS, ids=["git", "patch"])
@pytest.mark.parametrize("name", ["dir/f.mlir", "my dir/f.mlir", "dir/ä\tb.mlir"])
@pytest.mark.parametrize(
    ("before", "edits"),
    [
        ("".join(LINES), [(0, 4, "first"), (7, 14, ""), (150, 150, "\n\nmore\n"), (260, 270, "x")]),
        ("".join(LINES).replace("\n", "\r\n"), [(4, 9, ""), (100, 102, "y"), (200, 200, "new\r\n")]),
        ("".join(LINES)[:-1], [(300, 309, "end")]),
        ("".join(LINES)[:-1], [(309, 309, "\n")]),
        ("".join(LINES), [(309, 310, "")]),
        ("a\nb", [(3, 3, "\nc")]),
    ],
)
def test_real_tools_accept_it(tool: list[str], name: str, before: str, edits: list[Edit], tmp_path: Path) -> None:
    after = edited(before, edits)
    file = tmp_path / name
    file.parent.mkdir()
    file.write_bytes(before.encode())
    diff = "".join(unified_diff(before, after, name, edits))
    subprocess.run(tool, cwd=tmp_path, input=diff.encode(), check=True, capture_output=True)
    assert file.read_bytes() == after.encode()


def test_hunks_have_three_lines_of_context_and_join_where_these_touch() -> None:
    before = "".join(LINES)

    def hunks(*lines: int) -> list[str]:
        edits = [(before.index(LINES[line]), before.index(LINES[line]) + 4, "LINE") for line in lines]
        return [line for line in unified_diff(before, edited(before, edits), "f", edits) if line.startswith("@@")]

    assert hunks(10) == ["@@ -8,7 +8,7 @@\n"]
    assert hunks(10, 17) == ["@@ -8,14 +8,14 @@\n"]
    assert hunks(10, 18) == ["@@ -8,7 +8,7 @@\n", "@@ -16,7 +16,7 @@\n"]
    assert hunks(0, 39) == ["@@ -1,4 +1,4 @@\n", "@@ -37,4 +37,4 @@\n"]


def test_snapshot() -> None:
    before = "module {\n  %0 = a\n  %1 = b\n  return %1\n}"
    edits = [(before.index("%0"), before.index("  return"), "%0 = fused\n"), (before.index("%1\n}"), len(before), "%0")]
    assert "".join(unified_diff(before, edited(before, edits), "./f.mlir", edits)) == (
        "--- a/f.mlir\n+++ b/f.mlir\n@@ -1,5 +1,3 @@\n module {\n-  %0 = a\n-  %1 = b\n-  return %1\n-}\n"
        "\\ No newline at end of file\n+  %0 = fused\n+  return %0\n\\ No newline at end of file\n"
    )


def test_equal_texts_have_no_diff() -> None:
    assert list(unified_diff("a\n", "a\n", "f.mlir", [(0, 1, "a")])) == []


def test_painted_diff_shows_what_would_act_on_a_terminal() -> None:
    lines = list(paint(unified_diff("a\n", "\x1b[2J\tb\n", "f.mlir", [(0, 1, "\x1b[2J\tb")]), theme(True)))
    red, green = theme(True).removed, theme(True).added
    assert lines[3:] == [f"{red}-a\x1b[0m\n", f"{green}+\\x1b[2J    b\x1b[0m\n"]
