"""A failing module becomes small: what is left is what the failure needs."""

import pytest

from tests.engine.spelling import count_calls
from tests.generator import generate, render
from tests.generator.model import Module
from tests.generator.reduce import reduce

SEEDS = [seed for seed in range(100, 140) if generate(seed)[0].main.block.calls][:4]


@pytest.mark.parametrize("seed", SEEDS)
def test_one_call_is_left_of_a_module_that_needs_one(seed: int) -> None:
    module, text = generate(seed)
    wanted = module.main.block.calls[0].number

    def fails(smaller: Module) -> bool:
        render(smaller, seed)
        return any(call.number == wanted for call in smaller.main.block.calls)

    smallest = reduce(module, fails)
    assert [call.number for call in smallest.main.block.calls] == [wanted]
    assert count_calls(render(smallest, seed)) == 1
    assert not smallest.inner
    assert len(smallest.functions) == 1
    assert render(module, seed) == text


def test_a_module_that_cannot_shrink_stays() -> None:
    module, text = generate(120)
    assert render(reduce(module, lambda _: False), 120) == text
