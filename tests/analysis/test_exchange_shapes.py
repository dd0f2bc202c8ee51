"""The shapes of exchanges that compilers lower, and how many calls a fix leaves of each."""

from __future__ import annotations

import re

import pytest

from jitlint import api
from tests.analysis.programs import F64, I64, WRAPPERS, call, messages, program, recv, send
from tests.engine.spelling import count_calls

WAIT_TWO = """\
llvm.func @wait_two(%first: !llvm.ptr, %second: !llvm.ptr) {
  %two = llvm.mlir.constant(2 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %all = llvm.alloca %two x i64 : (i32) -> !llvm.ptr
  %0 = llvm.load %first : !llvm.ptr -> i64
  llvm.store %0, %all : i64, !llvm.ptr
  %1 = llvm.load %second : !llvm.ptr -> i64
  %2 = llvm.getelementptr %all[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %1, %2 : i64, !llvm.ptr
  %3 = llvm.call @MPI_Waitall(%two, %all, %p) : (i32, !llvm.ptr, !llvm.ptr) -> i32
BACK  llvm.return
}
"""
BACK = """\
  %4 = llvm.load %all : !llvm.ptr -> i64
  llvm.store %4, %first : i64, !llvm.ptr
  %5 = llvm.load %2 : !llvm.ptr -> i64
  llvm.store %5, %second : i64, !llvm.ptr
"""
CONTROL = """\
llvm.func @MPI_Send(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr) -> i32
llvm.func @control(%buffer: !llvm.ptr) {
  %n = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_Send(%buffer, %n, %p, %n, %n, %p) : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr) -> i32
  llvm.return
}
llvm.func @MPI_Barrier(!llvm.ptr) -> i32
llvm.func @barrier() {
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_Barrier(%p) : (!llvm.ptr) -> i32
  llvm.return
}
"""
ALL = WRAPPERS + WAIT_TWO.replace("BACK", "") + CONTROL
STORES_BACK = WRAPPERS + WAIT_TWO.replace("BACK", BACK) + CONTROL


def wait(request: str) -> str:
    return call("wait", {request: I64})


def wait_two(first: str, second: str) -> str:
    return call("wait_two", {first: I64, second: I64})


def left(*operations: str, wrappers: str = ALL, returned: str = "", **options: str) -> int:
    text = program(*operations, wrappers=wrappers)
    if returned:
        text = text.replace("  return\n", f"  return {returned}\n")
    return count_calls(api.fix(text, **options).source.text)  # type: ignore[arg-type]


ADD = f"%sum = stablehlo.add %0#0, %x : {F64}"
UNPACK = f"%u = stablehlo.negate %0#0 : {F64}"


@pytest.mark.parametrize(
    ("operations", "calls"),
    [
        # What is received is computed with, and the sum is sent: the send needs it.
        ([recv("%0"), wait("%0#1"), ADD, send("%1", "%sum"), wait("%1")], 2),
        # Two chains that cross, and a blocking send between their waits.
        ([send("%0"), recv("%1"), wait("%0"), call("control", {"%x": F64}), wait("%1#1")], 1),
        # One pointer for each request.
        ([send("%0"), recv("%1"), wait_two("%1#1", "%0")], 1),
        ([recv("%0"), send("%1"), wait_two("%0#1", "%1"), UNPACK], 1),
        ([recv("%0"), recv("%1"), wait_two("%0#1", "%1#1"), UNPACK], 1),
        # Nobody needs what a call gives, or the function needs all of it.
        ([send("%0"), wait("%0")], 1),
        ([recv("%0"), wait("%0#1"), UNPACK], 1),
        # Components that do not cross stay apart, and calls that no value ties.
        ([send("%0"), wait("%0"), recv("%1"), wait("%1#1")], 2),
        (["enzymexla.jit_call @barrier () : () -> ()"] * 2, 2),
        # Waits in another order than the starts.
        ([recv("%0"), recv("%1"), wait("%1#1"), wait("%0#1")], 1),
        # One call that is no exchange: its values are computed with in between.
        (["%d = " + call("double", {"%x": F64}, (0,)), f"%n = stablehlo.negate %d : {F64}"], 1),
    ],
)
def test_calls_that_are_left(operations: list[str], calls: int) -> None:
    assert left(*operations) == calls


