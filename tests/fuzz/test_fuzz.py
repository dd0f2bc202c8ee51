"""Harmed texts, the same in every run: some, or with `JITLINT_TESTS=whole` in the environment a thousand and more.

`python -m benchmarks.fuzz` goes on for as long as one likes.
"""

from __future__ import annotations

import random

import pytest

from tests.fuzz.check import CASES, CHOICES, check, is_changed, seeds
from tests.fuzz.mutate import MUTATIONS, mutate
from tests.whole import WHOLE

SEEDS = seeds()
BATCHES, ENDS, STEP = (10, 40, 1) if WHOLE else (1, 4, 9)
"""How many hundreds of texts are harmed, at how many places each may end, and the smallest at every which byte."""


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_text_is_harmed_further(batch: int) -> None:
    source = random.Random(batch)
    changed = 0
    for _ in range(100):
        text = mutate(source.choice(SEEDS), source)
        changed += is_changed(text, source.choice(CHOICES))
    assert changed > 10


@pytest.mark.parametrize("number", range(len(CHOICES)))
def test_no_case_is_harmed_under_any_options(number: int) -> None:
    for text in SEEDS if WHOLE else SEEDS[number :: len(CHOICES)]:
        check(text, CHOICES[number])


@pytest.mark.parametrize("number", range(len(SEEDS)))
def test_a_text_may_end_anywhere(number: int) -> None:
    text = SEEDS[number]
    step = max(len(text) // ENDS, 1)
    for end in range(number % step, len(text), step):
        is_changed(text[:end])


def test_the_smallest_case_may_end_at_any_byte() -> None:
    text = min((path.read_text(encoding="utf-8") for path in CASES.glob("*.mlir")), key=len)
    for end in range(0, len(text), STEP):
        is_changed(text[:end])


def test_the_same_seed_harms_in_the_same_way() -> None:
    one, two = ([mutate(text, random.Random(7)) for text in SEEDS] for _ in range(2))
    assert one == two
    assert sum(new != old for new, old in zip(one, SEEDS, strict=True)) > len(SEEDS) // 2


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_every_mutation_takes_every_text(mutation: object) -> None:
    source = random.Random(3)
    for text in ("", "\n", "%", SEEDS[0]):
        assert isinstance(mutation(text, source), str)  # type: ignore[operator]
