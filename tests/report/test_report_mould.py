"""Excerpts that fill a mould read as those that are laid out by themselves, whatever the text and the marks."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jitlint.findings import Finding, Group, JitCall, Note, Span
from jitlint.report.excerpt import Brush, Marked
from jitlint.report.mould import Excerpts, described, laid_out, ordered
from jitlint.report.theme import theme
from jitlint.result import Result
from jitlint.syntax.source import Source

# Few lengths and columns, so that descriptions are met again, and differ in one thing; some of them are those at which
# a line is cut.
_INDENTS = st.sampled_from([0, 0, 2, 5, 30])
_SIZES = st.sampled_from([0, 1, 8, 20, 34, 35, 36, 37, 38, 75, 76, 77, 120, 300, 5000])
_COLUMNS = st.sampled_from([0, 1, 2, 7, 20, 33, 34, 35, 36, 70, 100, 101, 300, 4999])
_LENGTHS = st.sampled_from([0, 1, 3, 30, 60, 400, 6000])
_ODD = st.sampled_from(["", "", "", "", "\t", "日", "e\u0301", "\x1b", "\r", "%s", "%", " ", "\x01"])
_LABELS = st.sampled_from(["", "1", "2", "100% sure", "日本", "\x01.3s\x1b", "words said of it", "w" * 90])


@st.composite
def _lines(draw: st.DrawFn) -> str:
    body = ("xy" * 3000)[: draw(_SIZES)]
    odd, at = draw(_ODD), draw(_COLUMNS)
    return " " * draw(_INDENTS) + body[:at] + odd + body[at:] + draw(st.sampled_from(["", "", " ", "   "]))


@st.composite
def _sources(draw: st.DrawFn) -> Source:
    ending = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    before = ending * draw(st.sampled_from([0, 3, 9, 99]))
    return Source(before + ending.join(draw(st.lists(_lines(), min_size=1, max_size=6))) + ending, "f.mlir")


@st.composite
def _siblings(draw: st.DrawFn, source: Source) -> Source:
    """The text with the same lines, and other characters at some of the places that matter."""
    text = list(source.text)
    for _ in range(draw(st.integers(1, 3))):
        line = draw(st.integers(max(len(source.line_starts) - 7, 0), len(source.line_starts) - 1))
        start = source.line_starts[line]
        size = len(source.line(line + 1))
        at = draw(st.one_of(_COLUMNS, st.integers(1, 4).map(lambda back, size=size: size - back)))
        if 0 <= at < size:
            char = draw(st.sampled_from([" ", " ", "z", "\t", "日", "\u0301", "\x1b"]))
            text[start + at : start + (size if char == " " else at + 1)] = char * (size - at if char == " " else 1)
    return Source("".join(text), "f.mlir")


@st.composite
def _marks(draw: st.DrawFn, source: Source) -> list[Marked]:
    marks: list[Marked] = []
    size = len(source.text)
    for _ in range(draw(st.integers(1, 4))):
        line = draw(st.sampled_from(source.line_starts[-7:]))
        start = min(line + draw(_COLUMNS), size)
        above = draw(st.sampled_from(["", "", "", "2 more calls"]))
        marks.append((start, min(start + draw(_LENGTHS), size), draw(_LABELS), draw(st.booleans()), above))
    return marks


@given(st.data(), st.sampled_from([20, 40, 41, 80, 200]), st.booleans(), st.booleans())
@settings(max_examples=400, deadline=None)
def test_moulded_as_laid_out(data: st.DataObject, width: int, color: bool, unicode: bool) -> None:
    brush = Brush(theme(color), "", width, "…" if unicode else "...")
    excerpts = Excerpts(brush)
    asked = []
    for _ in range(data.draw(st.integers(1, 4))):
        source = data.draw(_sources())
        for _ in range(2):
            marks = data.draw(_marks(source))
            asked += [(source, marks), (data.draw(_siblings(source)), marks)]
    for source, marks in asked * 2:
        primary = theme(color).error
        expected = laid_out(source, described(source, ordered(marks), sys.maxsize), brush._replace(primary=primary))
        assert excerpts.of(source, marks, primary)[0] == expected, source.text


@pytest.mark.parametrize(
    ("texts", "spans"),
    [
        # A line between two marked ones is printed without the blanks at its end, and it may be empty.
        (["call a\nxxxx\ncall b"] * 2 + ["call a\nxx  \ncall b", "call a\n    \ncall b"], [(0, 4), (12, 16)]),
        (["call a\n\ncall b"] * 3, [(0, 4), (8, 12)]),
        ([" call a\n \n call b"] * 3, [(1, 5), (11, 15)]),
        # Where nothing of an empty mark is in the first window, there is another; a character without width decides.
        (["x" * 100] * 2 + ["xxx\u0301" + "x" * 96], [(35, 35)]),
        # What gives way to the sign of a cut is read as well: a character without width there would still be shown.
        (["x" * 100] * 2 + ["x" * 35 + "\u0301" + "x" * 64], [(3, 5)]),
    ],
)
def test_one_description_and_different_texts(texts: list[str], spans: list[tuple[int, int]]) -> None:
    brush = Brush(width=40)
    excerpts = Excerpts(brush)
    marks = [(*span, str(number), True, "") for number, span in enumerate(spans, 1)]
    for text in texts:
        source = Source(text, "f.mlir")
        assert excerpts.of(source, marks, "")[0] == laid_out(source, described(source, marks, sys.maxsize), brush)


def _like(changes: str) -> Source:
    """Ten texts of one shape: two calls with a line between them."""
    piece = '  %0 = call @first(%a) : i32\n  "between"()\n    call @second(%0) {why = "' + "z" * 90 + '"} : i32\n'
    return Source("".join(piece.replace("%a", f"%{change}") for change in changes), "f.mlir")


@pytest.mark.parametrize("color", [False, True])
@pytest.mark.parametrize("changes", ["abcdefghij", "ab\tdéf日hij", "ab%d\x01f%%%s"])
def test_one_of_many_reads_as_alone(changes: str, color: bool, render: Callable[..., str]) -> None:
    source = _like(changes)
    findings = []
    at = 0
    for _ in changes:
        first, second = source.text.index("call @first", at), source.text.index("call @second", at)
        calls = (JitCall("first", Span(first, first + 11)), JitCall("second", Span(second, second + 12)))
        note = Note("defined here", Span(first + 12, first + 14))
        findings.append(Finding("JIT001", "one call", calls[0].span, group=Group(calls, "fused"), fixable=True))
        findings.append(Finding("JIT402", "word " * 30, calls[1].span, notes=(note, Note("no place"))))
        at = second + 1
    alone = [render("full", Result(source, (each,)), color=color, show_summary=False) for each in findings]
    assert render("full", Result(source, tuple(findings)), color=color, show_summary=False) == "".join(alone)


def test_layouts_are_made_once_and_not_kept_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    from jitlint.report import mould

    made: list[object] = []
    lay_out = mould.excerpt
    monkeypatch.setattr(mould, "excerpt", lambda *args: made.append(args) or lay_out(*args))
    monkeypatch.setattr(mould, "_MOST_MOULDS", 10)
    source = Source("call @f(%0)\n" * 9 + "x" * 100, "f.mlir")
    excerpts = Excerpts(Brush())
    for start in range(0, 100, 12):
        excerpts.of(source, [(start, start + 7, "1", True, "")], "")
    assert len(made) == 2  # by itself, and the mould
    for start in range(90):
        excerpts.of(source, [(108 + start, 110 + start, "1", True, "")], "")
        assert len(excerpts._moulds) <= 10
