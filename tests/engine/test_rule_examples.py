"""The engine reads the rules' examples, and refuses those whose rule says that it does."""

from collections.abc import Iterator

import pytest

from jitlint.rules import RULES
from tests.engine.judge import Judge

pytestmark = pytest.mark.engine

REFUSED = {"JIT301", "JIT401", "JIT402", "JIT901"}
"""Rules whose invalid examples are no valid module for the engine."""

EXAMPLES = [
    pytest.param(text, kind == "invalid" and code in REFUSED, id=f"{code}-{kind}-{number}")
    for code, rule in RULES.items()
    for kind, texts in (("invalid", rule.INVALID), ("valid", rule.VALID))
    for number, text in enumerate(texts)
]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge() as judge:
        yield judge


@pytest.mark.parametrize(("text", "refused"), EXAMPLES)
def test_the_engine_reads_the_examples(judge: Judge, text: str, refused: bool) -> None:
    verdict = judge.verify(text)
    assert (verdict is not None) == refused, verdict


def test_a_call_that_does_not_pass_what_its_wrapper_takes_is_never_lowered(judge: Judge) -> None:
    rule, lowering = RULES["JIT305"], "lower-jit{jit=true backend=cpu}"
    assert "enzymexla.jit_call" not in judge.run_passes(rule.VALID[0], lowering)
    assert "enzymexla.jit_call" in judge.run_passes(rule.INVALID[0], lowering)
