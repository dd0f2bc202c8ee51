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

TO_COME: set[str] = set()
"""Rules that are declared and documented, and not found yet. Who makes one found takes it off this list."""

WITH_EXAMPLES = [rule for rule in RULES.values() if rule.offends]
FOUND = [rule for rule in WITH_EXAMPLES if rule.code not in TO_COME]
OF_A_TEXT = [rule for rule in FOUND if rule.encoding == "utf-8"]

KEEP_CALLS_APART = [code for code in RULES if code[:4] in ("JIT1", "JIT2") or code in ("JIT403", "JIT501")] + [
    "JIT302",
    "JIT303",
    "JIT304",
    "JIT306",
    "JIT307",
]
"""Rules that say why two calls are not one; what passes them is a group that can be fused."""


def codes(text: str) -> set[str]:
    return {finding.code for finding in api.check(text).findings}


def test_only_the_rule_about_defects_has_no_example() -> None:
    assert [rule.code for rule in RULES.values() if not rule.offends or not rule.passes] == ["JIT904", "JIT999"]


def test_the_list_of_what_is_to_come_is_no_longer_than_it_must_be() -> None:
    assert {rule.code for rule in RULES.values() if rule.code in codes(rule.offends)} & TO_COME == set()


@pytest.mark.parametrize("rule", OF_A_TEXT, ids=lambda rule: rule.code)
def test_what_offends_is_reported(rule: type[Rule]) -> None:
    assert rule.code in codes(rule.offends)


@pytest.mark.parametrize("rule", WITH_EXAMPLES, ids=lambda rule: rule.code)
def test_what_passes_has_nothing_wrong_but_that_it_could_be_fused(rule: type[Rule]) -> None:
    findings = api.check(rule.passes).findings
    assert rule.code not in {finding.code for finding in findings}
    wrong = {finding.code for finding in findings if severity_of(finding) is not Severity.INFO}
    assert wrong <= {"JIT001"}


@pytest.mark.parametrize("code", KEEP_CALLS_APART)
def test_without_what_stands_in_the_way_the_calls_can_be_one(code: str) -> None:
    rule = find(code)
    assert "JIT001" not in codes(rule.offends)
    assert "JIT001" in codes(rule.passes)


@pytest.mark.parametrize("rule", [rule for rule in OF_A_TEXT if rule.fixable == "--fix"], ids=lambda rule: rule.code)
def test_a_fix_mends_what_offends(rule: type[Rule]) -> None:
    result = api.fix(rule.offends)
    assert rule.code in {finding.code for finding in result.fixed}
    assert rule.code not in {finding.code for finding in result.findings}


def test_what_passes_the_first_rule_is_what_a_fix_writes_beside_the_old_wrapper() -> None:
    rule = find("JIT001")
    alias = rule.passes.partition("\n")[0].removeprefix("#in_place = ")
    fixed = api.fix(rule.offends).source.text.replace(f"[{alias}]", "[#in_place]")
    assert fixed.replace(DOUBLE, "").split() == rule.passes.split()


def test_a_file_in_another_encoding_is_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    rule = find("JIT903")
    (tmp_path / "offends.mlir").write_bytes(rule.offends.encode(rule.encoding))
    (tmp_path / "passes.mlir").write_bytes(rule.passes.encode())
    monkeypatch.chdir(tmp_path)
    assert run(["check", "--output-format", "json", "."]) == 2
    diagnostics = json.loads(capfd.readouterr().out)["diagnostics"]
    assert [(item["file"], item["code"]) for item in diagnostics] == [
        ("offends.mlir", "JIT903"),
        ("passes.mlir", "JIT001"),
    ]
