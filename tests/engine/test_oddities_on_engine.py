"""The engine reads every oddity, and computes the same before and after it is fixed."""

from __future__ import annotations

import pytest

from jitlint.engine import rewrite
from jitlint.options import Options
from tests.engine.judge import Judge, array
from tests.oddities import MOVED, OLD, READ

ALL = {**READ, **OLD, **MOVED}


@pytest.mark.engine
@pytest.mark.parametrize("name", ALL)
def test_the_fixed_text_computes_the_same(name: str, judge: Judge) -> None:
    fixed = rewrite(ALL[name], "x.mlir", Options()).source.text
    argument = [array(3.0)]
    assert judge.run_main(fixed, argument) == judge.run_main(ALL[name], argument)
