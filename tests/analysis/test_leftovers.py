"""JIT701: calls that do nothing."""

import pytest

from tests.analysis.programs import F64, WRAPPERS, at, call, found, messages, program

FREE = call("double", {"%x": F64}, (0,)).replace("> :", ", xla_side_effect_free> :")
NEGATE = f"%1 = stablehlo.negate %0 : {F64}"


@pytest.mark.parametrize("left", ["%0 = ", ""])
def test_a_call_without_effects_whose_results_nobody_uses(left: str) -> None:
    text = program(left + FREE)
    (finding,) = found(text, "JIT701")
    assert finding.message == (
        "this call does nothing: `xla_side_effect_free` says that it has no side effects, "
        "and none of its results is used"
    )
    assert at(text, finding) == "enzymexla.jit_call @double"


def test_the_wrapper_can_say_it_too() -> None:
    wrappers = WRAPPERS.replace(
        "@double(%buffer: !llvm.ptr) {", "@double(%buffer: !llvm.ptr) attributes {enzymexla.memory_effects = []} {"
    )
    (message,) = messages(program("%0 = " + call("double", {"%x": F64}, (0,)), wrappers=wrappers), "JIT701")
    assert "the empty `enzymexla.memory_effects` of its wrapper" in message


def test_a_call_that_has_effects_or_a_user_is_alive() -> None:
    assert messages(program("%0 = " + call("double", {"%x": F64}, (0,))), "JIT701") == []
    assert messages(program("%0 = " + FREE, NEGATE), "JIT701") == []
    inside = f'"stablehlo.case"(%c) ({{\n    "stablehlo.return"(%0) : ({F64}) -> ()\n  }}) : (tensor<i64>) -> {F64}'
    assert messages(program("%0 = " + FREE, f"%1 = {inside}"), "JIT701") == []


def test_a_call_that_returns_nothing_and_does_nothing() -> None:
    text = program(call("look", {"%x": F64}).replace(" :", " <xla_side_effect_free> :"))
    assert [message.rsplit(", ")[-1] for message in messages(text, "JIT701")] == ["and it has no result"]
