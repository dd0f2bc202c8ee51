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


def test_each_call_of_a_shape_shows_its_own_entry() -> None:
    types = "tensor<f64>, tensor<f64>"
    aliases = f"{alias(0, 0)}, {alias(7, 1)}"
    call = f"enzymexla.jit_call @w (%x, %x) <output_operand_aliases = [{aliases}]> : ({types}) -> ({types})"
    wrapper = "llvm.func @w(%a: !llvm.ptr, %b: !llvm.ptr) {\n  llvm.return\n}\n"
    text = f"{wrapper}func.func @main(%x: tensor<f64>) {{\n  %0:2 = {call}\n  %1:2 = {call}\n  return\n}}\n"
    found = [finding for finding in api.check(text).findings if finding.code == "JIT402"]
    places = [finding.notes[0].span for finding in found]
    assert [text[span.start : span.end] for span in places if span] == [alias(7, 1)] * 2
    assert len(set(places)) == 2
    assert found[0].notes[0].message == "element 1 of `output_operand_aliases`"


def test_an_attribute_that_keeps_a_call_out_is_shown() -> None:
    entries = f"note = 1 : i64, output_operand_aliases = [{alias()}]"
    call = f"enzymexla.jit_call @w (%x) <{entries}> : (tensor<f64>) -> tensor<f64>"
    wrapper = "llvm.func @w(%a: !llvm.ptr) {\n  llvm.return\n}\n"
    second = call.replace("%x", "%0")
    text = f"{wrapper}func.func @main(%x: tensor<f64>) {{\n  %0 = {call}\n  %1 = {second}\n  return\n}}\n"
    shown = [finding.notes[0] for finding in api.check(text).findings if finding.code == "JIT501"]
    assert [text[note.span.start : note.span.end] for note in shown if note.span] == ["note = 1 : i64"] * 2
