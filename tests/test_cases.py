"""The cases, checked, fixed and checked again. `expected.json` says what each must give."""

import json
from pathlib import Path
from typing import Any

import pytest

from jitlint import api
from jitlint.result import Result

CASES = Path(__file__).parent / "cases"
EXPECTED: dict[str, dict[str, Any]] = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))
del EXPECTED["about"]
NAMES = sorted(EXPECTED)


def read(name: str) -> str:
    return (CASES / name).read_bytes().decode()


def groups_of(result: Result) -> list[list[str]]:
    findings = [finding for finding in result.findings if finding.code == "JIT001"]
    return [[call.callee for call in finding.group.calls] for finding in findings if finding.group]


def codes_of(result: Result) -> set[str]:
    return {finding.code for finding in result.findings}


@pytest.mark.parametrize("name", NAMES)
def test_the_groups_and_codes_are_as_expected(name: str) -> None:
    result = api.check(read(name), path=name)
    assert groups_of(result) == EXPECTED[name]["groups"]
    assert codes_of(result) >= set(EXPECTED[name]["codes"])


@pytest.mark.parametrize("name", NAMES)
def test_a_fix_leaves_nothing_to_fix(name: str) -> None:
    fixed = api.fix(read(name), path=name)
    assert fixed.changed == bool(EXPECTED[name]["groups"])
    again = api.fix(fixed.source.text, path=name)
    assert again.source.text == fixed.source.text
    assert "JIT001" not in codes_of(api.check(fixed.source.text, path=name))


@pytest.mark.parametrize("form", ["sound", "pass"])
def test_the_published_example_is_fused_to_the_letter(form: str) -> None:
    fixed = api.fix(read("irecv_wait.mlir"), form=form)  # type: ignore[arg-type]
    assert fixed.source.text == read(f"irecv_wait.{form}.mlir")


@pytest.mark.parametrize("form", ["sound", "pass"])
def test_what_was_fused_stays(form: str) -> None:
    text = read(f"irecv_wait.{form}.mlir")
    assert api.fix(text, form=form).source.text == text  # type: ignore[arg-type]


def test_the_race_in_the_published_example_is_gone_after_a_fix() -> None:
    before, after = read("irecv_wait.mlir"), read("irecv_wait.sound.mlir")
    assert "JIT601" in codes_of(api.check(before))
    assert "JIT601" not in codes_of(api.check(after))
