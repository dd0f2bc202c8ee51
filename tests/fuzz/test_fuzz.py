"""A few hundred harmed texts, the same in every run; `python -m benchmarks.fuzz` goes on for as long as one likes."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.check import CASES, CHOICES, check, seeds
from tests.fuzz.mutate import MUTATIONS, mutate

SEEDS = seeds()


@pytest.mark.parametrize("batch", range(10))
def test_no_text_is_harmed_further(batch: int) -> None:
    source = random.Random(batch)
    changed = 0
    for _ in range(100):
        text = mutate(source.choice(SEEDS), source)
        changed += check(text, source.choice(CHOICES)) != text
    assert changed > 10


@pytest.mark.parametrize("options", CHOICES)
def test_no_case_is_harmed_under_any_options(options: object) -> None:
    for text in SEEDS:
        check(text, options)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", range(len(SEEDS)))
def test_a_text_may_end_anywhere(number: int) -> None:
    text = SEEDS[number]
    step = max(len(text) // 40, 1)
    for end in range(number % step, len(text), step):
        check(text[:end])


def test_the_smallest_case_may_end_at_every_byte() -> None:
    text = min((path.read_text(encoding="utf-8") for path in CASES.glob("*.mlir")), key=len)
    for end in range(len(text)):
        check(text[:end])


def test_the_same_seed_harms_in_the_same_way() -> None:
    one, two = ([mutate(text, random.Random(7)) for text in SEEDS] for _ in range(2))
    assert one == two
    assert sum(new != old for new, old in zip(one, SEEDS, strict=True)) > len(SEEDS) // 2


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_every_mutation_takes_every_text(mutation: object) -> None:
    source = random.Random(3)
    for text in ("", "\n", "%", SEEDS[0]):
        assert isinstance(mutation(text, source), str)  # type: ignore[operator]
