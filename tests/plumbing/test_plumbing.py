"""What is taken into a wrapper with its calls, what is not, and why."""

from __future__ import annotations

import pytest

from jitlint import api
from tests.analysis.groups import left
from tests.plumbing.cases import CASES, TWO
from tests.plumbing.programs import program

_READ = "%f = @digits2(%e: T2, %z: T)"


@pytest.mark.parametrize("name", CASES)
def test_calls_that_are_left(name: str) -> None:
    case = CASES[name]
    assert left(case.text) == case.left
    if case.why:
        messages = [finding.message for finding in api.check(api.fix(case.text).source.text).findings]
        assert any(message.startswith(case.why) for message in messages), messages


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Types that are not static, not of whole bytes, laid out in a way of their own, or no plain tensors.
        ("tensor<2xi32>", "tensor<?xi32>"),
        ("tensor<2xi32>", "tensor<2xi32, #e>"),
        ("i32>", "i1>"),
        ("i32>", "i4>"),
        ("i32>", "index>"),
        # Operations that say more than is known.
        ("dim = 0 :", 'dim = 0 {mhlo.sharding = "{replicated}"} :'),
        ("(tensor<i32>) -> tensor<1xi32>", "(tensor<2xi32>) -> tensor<1xi32>"),
        ("tensor<1xi32>) -> tensor<2xi32>", "tensor<1xi32>) -> tensor<3xi32>"),
        ("stablehlo.concatenate", "stablehlo.concat"),
        ("%e = stablehlo.concatenate", "%e:2 = stablehlo.concatenate"),
    ],
)
def test_what_is_not_understood_stays(old: str, new: str) -> None:
    text = program(TWO + _READ, "%f: T")
    before, main = text.split("func.func @main")
    changed = before + "func.func @main" + main.replace(old, new)
    assert changed != text
    assert api.fix(changed).source.text == changed


def test_white_space_and_comments_mean_nothing() -> None:
    text = program(TWO + _READ, "%f: T")
    old = ", dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>"
    new = ",\n dim=0 // the requests, in order\n\t:(tensor<1xi32>,tensor<1xi32>)->tensor<2xi32> loc(unknown)"
    assert old in text
    assert left(text.replace(old, new)) == 1
    assert "// the requests, in order" in api.fix(text.replace(old, new)).source.text.partition("func.func @main")[2]


def test_a_type_may_stand_behind_an_alias() -> None:
    text = program(TWO + _READ, "%f: T")
    before, main = text.split("func.func @main")
    changed = f"!two = tensor< 2xi32 >\n{before}func.func @main" + main.replace("tensor<2xi32>", "!two")
    assert left(changed) == 1
    assert left(changed.replace("tensor< 2xi32 >", "tensor<?xi32>")) == 3


def test_the_report_names_the_calls_alone() -> None:
    (finding,) = (each for each in api.check(program(TWO + _READ, "%f: T")).findings if each.code == "JIT001")
    assert finding.message == "these 3 calls can be one call"
    assert finding.group is not None
    assert [call.callee for call in finding.group.calls] == ["double", "double", "digits2"]
