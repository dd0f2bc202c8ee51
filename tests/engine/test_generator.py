"""The generator, the interpreter and the engine agree on what a module computes."""

import pytest

from tests.engine.differential import arguments_of, as_arrays, results_of, same
from tests.engine.judge import Judge
from tests.generator import generate
from tests.reference.interpreter import run_main

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("first", range(5000, 5100, 20))
def test_a_module_runs_and_computes_what_its_model_says(judge: Judge, first: int) -> None:
    for seed in range(first, first + 20):
        module, text = generate(seed)
        arguments = arguments_of(module, seed)
        results = results_of(judge, text, as_arrays(module, arguments))
        assert same(results, run_main(module, arguments)), f"seed {seed}"
