"""Random modules before and after a fix, on the engine.

`JITLINT_SEEDS` says how many (200), `JITLINT_FIRST_SEED` from which on (0). A failure names its seed, and
`python -m benchmarks.differential --show SEED` prints that module before and after.
"""

import os

import pytest

from tests.engine.differential import examine
from tests.engine.judge import Judge

pytestmark = pytest.mark.engine

FIRST = int(os.environ.get("JITLINT_FIRST_SEED", "0"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("JITLINT_SEEDS", "200")))
STRIDE = 10


@pytest.mark.parametrize("first", SEEDS[::STRIDE], ids=lambda first: f"from-{first}")
def test_a_fix_changes_no_result_and_leaves_nothing(judge: Judge, first: int) -> None:
    for seed in range(first, min(first + STRIDE, SEEDS.stop)):
        failures = examine(judge, seed).failures
        assert not failures, f"seed {seed}: " + "\n".join(failures)
