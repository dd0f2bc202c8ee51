"""The generator, the interpreter and the engine agree on what a module computes."""

import pytest

from tests.engine.differential import arguments_of, as_arrays, as_expected
from tests.engine.judge import Judge, RefusedError
from tests.generator import generate
from tests.reference.interpreter import is_predictable, run_main

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("first", range(5000, 5060, 20))
def test_a_module_runs_and_computes_what_its_model_says(judge: Judge, first: int) -> None:
    ran = 0
    for seed in range(first, first + 20):
        module, text = generate(seed)
        if not is_predictable(module):
            continue
        arguments = arguments_of(module, seed)
        try:
            runs = judge.run_times(text, as_arrays(module, arguments))
        except RefusedError:
            continue
        ran += 1
        for results, after in runs:
            assert as_expected(module, [result["data"] for result in results], run_main(module, arguments)), seed
            assert [array["data"] for array in after] == arguments, seed
    assert ran > 10
