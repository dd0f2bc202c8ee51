from __future__ import annotations

import pytest

from jitlint.config.selection import FAILURES, choose, known_rules, selector

EVERYTHING = frozenset(known_rules())


def test_a_code_names_one_rule() -> None:
    assert selector("JIT102").codes == {"JIT102"}


def test_the_beginning_of_a_code_names_all_that_begin_so() -> None:
    assert selector("JIT10").codes == {"JIT101", "JIT102"}
    assert {"JIT401", "JIT402", "JIT403"} <= selector("JIT4").codes
    assert selector("JIT").codes == EVERYTHING


def test_a_rule_is_known_by_its_name_and_in_any_case() -> None:
    assert selector("dead-call").codes == {"JIT701"}
    assert selector("jit701").codes == {"JIT701"}
    assert selector("all").codes == EVERYTHING


@pytest.mark.parametrize(
    ("word", "meant"), [("JIT1O2", "JIT102"), ("dead-cal", "dead-call"), ("ALLL", "ALL"), ("jit-403", "JIT403")]
)
def test_an_unknown_word_is_refused_with_the_nearest(word: str, meant: str) -> None:
    with pytest.raises(ValueError, match=f"unknown rule `{word}`; did you mean `{meant}`"):
        selector(word)


@pytest.mark.parametrize("word", ["", "X", "JIT8", "E501"])
def test_an_empty_or_foreign_word_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="unknown rule"):
        selector(word)


def test_the_longer_selector_decides() -> None:
    assert "JIT102" in choose(EVERYTHING, None, ["JIT102"], ["JIT1"])
    assert "JIT101" not in choose(EVERYTHING, None, ["JIT102"], ["JIT1"])
    assert "JIT102" not in choose(EVERYTHING, ["JIT1"], [], ["JIT102"])


def test_of_equal_selectors_ignore_decides() -> None:
    assert "JIT102" not in choose(EVERYTHING, ["JIT102"], [], ["JIT102"])


def test_select_starts_afresh_but_keeps_failures() -> None:
    assert choose(EVERYTHING, ["JIT001"], [], []) == {"JIT001"} | FAILURES


def test_without_select_what_was_in_force_stays() -> None:
    assert choose(frozenset({"JIT001"}), None, ["JIT403"], []) == {"JIT001", "JIT403", "JIT999"}


def test_a_failure_can_be_ignored_by_name_only_if_it_is_no_defect_of_jitlint() -> None:
    chosen = choose(EVERYTHING, None, [], ["JIT901", "JIT999"])
    assert "JIT901" not in chosen
    assert "JIT999" in chosen
