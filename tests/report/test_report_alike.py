"""A finding that is printed like one before reads as if it had been laid out by itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jitlint.findings import Finding, Group, JitCall, Note, Severity, Span
from jitlint.report import alike
from jitlint.report.common import Settings, in_order
from jitlint.report.full import FullReport
from jitlint.result import Result
from jitlint.syntax.source import Source

LONG = "`x.y` uses %{0}#0, which is said at some length, but not {1} here: %{0}"
ODD = ["", "", "", "z", "\t", "é", " ", "%s", "zz", "日", "\x1b", "x" * 120, "y" * 60 + " " * 60]
# Of what a finding and its text are made; many choices are of one length.
CHOICES = {
    "number": ["1", "2", "7", "10"],
    "ending": ["\n", "\n", "\r\n"],
    "first": ODD,
    "last": ODD,
    "between": [0, 1, 2],
    "blank": [1, 2],
    "message": [LONG.format("{0}", "all"), LONG.format("{0}", "a l"), "all %{0}", "nil %{0}", "100% %{0}"],
    "label": ["here", "hier", "%7"],
    "noted": ["", "one", "name", "other", "nowhere", "name, nowhere"],
    "fused": [None, "fused", "fused 2"],
    "grouped": [True, False],
    "code": ["JIT001", "JIT601"],
    "severity": [None, Severity.INFO],
    "help": [None, "run", "ran"],
    "fixable": [True, False],
    "about": ["one", "other", "name"],
    "path": [False, False, True],
}
Parts = dict[str, Any]


def unit(parts: Parts, at: int) -> tuple[str, Finding]:
    """Some lines of text that begin at an offset, and a finding about them."""
    number = parts["number"]
    lines = [
        f"    %{number}:2 = enzymexla.jit_call @w{number} (%a){parts['first']} : (f64) -> f64",
        *["    %b1 = x.y %a"] * parts["between"],
        f"  enzymexla.jit_call @v (%{number}#1){parts['last']} : (f64) -> ()",
    ]
    text = parts["ending"].join(lines) + parts["ending"] * parts["blank"]
    first, last, name = text.index("enzymexla"), text.rindex("enzymexla"), text.index("%")
    spans = {
        "one": Span(at + first, at + text.index(" (", first)),
        "other": Span(at + last, at + text.index(" (", last)),
        "name": Span(at + name, at + name + 2),
    }
    calls = JitCall(f"w{number}", spans["one"]), JitCall("v", spans["other"])
    finding = Finding(
        code=parts["code"],
        message=parts["message"].format(number),
        span=spans[parts["about"]],
        notes=tuple(Note(parts["label"], spans.get(place)) for place in parts["noted"].split(", ") if place),
        path=tuple(Note("step", span) for span in spans.values()) if parts["path"] else (),
        group=Group(calls, parts["fused"]) if parts["grouped"] else None,
        fixable=parts["fixable"],
        help=parts["help"],
        severity=parts["severity"],
    )
    return text, finding


@st.composite
def twins(draw: st.DrawFn) -> list[Parts]:
    """The parts of many findings, each of which differs from the first in one thing at the most."""
    first = {name: draw(st.sampled_from(choices)) for name, choices in CHOICES.items()}
    others = draw(st.lists(st.sampled_from(sorted(CHOICES)), min_size=2, max_size=9))
    different = [{**first, name: draw(st.sampled_from(CHOICES[name]))} for name in others]
    return [each for one in different for each in (first, {**first, "number": "2"}, one, one, one)]


@given(twins(), st.sampled_from([0, *range(75, 100)]), st.sampled_from([30, 80, 200]), st.booleans(), st.booleans())
@settings(max_examples=400, deadline=None)
def test_printed_as_laid_out(many: list[Parts], blank: int, width: int, color: bool, unicode: bool) -> None:
    text, found = "\n" * blank, []
    for parts in many:
        piece, finding = unit(parts, len(text))
        text += piece
        found.append(finding)
    look = Settings(color=color, width=width, unicode=unicode)
    source, together = Source(text, "f.mlir"), []
    FullReport(together.append, look).file("f.mlir", Result(source, tuple(found)))
    alone: list[str] = []
    for finding in in_order(found):
        FullReport(alone.append, look).file("f.mlir", Result(source, (finding,)))
    assert "".join(together) == "".join(alone)


def test_what_is_alike_is_laid_out_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[Finding] = []
    lay_out = FullReport._finding
    monkeypatch.setattr(
        FullReport,
        "_finding",
        lambda self, path, source, finding: laid_out.append(finding) or lay_out(self, path, source, finding),
    )
    line = "    %{0} = enzymexla.jit_call @w (%a{0}) : (f64) -> f64\n"
    text = "".join(line.format(number) for number in range(1000, 1200))
    spans = [Span(at, at + 18) for at in range(12, len(text), len(line.format(1000)))]
    messages = [f"%{number} is wrong" for number in range(1000, 1200)]
    found = tuple(Finding("JIT402", message, span) for message, span in zip(messages, spans, strict=True))
    printed: list[str] = []
    FullReport(printed.append, Settings()).file("f.mlir", Result(Source(text, "f.mlir"), found))
    assert len(laid_out) == 2 * 3  # for line numbers of one, two and three digits
    assert all(message in "".join(printed) for message in messages)


def test_few_forms_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "_MOST_FORMS", 10)
    text = "".join(f"{'x' * number}\n" for number in range(1, 60))
    source = Source(text, "f.mlir")
    kept = alike.Alike(source, lambda finding: finding.message, lambda *_: None)
    for start in source.line_starts[:-1]:
        assert kept.printed(Finding("JIT402", "m", Span(start, start + 1))) == "m"
        assert len(kept._forms) <= 10
