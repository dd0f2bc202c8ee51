"""What the real engine does with programs that jitlint calls wrong: it refuses them, or they compute something else.

MPI is played by functions of the module itself. The request holds the address of the buffer; completing it stores what
"arrives" there, 42, or takes what is "sent" from there. So every wrong order shows in the results.
"""

import re

import pytest

import jitlint
from jitlint.engine import rewrite
from jitlint.errors import NotProvedError
from jitlint.findings import Finding
from jitlint.options import Options
from tests.analysis.programs import F64, I64, alias, aliases, call, recv, send
from tests.engine.judge import Judge, RefusedError, array

pytestmark = pytest.mark.engine

X = 3.0

_START = """
llvm.func @MPI_I{name}(%b: !llvm.ptr, %n: i32, %t: !llvm.ptr, %p: i32, %g: i32, %c: !llvm.ptr, %r: !llvm.ptr) -> i32 {{
  %0 = llvm.ptrtoint %b : !llvm.ptr to i64
  llvm.store %0, %r : i64, !llvm.ptr
  llvm.return %n : i32
}}
llvm.func @{name}(%buffer: !llvm.ptr, %request: !llvm.ptr) {{
  %n = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_I{name}(%buffer, %n, %p, %n, %n, %p, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}}
"""
_WAIT = """
llvm.func @MPI_Wait(%r: !llvm.ptr, %status: !llvm.ptr) -> i32 {{
  %0 = llvm.load %r : !llvm.ptr -> i64
  %1 = llvm.inttoptr %0 : i64 to !llvm.ptr
  {completes}
  %3 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %3 : i32
}}
"""
DOUBLE = """
llvm.func @double(%buffer: !llvm.ptr) {
  %0 = llvm.load %buffer : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %buffer : f64, !llvm.ptr
  llvm.return
}
"""
RECEIVING = (
    _START.format(name="recv")
    + _WAIT.format(completes="%2 = llvm.mlir.constant(42.0 : f64) : f64\n  llvm.store %2, %1 : f64, !llvm.ptr")
    + """
llvm.func @wait(%request: !llvm.ptr) {
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_Wait(%request, %p) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
llvm.func @both(%requests: !llvm.ptr) {
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_Wait(%requests, %p) : (!llvm.ptr, !llvm.ptr) -> i32
  %1 = llvm.getelementptr %requests[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %2 = llvm.call @MPI_Wait(%1, %p) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
llvm.func @wait_both(%requests: !llvm.ptr) {
  llvm.call @both(%requests) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @complete_both(%requests: !llvm.ptr, %one: !llvm.ptr, %two: !llvm.ptr) {
  llvm.call @both(%requests) : (!llvm.ptr) -> ()
  llvm.return
}
"""
)
SENDING = (
    _START.format(name="send")
    + _WAIT.format(completes="%2 = llvm.load %1 : !llvm.ptr -> f64\n  llvm.store %2, %status : f64, !llvm.ptr")
    + DOUBLE
    + """
llvm.func @wait(%request: !llvm.ptr, %sent: !llvm.ptr) {
  %0 = llvm.call @MPI_Wait(%request, %sent) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
"""
)


def module(wrappers: str, results: str, *operations: str) -> str:
    """A module whose `@main(%x)` does these operations on `%b`, which is `2 x`, and returns `results`."""
    body = "".join(f"  {operation}\n" for operation in operations)
    types = ", ".join([F64] * len(results.split(", ")))
    return (
        f"{wrappers}func.func @main(%x: {F64}) -> ({types}) {{\n  %c = stablehlo.constant dense<0> : {I64}\n"
        f"  %b = stablehlo.add %x, %x : {F64}\n{body}  return {results} : {types}\n}}\n"
    )


def codes(text: str) -> set[str]:
    return {finding.code for finding in wrong(text)}


def wrong(text: str) -> list[Finding]:
    return [finding for finding in jitlint.check(text).findings if finding.code not in ("JIT001", "JIT702")]


def results(judge: Judge, text: str) -> list[float]:
    return [value["data"][0] for value in judge.run_main(text, [array(X)])]


NEGATE = f"%1 = stablehlo.negate %0#0 : {F64}"
RACE = module(RECEIVING, "%1", recv("%0", "%b"), NEGATE, call("wait", {"%0#1": I64}))


def test_what_is_received_is_used_before_it_arrives(judge: Judge) -> None:
    assert codes(RACE) == {"JIT601"}
    assert results(judge, RACE) != [-42.0]


