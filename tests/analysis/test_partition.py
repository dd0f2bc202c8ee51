"""How components are split, on modules small enough to know the answer."""

from __future__ import annotations

import pytest

from jitlint import api
from tests.analysis.groups import M, T, codes, groups, left, main_of, module

CAME_ALONG = """
#a = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>) {
    %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %2 = enzymexla.jit_call @double (%y) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %4 = enzymexla.jit_call @double (%z) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %3 = enzymexla.jit_call @double (%2) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    return %1, %3, %4 : tensor<f64>, tensor<f64>, tensor<f64>
  }
}
"""
"""All calls of the second component lie in the way of the first, and come along."""

TWO_LAYOUTS = """
#a = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  func.func private @read(%arg0: memref<2x3xf64>, %arg1: memref<2x3xf64>) {
    return
  }
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>, %y: tensor<2x3xf64>) -> tensor<f64> {
    %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    enzymexla.jit_call @read (%y, %y)
      <operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]>
      : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
}
"""
"""The call between passes one value with two layouts: it can be in no group, not even as one that comes along."""

WRONG_THREE = """
#a = #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>
#b = #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>
module {
  llvm.func @mix(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.load %arg1 : !llvm.ptr -> f64
    %2 = llvm.fadd %0, %1 : f64
    llvm.store %2, %arg0 : f64, !llvm.ptr
    llvm.store %0, %arg1 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
    %1:2 = enzymexla.jit_call @mix (%x, %y) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %2:2 = enzymexla.jit_call @mix (%x, %1#1) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %3:2 = enzymexla.jit_call @mix (%1#0, %y) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %b = stablehlo.negate %2#0 : tensor<f64>
    %4:2 = enzymexla.jit_call @mix (%b, %3#1) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %5:2 = enzymexla.jit_call @mix (%3#0, %2#1) <output_operand_aliases = [#a, #b]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    return %y : tensor<f64>
  }
}
"""
"""Joined in the order of the ties, calls 1, 2 and 3 are one, and 4 and 5 can join neither that nor each other."""

PASSED_ON = WRONG_THREE.replace("stablehlo.negate", "stablehlo.optimization_barrier")
"""The same with an operation between that moves bytes only: it is taken in."""


@pytest.mark.parametrize(("text", "calls"), [(CAME_ALONG, 1), (TWO_LAYOUTS, 3), (WRONG_THREE, 2), (PASSED_ON, 1)])
def test_calls_left(text: str, calls: int) -> None:
    assert left(text) == calls


BARRIER = f"stablehlo.custom_call @f() {{has_side_effect = true}} : () -> {T}"
FIXED = "operand_layouts = [dense<[1, 0]> : tensor<2xindex>]"
ROW = "tensor<1x4xcomplex<f32>>"
ROWS = [
    f"operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<{row}> : tensor<2xindex>]"
    for row in ("[0, 1]", "[1, 0]")
]


def negate(result: str, operand: str) -> str:
    return f"{result} = stablehlo.negate {operand} : {T}\n"


LONG = f'{{note = "{"-" * 900}"}} : {T}\n'
CROSSED = f"%a = free %x\n%b = free %y\n{negate('%n', '%a')}{negate('%k', '%b')}%d = mix %k, %a\n%e = mix %n, %b\n"
"""Two pairs, each fine by itself, that block each other."""


@pytest.mark.parametrize(
    ("body", "returned", "calls"),
    [
        ("%a = act %x\n%b = act %a", "%b", 1),
        ("%a = act %x\n%b = act %a", "%a %b", 2),
        (f"%a = act %x\n%0 = {BARRIER}\n%b = act %a", "%b", 2),
        (f"%a = free %x\n%0 = {BARRIER}\n%b = free %a", "%b", 1),
        (f"%a = free %x\n%0 = {BARRIER}\n%b = act %a", "%b", 1),
        (f"%a = act %x\n{negate('%n', '%a')}%b = mix %n, %a", "%b", 2),
        (f"%a = act %x\n{negate('%n', '%x')}%b = mix %n, %a", "%b", 1),
        (CROSSED, "%d %e", 3),
        (CROSSED + "%g = free %a\n%h = free %b", "%a %b %d %e %g %h", 5),
        # A pair that stands together is in the way of another one, whose component cannot be whole.
        (
            f"%a = free %x\n{negate('%n', '%a')}%p = free %y\n%q = mix %n, %p\n{negate('%k', '%p')}"
            "%d = mix %k, %a\n%e = free %a",
            "%a %d %e %q",
            4,
        ),
        # The calls between are whole by themselves, and come along.
        ("%a = act %x\n%p = act %y\n%q = act %p\n%b = act %a", "%b %q", 1),
        # Two undeclared writes go unseen only if both values are made in the group; the whole component is no group.
        ("%a = free %x\n%b = free %y\n%h = hidden %z, %a, %b\n%e = free %h", "%h %e", 2),
        # A matrix without a layout, then one with: the second call is the one that has something against it.
        (f"%ma = free %m : {M}\n%mb = free %ma {{{FIXED}}} : {M}\n%mc = free %mb {{{FIXED}}} : {M}", "%mc", 2),
        (f"%ma = free %m : {M}\n%mb = free %ma : {M}", "%mb", 1),
        # All layouts of a row are one, of complex elements too.
        (
            f"%r = stablehlo.constant dense<(0.0, 1.0)> : {ROW}\n%a = xim %m, %r {{{ROWS[0]}}} : {M},{ROW}\n"
            f"%b = xim %m, %a {{{ROWS[1]}}} : {M},{ROW}",
            "",
            1,
        ),
        # Two groups that differ in which operand of the second call is the first one's value.
        ("%a = act %x\n%b = mix %y, %a\n%p = act %x\n%q = mix %p, %y", "%b %q", 2),
        # The second of three calls can be in no group.
        ('%a = act %x\n%b = act %a {backend_config = "q"}\n%d = act %b', "%d", 3),
        ('%a = free %x\nread %a {backend_config = "q"}\n%d = mix %y, %a', "%d", 2),
        (f'%a = act %x\n{negate("%n", "%x")}read %y {{backend_config = "q"}}\n%b = mix %n, %a\nread %b', "%b", 3),
    ],
)
def test_calls_that_are_left(body: str, returned: str, calls: int) -> None:
    assert left(module(body, returned)) == calls


