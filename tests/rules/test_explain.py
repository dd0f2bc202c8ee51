from __future__ import annotations

import pytest

from jitlint.cli.explain import render
from jitlint.errors import UsageError
from jitlint.rules import RULES


def explain(code: str | None, *, color: bool = False, width: int = 80) -> str:
    written: list[str] = []
    render(code, written.append, color, width)
    return "".join(written)


@pytest.mark.parametrize("code", RULES)
def test_a_page_shows_its_rule_and_its_examples(code: str) -> None:
    text = explain(code)
    rule = RULES[code]
    assert text.startswith(f"{code} {rule.name}  {rule.severity.value}\n")
    for example in (*rule.INVALID, *rule.VALID):
        assert "".join(f"  {line}\n" if line else "\n" for line in example.splitlines()) in text
    assert "Why it matters" in text
    assert "What to do" in text


@pytest.mark.parametrize("code", RULES)
def test_prose_keeps_to_the_width_and_shows_no_markup(code: str) -> None:
    prose = explain(code, width=60).partition("\nReported\n")[0]
    assert max(map(len, prose.splitlines())) <= 60
    assert ".md" not in prose
    assert "\x1b" not in prose
    assert "##" not in prose


def test_a_rule_can_be_named_by_its_name() -> None:
    assert explain("value-overwritten") == explain("jit403")


def test_colour_changes_nothing_but_colour() -> None:
    import re

    assert re.sub(r"\x1b\[[0-9;]*m", "", explain("JIT102", color=True)) == explain("JIT102")
    assert "\x1b[" in explain("JIT102", color=True)


def test_without_a_code_every_rule_is_listed_in_order() -> None:
    lines = explain(None, width=100).splitlines()
    listed = [line.split()[:2] for line in lines if line.startswith("JIT")]
    assert listed == [[code, rule.name] for code, rule in RULES.items()]
    assert max(map(len, lines)) <= 100


def test_a_code_that_does_not_exist_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown rule `JIT4O3`; did you mean `JIT403`\?"):
        explain("JIT4O3")
    with pytest.raises(UsageError, match="`jitlint explain` lists all rules"):
        explain("something-else-entirely")