def test_and_one_call_brings_it_in_order(judge: Judge) -> None:
    """The functions of MPI are outside when it is fixed, as they are in real programs, and played when it runs."""
    outside = {
        match[0]: f"{match[1]}\n" for match in re.finditer(r"(llvm\.func @MPI_.*?) \{\n.*?\n\}\n", RACE, re.DOTALL)
    }
    declared = RACE
    for played, declaration in outside.items():
        declared = declared.replace(played, declaration)
    fixed = jitlint.fix(declared).source.text
    assert codes(fixed) == set()
    for played, declaration in outside.items():
        fixed = fixed.replace(declaration, played)
    assert results(judge, fixed) == [-42.0]


def test_what_the_functions_do_is_not_changed_where_it_is_known(judge: Judge) -> None:
    """With the bodies of the functions at hand, one call gives another result than two: the fix is refused."""
    with pytest.raises(NotProvedError):
        rewrite(RACE, "x.mlir", Options())


def halo(wait: str, *unpack: str) -> str:
    gather = [
        f"%2 = stablehlo.reshape %0#1 : ({I64}) -> tensor<1xi64>",
        f"%3 = stablehlo.reshape %1#1 : ({I64}) -> tensor<1xi64>",
        "%4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>",
    ]
    other = f"%d = stablehlo.multiply %x, %x : {F64}"
    return module(RECEIVING, "%6, %7", other, recv("%0", "%b"), recv("%1", "%d"), *gather, wait, *unpack)


def test_a_halo_exchange_unpacks_stale_data(judge: Judge) -> None:
    unpack = f"%6 = stablehlo.negate %0#0 : {F64}", f"%7 = stablehlo.negate %1#0 : {F64}"
    stale = halo(call("wait_both", {"%4": "tensor<2xi64>"}), *unpack)
    assert [finding.code for finding in wrong(stale)] == ["JIT601", "JIT601"]
    assert results(judge, stale) != [-42.0, -42.0]


def test_buffers_that_pass_through_the_wait_are_unpacked_in_order(judge: Judge) -> None:
    operands = {"%4": "tensor<2xi64>", "%0#0": F64, "%1#0": F64}
    complete = f"%5:2 = {call('complete_both', operands, (1, 2))}"
    sound = halo(complete, f"%6 = stablehlo.negate %5#0 : {F64}", f"%7 = stablehlo.negate %5#1 : {F64}")
    assert not {"JIT601", "JIT602", "JIT603"} & codes(sound)
    assert results(judge, sound) == [-42.0, -42.0]


def test_what_is_sent_is_overwritten_before_it_is_sent(judge: Judge) -> None:
    double = f"%1 = {call('double', {'%b': F64}, (0,))}"
    late = f"%2 = stablehlo.negate %1 : {F64}", f"%3 = {call('wait', {'%0': I64, '%2': F64}, (1,))}"
    text = module(SENDING, "%3", send("%0", "%b"), double, *late)
    assert "JIT601" in codes(text)
    assert results(judge, text) != [2 * X]


CLOBBER = """
llvm.func @clobber(%a: !llvm.ptr) {
  %0 = llvm.mlir.constant(50.0 : f64) : f64
  llvm.store %0, %a : f64, !llvm.ptr
  llvm.return
}
"""


def test_an_undeclared_write_changes_a_constant(judge: Judge) -> None:
    one = f"%one = stablehlo.constant dense<1.0> : {F64}"
    total = f"%0 = stablehlo.add %x, %one : {F64}"
    text = module(CLOBBER, "%0", one, call("clobber", {"%one": F64}), total)
    assert codes(text) == {"JIT602"}
    assert results(judge, text) == [53.0]


def test_one_value_is_two_after_an_undeclared_write(judge: Judge) -> None:
    text = module(CLOBBER, "%0, %b", call("clobber", {"%b": F64}), f"%0 = stablehlo.add %x, %b : {F64}")
    assert codes(text) == {"JIT602"}
    assert results(judge, text) == [X + 2 * X, 50.0]


def test_an_undeclared_write_reaches_the_caller_s_argument(judge: Judge) -> None:
    text = module(CLOBBER, "%0, %x", call("clobber", {"%x": F64}), f"%0 = stablehlo.negate %x : {F64}")
    assert codes(text) == {"JIT602"}
    assert results(judge, text) == [-50.0, 50.0]


CRASH = """
llvm.func @crash(%a: !llvm.ptr) {
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.load %a : !llvm.ptr -> f64
  llvm.store volatile %0, %p : f64, !llvm.ptr
  llvm.store %0, %a : f64, !llvm.ptr
  llvm.return
}
"""


