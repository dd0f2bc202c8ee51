"""Each rule of executing what stands around wrappers: pairs that compute the same, and pairs that differ."""

from __future__ import annotations

import pytest

from jitlint.proof.compare import prove
from tests.proof.programs import call, calling

T, V = "tensor<f64>", "tensor<4xf64>"
ADD = f"stablehlo.add %a0, %a1 : {T}"
NOTED = f'stablehlo.negate %a0 {{note = "(%p: !llvm.ptr)"}} : {T}'
RETURN = f"return %r : {T}"
HELPER = """\
func.func private @kept(%x: tensor<f64>) -> tensor<f64> {
  %0 = stablehlo.negate %x : tensor<f64>
  return %0 : tensor<f64>
}
"""


def returning(*rows: str) -> str:
    """A body of these lines that returns `%r`."""
    return "\n".join([*rows, RETURN])


def effect(name: str, operand: str) -> str:
    return f"%{name} = stablehlo.custom_call @f({operand}) {{has_side_effect = true}} : ({T}) -> {T}"


def conditional(first: str, second: str, condition: str = "%c") -> str:
    yields = [f"stablehlo.return {each} : {T}" for each in (first, second)]
    return f'%r = "stablehlo.if"({condition}) ({{\n{yields[0]}\n}}, {{\n{yields[1]}\n}}) : (tensor<i1>) -> {T}'


EQUAL = {
    "names": (
        returning(f"%x = {ADD}", f"%r = stablehlo.negate %x : {T}"),
        returning(f"%0 = {ADD}", f"%r = stablehlo.negate %0 : {T}"),
    ),
    "locations, comments and white space": (
        returning(f"%r = {ADD}"),
        returning(f'%r  =  stablehlo.add %a0,%a1:{T} loc("x.jl":1:2) // why'),
    ),
    "the order of pure operations": (
        returning(f"%x = {ADD}", f"%y = stablehlo.negate %a0 : {T}", f"%r = stablehlo.subtract %x, %y : {T}"),
        returning(f"%y = stablehlo.negate %a0 : {T}", f"%x = {ADD}", f"%r = stablehlo.subtract %x, %y : {T}"),
    ),
    "the same operation twice": (
        returning(f"%x = {ADD}", f"%y = {ADD}", f"%r = stablehlo.subtract %x, %y : {T}"),
        returning(f"%x = {ADD}", f"%r = stablehlo.subtract %x, %x : {T}"),
    ),
    "an operation that nobody uses": (
        returning(f"%r = {ADD}"),
        returning(f"%x = stablehlo.negate %a0 : {T}", f"%r = {ADD}"),
    ),
    "a pure operation across an effect": (
        returning(effect("e", "%a0"), f"%x = {ADD}", f"%r = stablehlo.subtract %x, %e : {T}"),
        returning(f"%x = {ADD}", effect("e", "%a0"), f"%r = stablehlo.subtract %x, %e : {T}"),
    ),
    "what shows a type of memory in a string, across an effect": (
        returning(effect("e", "%a0"), f"%x = {NOTED}", f"%r = stablehlo.subtract %x, %e : {T}"),
        returning(f"%x = {NOTED}", effect("e", "%a0"), f"%r = stablehlo.subtract %x, %e : {T}"),
    ),
    "a constant as the printer writes it": (
        returning(f"%k = stablehlo.constant dense<2.0> : {T}", f"%r = stablehlo.add %a0, %k : {T}"),
        returning(f"%k = stablehlo.constant dense<2.000000e+00> : {T}", f"%r = stablehlo.add %a0, %k : {T}"),
    ),
    "a call in its two spellings": (
        returning(f"%r = func.call @kept(%a0) : ({T}) -> {T}"),
        returning(f"%r = call @kept(%a0) : ({T}) -> {T}"),
    ),
    "a name with its number": (
        returning(f"%r = {ADD}"),
        returning(f"%x = {ADD}", f"%r = stablehlo.add %a0, %a1 : {T}"),
    ),
    "a free call across an effect": (
        returning(effect("e", "%a0"), f"%x = {call('free', '%a1')}", f"%r = stablehlo.add %x, %e : {T}"),
        returning(f"%x = {call('free', '%a1')}", effect("e", "%a0"), f"%r = stablehlo.add %x, %e : {T}"),
    ),
    "regions": (returning(f"%x = {ADD}", conditional("%a0", "%x")), returning(f"%y = {ADD}", conditional("%a0", "%y"))),
    "bytes that are moved": (
        returning(
            f"%x = stablehlo.reshape %a0 : ({T}) -> tensor<1xf64>",
            f"%r = stablehlo.reshape %x : (tensor<1xf64>) -> {T}",
        ),
        f"return %a0 : {T}",
    ),
}

