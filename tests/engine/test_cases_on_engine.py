"""The cases on the engine: each computes the same before and after a fix, in both forms that can be right."""

import json
from typing import Any

import pytest

from jitlint import api
from tests.engine.judge import Array, Judge, array
from tests.test_cases import EXPECTED, NAMES, read

pytestmark = pytest.mark.engine

RUNNING = [name for name in NAMES if "run" in EXPECTED[name]]


def numbers(values: list[Any]) -> list[Array]:
    """Numbers are scalars; a list in a string is a tensor."""
    return [array([float(v) for v in json.loads(value)] if isinstance(value, str) else value) for value in values]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("copies", [False, True])
def test_a_fixed_case_is_accepted(judge: Judge, name: str, copies: bool) -> None:
    assert judge.verify(api.fix(read(name), copies=copies).source.text) is None


@pytest.mark.parametrize("name", RUNNING)
def test_a_case_computes_what_is_expected(judge: Judge, name: str) -> None:
    arguments, results = map(numbers, EXPECTED[name]["run"])
    assert judge.run_main(read(name), arguments) == results


@pytest.mark.parametrize("name", RUNNING)
@pytest.mark.parametrize("copies", [False, True])
def test_a_fixed_case_computes_the_same(judge: Judge, name: str, copies: bool) -> None:
    arguments, results = map(numbers, EXPECTED[name]["run"])
    fixed = api.fix(read(name), copies=copies)
    assert fixed.changed or copies or not EXPECTED[name]["groups"]
    assert judge.run_main(fixed.source.text, arguments) == results


def test_copies_fuse_what_is_overwritten(judge: Judge) -> None:
    fixed = api.fix(read("overwritten_result.mlir"), copies=True).source.text
    assert fixed.count(" = enzymexla.jit_call @") == 1
    assert judge.run_main(fixed, [array(3.0)]) == [array(6.0), array(12.0)]


def test_a_wrong_fusion_shows(judge: Judge) -> None:
    """What the rule of storage is for: the engine's own pass overwrites a value that is returned."""
    text = read("overwritten_result.mlir")
    assert judge.run_main(text, [array(3.0)]) == [array(6.0), array(12.0)]
    assert judge.run_main(text, [array(3.0)], passes="fuse-jit") == [array(12.0), array(12.0)]