def gathered(name: str, *parts: str, each: int = 1) -> str:
    """The concatenation of vectors of `each` requests."""
    types, whole = ", ".join([f"tensor<{each}xi64>"] * len(parts)), len(parts) * each
    return f"{name} = stablehlo.concatenate {', '.join(parts)}, dim = 0 : ({types}) -> tensor<{whole}xi64>"


def some(name: str, bounds: str, count: int) -> str:
    """A slice of the four requests `%all`."""
    return f"{name} = stablehlo.slice %all [{bounds}] : (tensor<4xi64>) -> tensor<{count}xi64>"


def wait_all(requests: str, count: int = 2) -> str:
    return call("wait_all", {requests: f"tensor<{count}xi64>"})


def received(first: int, end: int, buffer: str = "%x") -> list[str]:
    """Receives `%r0`, `%r1`, …, and their requests as vectors of one, `%s0`, `%s1`, …"""
    numbers = range(first, end)
    starts = [recv(f"%r{n}", buffer) for n in numbers]
    return starts + [f"%s{n} = stablehlo.reshape %r{n}#1 : ({I64}) -> tensor<1xi64>" for n in numbers]


FOUR = [*received(0, 4), gathered("%all", "%s0", "%s1", "%s2", "%s3")]
TWO = [*received(0, 2), gathered("%both", "%s0", "%s1")]
FOURTH = "%r3#0"


def loop(*operations: str) -> str:
    body = "\n".join(operations)
    return f"""%l = stablehlo.while(%i = %x) : {F64}
cond {{
  %k = stablehlo.compare LT, %i, %x : ({F64}, {F64}) -> tensor<i1>
  stablehlo.return %k : tensor<i1>
}} do {{
{body}
  stablehlo.return %i : {F64}
}}"""


GATHERED = {
    "a concatenation of concatenations": (
        [
            *FOUR[:-1],
            gathered("%low", "%s0", "%s1"),
            gathered("%high", "%s2", "%s3"),
            gathered("%all", "%low", "%high", each=2),
            wait_all("%all", 4),
        ],
        1,
    ),
    "parts that are waited for by themselves": (
        [*FOUR, some("%low", "0:2", 2), some("%high", "2:4", 2), wait_all("%low"), wait_all("%high")],
        1,
    ),
    "the parts in the other order": (
        [*FOUR, some("%low", "0:2", 2), some("%high", "2:4", 2), wait_all("%high"), wait_all("%low")],
        1,
    ),
    "every other request": (  # they are not side by side in memory
        [*FOUR, some("%even", "0:4:2", 2), some("%odd", "1:4:2", 2), wait_all("%even"), wait_all("%odd")],
        6,
    ),
    "one request twice": ([*received(0, 1), gathered("%both", "%s0", "%s0"), wait_all("%both")], 1),
    "requests that a barrier ties to a buffer in use": (  # the buffer is not copied, the request is
        [
            *received(0, 1),
            f"%q:2 = stablehlo.optimization_barrier %r0#1, %r0#0 : {I64}, {F64}",
            f"%t0 = stablehlo.reshape %q#0 : ({I64}) -> tensor<1xi64>",
            *received(1, 2, "%q#1"),
            gathered("%both", "%t0", "%s1"),
            wait_all("%both"),
        ],
        1,
    ),
    "what is gathered is used outside": (
        [*TWO, wait_all("%both"), "%v = stablehlo.negate %both : tensor<2xi64>"],
        1,
    ),
    "two exchanges, one after the other": (
        [
            *TWO,
            wait_all("%both"),
            f"%u = stablehlo.negate %r0#0 : {F64}",
            *received(2, 4, "%u"),
            gathered("%next", "%s2", "%s3"),
            wait_all("%next"),
        ],
        2,
    ),
    "an exchange in a loop": ([loop(*received(0, 2, "%i"), gathered("%both", "%s0", "%s1"), wait_all("%both"))], 1),
    "a wait in a loop": ([*TWO, loop(wait_all("%both"))], 3),  # which may run often, or never
}


@pytest.mark.parametrize(("operations", "calls"), GATHERED.values(), ids=GATHERED)
def test_calls_that_are_left_where_requests_are_gathered(operations: list[str], calls: int) -> None:
    assert left(*operations) == calls


