"""What the storage of a group, its metadata and its wrappers together say: calls that are left, and exact slots."""

from __future__ import annotations

import pytest

from jitlint import api
from tests.analysis.groups import FREE, M, T, codes, left, main_of, module, wrapper

C = "operand_layouts = [dense<[1, 0]> : tensor<2xindex>]"
MIXED = "operand_layouts = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>]"
OTHER_MATRIX = f"%mn = stablehlo.negate %m : {M}\n"
F = "operand_layouts = [dense<[0, 1]> : tensor<2xindex>]"
FAR = wrapper("far", 0, attributes=FREE).replace("!llvm.ptr", "!llvm.ptr<1>")


@pytest.mark.parametrize(
    ("body", "returned", "calls"),
    [
        # Groups that look alike and are not: how often results are used, which values are one, which are inside.
        ("%a = free %x\n%b = free %a\n%d = free %y\n%e = free %d", "%b %d %e", 3),
        ("%d = free %y\n%e = free %d\n%a = free %x\n%b = free %a", "%b %d %e", 3),
        ("%a = free %x\n%b = mix %y, %a\n%d = free %x\n%e = mix %d, %d", "%b %e", 3),
        ("%d = free %x\n%e = mix %d, %d\n%a = free %x\n%b = mix %y, %a", "%b %e", 3),
        ("%a = free %x\n%b = free %a\n%d = act %y\n%e = free %d", "%b %e", 2),
        ("%a = mix %x, %y\n%b = mix %z, %a\n%d = mix %x, %y\n%e = mix %d, %y", "%b %e", 2),
        # What is read later, or used outside, is not overwritten; nor is what one call passes twice.
        ("%a = free %x\n%b = free %a\n%d = mix %b, %a", "%d", 2),
        ("%a = free %x\n%b = mix %a, %a", "%b", 2),
        ("%a = free %x\n%b = both %a, %a", "", 2),
        ("%a:2 = both %x, %y\n%b = mix %a#0, %a#1", "%b %a#1", 1),
        ("%a:2 = both %x, %y\n%b = mix %a#1, %a#0", "%b %a#1", 2),
        # An undeclared write goes to a value of the group that nothing else uses, or keeps the call out.
        ("%a:2 = both %x, %y\n%h = hidden %z, %a#0, %a#1", "%h", 1),
        ("%a:2 = both %x, %y\n%h = hidden %z, %a#0, %a#1", "%h %a#0", 2),
        ("%a = free %x\n%h = hidden %z, %a, %y", "%h", 2),
        ("%a = free %x\n%h = hidden %z, %a, %a", "%h", 2),
        ('%a:2 = both %x, %y {backend_config = "q"}\n%h = hidden %z, %a#0, %a#1\n%e = free %h', "%e", 3),
        # Layouts of a slot agree, and nothing mixes what is written with what XLA chooses.
        (f"%ma = free %m {{{C}}} : {M}\n%mb = free %ma {{{C}}} : {M}", "%mb", 1),
        (f"%ma = free %m {{{C}}} : {M}\n%mb = free %ma {{{F}}} : {M}", "%mb", 2),
        (f"%ma = free %m {{{C}}} : {M}\n%mb = free %ma : {M}", "%mb", 2),
        (f"%ma = free %m : {M}\n%mb = free %ma : {M}", "%mb", 1),
        ("%a = free %x {operand_layouts = [dense<> : tensor<0xindex>]}\n%b = free %a", "%b", 1),
        (f"{OTHER_MATRIX}%a = mix %x, %m {{{MIXED}}} : {T},{M}\n%b = mix %a, %mn : {T},{M}", "%b", 2),
        (f"{OTHER_MATRIX}%a = mix %x, %mn : {T},{M}\n%b = mix %a, %m {{{MIXED}}} : {T},{M}", "%b", 2),
        (f"{OTHER_MATRIX}%a = mix %x, %m {{{MIXED}}} : {T},{M}\n%b = mix %a, %mn {{{MIXED}}} : {T},{M}", "%b", 1),
        # The address spaces of a slot's pointers agree.
        ("%a = far %x\n%b = free %a", "%b", 2),
        ("%a = far %x\n%b = far %a", "%b", 1),
        # Each has something against it by itself.
        ('%a = free %x {backend_config = "x"}\n%b = free %a', "%b", 2),
        ("%a = free %x {note = 1 : i32}\n%b = free %a", "%b", 2),
        ("%a = free %x {operand_layouts = []}\n%b = free %a", "%b", 2),
    ],
)
def test_calls_that_are_left(body: str, returned: str, calls: int) -> None:
    own = FAR if "far" in body else ""
    assert left(module(body, returned, own=own)) == calls


