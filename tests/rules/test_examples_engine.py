"""The real engine reads the rules' examples, and refuses those that the rules call errors of their own."""

from __future__ import annotations

import pytest

from jitlint.rules import RULES

REFUSED = {
    "JIT301": "does not reference a valid global funcOp",
    "JIT401": "has no matching operand in output_operand_aliases",
    "JIT402": "refers to operand 1, but there are only 1 inputs",
    "JIT901": "expected operation name in quotes",
}
"""What the engine says about examples that it does not accept."""

EXAMPLES = [
    pytest.param(text, REFUSED.get(code) if kind == "offends" else None, id=f"{code}-{kind}")
    for code, rule in RULES.items()
    for kind, text in (("offends", rule.offends), ("passes", rule.passes))
]


@pytest.mark.engine
@pytest.mark.parametrize(("text", "refusal"), EXAMPLES)
def test_the_engine_reads_the_examples(text: str, refusal: str | None, capfd: pytest.CaptureFixture[str]) -> None:
    from enzyme_ad.jax import enzyme_call

    if refusal is None:
        enzyme_call.run_pass_pipeline([], text, "symbol-dce")
        return
    with pytest.raises(ValueError, match="Failed to parse module"):
        enzyme_call.run_pass_pipeline([], text, "symbol-dce")
    assert refusal in capfd.readouterr().err
