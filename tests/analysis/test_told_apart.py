"""Messages that name two calls of one wrapper tell them apart by their numbers."""

from __future__ import annotations

import pytest

from tests.analysis.programs import F64, call, found

WRAPPERS = """\
llvm.func @MPI_Barrier(!llvm.ptr) -> i32
llvm.func @double(%p: !llvm.ptr) attributes {enzymexla.memory_effects = []} {
  %v = llvm.load %p : !llvm.ptr -> f64
  %s = llvm.fadd %v, %v : f64
  llvm.store %s, %p : f64, !llvm.ptr
  llvm.return
}
llvm.func @say(%p: !llvm.ptr) {
  %0 = llvm.call @MPI_Barrier(%p) : (!llvm.ptr) -> i32
  llvm.return
}
llvm.func @add(%p: !llvm.ptr, %q: !llvm.ptr) attributes {enzymexla.memory_effects = []} {
  %v = llvm.load %p : !llvm.ptr -> f64
  %w = llvm.load %q : !llvm.ptr -> f64
  %s = llvm.fadd %v, %w : f64
  llvm.store %s, %p : f64, !llvm.ptr
  llvm.return
}
"""


def double(result: str, operand: str) -> str:
    return f"{result} = {call('double', {operand: F64}, (0,))}"


def say(result: str, operand: str) -> str:
    return f"{result} = {call('say', {operand: F64}, (0,))}"


@pytest.mark.parametrize(
    ("code", "lines", "said"),
    [
        (
            "JIT101",
            [
                double("%0", "%x"),
                '%2 = "stablehlo.if"(%c) ({',
                double("%1", "%0"),
                f"stablehlo.return %1 : {F64}",
                "}, {",
                f"stablehlo.return %x : {F64}",
                f"}}) : (tensor<i1>) -> {F64}",
            ],
            [
                "@double (1) and @double (2) cannot be one call: they stand in different blocks",
                "%0 of @double (1) is defined here",
                "and @double (2) uses it here",
            ],
        ),
        (
            "JIT403",
            [double("%0", "%x"), double("%1", "%0"), f'"a.b"(%0, %1) : ({F64}, {F64}) -> ()'],
            [
                "@double (2) overwrites %0, which is still needed after it",
                "@double (2) overwrites %0 here",
                "it is needed here",
            ],
        ),
        (
            "JIT201",
            [
                say("%0", "%x"),
                f"%1 = stablehlo.custom_call @log(%y) {{has_side_effect = true}} : ({F64}) -> {F64}",
                say("%2", "%0"),
            ],
            [
                "@say (1) and @say (2) cannot be one call: `stablehlo.custom_call` stands between them and has side "
                "effects",
                "`stablehlo.custom_call` stands between them",
            ],
        ),
        (
            "JIT604",
            [say("%0", "%x"), say("%1", "%y")],
            [
                "@say (1) and @say (2) both have side effects, and no value connects them: XLA does not promise to run "
                "them in order",
                "@say (1) is called here",
            ],
        ),
        (
            "JIT102",
            [
                f"%0 = {call('add', {'%x': F64, '%y': F64}, (0,))}",
                f"%1 = stablehlo.negate %0 : {F64}",
                f"%2 = {call('add', {'%0': F64, '%1': F64}, (0,))}",
            ],
            ["@add (1) and @add (2) cannot be one call: %0 leaves the group and comes back through `stablehlo.negate`"],
        ),
    ],
)
def test_equal_callees_have_their_numbers(code: str, lines: list[str], said: list[str]) -> None:
    body = "".join(f"  {line}\n" for line in lines)
    text = f"{WRAPPERS}func.func @main(%x: {F64}, %y: {F64}, %c: tensor<i1>) {{\n{body}  return\n}}\n"
    (finding,) = found(text, code)
    notes = [note.message for note in finding.notes if note.span is not None]
    assert [finding.message, *notes][: len(said)] == said