@pytest.mark.parametrize(
    ("body", "returned", "line"),
    [
        ("%a = free %x\n%b = mix %y, %a", "%a %b", "%a:2 = @__enzyme_fused_free_mix (%x, %y)"),
        ("%a = free %x\n%b = mix %a, %x", "%b", "%a = @__enzyme_fused_free_mix (%x, %x)"),
        ("%a = mix %x, %y\n%b = mix %a, %y", "%b", "%a = @__enzyme_fused_mix_mix (%x, %y)"),
        ("%a = mix %x, %y\n%b = mix %y, %a", "%b", "%a:2 = @__enzyme_fused_mix_mix (%x, %y, %y)"),
        ("%a:2 = both %x, %x\n%b = free %a#1", "%b", "%a:2 = @__enzyme_fused_both_free (%x, %x)"),
        ("%a = free %x\nread %a", "%a", "%a = @__enzyme_fused_free_read (%x)"),
    ],
)
def test_slots_stand_in_the_order_of_their_first_use(body: str, returned: str, line: str) -> None:
    assert main_of(module(body, returned))[0] == line


def test_groups_that_look_alike_have_their_own_slots() -> None:
    one, two = "%a = free %x\n%b = mix %y, %a\n", "%d = free %x\n%e = xim %y, %d\n"
    lines = ["%a:2 = @__enzyme_fused_free_mix (%x, %y)", "%d = @__enzyme_fused_free_xim (%x, %y)"]
    assert main_of(module(one + two, "%b %e"))[:2] == lines
    assert main_of(module(two + one, "%b %e"))[:2] == lines[::-1]
    one, two = "%a:2 = both %x, %y\n%b = mix %a#0, %z\n", "%d:2 = both %x, %y\n%e = mix %z, %d#1\n"
    lines = ["%a:2 = @__enzyme_fused_both_mix (%x, %y, %z)", "%d:3 = @__enzyme_fused_both_mix_1 (%x, %y, %z)"]
    assert main_of(module(one + two, "%a#1 %b %d#0 %e"))[:2] == lines


COPIED = f"""%ma = free %m {{{C}}} : {M}
%mb = free %ma {{{C}}} : {M}
"""


@pytest.mark.parametrize(
    ("body", "returned", "calls"),
    [
        ("%a = free %x\n%b = free %a", "%a %b", 1),
        ("%a = free %x\n%b = mix %a, %a\n%d = mix %b, %a", "%d", 1),
        (COPIED, "%ma %mb", 1),
        (COPIED.replace(f" {{{C}}}", ""), "%ma %mb", 2),
    ],
)
def test_calls_that_are_left_with_copies(body: str, returned: str, calls: int) -> None:
    assert left(module(body, returned), copies=True) == calls


def test_a_copy_needs_a_size() -> None:
    text = module("%a = free %x\n%b = free %a", "%a %b").replace(T, "tensor<3xi4>")
    assert left(text, copies=True) == 2


def test_a_copy_is_made_before_the_call_that_overwrites() -> None:
    fixed = api.fix(module("%a = free %x\n%b = free %a", "%a %b"), copies=True).source.text
    memcpy = fixed.index('"llvm.intr.memcpy"(%arg1, %arg0, ')
    assert fixed.index("llvm.store") < memcpy < fixed.rindex("llvm.store", 0, fixed.index("llvm.return"))
    assert "return %a#1, %a#0" in fixed