@pytest.mark.parametrize(
    ("choices", "body", "returned", "calls"),
    [
        (
            {"group": "adjacent"},
            "read %x\n%b = act %x\n%d:2 = both %b, %z\n%e = mix %x, %b\n%g = free %x\n%h = act %y",
            "%d#1",
            1,
        ),
        (
            {"copies": True},
            "read %x\n%b = act %y\n%m = stablehlo.negate %b : tensor<f64>\n%d = act %b\n"
            "%n = stablehlo.negate %b : tensor<f64>\nread %m\n%e = mix %x, %x\nread %d",
            "%b %d",
            4,
        ),
    ],
)
def test_a_choice_begins_with_what_joins_without_it(
    choices: dict[str, object], body: str, returned: str, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else one call more would be left, in a stretch too long for other beginnings."""
    monkeypatch.setattr("jitlint.analysis.partition._MOST_CALLS", 2)
    assert left(module(body, returned), **choices) == calls


def test_a_part_that_was_whole_may_grow() -> None:
    assert groups(module("%a = act %x\n%p = act %y\n%q = act %p\n%b = act %a", "%b %q")) == [["act"] * 4]


def test_a_call_joins_the_components_of_all_its_operands() -> None:
    assert groups(module("%a = free %x\n%b = free %y\n%d = mix %a, %b", "%d")) == [["free", "free", "mix"]]


def test_calls_that_nothing_ties_stay_apart_unless_asked_for() -> None:
    text = module("%a = act %x\n%b = act %y", "%a %b")
    assert (left(text), left(text, group="adjacent")) == (2, 1)


@pytest.mark.parametrize(
    "text",
    [
        # Calls outside any function, where operations stand in no order.
        module("%a = act %x\n%b = act %a", "%b").partition("func.func @main")[0]
        + f"%x = stablehlo.constant dense<0.0> : {T}\n"
        + "\n".join(module("%a = act %x\n%b = act %a", "%b").splitlines()[-4:-2]),
        # A block in which something is no operation, and one in which a name is defined twice.
        module(f"%a = free %x\n%n = x.y %x : {T} x.z %x\n%b = free %a", "%b"),
        module("%a = act %x\n%b = act %a", "%b").replace("  return", f"  {negate('%a', '%x')}  return"),
        # A value that only moves from call to call, whose name is defined twice.
        module(f"%a = act %x\n%v = stablehlo.optimization_barrier %a : {T}\n%b = act %v\n{negate('%v', '%x')}", "%b"),
    ],
)
def test_what_is_not_understood_is_left_alone(text: str) -> None:
    assert api.fix(text).source.text == text
    assert "JIT001" not in codes(text)


@pytest.mark.parametrize(
    ("body", "returned", "lines"),
    [
        (f"%a = act %x\n{negate('%n', '%x')}%b = mix %n, %a", "%b", ["%n", "%a:2 = @__enzyme_fused_act_mix (%x, %n)"]),
        (f"%a = act %x\n{negate('%n', '%a')}%b = mix %y, %a", "%n", ["%a:2 = @__enzyme_fused_act_mix (%x, %y)", "%n"]),
        # What a group needs moves above it in its order, and what needs it stays below.
        (
            f"%a = act %x\n{negate('%n', '%x')}{negate('%k', '%n')}{negate('%l', '%a')}%b = mix %k, %a",
            "%b %l",
            ["%n", "%k", "%a:2 = @__enzyme_fused_act_mix (%x, %k)", "%l"],
        ),
        # An operation with effects stays where it is: the calls, which have none, move instead.
        (
            f"%a = free %x\n%0 = {BARRIER}\n%b = mix %0, %a",
            "%b",
            ["%0", "%a:2 = @__enzyme_fused_free_mix (%x, %0)"],
        ),
        (
            f"%a = free %x\n{negate('%n', '%a')}%0 = {BARRIER}\n%b = mix %0, %a",
            "%b %n",
            ["%0", "%a:2 = @__enzyme_fused_free_mix (%x, %0)", "%n"],
        ),
        # The least text moves, in its order, and nothing that has effects, nor a fused call that has.
        (
            f"%a = act %x\n{negate('%n', '%x')}{negate('%k', '%n')}%l = stablehlo.negate %a {LONG}%b = mix %k, %a",
            "%b %l",
            ["%n", "%k", "%a:2 = @__enzyme_fused_act_mix (%x, %k)", "%l"],
        ),
        (
            f"%a = act %x\n{negate('%k', '%a')}{negate('%l', '%k')}%n = stablehlo.negate %x {LONG}%b = mix %n, %a",
            "%b %l",
            ["%n", "%a:2 = @__enzyme_fused_act_mix (%x, %n)", "%k", "%l"],
        ),
        (
            f"%a = free %x\n{negate('%u', '%z')}%n = stablehlo.negate %a {LONG}%0 = {BARRIER}\n%b = mix %0, %a",
            "%b %n %u",
            ["%u", "%0", "%a:2 = @__enzyme_fused_free_mix (%x, %0)", "%n"],
        ),
        (
            f"%a = act %x\n%p = free %y\n{negate('%u', '%z')}{negate('%o', '%z')}%b = mix %o, %a\n"
            f"%n = stablehlo.negate %p {LONG}{negate('%k', '%b')}%q = mix %k, %p",
            "%b %n %q %u",
            [
                *("%u", "%o", "%a:2 = @__enzyme_fused_act_mix (%x, %o)", "%k"),
                *("%p:2 = @__enzyme_fused_free_mix (%y, %k)", "%n"),
            ],
        ),
        # What is hoisted keeps its order, and a fused call with effects is hoisted no more than its calls.
        (
            f"%a = act %x\n%l = stablehlo.negate %a {LONG}{negate('%n', '%x')}{negate('%k', '%n')}%b = mix %k, %a",
            "%b %l",
            ["%n", "%k", "%a:2 = @__enzyme_fused_act_mix (%x, %k)", "%l"],
        ),
        (
            f"%a = act %x\n%p = free %y\n%n = stablehlo.negate %p {LONG}{negate('%u', '%z')}{negate('%o', '%z')}"
            f"%b = mix %o, %a\n{negate('%k', '%b')}%q = mix %k, %p",
            "%b %n %q %u",
            [
                *("%u", "%o", "%a:2 = @__enzyme_fused_act_mix (%x, %o)", "%k"),
                *("%p:2 = @__enzyme_fused_free_mix (%y, %k)", "%n"),
            ],
        ),
    ],
)
def test_where_the_call_stands_and_what_moves(body: str, returned: str, lines: list[str]) -> None:
    found = main_of(module(body, returned))[:-1]
    assert [line if "@__" in line else line.partition(" ")[0] for line in found] == lines


def test_what_moves_is_fused_inside_afterwards() -> None:
    """The `if` moves above the first call, since what would have to move below the second one is longer."""
    text = module(f"%a = act %x\n%n = HERE\n%l = stablehlo.negate %a {LONG}%b = mix %n, %a", "%b %l")
    inner = module("%p = free %x\n%q = free %p").splitlines(keepends=True)
    branch = f'%n = "stablehlo.if"(%c) ({{\n{"".join(inner[-4:-2])}stablehlo.return %q : {T}\n}}, {{\n'
    branch += f"stablehlo.return %x : {T}\n}}) : (i1) -> {T}"
    text = "".join(inner[:6]) + text.replace("%n = HERE", branch)
    fixed = api.fix(text).source.text
    assert fixed.index("stablehlo.if") < fixed.index("jit_call @__enzyme_fused_act_mix")
    assert left(text) == 2


LAYOUTS = "operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ('backend_config = "x"', "its `backend_config` cannot be merged"),
        (LAYOUTS, "it passes one value as operands 0 and 1 with two layouts, `[0, 1]` and `[1, 0]`"),
    ],
)
def test_what_stands_in_the_way_says_why_it_does_not_come_along(written: str, why: str) -> None:
    findings = api.check(TWO_LAYOUTS.replace(LAYOUTS, written)).findings
    (finding,) = (each for each in findings if each.code == "JIT501")
    assert finding.message.startswith(f"@read stands in the way of a group: {why}")
    assert {each.code for each in findings} == {"JIT201", "JIT501"}