DIFFERENT = {
    "an operand": (returning(f"%r = {ADD}"), returning(f"%r = stablehlo.add %a0, %a0 : {T}")),
    "the order of operands": (
        returning(f"%r = stablehlo.subtract %a0, %a1 : {T}"),
        returning(f"%r = stablehlo.subtract %a1, %a0 : {T}"),
    ),
    "an operation": (returning(f"%r = {ADD}"), returning(f"%r = stablehlo.multiply %a0, %a1 : {T}")),
    "what is returned": (
        returning(f"%x = {ADD}", f"%r = stablehlo.negate %x : {T}"),
        returning(f"%r = {ADD}", f"%x = stablehlo.negate %r : {T}"),
    ),
    "a constant": (
        returning(f"%k = stablehlo.constant dense<2.0> : {T}", f"%r = stablehlo.add %a0, %k : {T}"),
        returning(f"%k = stablehlo.constant dense<20.0> : {T}", f"%r = stablehlo.add %a0, %k : {T}"),
    ),
    "the order of effects": (
        returning(effect("x", "%a0"), effect("y", "%a1"), f"%r = stablehlo.add %x, %y : {T}"),
        returning(effect("y", "%a1"), effect("x", "%a0"), f"%r = stablehlo.add %x, %y : {T}"),
    ),
    "an effect": (returning(effect("x", "%a0"), f"%r = {ADD}"), returning(f"%r = {ADD}")),
    "an effect twice": (
        returning(effect("x", "%a0"), f"%r = {ADD}"),
        returning(effect("x", "%a0"), effect("y", "%a0"), f"%r = {ADD}"),
    ),
    "which of two effects": (
        returning(effect("x", "%a0"), effect("y", "%a0"), f"%r = stablehlo.negate %x : {T}"),
        returning(effect("x", "%a0"), effect("y", "%a0"), f"%r = stablehlo.negate %y : {T}"),
    ),
    "which of two regions": (returning(conditional("%a0", "%a1")), returning(conditional("%a1", "%a0"))),
    "an attribute": (
        returning(f"%r = stablehlo.exponential %a0 : {T}"),
        returning(
            f"%r = stablehlo.exponential %a0 {{result_accuracy = #stablehlo.result_accuracy<mode = HIGHEST>}} : {T}"
        ),
    ),
    "the function that is called": (
        returning(f"%r = call @kept(%a0) : ({T}) -> {T}"),
        returning(f"%r = call @other(%a0) : ({T}) -> {T}"),
    ),
    "the order of calls with effects": (
        returning(
            f"%x = {call('receive', '%a0')}", f"%y = {call('receive', '%a1')}", f"%r = stablehlo.add %x, %y : {T}"
        ),
        returning(
            f"%y = {call('receive', '%a1')}", f"%x = {call('receive', '%a0')}", f"%r = stablehlo.add %x, %y : {T}"
        ),
    ),
    "which of two receives": (
        returning(
            f"%x = {call('receive', '%a0')}", f"%y = {call('receive', '%a0')}", f"%r = stablehlo.negate %x : {T}"
        ),
        returning(
            f"%x = {call('receive', '%a0')}", f"%y = {call('receive', '%a0')}", f"%r = stablehlo.negate %y : {T}"
        ),
    ),
    "an effect through an alias": (
        returning(f'%x = "stablehlo.custom_call"(%a0) <#acts> : ({T}) -> {T}', f"%r = {ADD}"),
        returning(f"%r = {ADD}"),
    ),
}

OTHER = HELPER.replace("@kept", "@other").replace("negate", "abs")
ALIASES = '#acts = {call_target_name = "f", has_side_effect = true}\n'


def verdict(first: str, second: str) -> str:
    texts = [ALIASES + calling(body, declared=HELPER + OTHER) for body in (first, second)]
    difference = prove(*texts).difference
    return difference.message if difference is not None else ""


@pytest.mark.parametrize(("first", "second"), EQUAL.values(), ids=EQUAL)
def test_functions_that_compute_the_same(first: str, second: str) -> None:
    assert verdict(first, second) == ""
    assert verdict(second, first) == ""


@pytest.mark.parametrize(("first", "second"), DIFFERENT.values(), ids=DIFFERENT)
def test_functions_that_differ_in_one_place(first: str, second: str) -> None:
    assert verdict(first, first.replace("%x", "%renamed")) == ""
    assert verdict(first, second)
    assert verdict(second, first)


def test_the_first_difference_is_named() -> None:
    first = returning(f"%x = {ADD}", f"%r = stablehlo.negate %x : {T}")
    assert verdict(first, first.replace("negate", "abs")) == "%r differs: operand 1 of `return` in @main"
    assert verdict(returning(effect("x", "%a0"), f"%r = {ADD}"), returning(f"%r = {ADD}")) == (
        "effect 1 of @main is gone: `stablehlo.custom_call @f`"
    )


def test_a_name_that_nothing_defines_is_the_same_unknown_in_both() -> None:
    assert verdict(returning(f"%r = stablehlo.negate %u : {T}"), returning(f"%r = stablehlo.negate %u : {T}")) == ""
    assert verdict(returning(f"%r = stablehlo.negate %u : {T}"), returning(f"%r = stablehlo.negate %w : {T}"))
    late = returning(f"%r = stablehlo.negate %u : {T}", f"%u = {ADD}")
    assert "used above its definition" in verdict(late, late.replace("%a0, %a1", "%a1, %a1"))