FUNC = "func.func private @inc(%p: memref<f64>) {\n  return\n}\n"
ENTRY = wrapper("entry", 0, attributes=FREE)
OTHER = wrapper("entry", 0, attributes="no_inline")


@pytest.mark.parametrize(
    ("own", "body", "calls"),
    [
        (ENTRY, "%a = entry %x\n%b = entry %a", 1),
        (ENTRY, "%a = entry %x\n%b = free %a", 1),
        (OTHER, "%a = entry %x\n%b = entry %a", 1),
        (OTHER, "%a = entry %x\n%b = act %a", 2),  # unequal attributes: both would have to be called
        (OTHER, "%q = free %y\n%a = entry %x\n%b = mix %a, %q\n%d = act %b", 2),
        (FUNC, "%a = inc %x\n%b = inc %a", 1),
        (FUNC, "%a = inc %x\n%b = free %a", 2),
    ],
)
def test_a_wrapper_that_would_have_to_be_called(own: str, body: str, calls: int) -> None:
    assert left(module(body, body.split("\n")[-1].split()[0], own=own)) == calls


FAULTS = {
    "JIT302": ("llvm.mlir.global constant @bad(0.0 : f64) : f64\n", "%a"),
    "JIT303": ("llvm.func @bad(!llvm.ptr)\n", "%a"),
    "JIT304": (wrapper("bad", 0).replace("!llvm.ptr)", "!llvm.ptr {llvm.byval = f64})"), "%a"),
    "JIT305": (wrapper("bad", 0, count=2), "%a"),
    "JIT306": (wrapper("bad", 0, more="  gpu.launch_func @k::@k blocks in (%0)\n"), "%a"),
    "JIT307": (
        "llvm.mlir.global internal @g(0.0 : f64) : f64\n"
        + wrapper("bad", 0, more="  %2 = llvm.mlir.addressof @g : !llvm.ptr\n"),
        "%a",
    ),
    "JIT602": (wrapper("bad", 0).replace("%p0: !llvm.ptr)", "%p0: !llvm.ptr {llvm.readonly})"), "%a"),
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_wrapper_with_something_against_it_is_in_no_group(code: str) -> None:
    own, _ = FAULTS[code]
    text = module("%a = free %x\n%b = act %a\n%d = free %b", "%d").replace("@act (", "@bad (")
    text = own + text
    assert code in codes(text)
    assert left(text) == 3


def test_a_store_that_cannot_be_followed_keeps_a_call_out() -> None:
    more = "  %2 = llvm.load %p0 : !llvm.ptr -> !llvm.ptr\n  llvm.store %1, %2 : f64, !llvm.ptr\n"
    own = wrapper("astray", 0, more=more)
    assert left(module("%a = free %x\n%b = astray %a", "%b", own=own)) == 2


def test_calls_of_one_shape_to_other_wrappers_and_of_other_shapes_to_one() -> None:
    bad = wrapper("worse", 0, count=2, attributes=FREE)
    assert left(module("%a = free %x\n%b = free %a\n%d = free %b", "%d")) == 1
    text = module("%a = free %x\n%b = free %a\n%d = free %b", "%d", own=bad)
    assert left(text.replace("@free (%b)", "@worse (%b)")) == 2
    assert left(module("%a = free %x\n%b = free %a\n%d = free %b {note = 1 : i32}", "%d")) == 2


def test_a_name_that_is_used_above_keeps_its_call_out() -> None:
    text = module("%a = free %x\n%b = free %a\n%d = free %b", "%d")
    assert left(text.replace("  return", '  "x.y"(%b#1) : (tensor<f64>) -> ()\n  return')) == 3


def test_a_call_of_no_wrapper_may_pass_one_value_twice() -> None:
    text = module("%a = free %x\n%b = mix %a, %a", "%b").replace("@mix (", "@who (")
    assert "JIT301" in codes(text)
    assert left(text) == 2
