"""JIT301, JIT305, JIT401 and JIT402: calls that name no wrapper, pass it too much, or give results no buffer."""

import pytest

from jitlint.findings import Severity
from tests.analysis.programs import F64, I64, alias, aliases, at, call, found, messages

BOTH = """\
llvm.func @both(%a: !llvm.ptr, %b: !llvm.ptr) {
  %0 = llvm.load %a : !llvm.ptr -> f64
  llvm.store %0, %a : f64, !llvm.ptr
  llvm.store %0, %b : f64, !llvm.ptr
  llvm.return
}
llvm.func @one(%a: !llvm.ptr) {
  %0 = llvm.load %a : !llvm.ptr -> f64
  llvm.store %0, %a : f64, !llvm.ptr
  llvm.return
}
"""
CODES = ("JIT301", "JIT305", "JIT401", "JIT402", "JIT602", "JIT705")


def module(operation: str) -> str:
    return f"{BOTH}func.func @main(%x: {F64}, %y: {F64}, %i: {I64}) {{\n  {operation}\n  return\n}}\n"


def one(*listed: str, result: str = F64) -> str:
    return module(
        f"%0 = enzymexla.jit_call @one (%x) <output_operand_aliases = [{', '.join(listed)}]> : ({F64}) -> {result}"
    )


def two(*listed: str) -> str:
    head = f"%0:2 = enzymexla.jit_call @both (%x, %y) <output_operand_aliases = [{', '.join(listed)}]>"
    return module(f"{head} : ({F64}, {F64}) -> ({F64}, {F64})")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (one(alias("[]", 1)), "an alias names operand 1 of a call with 1 operand"),
        (one(alias("[]", -1)), "an alias names operand -1 of a call with 1 operand"),
        (one(alias("[0]", 0)), "a call with one result writes `output_tuple_indices = []`, not `[0]`"),
        (
            one(alias("[0, 0]", 0)),
            "an alias goes into a nested tuple, output_tuple_indices = [0, 0]: there are no nested results",
        ),
        (
            one(alias("[]", 0, "[0]")),
            "an alias goes into a tuple, operand_tuple_indices = [0], and an operand is not a tuple",
        ),
        (
            one(alias("[]", 0), result=I64),
            "result #0 is a `tensor<i64>` but aliases operand 0, a `tensor<f64>`: they are one buffer",
        ),
        (two(alias("[0]", 0), alias("[2]", 1)), "an alias names result #2 of a call with 2 results"),
        (two(alias("[0]", 0), alias("[1]", 0)), "results #0 and #1 alias one operand, 0: one buffer"),
        (two(alias("[0]", 0), alias("[0]", 1)), "result #0 aliases two operands, 0 and 1"),
        (
            two(alias("[0]", 0), alias("[]", 1)),
            "a call with 2 results must say which one aliases operand 1: `[0]`, `[1]`, …, not `[]`",
        ),
        (
            module(f"enzymexla.jit_call @one (%x) <output_operand_aliases = [{alias('[]', 0)}]> : ({F64}) -> ()"),
            "an alias names a result for operand 0, and the call has no result",
        ),
        (
            module(f"%0 = enzymexla.jit_call @one (%x) <output_operand_aliases = [7]> : ({F64}) -> {F64}"),
            "its `output_operand_aliases` is written in an unknown way",
        ),
    ],
)
def test_each_bad_alias_is_said_once_and_alone(text: str, says: str) -> None:
    (finding,) = found(text, *CODES)
    assert finding.code == "JIT402"
    assert finding.message.endswith(says)
    assert at(text, finding).startswith(("#stablehlo.output_operand_alias<", "output_operand_aliases = [7]"))
    assert finding.help


def test_good_aliases_have_nothing_said_of_them() -> None:
    assert found(one(alias("[]", 0)), *CODES) == []
    assert found(two(alias("[1]", 0), alias("[0]", 1)), *CODES) == []


def test_an_unaliased_result_is_an_error_where_engines_refuse_it() -> None:
    old = f"%0 = enzymexla.jit_call @one (%x) : ({F64}) -> {F64}"
    (properties,) = found(one(), *CODES)
    assert (properties.code, properties.severity) == ("JIT401", Severity.ERROR)
    assert properties.message == "@one: result #0 aliases no operand: current engines reject the call"
    (plain,) = found(module(old), *CODES)
    assert plain.code == "JIT401"
    (attributes,) = found(module(old.replace("(%x)", "(%x) {output_operand_aliases = []}")), *CODES)
    assert attributes.severity is None
    assert "the engine returns a buffer that nobody wrote" in attributes.message


def test_each_unaliased_result_is_named() -> None:
    text = two(alias("[1]", 0))
    assert [message.split(":")[1] for message in messages(text, *CODES)] == [" result #0 aliases no operand"]


def test_a_misspelt_wrapper_and_the_name_that_was_meant() -> None:
    text = module(f"%0 = enzymexla.jit_call @ohne (%x) {aliases(0)} : ({F64}) -> {F64}")
    assert messages(text, *CODES) == ["@ohne is not defined in this module; did you mean @one?"]
    far = module(call("nothing_like_it", {"%x": F64}))
    assert messages(far, *CODES) == ["@nothing_like_it is not defined in this module"]


def test_a_wrapper_of_the_module_around_is_not_the_nested_module_s() -> None:
    nested = module(call("one", {"%x": F64})).replace(BOTH, "")
    text = f"{BOTH}module {{\n{nested}}}\n"
    assert messages(text, "JIT301") == ["@one is not defined in this module"]


@pytest.mark.parametrize(
    ("operands", "says"),
    [
        ({"%x": F64}, "@both: the call passes 1 operand, and its wrapper takes 2 parameters"),
        ({"%x": F64, "%y": F64, "%i": I64}, "@both: the call passes 3 operands, and its wrapper takes 2 parameters"),
        ({}, "@both: the call passes no operands, and its wrapper takes 2 parameters"),
    ],
)
def test_operands_and_parameters_are_counted(operands: dict[str, str], says: str) -> None:
    text = module(call("both", operands))
    (finding,) = found(text, *CODES)
    assert (finding.code, finding.message) == ("JIT305", says)
    assert [text[note.span.start : note.span.end] for note in finding.notes if note.span] == ["@both"]