@pytest.mark.parametrize("name", GATHERED)
def test_all_requests_are_waited_for_whatever_they_are_gathered_in(name: str) -> None:
    assert messages(program(*GATHERED[name][0], wrappers=ALL), "JIT603") == []


def test_a_buffer_of_a_part_is_complete_only_behind_its_own_wait() -> None:
    """Which of the waits that is, a slice does not tell: none is claimed to be late that may be in order."""
    parts = [*FOUR, some("%low", "0:2", 2), some("%high", "2:4", 2)]
    waits = [f"%w{part} = " + call("wait_all", {part: "tensor<2xi64>"}, (0,)) for part in ("%low", "%high")]
    waits = [each.replace("%w%", "%w_") for each in waits]
    behind = "%d = stablehlo.reshape %w_high : (tensor<2xi64>) -> tensor<2x1xi64>"
    use = f"%u = stablehlo.custom_call @f({FOURTH}, %d) : ({F64}, tensor<2x1xi64>) -> {F64}"
    early = f"%u = stablehlo.negate {FOURTH} : {F64}"
    for last, said in (([behind, use], 0), ([early], 1)):
        races = messages(program(*parts, *waits, *last, wrappers=ALL), "JIT601")
        assert sum("uses %r3#0" in each for each in races) == said


def test_both_results_may_be_returned() -> None:
    assert left(recv("%0"), wait("%0#1"), returned=f"%0#0, %0#1 : {F64}, {I64}") == 1


def test_what_stands_together_becomes_one_with_the_switch() -> None:
    barriers = ["enzymexla.jit_call @barrier () : () -> ()"] * 2
    assert left(*barriers, group="adjacent") == 1
    assert left(send("%0"), wait("%0"), recv("%1"), wait("%1#1"), group="adjacent") == 1


@pytest.mark.parametrize("starts", [[recv("%0"), send("%1")], [recv("%0"), recv("%1")]])
def test_a_wait_that_stores_the_requests_back(starts: list[str]) -> None:
    second = "%1#1" if ":2" in starts[1] else "%1"
    assert left(*starts, wait_two("%0#1", second), UNPACK, wrappers=STORES_BACK) == 1


def test_the_calls_run_in_the_order_of_the_text() -> None:
    operations = [send("%0"), recv("%1"), wait("%0"), call("control", {"%x": F64}), wait("%1#1")]
    fixed = api.fix(program(*operations, wrappers=ALL)).source.text
    body = fixed[fixed.index("@__enzyme_fused") :].partition("\n}")[0]
    assert re.findall(r"llvm\.call @(MPI_\w+)", body) == ["MPI_Isend", "MPI_Irecv", "MPI_Wait", "MPI_Send", "MPI_Wait"]


def test_equal_constants_that_are_only_read_are_one_operand() -> None:
    one, two = (f"%{name} = stablehlo.constant dense<1.0> : {F64}" for name in ("k", "l"))
    read = """\
llvm.func @add(%to: !llvm.ptr, %from: !llvm.ptr) {
  %0 = llvm.load %to : !llvm.ptr -> f64
  %1 = llvm.load %from : !llvm.ptr -> f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %to : f64, !llvm.ptr
  llvm.return
}
"""
    body = ["%a = " + call("add", {"%x": F64, "%k": F64}, (0,)), "%b = " + call("add", {"%a": F64, "%l": F64}, (0,))]
    fixed = api.fix(program(one, two, *body, wrappers=read)).source.text
    assert re.search(r"jit_call @__enzyme_fused_add_add \((.*?)\)", fixed)[1].count("%") == 2  # type: ignore[index]


