"""JIT604 and JIT605: what calls do outside their buffers, in what order, and what is declared about it."""

from __future__ import annotations

import pytest

from jitlint import api
from jitlint.engine import analyse
from jitlint.findings import Finding
from jitlint.options import Options
from tests.analysis.programs import F64, I64, WRAPPERS, at, call, found, program, recv

P = "!llvm.ptr"
WORLD = f"""\
llvm.func @MPI_Barrier({P}) -> i32
llvm.func @MPI_Comm_rank({P}, {P}) -> i32
llvm.func @puts({P}) -> i32
llvm.func @barrier() {{
  %p = llvm.mlir.zero : {P}
  %0 = llvm.call @MPI_Barrier(%p) : ({P}) -> i32
  llvm.return
}}
llvm.func @rank(%to: {P}) {{
  %p = llvm.mlir.zero : {P}
  %0 = llvm.call @MPI_Comm_rank(%p, %to) : ({P}, {P}) -> i32
  llvm.return
}}
llvm.func @print(%text: {P}) {{
  %0 = llvm.call @puts(%text) : ({P}) -> i32
  llvm.return
}}
llvm.func @through(%to: {P}) {{
  llvm.call @barrier() : () -> ()
  llvm.return
}}
llvm.func @to_an_address(%from: {P}) {{
  %a = llvm.mlir.constant(4096 : i64) : i64
  %q = llvm.inttoptr %a : i64 to {P}
  %0 = llvm.load %from : {P} -> f64
  llvm.store %0, %q : f64, {P}
  llvm.return
}}
llvm.func @shell()
"""
ALL = WRAPPERS + WORLD
BARRIER = "enzymexla.jit_call @barrier () : () -> ()"
FREE = "enzymexla.jit_call @barrier () <xla_side_effect_free> : () -> ()"


def x(wrapper: str) -> str:
    """A call that is passed a number and returns nothing."""
    return call(wrapper, {"%x": F64})


def declared(name: str, effects: str) -> str:
    """The wrappers, one of them with a list of its effects."""
    for head in (f"@{name}()", f"@{name}(%to: {P})"):
        if f"{head} {{" in ALL:
            return ALL.replace(f"{head} {{", f"{head} attributes {{enzymexla.memory_effects = [{effects}]}} {{")
    raise ValueError(name)


def unordered(*operations: str, wrappers: str = ALL) -> list[Finding]:
    return found(program(*operations, wrappers=wrappers), "JIT604")


EFFECT = "stablehlo.custom_call @f() {has_side_effect = true} : () -> ()"


@pytest.mark.parametrize(
    ("operations", "first", "second"),
    [
        ([BARRIER, BARRIER], "@barrier (1)", "@barrier (2)"),
        ([x("print"), x("through")], "@print", "@through"),
        ([x("to_an_address"), BARRIER], "@to_an_address", "@barrier"),
        # What is free of effects, does nothing that is known, or only asks stands between them.
        ([BARRIER, FREE, x("look"), x("rank"), x("print")], "@barrier", "@print"),
        # A value that comes from elsewhere, or that the first call does not give, brings nothing into an order.
        ([recv("%0"), recv("%1")], "@recv (1)", "@recv (2)"),
        ([recv("%0"), "%n = stablehlo.negate %x : tensor<f64>", recv("%1", "%n")], "@recv (1)", "@recv (2)"),
        ([BARRIER, EFFECT, BARRIER], "@barrier (1)", "@barrier (2)"),
    ],
)
def test_the_first_two_that_are_in_no_order(operations: list[str], first: str, second: str) -> None:
    text = program(*operations, wrappers=ALL)
    (finding,) = found(text, "JIT604")
    assert finding.message.startswith(f"{first} and {second} both have side effects, and no value connects them")
    assert finding.notes[0].message == f"{first} is called here"
    assert at(text, finding) == f"enzymexla.jit_call {second.partition(' ')[0]}"
    assert finding.span is not None and finding.notes[0].span is not None
    assert finding.notes[0].span.start < finding.span.start


