"""Inputs that jitlint got wrong, one for each kind: what is said of them, and how many calls a fix leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint import api
from tests.engine.spelling import count_calls

FAULTS = Path(__file__).parent / "faults"

EXPECTED = {
    "alias_between": ("JIT001", 2, 1),
    "bad_alias_entry": ("JIT402", 1, 1),
    "comdat_called": ("JIT001", 2, 1),
    "component_came_along": ("JIT001", 5, 1),
    "dedupe_names_wrapper": ("JIT001 JIT704", 3, 1),
    "dropped_beside": ("JIT501 JIT701 JIT705", 3, 3),
    "dropped_with_its_layouts": ("JIT501 JIT701 JIT705", 4, 4),
    "engine_buffer_dies": ("JIT201 JIT705", 4, 4),
    "engine_received_unused": ("JIT602 JIT705", 3, 3),
    "gpu_module_fused": ("JIT302", 3, 3),
    "gpu_module_shadow": ("JIT302", 2, 2),
    "inside_undeclared_write": ("JIT001 JIT602", 2, 1),
    "inside_undeclared_write_used": ("JIT602", 2, 2),
    "layout_default": ("JIT501", 3, 3),
    "linalg_on_memref": ("JIT202", 2, 2),
    "long_return": ("JIT001", 2, 1),
    "one_value_two_layouts": ("JIT201 JIT501", 3, 3),
    "props_alias": ("JIT201", 2, 2),
    "public_func_wrapper": ("JIT001", 2, 1),
    "public_in_two_modules": ("JIT001", 3, 2),
    "region_calls_a_function_below": ("JIT001 JIT705", 2, 1),
    "send_buffer_dies": ("JIT201 JIT601 JIT702", 2, 2),
    "send_receive_no_value": ("JIT604 JIT702", 2, 2),
    "string_paren": ("JIT001", 3, 1),
    "twin_constants": ("JIT001 JIT702", 2, 1),
    "undeclared_freeze": ("JIT602", 2, 2),
    "undeclared_write_shared": ("JIT403 JIT602 JIT705", 3, 3),
    "wait_declared_free": ("JIT001 JIT605", 2, 1),
    "waitall_gathers": ("JIT001 JIT601", 3, 1),
    "waitall_writes_back": ("JIT001 JIT601 JIT602", 3, 1),
}
"""The codes of a file, its calls, and those that a fix leaves."""


def text_of(name: str) -> str:
    return (FAULTS / f"{name}.mlir").read_text(encoding="utf-8")


def test_every_fault_is_in_the_table() -> None:
    assert sorted(EXPECTED) == sorted(path.stem for path in FAULTS.glob("*.mlir"))


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_said_and_what_is_fused(name: str) -> None:
    codes, before, left = EXPECTED[name]
    text = text_of(name)
    assert " ".join(sorted({finding.code for finding in api.check(text).findings})) == codes
    assert count_calls(text) == before
    fixed = api.fix(text)
    assert count_calls(fixed.source.text) == left
    assert {finding.code for finding in fixed.findings} <= {*codes.split(), "JIT702"} - {"JIT001"}
    assert api.fix(fixed.source.text).source.text == fixed.source.text


def test_equal_constants_that_are_only_read_are_one_slot() -> None:
    fixed = api.fix(text_of("twin_constants")).source.text
    (call,) = (line for line in fixed.splitlines() if "enzymexla.jit_call" in line)
    assert call.count("%c") == 1


def test_the_wrong_entry_of_an_alias_list_is_shown() -> None:
    (finding,) = api.check(text_of("bad_alias_entry")).findings
    text, place = text_of("bad_alias_entry"), finding.span
    assert place is not None
    assert "operand_index = 9" in text[place.start : place.end]
    assert text.startswith("#stablehlo.output_operand_alias<", place.start)


def test_effects_that_nothing_orders_are_said_once_and_the_way_out_is_named() -> None:
    (finding,) = (each for each in api.check(text_of("send_receive_no_value")).findings if each.code == "JIT604")
    assert "--group adjacent" in (finding.help or "")


def test_a_wait_that_says_it_has_no_effects_is_not_called_dead() -> None:
    first = api.check(text_of("wait_declared_free")).findings[0]
    assert first.code == "JIT605"