HANDLES = """\
llvm.func @MPI_Irecv(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @MPI_Isend(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @MPI_Waitall(i32, !llvm.ptr, !llvm.ptr) -> i32
llvm.mlir.global external constant @MPI_STATUSES_IGNORE() {addr_space = 0 : i32} : !llvm.ptr
""" + "".join(
    f"""\
llvm.func @{name}(%buffer: !llvm.ptr, %kind: !llvm.ptr, %world: !llvm.ptr, %request: !llvm.ptr) {{
  %n = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.load %kind : !llvm.ptr -> !llvm.ptr
  %1 = llvm.load %world : !llvm.ptr -> !llvm.ptr
  %2 = llvm.call @MPI_I{name}(%buffer, %n, %0, %n, %n, %1, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}}
"""
    for name in ("recv", "send")
)
WAIT_FOR_POINTERS = """\
llvm.func @wait_two(%first: !llvm.ptr, %second: !llvm.ptr) {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.alloca %two x !llvm.ptr : (i32) -> !llvm.ptr
  %0 = llvm.load %first : !llvm.ptr -> !llvm.ptr
  llvm.store %0, %all : !llvm.ptr, !llvm.ptr
  %1 = llvm.load %second : !llvm.ptr -> !llvm.ptr
  %2 = llvm.getelementptr %all[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %1, %2 : !llvm.ptr, !llvm.ptr
  %none = llvm.mlir.addressof @MPI_STATUSES_IGNORE : !llvm.ptr
  %3 = llvm.call @MPI_Waitall(%two, %all, %none) : (i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
"""


def test_datatype_and_communicator_may_be_operands() -> None:
    """Handles that are pointers, loaded in the wrappers: equal ones, under whatever names, are passed once."""
    twice = [
        f"%{name} = stablehlo.constant dense<{number}> : {I64}"
        for number in (3, 5)
        for name in (f"a{number}", f"b{number}")
    ]
    start = {"%x": F64, "%a3": I64, "%a5": I64, "%c": I64}
    body = [
        *twice,
        "%0 = " + call("send", start, (3,)),
        "%1:2 = " + call("recv", {"%x": F64, "%b3": I64, "%b5": I64, "%c": I64}, (0, 3)),
        wait_two("%1#1", "%0"),
        f"%u = stablehlo.negate %1#0 : {F64}",
    ]
    fixed = api.fix(program(*body, wrappers=HANDLES + WAIT_FOR_POINTERS)).source.text
    assert count_calls(fixed) == 1
    operands = re.search(r"jit_call @__enzyme_fused_send_recv_wait_two \((.*?)\)", fixed)
    assert operands is not None
    assert operands[1].split(", ") == ["%x", "%a3", "%a5", "%c", "%x", "%c"]
    assert "stablehlo.negate %0#1" in fixed


DUMP = """\
llvm.func @print(!llvm.ptr, !llvm.ptr, i64)
llvm.func @dump(%value: !llvm.ptr, %label: !llvm.ptr, %length: !llvm.ptr) {
  %0 = llvm.load %length : !llvm.ptr -> i64
  llvm.call @print(%value, %label, %0) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}
"""


def test_a_value_that_is_dumped_on_the_way_is_handed_on() -> None:
    """No exchange: a function of nobody knows what, which writes the value by its alias alone."""
    label = "%s = stablehlo.constant dense<[65, 66]> : tensor<2xi8>"
    chain = [
        "%0 = " + call("dump", {"%x": F64, "%s": "tensor<2xi8>", "%c": I64}, (0,)),
        "%1 = " + call("dump", {"%0": F64, "%s": "tensor<2xi8>", "%c": I64}, (0,)),
    ]
    assert left(label, *chain, wrappers=DUMP, returned=f"%1 : {F64}") == 1
    assert left(label, *chain, wrappers=DUMP, returned=f"%0, %1 : {F64}, {F64}") == 2


FACTORS = """\
llvm.func @factor(%a: !llvm.ptr, %tau: !llvm.ptr) {
  %0 = llvm.load %tau : !llvm.ptr -> f64
  llvm.store %0, %a : f64, !llvm.ptr
  llvm.return
}
"""


@pytest.mark.parametrize(("second", "calls"), [("[0, 1]", 1), ("[1, 0]", 2)])
def test_a_chain_of_calls_that_spell_their_layouts(second: str, calls: int) -> None:
    matrix = "tensor<2x3xf64>"
    chain = []
    for name, operand, layout in (("%0", "%m", "[0, 1]"), ("%1", "%0", second)):
        spelled = f"operand_layouts = [dense<{layout}> : tensor<2xindex>, dense<> : tensor<0xindex>], "
        text = f"{name} = " + call("factor", {operand: matrix, "%x": F64}, (0,))
        chain.append(text.replace("<output_operand", f"<{spelled}output_operand"))
    made = f"%m = stablehlo.constant dense<1.0> : {matrix}"
    assert left(made, *chain, wrappers=FACTORS, returned=f"%1 : {matrix}") == calls