@pytest.mark.parametrize(
    "operations",
    [
        [BARRIER],
        [BARRIER, x("look"), x("rank"), x("double"), FREE],
        # The request goes from one to the other, through whatever lies between.
        [recv("%0"), call("wait", {"%0#1": I64})],
        [
            recv("%0"),
            f"%n = stablehlo.negate %0#1 : {I64}",
            f"%m = stablehlo.abs %n : {I64}",
            call("wait", {"%m": I64}),
        ],
        # Each in a block of its own.
        [BARRIER, "scf.execute_region {", BARRIER, "scf.yield", "}"],
        # What is done with the buffer beside is no effect.
        [recv("%0"), call("wait", {"%0#1": I64}), f"%u = stablehlo.negate %0#0 : {F64}"],
    ],
)
def test_nothing_is_said_of_others(operations: list[str]) -> None:
    assert unordered(*operations) == []


def test_three_in_no_order_are_said_once() -> None:
    (finding,) = unordered(BARRIER, BARRIER, BARRIER)
    assert finding.message.startswith("@barrier (1) and @barrier (2) ")


def test_the_switch_is_named_only_where_it_helps() -> None:
    def helps(*operations: str) -> list[bool]:
        return ["--group adjacent" in (finding.help or "") for finding in unordered(*operations)]

    def asked_for(*operations: str) -> list[bool]:
        result = analyse(program(*operations, wrappers=ALL), "x.mlir", Options(group="adjacent"))
        return ["--group adjacent" in (each.help or "") for each in result.findings if each.code == "JIT604"]

    assert helps(BARRIER, BARRIER) == [True]
    assert asked_for(BARRIER, BARRIER) == []
    assert helps(BARRIER, EFFECT, BARRIER) == [False]
    assert asked_for(BARRIER, EFFECT, BARRIER) == [False]
    fixed = api.fix(program(BARRIER, BARRIER, wrappers=ALL), group="adjacent")
    assert "JIT604" not in {finding.code for finding in fixed.findings}


@pytest.mark.parametrize(
    ("wrappers", "operations", "said"),
    [
        (ALL, [FREE], ["`xla_side_effect_free` says that this call of @barrier has no side effects"]),
        (ALL, [FREE, BARRIER, FREE], ["`xla_side_effect_free` says that this call of @barrier"] * 2),
        (declared("barrier", ""), [BARRIER, BARRIER], ["@barrier is declared free of side effects, but has some"]),
        (declared("barrier", ""), [FREE, FREE], ["`xla_side_effect_free` says that this call of @barrier"] * 2),
        (declared("through", ""), [x("through")], ["@through is declared free of side effects, but has some"]),
        (declared("barrier", '"read"'), [BARRIER], []),
        (declared("barrier", ""), [x("through")], []),  # no call is of the one that says so
        (declared("rank", ""), [x("rank")], []),
        (ALL, [x("double").replace(" :", " <xla_side_effect_free> :", 1)], []),
        (ALL, [x("look").replace(" :", " <xla_side_effect_free> :", 1)], []),
        (ALL, ["enzymexla.jit_call @shell () <xla_side_effect_free> : () -> ()"], []),
    ],
)
def test_declarations(wrappers: str, operations: list[str], said: list[str]) -> None:
    findings = found(program(*operations, wrappers=wrappers), "JIT605")
    assert len(findings) == len(said)
    for finding, begin in zip(findings, said, strict=True):
        assert finding.message.startswith(begin)
        assert finding.message.endswith("XLA may drop the call, run it twice or move it")
        assert finding.notes[-1].message == "@MPI_Barrier is known to have side effects"


def test_the_declaration_is_pointed_at_and_the_way_to_the_effect() -> None:
    text = program(x("through"), wrappers=declared("through", ""))
    (finding,) = found(text, "JIT605")
    assert at(text, finding) == "@through"
    assert [note.message for note in finding.notes] == [
        "@through calls @barrier here",
        "@barrier calls @MPI_Barrier here",
        "@MPI_Barrier is known to have side effects",
    ]
    text = program(FREE, wrappers=ALL)
    (finding,) = found(text, "JIT605")
    assert at(text, finding) == "enzymexla.jit_call @barrier"
