from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from jitlint.errors import JitlintError
from jitlint.findings import Finding, Severity
from jitlint.report import Settings, Summary, sarif
from jitlint.result import Result
from jitlint.rules import RULES, Rule, find, nearest, register
from jitlint.syntax.source import Source

CONTRACT = {
    "JIT001": ("fusable-group", "warning"),
    "JIT101": ("different-blocks", "info"),
    "JIT102": ("dependency-cycle", "info"),
    "JIT201": ("side-effect-between", "info"),
    "JIT202": ("unknown-effects-between", "info"),
    "JIT301": ("undefined-wrapper", "error"),
    "JIT302": ("wrapper-kind", "info"),
    "JIT303": ("wrapper-without-body", "info"),
    "JIT304": ("wrapper-abi", "info"),
    "JIT305": ("operand-count", "error"),
    "JIT306": ("gpu-launch", "info"),
    "JIT307": ("mutable-global", "info"),
    "JIT401": ("unaliased-result", "warning"),
    "JIT402": ("bad-alias", "error"),
    "JIT403": ("value-overwritten", "info"),
    "JIT501": ("call-metadata", "info"),
    "JIT601": ("nonblocking-buffer-race", "warning"),
    "JIT602": ("undeclared-write", "warning"),
    "JIT603": ("request-never-waited", "warning"),
    "JIT604": ("unordered-effects", "info"),
    "JIT605": ("false-effect-list", "warning"),
    "JIT701": ("dead-call", "warning"),
    "JIT702": ("unused-wrapper", "info"),
    "JIT703": ("unused-suppression", "info"),
    "JIT704": ("duplicate-wrapper", "info"),
    "JIT705": ("ineffective-alias", "info"),
    "JIT901": ("syntax-error", "error"),
    "JIT902": ("not-analysed", "warning"),
    "JIT903": ("unreadable", "error"),
    "JIT904": ("not-written", "error"),
    "JIT905": ("not-equal", "error"),
    "JIT999": ("internal-error", "error"),
}
"""Codes, names and severities are stable: a change here is a change that users see."""

every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


def test_codes_names_and_severities_are_the_stable_ones_in_order() -> None:
    declared = {code: (rule.name, rule.severity.value) for code, rule in RULES.items()}
    assert list(declared.items()) == list(CONTRACT.items())


def test_what_can_be_fixed() -> None:
    fixable = {code: rule.fixable for code, rule in RULES.items() if rule.fixable}
    assert fixable == {
        "JIT001": "--fix",
        "JIT601": "--fix",
        "JIT702": "--fix --prune-wrappers",
        "JIT703": "--fix",
        "JIT704": "--fix",
    }


@every_rule
def test_a_page_says_what_it_means_why_it_matters_and_what_to_do(rule: type[Rule]) -> None:
    page = rule.page()
    headings = re.findall(r"^#+ .*$", page, re.MULTILINE)
    assert headings == ["## Why it matters", "## What to do"]
    for section in re.split(r"^## .*$", page, flags=re.MULTILINE):
        assert len(section.split()) >= 5, "a section without content"


@every_rule
def test_a_summary_is_one_short_sentence(rule: type[Rule]) -> None:
    assert rule.summary.endswith(".")
    assert "\n" not in rule.summary
    assert len(rule.summary) <= 65


@every_rule
def test_code_scanning_is_given_no_link_that_leads_nowhere(rule: type[Rule]) -> None:
    written: list[str] = []
    report = sarif.open_report(written.append, Settings())
    report.file("m.mlir", Result(Source("", "m.mlir"), (Finding(rule.code, "", None),)))
    report.close(Summary())
    (described,) = json.loads("".join(written))["runs"][0]["tool"]["driver"]["rules"]
    assert described["help"]["text"] == described["help"]["markdown"] != ""
    assert "](" not in described["help"]["text"]


@every_rule
def test_a_rule_is_found_by_code_and_by_name(rule: type[Rule]) -> None:
    assert find(rule.code) is rule
    assert find(rule.code.lower()) is rule
    assert find(rule.name) is rule


def test_a_rule_that_does_not_exist_is_not_found() -> None:
    with pytest.raises(JitlintError, match="unknown rule `JIT4O3`; did you mean `JIT403`"):
        find("JIT4O3")
    with pytest.raises(JitlintError, match="`jitlint explain` lists all rules"):
        find("zzz")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("JIT9999", "JIT999"), ("jit403 ", "JIT403"), ("dependancy-cycle", "dependency-cycle"), ("zzz", None)],
)
def test_the_nearest_rule_is_offered(word: str, meant: str | None) -> None:
    assert nearest(word) == meant


def test_a_code_is_declared_once() -> None:
    with pytest.raises(ValueError, match="JIT001 is declared twice"):

        @register
        class Again(Rule):
            """A second rule of that code."""

            code = "JIT001"
            name = "again"
            severity = Severity.INFO

    assert find("JIT001").name == "fusable-group"


def test_declaring_the_rules_loads_nothing_heavy() -> None:
    script = "import sys, jitlint.rules; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert not {"rich", "parsimonious", "pathspec", "json", "difflib"} & set(loaded)
