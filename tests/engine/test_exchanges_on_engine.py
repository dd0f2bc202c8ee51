"""Random exchanges, played by functions of the module, give the same before and after a fix."""

import pytest

from jitlint import api
from tests.engine.judge import Judge, array
from tests.plumbing.exchanges import exchange

pytestmark = pytest.mark.engine

ARGUMENTS = [*(array([value], "int32", []) for value in (3, 5, 7)), array([1, 2, 3, 4], "int32")]


@pytest.mark.parametrize("seed", range(40))
def test_the_same_is_computed(judge: Judge, seed: int) -> None:
    text = exchange(seed)
    assert judge.run_main(api.fix(text).source.text, ARGUMENTS) == judge.run_main(text, ARGUMENTS)
