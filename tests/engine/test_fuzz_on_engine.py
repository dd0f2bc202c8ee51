"""Where a harmed text is still one that the engine accepts, so is the fixed one, and it computes the same."""

from __future__ import annotations

import random

import pytest

from jitlint.errors import NotProvedError
from jitlint.options import Options
from tests.engine.judge import Array, Judge, RefusedError, array
from tests.fuzz.check import check, seeds
from tests.fuzz.mutate import mutate

SEEDS = [part for text in seeds() for part in text.split("// -----")]
CHOICES = (Options(), Options(copies=True), Options(group="adjacent"), Options(prune_wrappers=True))


def run(judge: Judge, text: str) -> list[Array] | None:
    """What @main computes of as many numbers as it takes, up to three; None where it does not run."""
    for count in (1, 2, 3):
        try:
            return judge.run_main(text, [array(3.0 + number) for number in range(count)])
        except RefusedError:
            continue
    return None


@pytest.mark.engine
@pytest.mark.parametrize("batch", range(5))
def test_a_fix_of_a_harmed_text_is_accepted_and_computes_the_same(batch: int, judge: Judge) -> None:
    source = random.Random(f"engine {batch}")
    ran = 0
    for _ in range(60):
        text = mutate(source.choice(SEEDS), source, at_most=2)
        try:
            fixed = check(text, source.choice(CHOICES))
        except NotProvedError as error:
            assert judge.verify(text) is not None, f"refused, although the engine reads it: {error}"
            continue
        if fixed == text or judge.verify(text) is not None:
            continue
        assert judge.verify(fixed) is None
        ran += 1
        assert run(judge, fixed) == run(judge, text)
    assert ran