def test_a_dead_call_is_dropped_whatever_it_does(judge: Judge) -> None:
    alive = f"%0 = {call('crash', {'%x': F64}, (0,))}"
    dead = alive.replace("> :", ", xla_side_effect_free> :")
    assert codes(module(CRASH, "%x", dead)) == {"JIT701"}
    assert results(judge, module(CRASH, "%x", dead)) == [X]
    assert codes(module(CRASH, "%x", alive)) == set()
    with pytest.raises(RefusedError, match="crashed"):
        judge.run_main(module(CRASH, "%x", alive), [array(X)])


def of_one(listed: str, outcome: str = F64, callee: str = "double") -> str:
    operation = f"%0 = enzymexla.jit_call @{callee} (%x) <output_operand_aliases = [{listed}]> : ({F64}) -> {outcome}"
    return f"{DOUBLE}func.func @main(%x: {F64}) -> {outcome} {{\n  {operation}\n  return %0 : {outcome}\n}}\n"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("JIT301", of_one(alias("[]", 0), callee="doubel")),
        ("JIT401", of_one("")),
        ("JIT402", of_one(alias("[]", 1))),
        ("JIT402", of_one(alias("[]", -1))),
        ("JIT402", of_one(alias("[0]", 0))),
        ("JIT402", of_one(alias("[1]", 0))),
        ("JIT402", of_one(alias("[0, 0]", 0))),
    ],
)
def test_the_engine_does_not_read(judge: Judge, code: str, text: str) -> None:
    assert codes(text) == {code}
    assert judge.verify(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        of_one(alias("[]", 0, "[0]")),
        of_one(alias("[]", 0), "tensor<i64>"),
        of_one(alias("[]", 0), "tensor<f32>"),
        of_one(alias("[]", 0), "tensor<2xf64>"),
    ],
)
def test_the_engine_reads_but_does_not_lower(judge: Judge, text: str) -> None:
    assert codes(text) == {"JIT402"}
    assert judge.verify(text) is None
    with pytest.raises(RefusedError, match="output_operand_alias"):
        judge.run_main(text, [array(X)])


def test_two_results_on_one_operand_are_one_buffer(judge: Judge) -> None:
    fill = DOUBLE.replace("@double(%buffer", "@fill(%unused: !llvm.ptr, %buffer")
    both = f"<output_operand_aliases = [{alias('[0]', 1)}, {alias('[1]', 1)}]>"
    operation = f"%0:2 = enzymexla.jit_call @fill (%x, %b) {both} : ({F64}, {F64}) -> ({F64}, {F64})"
    text = module(fill, "%0#0, %0#1", operation)
    assert codes(text) == {"JIT402"}
    assert results(judge, text) == [12.0, 12.0]


def test_an_alias_of_a_call_without_results_crashes_the_engine(judge: Judge) -> None:
    operation = f"enzymexla.jit_call @double (%x) <output_operand_aliases = [{alias('[]', 0)}]> : ({F64}) -> ()"
    text = module(DOUBLE, "%x", operation)
    assert codes(text) == {"JIT402"}
    with pytest.raises(RefusedError, match="crashed"):
        judge.run_main(text, [array(X)])


@pytest.mark.parametrize("operands", ["%x, %x", ""])
def test_a_call_with_too_many_or_too_few_operands_is_never_lowered(judge: Judge, operands: str) -> None:
    types = ", ".join([F64] * len(operands.split(", "))) if operands else ""
    properties = f" {aliases(0)}" if operands else ""
    outcome = F64 if operands else "()"
    left = "%0 = " if operands else ""
    operation = f"{left}enzymexla.jit_call @double ({operands}){properties} : ({types}) -> {outcome}"
    text = module(DOUBLE, "%x", operation)
    assert codes(text) == {"JIT305"}
    assert "enzymexla.jit_call" in judge.run_passes(text, "lower-jit{jit=true backend=cpu}")


def test_a_promise_that_is_broken_changed_nothing_this_time(judge: Judge) -> None:
    text = of_one(alias("[]", 0)).replace("%buffer: !llvm.ptr", "%buffer: !llvm.ptr {llvm.readonly}")
    assert codes(text) == {"JIT602"}
    assert results(judge, text) == [2 * X]


def test_calls_of_equal_wrappers_compute_the_same_with_one(judge: Judge) -> None:
    twice = DOUBLE.replace("@double", "@twice")
    calls = f"%0 = {call('double', {'%x': F64}, (0,))}", f"%1 = {call('twice', {'%b': F64}, (0,))}"
    text = module(DOUBLE + twice, "%0, %1", *calls)
    fixed = jitlint.fix(text, prune_wrappers=True).source.text
    assert "@twice" not in fixed
    assert results(judge, text) == results(judge, fixed) == [2 * X, 4 * X]
