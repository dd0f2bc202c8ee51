"""Where entries and their elements stand in a call's text."""

from __future__ import annotations

import pytest

from jitlint import api
from jitlint.ir.calls import WHOLE
from jitlint.ir.program import call_blocks
from jitlint.ir.tree import Unit
from tests.texts import alias

ENTRIES = '<a = [#s<p = [1], q = 2>, // ]\n [3, "]"]], b, c = "a = [" : i1>'
CALL = f"%r = enzymexla.jit_call @b (%x) {ENTRIES} {{a = 5}} : (f64) -> f64"


@pytest.mark.parametrize(
    ("key", "number", "text"),
    [
        ("a", 0, "#s<p = [1], q = 2>"),
        ("a", 1, '[3, "]"]'),
        ("a", 2, 'a = [#s<p = [1], q = 2>, // ]\n [3, "]"]]'),
        ("a", WHOLE, 'a = [#s<p = [1], q = 2>, // ]\n [3, "]"]]'),
        ("b", 0, "b"),
        ("c", WHOLE, 'c = "a = [" : i1'),
        ("p", 0, None),
        ("d", 0, None),
    ],
)
def test_an_entry_and_its_elements(key: str, number: int, text: str | None) -> None:
    module = f"func.func @main(%x: f64) {{\n  {CALL}\n  return\n}}\n"
    (place,) = call_blocks(Unit(module, 0, len(module)))
    span = place.calls[0].entry_span(key, number)
    assert (module[span.start : span.end] if span else None) == text


def _module(*calls: str) -> str:
    wrapper = "llvm.func @w(%a: !llvm.ptr) {\n  llvm.return\n}\n"
    body = "".join(f"  {call}\n" for call in calls)
    return f"{wrapper}func.func @main(%x: tensor<f64>) {{\n{body}  return\n}}\n"


def _call(number: int, operand: str, *entries: str) -> str:
    return f"%{number} = enzymexla.jit_call @w ({operand}) <{', '.join(entries)}> : (tensor<f64>) -> tensor<f64>"


GOOD = f"output_operand_aliases = [{alias()}]"
OVER_LINES = _call(0, "%x", "\n    output_operand_aliases = [\n      " + alias(7) + "\n    ]")
TWO_LAYOUTS = [
    f"%{number} = enzymexla.jit_call @w ({operand}) <{entry}{GOOD}> : (tensor<2x2xf64>) -> tensor<2x2xf64>"
    for number, operand, entry in ((0, "%x", "operand_layouts = [dense<[1, 0]> : tensor<2xindex>], "), (1, "%0", ""))
]


def test_each_call_of_a_shape_shows_its_own_entry() -> None:
    types = "tensor<f64>, tensor<f64>"
    aliases = f"{alias(0, 0)}, {alias(7, 1)}"
    call = f"enzymexla.jit_call @w (%x, %x) <output_operand_aliases = [{aliases}]> : ({types}) -> ({types})"
    text = _module(f"%0:2 = {call}", f"%1:2 = {call}").replace("%a: !llvm.ptr", "%a: !llvm.ptr, %b: !llvm.ptr")
    found = [finding for finding in api.check(text).findings if finding.code == "JIT402"]
    places = [finding.span for finding in found]
    assert [text[span.start : span.end] for span in places if span] == [alias(7, 1)] * 2
    assert len(set(places)) == 2
    assert not found[0].notes  # the line says which call it is


@pytest.mark.parametrize(
    ("text", "code", "places"),
    [
        (_module(OVER_LINES), "JIT402", [alias(7)]),
        (
            _module(_call(0, "%x", "note = 1 : i64", GOOD), _call(1, "%0", "note = 1 : i64", GOOD)),
            "JIT501",
            ["note"] * 2,
        ),
        (_module(*TWO_LAYOUTS).replace("f64>)", "2x2xf64>)", 1), "JIT501", ["operand_layouts"]),
    ],
)
def test_a_finding_starts_at_the_entry_that_is_wrong(text: str, code: str, places: list[str]) -> None:
    found = [finding.span for finding in api.check(text).findings if finding.code == code]
    assert [text.startswith(place, span.start) for span, place in zip(found, places, strict=True) if span] == [
        True for _ in places
    ]


def test_the_call_is_a_note_where_it_stands_on_another_line() -> None:
    text = _module(OVER_LINES)
    (finding,) = (each for each in api.check(text).findings if each.code == "JIT402")
    assert [note.message for note in finding.notes] == ["of this call"]
    span = finding.notes[0].span
    assert span is not None
    assert text[span.start : span.end] == "enzymexla.jit_call @w"
