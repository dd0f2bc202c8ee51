"""Random exchanges, played by functions of the module, compute what their model says, before and after a fix."""

import pytest

from tests.engine.differential import examine
from tests.engine.judge import Judge

pytestmark = pytest.mark.engine

STRIDE = 10


@pytest.mark.parametrize("first", range(-50, 0, STRIDE))
def test_a_fix_changes_no_result_and_leaves_nothing(judge: Judge, first: int) -> None:
    outcomes = [examine(judge, seed) for seed in range(first, first + STRIDE)]
    assert [outcome.seed for outcome in outcomes if outcome.refused or outcome.unpredicted or outcome.faulty] == []
    failures = [f"seed {outcome.seed}: {failure}" for outcome in outcomes for failure in outcome.failures]
    assert not failures, "\n".join(failures)
