"""The `full` format: snapshots of whole findings, and what holds for every one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from jitlint.findings import Finding, Group, JitCall, Note, Severity, Span
from jitlint.report.printable import width_of
from jitlint.result import Result
from jitlint.syntax.source import Source

SNAPSHOTS = Path(__file__).parent / "snapshots"
KINDS = ["fusable", "cycle", "barrier", "overwritten", "thousand", "hostile", "unreadable", "fixed"]
Render = Callable[..., str]


@pytest.mark.parametrize("kind", KINDS)
def test_snapshot(kind: str, results: dict[str, Result], render: Render) -> None:
    expected = (SNAPSHOTS / f"{kind}.txt").read_text(encoding="utf-8")
    assert render("full", results[kind]) == expected


def test_snapshot_without_unicode(results: dict[str, Result], render: Render) -> None:
    printed = render("full", results["cycle"], results["hostile"], unicode=False)
    assert printed == (SNAPSHOTS / "ascii.txt").read_text(encoding="ascii")


@pytest.mark.parametrize("kind", KINDS)
def test_colour_adds_only_colour(kind: str, results: dict[str, Result], render: Render) -> None:
    coloured = render("full", results[kind], color=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render("full", results[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_no_control_character_of_the_input_is_printed(kind: str, results: dict[str, Result], render: Render) -> None:
    printed = render("full", results[kind]).replace("\n", "")
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e]", printed)


@pytest.mark.parametrize("width", [40, 61, 80, 200])
def test_lines_fit_the_width(width: int, results: dict[str, Result], render: Render) -> None:
    for kind in set(KINDS) - {"fixed"}:
        printed = render("full", results[kind], width=width, show_summary=False)
        for line in printed.splitlines():
            is_command = "`jitlint " in line  # to be pasted whole
            assert width_of(line) <= width or is_command or line.startswith(results[kind].source.path[:5]), line


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ('%0 = "x"(%a)', "%a"),
        ('\t\t%0 = "x"(%a)\t%b', "%b"),
        ('%0 = "日本語"(%a)', "%a"),
        ('%0 = "日本語"(%a)', "本"),
        ("%0 = e\u0301e\u0301e\u0301 %a", "%a"),
        ('%0 = "\x1b[31m \u202e"(%a)', "%a"),
        ("x" * 900 + " %a " + "y" * 900, "%a"),
        ("日" * 900 + " %a " + "本" * 900, "%a"),
        ("\x1b" * 900 + " %a " + "\x1b" * 900, "%a"),
        ("\t" * 900 + " %a " + "\t" * 900, "%a"),
    ],
)
def test_underline_stands_below_what_it_marks(line: str, marked: str, render: Render) -> None:
    start = line.index(marked)
    finding = Finding("JIT402", "m", Span(start, start + len(marked)))
    printed = render("full", Result(Source(line, "f.mlir"), (finding,))).splitlines()
    shown = next(text for text in printed if text.startswith("1 | "))
    under = next(text for text in printed if "^" in text)
    before = shown[: shown.index(marked)]
    assert under.index("^") == width_of(before)
    assert under.count("^") == width_of(marked)


def test_long_line_is_never_sliced_whole(render: Render) -> None:
    slices: list[int] = []

    class Watched(str):
        def __getitem__(self, key: object) -> str:
            piece = str.__getitem__(self, key)  # type: ignore[index]
            slices.append(len(piece))
            return piece

    line = Watched(" " * 3_000_000 + "%a" + "x" * 3_000_000)
    finding = Finding("JIT402", "m", Span(3_000_000, 3_000_002), (Note("begin", Span(0, 4_000_000)),))
    printed = render("full", Result(Source(line, "f.mlir"), (finding,)))
    assert "%a" in printed
    assert max(slices) < 1000


def test_labels_of_one_line_hang_below_their_marks(render: Render) -> None:
    text = '%0 = "x"(%a, %b, %c)'
    notes = tuple(Note(f"note {name}", Span(text.index(name), text.index(name) + 2)) for name in ("%a", "%b", "%c"))
    printed = render("full", Result(Source(text, "f.mlir"), (Finding("JIT402", "m", Span(0, 2), notes),)))
    assert printed.splitlines()[2:6] == [
        '1 | %0 = "x"(%a, %b, %c)',
        "  | ^^       --  --  -- note %c",
        "  |          |   note %b",
        "  |          note %a",
    ]


def test_line_between_two_marks_is_shown_and_more_are_a_gap(render: Render) -> None:
    text = Source("a\nb\nc\nd\ne\nf\n", "f.mlir")
    notes = tuple(Note("here", Span(offset, offset + 1)) for offset in (0, 4, 10))
    lines = render("full", Result(text, (Finding("JIT402", "m", Span(0, 1), notes),))).splitlines()
    assert [line for line in lines if not line.startswith("  | ")][1:7] == [
        "  |",
        "1 | a",
        "2 | b",
        "3 | c",
        "...",
        "6 | f",
    ]


def test_crlf_is_no_part_of_a_line(render: Render) -> None:
    printed = render("full", Result(Source("ab\r\ncd\r\n", "f.mlir"), (Finding("JIT402", "m", Span(0, 8)),)))
    assert "1 | ab\n  | ^^\n" in printed


def test_long_cycle_is_shortened(render: Render) -> None:
    text = Source("a\n" * 60, "f.mlir")
    path = tuple(Note(f"step {n}", Span(2 * n, 2 * n + 1)) for n in range(50))
    printed = render("full", Result(text, (Finding("JIT102", "m", Span(0, 1), path=path),)))
    assert "step 5 " in printed
    assert "38 more steps" in printed
    assert "step 44 " in printed
    assert "step 20 " not in printed


def test_quoted_wrapper_is_found_and_quoted(render: Render) -> None:
    text = Source('enzymexla.jit_call @"a b" (%0)', "f.mlir")
    group = Group((JitCall("a b", Span(0, len(text.text)), (19, 25)),), "__enzyme_fused_a b")
    printed = render("full", Result(text, (Finding("JIT001", "m", Span(0, 9), group=group, fixable=True),)))
    assert "|                    ^^^^^^ 1\n" in printed
    assert 'fused: @"__enzyme_fused_a b"' in printed


def test_own_severity_wins(render: Render) -> None:
    finding = Finding("JIT402", "m", Span(0, 1), severity=Severity.INFO)
    assert render("full", Result(Source("a", "f.mlir"), (finding,))).startswith("f.mlir:1:1: info: JIT402 bad-alias: m")


def test_command_for_text_without_a_file(render: Render, results: dict[str, Result]) -> None:
    finding = results["fusable"].findings[0]
    printed = render("full", Result(Source(results["fusable"].source.text, "<stdin>"), (finding,)))
    assert "help: run `jitlint --fix -`\n" in printed


def test_findings_are_in_order_of_place(render: Render) -> None:
    findings = tuple(Finding("JIT402", name, Span(at, at + 1)) for name, at in (("third", 4), ("first", 0), ("2nd", 2)))
    printed = render("concise", Result(Source("a\nb\nc\n", "f.mlir"), findings), show_summary=False)
    assert [line.rsplit(" ", 1)[1] for line in printed.splitlines()] == ["first", "2nd", "third"]
