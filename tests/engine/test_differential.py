"""Random modules before and after a fix, on the engine.

`JITLINT_SEEDS` says how many (120), `JITLINT_FIRST_SEED` from which on (0). A failure names its seed, and
`python -m benchmarks.differential --reduce SEED` prints the least module that fails so.
"""

import os

import pytest

from tests.engine.differential import examine
from tests.engine.judge import Judge

pytestmark = pytest.mark.engine

FIRST = int(os.environ.get("JITLINT_FIRST_SEED", "0"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("JITLINT_SEEDS", "120")))
STRIDE = 10


@pytest.mark.parametrize("first", SEEDS[::STRIDE], ids=lambda first: f"from-{first}")
def test_a_fix_changes_no_result_and_leaves_nothing(judge: Judge, first: int) -> None:
    seeds = range(first, min(first + STRIDE, SEEDS.stop))
    outcomes = [examine(judge, seed) for seed in seeds]
    failures = [f"seed {outcome.seed}: {failure}" for outcome in outcomes for failure in outcome.failures]
    assert not failures, "\n".join(failures)
    assert any(not outcome.refused for outcome in outcomes)
