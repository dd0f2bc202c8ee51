"""What a call's properties and attributes say besides its aliases."""

from __future__ import annotations

import pytest

from jitlint import api
from jitlint.analysis.storage.metadata import (
    Metadata,
    only_layout,
    read_layouts,
    read_metadata,
    show_layout,
    size_in_bytes,
    writes_other_layouts,
)
from jitlint.syntax.calls import CallReader
from tests.texts import alias

IN_PLACE = f"output_operand_aliases = [{alias()}]"
FLAG = "xla_side_effect_free"


def metadata(dictionary: str, type_text: str = "tensor<f64>") -> Metadata:
    call = f"enzymexla.jit_call @w (%a) {dictionary} : ({type_text}) -> {type_text}"
    return read_metadata(CallReader({}).read(call).syntax)


@pytest.mark.parametrize(
    ("dictionary", "free"),
    [
        (f"<{IN_PLACE}, {FLAG}>", True),
        (f"{{{IN_PLACE}, {FLAG}}}", True),
        (f"<{IN_PLACE}> {{{FLAG}}}", False),
        (f"{{{FLAG}}}", False),
        (f"{{note = 1 : i32, {FLAG}}}", False),
    ],
)
def test_the_flag_counts_where_it_belongs_to_the_operation(dictionary: str, free: bool) -> None:
    """Beside a property dictionary, or in one that holds nothing of the operation's own, engines take no note of it."""
    assert metadata(dictionary).effect_free is free


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ('backend_config = ""', None),
        ("arg_attrs = [{}]", None),
        ('backend_config = "x"', "JIT501"),
        ("arg_attrs = [{a.b}]", "JIT501"),
        ("res_attrs = [{}, {a.b}]", "JIT501"),
        ("result_layouts = []", "JIT501"),
        ("note = 1 : i32", "JIT501"),
        ("operand_layouts = []", "JIT501"),
        ("result_layouts = [dense<[0, 1]> : tensor<2xindex>]", "JIT501"),
    ],
)
def test_what_keeps_a_call_alone(entry: str, code: str | None) -> None:
    found = metadata(f"{{{IN_PLACE}, {entry}}}").verdicts
    assert [verdict.code for verdict in found] == ([code] if code else [])


def test_an_entry_beside_the_properties_means_nothing_to_the_operation() -> None:
    for entry in ("xla_side_effect_free", 'backend_config = ""', "note"):
        (verdict,) = metadata(f"<{IN_PLACE}> {{{entry}}}").verdicts
        assert verdict.code == "JIT501"


def test_a_layout_is_the_written_one_or_the_only_one_or_xla_s_choice() -> None:
    written = "operand_layouts = [dense<[0, 1]> : tensor<2xindex>]"
    assert metadata(f"{{{IN_PLACE}, {written}}}", "tensor<2x3xf64>").layouts == ((0, 1),)
    assert metadata(f"{{{IN_PLACE}}}", "tensor<2x3xf64>").layouts == (None,)
    assert metadata(f"{{{IN_PLACE}}}", "tensor<3xf64>").layouts == ((0,),)


@pytest.mark.parametrize("layout", [(), (0,), (1, 0), (0, 2, 1)])
def test_a_layout_is_read_as_it_is_shown(layout: tuple[int, ...]) -> None:
    assert read_layouts(f"[{show_layout(layout)}, {show_layout(layout)}]") == (layout, layout)


@pytest.mark.parametrize("text", ["", "[dense<[0, 0]> : tensor<2xindex>]", "[dense<[0, 1]> : tensor<3xindex>]", "#a"])
def test_what_is_no_list_of_layouts_is_none(text: str) -> None:
    assert read_layouts(text) is None


@pytest.mark.parametrize(
    ("type_text", "layout", "size"),
    [
        ("tensor<f64>", (), 8),
        ("tensor<4xf32>", (0,), 16),
        ("tensor<2x3xi16>", None, 12),
        ("tensor<2xcomplex<f64>>", (0,), 32),
        ("tensor<3xbf16>", (0,), 6),
        ("tensor<4x5xi8>", None, 20),
        ("tensor<2x3x4xf64>", None, 192),
        ("tensor<*x3xf64>", None, None),
        ("tensor<?xf64>", (0,), None),
        ("tensor<5xi1>", (0,), None),
        ("tensor<*xf64>", None, None),
        ("!my.type", None, None),
    ],
)
def test_types(type_text: str, layout: tuple[int, ...] | None, size: int | None) -> None:
    assert (only_layout(type_text), size_in_bytes(type_text)) == (layout, size)


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("[dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]", False),
        ("dense<[ 2,1,0 ]> : tensor<3xindex>", False),
        ("%0 = shape.shape_of %a : tensor<2x3xf64> -> tensor<2xindex>", False),
        ("%1 = foo.bar(%0) : (tensor<2xindex>) -> tensor<2xindex>", False),
        ("%0 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>", False),
        ('dense<"0x00"> : tensor<1xindex>', False),
        ("dense<[0, 1]> : tensor<2xindex>", True),
        ('dense<"0x00000000000000000100000000000000"> : tensor<2xindex>', True),
        ("dense<[0x0, 0x1]>: tensor<2 x index>", True),
        ("dense<[0, // minor\n 1]> : tensor<2xindex>", True),
        ("dense<[0, 1]> : // minor\n tensor<2xindex>", True),
        ("dense<[1, 0]> : // minor\n tensor<2xindex>", False),
        ("// dense<[0, 1]> : tensor<2xindex>\n", False),
        ('{note = "dense<[0, 1]> : tensor<2xindex>"} // !i = index', False),
        ('{note = "//"} dense<[0, 1]> : tensor<2xindex>', True),
        ("dense <[0, 1]> : tensor<2xindex>", True),
        ("!t = tensor<2xindex>\n[dense<[0, 1]> : !t]", True),
        ("!i = index\n[dense<[0, 1]> : tensor<2x!i>]", True),
        ('{mhlo.layout_mode = "auto"}', True),
        ("{minor_to_major = array<i64: 0, 1>}", True),
    ],
)
def test_a_layout_that_is_not_the_default_is_seen_however_it_is_written(text: str, others: bool) -> None:
    """The engine reads all of these."""
    assert writes_other_layouts(text, 0, len(text)) is others
    assert not writes_other_layouts(text + text, len(text), len(text))


@pytest.mark.parametrize(
    "layout", ["dense<[0, 1]>", "dense<[0x0, 0x1]>", 'dense<"0x00000000000000000100000000000000">']
)
@pytest.mark.parametrize("beside", [True, False])
def test_calls_whose_layouts_xla_chooses_stay_apart_beside_another_layout(layout: str, beside: bool) -> None:
    call = f"enzymexla.jit_call @w (%{{}}) <{IN_PLACE}> : (tensor<2x2xf64>) -> tensor<2x2xf64>"
    other = f"operand_layouts = [{layout} : tensor<2xindex>]" if beside else ""
    text = f"""
llvm.func @w(%a: !llvm.ptr) {{
  llvm.return
}}
func.func @main(%x: tensor<2x2xf64>) -> tensor<2x2xf64> {{
  %0 = {call.format("x")}
  %1 = {call.format("0")}
  stablehlo.custom_call @look(%x) {{has_side_effect = true, {other}}} : (tensor<2x2xf64>) -> ()
  return %1 : tensor<2x2xf64>
}}
"""
    codes = [finding.code for finding in api.check(text).findings]
    assert ("JIT501" in codes) is beside
    assert ("JIT001" in codes) is not beside
