"""The rules' examples, which are their documentation, do what the pages say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jitlint import api
from jitlint.cli import run
from jitlint.findings import Severity
from jitlint.report.lookup import severity_of
from jitlint.rules import RULES, Rule, find
from jitlint.rules.snippets import DOUBLE

OF_A_TEXT = [rule for rule in RULES.values() if rule.encoding == "utf-8"]
INVALID = [pytest.param(rule, text, id=rule.code) for rule in OF_A_TEXT for text in rule.INVALID]
VALID = [pytest.param(rule, text, id=rule.code) for rule in RULES.values() for text in rule.VALID]

KEEP_CALLS_APART = [code for code in RULES if code[:4] in ("JIT1", "JIT2") or code in ("JIT403", "JIT501")] + [
    "JIT302",
    "JIT303",
    "JIT304",
    "JIT306",
    "JIT307",
]
"""Rules that say why two calls are not one; what is valid for them is a group that can be fused."""


def codes(text: str) -> set[str]:
    return {finding.code for finding in api.check(text).findings}


def test_only_what_no_text_brings_about_has_no_examples() -> None:
    assert [rule.code for rule in RULES.values() if not rule.INVALID or not rule.VALID] == [
        "JIT904",
        "JIT905",
        "JIT999",
    ]


@pytest.mark.parametrize(("rule", "text"), INVALID)
def test_what_is_invalid_is_reported(rule: type[Rule], text: str) -> None:
    assert rule.code in codes(text)


@pytest.mark.parametrize(("rule", "text"), VALID)
def test_what_is_valid_has_nothing_wrong_but_that_it_could_be_fused(rule: type[Rule], text: str) -> None:
    findings = api.check(text).findings
    assert rule.code not in {finding.code for finding in findings}
    wrong = {finding.code for finding in findings if severity_of(finding) is not Severity.INFO}
    assert wrong <= {"JIT001"}


@pytest.mark.parametrize("code", KEEP_CALLS_APART)
def test_without_what_stands_in_the_way_the_calls_can_be_one(code: str) -> None:
    rule = find(code)
    assert not any("JIT001" in codes(text) for text in rule.INVALID)
    assert all("JIT001" in codes(text) for text in rule.VALID)


@pytest.mark.parametrize(("rule", "text"), [each for each in INVALID if each.values[0].fixable == "--fix"])
def test_a_fix_mends_what_is_invalid(rule: type[Rule], text: str) -> None:
    assert all(finding.fixable for finding in api.check(text).findings if finding.code == rule.code)
    result = api.fix(text)
    assert result.fixed
    assert rule.code not in {finding.code for finding in result.findings}


def test_what_is_valid_for_the_first_rule_is_what_a_fix_writes_beside_the_old_wrapper() -> None:
    rule = find("JIT001")
    alias = rule.VALID[0].partition("\n")[0].removeprefix("#in_place = ")
    fixed = api.fix(rule.INVALID[0]).source.text.replace(f"[{alias}]", "[#in_place]")
    assert fixed.replace(DOUBLE, "").split() == rule.VALID[0].split()


def test_a_file_in_another_encoding_is_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    rule = find("JIT903")
    (tmp_path / "invalid.mlir").write_bytes(rule.INVALID[0].encode(rule.encoding))
    (tmp_path / "valid.mlir").write_bytes(rule.VALID[0].encode())
    monkeypatch.chdir(tmp_path)
    assert run(["check", "--output-format", "json", "."]) == 2
    diagnostics = json.loads(capfd.readouterr().out)["diagnostics"]
    assert [(item["file"], item["code"]) for item in diagnostics] == [
        ("invalid.mlir", "JIT903"),
        ("valid.mlir", "JIT001"),
    ]
