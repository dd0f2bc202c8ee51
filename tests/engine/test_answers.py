"""What the engine answered once is not asked again."""

from pathlib import Path

import pytest

from tests.engine.answers import Answers
from tests.engine.judge import Judge, RefusedError

pytestmark = pytest.mark.engine

MODULE = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"


def test_an_answer_is_kept(tmp_path: Path):
    with Judge(answers=Answers(tmp_path / "answers")) as judge:
        asked = judge.run_passes(MODULE)
        with pytest.raises(RefusedError) as refusal:
            judge.run_passes("func.func @main(")
        assert judge.child is not None
    with Judge(answers=Answers(tmp_path / "answers")) as judge:
        assert judge.run_passes(MODULE) == asked
        with pytest.raises(RefusedError) as again:
            judge.run_passes("func.func @main(")
        assert str(again.value) == str(refusal.value)
        assert judge.child is None  # nobody was asked
        judge.run_passes(MODULE, "canonicalize")
        assert judge.child is not None


def test_a_child_that_took_too_long_says_nothing_for_good(tmp_path: Path):
    answers = Answers(tmp_path / "answers")
    with Judge(patience=0.01, answers=answers) as judge, pytest.raises(RefusedError, match="timeout"):
        judge.run_passes(MODULE)
    with Judge(answers=answers) as judge:
        assert "@main" in judge.run_passes(MODULE)
