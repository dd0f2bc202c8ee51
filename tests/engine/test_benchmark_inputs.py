"""The engine reads the benchmarks' inputs, and finds the calls in them."""

import pytest

from benchmarks.generate import INPUTS
from tests.engine.judge import Judge
from tests.engine.spelling import count_calls
from tests.test_benchmark_inputs import CALLS, small


@pytest.mark.parametrize("name", INPUTS)
def test_the_engine_reads_it(judge: Judge, name: str) -> None:
    assert count_calls(judge.run_passes(small(name))) == CALLS[name][1]
