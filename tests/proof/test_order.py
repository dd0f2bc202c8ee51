"""A value is defined above its use: the proof sees it where a line moved, though all lines are the same."""

from __future__ import annotations

import pytest

from jitlint.proof.compare import prove
from tests.proof.programs import call, calling

T = "tensor<f64>"
NEGATE, ABS = f"%x = stablehlo.negate %a0 : {T}", f"%y = stablehlo.abs %x : {T}"
ADD = f"%r = stablehlo.add %y, %a1 : {T}"
EFFECT = f"%e = stablehlo.custom_call @f(%a0) {{has_side_effect = true}} : ({T}) -> {T}"
USES_EFFECT = f"%z = stablehlo.abs %e : {T}"
RECEIVE = f"%c0 = {call('receive', '%x')}"
AFTER = f"%d = stablehlo.abs %c0 : {T}"


def body(*rows: str) -> str:
    return calling("\n".join([*rows, f"return %r : {T}"]))


RIGHT = body(NEGATE, ABS, EFFECT, USES_EFFECT, RECEIVE, AFTER, ADD)
MOVED = {
    "a line above one that it uses, beside an effect": body(ABS, EFFECT, NEGATE, USES_EFFECT, RECEIVE, AFTER, ADD),
    "a line above one that it uses": body(ABS, NEGATE, EFFECT, USES_EFFECT, RECEIVE, AFTER, ADD),
    "a line above the effect that it uses": body(NEGATE, ABS, USES_EFFECT, EFFECT, RECEIVE, AFTER, ADD),
    "a call above what it uses": body(RECEIVE, NEGATE, ABS, EFFECT, USES_EFFECT, AFTER, ADD),
    "a call above what it uses, behind the effect": body(EFFECT, RECEIVE, NEGATE, ABS, USES_EFFECT, AFTER, ADD),
    "a line above the call that it uses": body(NEGATE, AFTER, ABS, EFFECT, USES_EFFECT, RECEIVE, ADD),
    "a line below the end": body(NEGATE, ABS, EFFECT, USES_EFFECT, RECEIVE, AFTER, f"my.op %r : {T}", ADD),
}


@pytest.mark.parametrize("text", MOVED.values(), ids=MOVED)
def test_a_use_above_its_definition_is_refused(text: str) -> None:
    difference = prove(RIGHT, text).difference
    assert difference is not None
    assert "is used above its definition" in difference.message or "is new" in difference.message


def test_lines_that_move_and_stay_in_order() -> None:
    moved = body(EFFECT, NEGATE, RECEIVE, ABS, AFTER, USES_EFFECT, ADD)
    assert prove(RIGHT, moved).difference is None
    assert prove(moved, RIGHT).difference is None
