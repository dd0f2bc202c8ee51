"""Random exchanges: every fix is proved, leaves nothing to fix, and fixes the races that it says it fixes."""

from __future__ import annotations

import pytest

from jitlint import api
from tests.engine.spelling import count_calls
from tests.generator import generate

SEEDS = range(-60, 0)


def _races(text: str, *, fixable: bool) -> int:
    findings = api.check(text).findings
    return sum(finding.code == "JIT601" and finding.fixable is fixable for finding in findings)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fix_leaves_nothing_to_fix(seed: int) -> None:
    _, text = generate(seed)
    fixed = api.fix(text)
    assert api.fix(fixed.source.text).source.text == fixed.source.text
    assert _races(fixed.source.text, fixable=True) == 0
    assert sum(finding.code == "JIT601" for finding in fixed.fixed) >= _races(text, fixable=True)
    assert _races(fixed.source.text, fixable=False) <= _races(text, fixable=False)


def test_plumbing_is_taken_in_and_calls_come_along() -> None:
    """What the random modules are for is in them."""
    fixed = [(text, api.fix(text).source.text) for _, text in map(generate, SEEDS)]
    assert sum("llvm.intr.memcpy" in after for _, after in fixed) >= 5
    assert sum(count_calls(after) < count_calls(before) for before, after in fixed) >= 30
    assert any("is included" in note.message for text, _ in fixed for f in api.check(text).findings for note in f.notes)
