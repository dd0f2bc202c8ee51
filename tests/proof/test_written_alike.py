"""Functions that are written like others of their module: what is proved once holds for all, and for nothing else."""

from __future__ import annotations

import pytest

from jitlint.proof.answer import Proof
from jitlint.proof.compare import prove
from tests.proof.programs import OUTSIDE, WRAPPERS, call

TOGETHER = """\
llvm.func @together(%p: !llvm.ptr) {
  llvm.call @double(%p) : (!llvm.ptr) -> ()
  llvm.call @double(%p) : (!llvm.ptr) -> ()
  llvm.return
}
"""


def function(name: str, *lines: str) -> str:
    body = "".join([f"  {line}\n" for line in lines])
    return f"func.func @{name}(%a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {{\n{body}}}\n"


Bodies = tuple[tuple[str, ...], ...]

BEFORE = (f"%x = {call('double', '%a')}", f"%y = {call('double', '%x')}", "return %y : tensor<f64>")
AFTER = (f"%x = {call('together', '%a')}", "return %x : tensor<f64>")
WRONG = (f"%x = {call('together', '%b')}", "return %x : tensor<f64>")


def proof(before: str, after: str) -> Proof:
    return prove(OUTSIDE + WRAPPERS + before, OUTSIDE + WRAPPERS + TOGETHER + after)


def words(before: str, after: str) -> str:
    found = proof(before, after).difference
    return found.message if found is not None else ""


def functions(*bodies: tuple[str, ...]) -> str:
    return "".join([function(f"f{number}", *body) for number, body in enumerate(bodies)])


def test_twins_are_counted_like_others() -> None:
    one = proof(functions(BEFORE), functions(AFTER))
    three = proof(functions(*[BEFORE] * 3), functions(*[AFTER] * 3))
    assert (one.calls, one.difference) == (2, None)
    assert three.functions - one.functions == 2
    assert (three.values, three.effects, three.calls) == (3 * one.values, 3 * one.effects, 3 * one.calls)
    assert three.difference is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((BEFORE, BEFORE), (AFTER, WRONG)),
        ((BEFORE, (*BEFORE[:-1], "return %x : tensor<f64>")), (AFTER, AFTER)),
        ((BEFORE, BEFORE, BEFORE), (AFTER, AFTER, (AFTER[0], "return %b : tensor<f64>"))),
    ],
)
def test_what_differs_in_a_twin_is_seen(before: Bodies, after: Bodies) -> None:
    assert f"@f{len(before) - 1}" in words(functions(*before), functions(*after))


def test_the_types_of_a_twin_are_looked_at() -> None:
    before = functions(BEFORE, BEFORE)
    after = functions(AFTER, AFTER)
    head, tail = after.rsplit("%b: tensor<f64>", 1)
    assert "@f1" in words(before, f"{head}%b: tensor<f32>{tail}")


def test_a_name_that_begins_like_another_is_another() -> None:
    before, after = functions(BEFORE, BEFORE), functions(AFTER, AFTER)
    renamed = [text.replace("@f1", "@f00") for text in (before, after)]
    assert words(*renamed) == ""


def test_twins_that_call_themselves() -> None:
    """Each calls itself in the first module; in the second the other one calls the first."""
    lines = ["%0 = func.call @{}(%a, %b) : (tensor<f64>, tensor<f64>) -> tensor<f64>", "return %0 : tensor<f64>"]
    before = "".join([function(name, *BEFORE[:-1], lines[0].format(name), lines[1]) for name in ("f", "g")])
    after = "".join([function(name, AFTER[0], lines[0].format(name), lines[1]) for name in ("f", "g")])
    assert words(before, after) == ""
    first, second = after.split("func.func @g")
    wrong = f"{first}func.func @g{second.replace('call @g', 'call @f')}"
    assert "@g" in words(before, wrong)


def test_symbols_inside_a_twin_are_looked_at() -> None:
    """What a table inside a function defines is compared for each of the functions."""
    table = "gpu.module @inner {\n  llvm.func @k(%p: !llvm.ptr) {\n    llvm.return\n  }\n}"
    before = functions((table, *BEFORE), (table, *BEFORE))
    after = functions((table, *AFTER), (table, *AFTER))
    assert words(before, after) == ""
    changed = table.replace("llvm.return", "llvm.call @k(%p) : (!llvm.ptr) -> ()\n    llvm.return")
    assert words(functions((table, *BEFORE), (changed, *BEFORE)), after) != ""
