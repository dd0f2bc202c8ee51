"""JIT601 and JIT603: nonblocking MPI operations, their requests and their buffers."""

from pathlib import Path

import pytest

from jitlint.engine import rewrite
from jitlint.options import Options
from tests.analysis.programs import F64, I64, WRAPPERS, at, call, found, messages, program, recv, send

DATA = Path(__file__).parents[1] / "fusion" / "data"
WAIT = call("wait", {"%0#1": I64})
NEGATE = f"%1 = stablehlo.negate %0#0 : {F64}"


def race(*operations: str) -> list[str]:
    return messages(program(*operations), "JIT601", "JIT603")


def test_a_received_buffer_is_used_by_an_operation_that_does_not_depend_on_the_wait() -> None:
    text = program(recv("%0"), WAIT, NEGATE)
    (finding,) = found(text, "JIT601", "JIT603")
    assert finding.code == "JIT601"
    said = "`stablehlo.negate` uses %0#0, which `MPI_Irecv` receives into, but does not depend on @wait"
    assert finding.message == said
    assert at(text, finding) == "stablehlo.negate"
    assert [text[note.span.start : note.span.end] for note in finding.notes if note.span] == [
        "enzymexla.jit_call @recv",
        "enzymexla.jit_call @wait",
    ]


def test_a_use_before_the_wait_is_one_too() -> None:
    assert len(race(recv("%0"), NEGATE, WAIT)) == 1


def test_fusing_fixes_it_and_the_report_says_so() -> None:
    text = program(recv("%0"), WAIT, NEGATE)
    (finding,) = found(text, "JIT601")
    assert finding.help is not None and "fusing the calls fixes this" in finding.help
    fixed = rewrite(text, "test.mlir", Options())
    assert fixed.changed
    assert not {"JIT001", "JIT601", "JIT603", "JIT602"} & {finding.code for finding in fixed.findings}
    (race_fixed,) = (each for each in fixed.fixed if each.code == "JIT601")
    assert (race_fixed.message, race_fixed.span) == (finding.message, finding.span)


def test_a_race_that_no_fused_group_fixes_or_that_is_not_to_be_fixed_is_not_called_fixed() -> None:
    text = program(recv("%0"), WAIT, NEGATE)
    for code in ("JIT001", "JIT601"):
        fixed = rewrite(text, "test.mlir", Options(), lambda finding, _, code=code: finding.code != code)
        assert "JIT601" not in {finding.code for finding in fixed.fixed}


def test_the_two_calls_of_one_wrapper_are_told_apart() -> None:
    wait = call("wait_with", {"%0#1": I64, "%c": F64}, (0, 1)).replace("%c", "%x")
    text = program(recv("%0"), f"%1:2 = {wait}", "%2:2 = " + call("wait_with", {"%i": I64, "%0#0": F64}, (0, 1)))
    (finding,) = found(text, "JIT601")
    assert finding.message.startswith("@wait_with (2) uses %0#0"), finding.message
    assert finding.message.endswith("does not depend on @wait_with (1)")


def test_the_lowered_exchange_of_a_compiler() -> None:
    text = (DATA / "irecv_wait.mlir").read_text(encoding="utf-8")
    assert [finding.code for finding in found(text, "JIT001", "JIT601", "JIT602", "JIT603")] == ["JIT001", "JIT601"]
    for form in ("sound", "pass"):
        fused = (DATA / f"irecv_wait.{form}.mlir").read_text(encoding="utf-8")
        assert found(fused, "JIT001", "JIT601", "JIT602", "JIT603") == []


MEMREFS = """
func.func private @recv_memref(%m: memref<f64>, %r: memref<i64>) {
  %n = arith.constant 1 : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %buffer = "enzymexla.memref2pointer"(%m) : (memref<f64>) -> !llvm.ptr
  %request = "enzymexla.memref2pointer"(%r) : (memref<i64>) -> !llvm.ptr
  %0 = llvm.call @MPI_Irecv(%buffer, %n, %p, %n, %n, %p, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  return
}
"""


def test_a_wrapper_that_takes_memrefs_is_read_as_well() -> None:
    start = "%0:2 = " + call("recv_memref", {"%x": F64, "%c": I64}, (0, 1))
    assert len(messages(program(start, WAIT, NEGATE, wrappers=WRAPPERS + MEMREFS), "JIT601")) == 1


def test_what_depends_on_the_wait_is_in_order() -> None:
    complete = "%1:2 = " + call("wait_with", {"%0#1": I64, "%0#0": F64}, (0, 1))
    assert race(recv("%0"), complete, f"%2 = stablehlo.negate %1#1 : {F64}") == []
    token = "%1 = " + call("wait", {"%0#1": I64}, (0,))
    convert = f"%2 = stablehlo.convert %1 : ({I64}) -> {F64}"
    assert race(recv("%0"), token, convert, f"%3 = stablehlo.add %2, %0#0 : {F64}") == []
    assert len(race(recv("%0"), token, convert, f"%3 = stablehlo.add %2, %2 : {F64}", NEGATE.replace("%1", "%4"))) == 1


def test_only_handing_the_buffer_out_claims_nothing() -> None:
    body = [recv("%0"), WAIT]
    text = program(*body).replace("  return\n", f"  return %0#0 : {F64}\n")
    assert messages(text, "JIT601", "JIT603") == []


def test_a_sent_buffer_may_be_read_but_not_written() -> None:
    wait, double = call("wait", {"%0": I64}), "%1 = " + call("double", {"%x": F64}, (0,))
    assert race(send("%0"), f"%1 = stablehlo.negate %x : {F64}", wait) == []
    assert race(double, send("%0"), wait) == []
    (message,) = race(send("%0"), double, wait)
    assert message == "@double overwrites %x, which `MPI_Isend` sends from, but does not depend on @wait"
    ordered = "%1 = " + call("wait", {"%0": I64}, (0,)), f"%2 = stablehlo.convert %1 : ({I64}) -> {F64}"
    assert race(send("%0"), *ordered, "%3 = " + call("double", {"%2": F64}, (0,))) == []


HALO = [
    recv("%0"),
    recv("%1"),
    f"%2 = stablehlo.reshape %0#1 : ({I64}) -> tensor<1xi64>",
    f"%3 = stablehlo.broadcast_in_dim %1#1, dims = [] : ({I64}) -> tensor<1xi64>",
    "%4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>",
]


def test_a_halo_exchange_that_unpacks_what_may_not_be_there() -> None:
    text = program(*HALO, call("wait_all", {"%4": "tensor<2xi64>"}), f"%5 = stablehlo.add %0#0, %1#0 : {F64}")
    one, two = found(text, "JIT601", "JIT603")
    assert one.message == "`stablehlo.add` uses %0#0, which `MPI_Irecv` receives into, but does not depend on @wait_all"
    assert "%1#0" in two.message
    assert one.fixable and one.help is not None and one.help.startswith("fusing the calls fixes this")


def test_a_request_that_nobody_waits_for() -> None:
    text = program(recv("%0"))
    (finding,) = found(text, "JIT601", "JIT603")
    assert finding.message == "nothing waits for the request of `MPI_Irecv`, %0#1 of @recv"
    assert at(text, finding) == "enzymexla.jit_call @recv"
    assert len(race(*HALO)) == 2
    assert race(send("%0")) == ["nothing waits for the request of `MPI_Isend`, %0 of @send"]


@pytest.mark.parametrize(
    "use",
    [
        call("look", {"%0#1": I64}),
        f"func.call @elsewhere(%0#1) : ({I64}) -> ()",
        f'%9 = "stablehlo.custom_call"(%0#1) <{{call_target_name = "x"}}> : ({I64}) -> {I64}',
        f"%9 = stablehlo.case %0#1 ({{\n    stablehlo.return %0#1 : {I64}\n  }}) : ({I64}) -> {I64}",
    ],
)
def test_where_a_request_goes_out_of_sight_nothing_is_claimed(use: str) -> None:
    assert race(recv("%0"), use, NEGATE) == []


def test_a_request_that_the_function_returns_is_out_of_sight() -> None:
    text = program(recv("%0")).replace("  return\n", f"  return %0#1 : {I64}\n")
    assert messages(text, "JIT601", "JIT603") == []


def test_a_request_that_is_waited_for_twice() -> None:
    text = program(recv("%0"), WAIT, WAIT)
    (finding,) = found(text, "JIT603")
    assert finding.message == "the request %0#1 of @recv is waited for twice: the first wait frees it"
    assert finding.span is not None and finding.span.start == text.rindex("enzymexla.jit_call @wait")


def test_the_request_that_a_wait_hands_on_may_be_waited_for() -> None:
    text = program(recv("%0"), "%1 = " + call("wait", {"%0#1": I64}, (0,)), call("wait", {"%1": I64}))
    assert messages(text, "JIT603") == []


def test_one_element_of_several_requests_may_be_another() -> None:
    part = "%5 = stablehlo.slice %4 [0:1] : (tensor<2xi64>) -> tensor<1xi64>"
    rest = "%6 = stablehlo.slice %4 [1:2] : (tensor<2xi64>) -> tensor<1xi64>"
    waits = [call("wait", {"%5": "tensor<1xi64>"}), call("wait", {"%6": "tensor<1xi64>"})]
    assert messages(program(*HALO, part, rest, *waits), "JIT603") == []


def test_a_request_that_is_freed_is_not_lost_and_its_data_is_never_known_to_be_complete() -> None:
    assert race(recv("%0"), call("free", {"%0#1": I64}), NEGATE) == []


def test_values_that_are_made_of_one_another_end_no_search() -> None:
    circle = [f"%1 = stablehlo.add %0#1, %2 : {I64}", f"%2 = stablehlo.negate %1 : {I64}"]
    assert race(recv("%0"), *circle) == []


SENDRECV = """
llvm.func @start(%buffer: !llvm.ptr, %request: !llvm.ptr) {{
  llvm.call @helper(%buffer, %request) : (!llvm.ptr, !llvm.ptr) -> ()
  {then}
  llvm.return
}}
llvm.func @helper(%buffer: !llvm.ptr, %handle: !llvm.ptr) {{
  %n = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %request = llvm.getelementptr %handle[0] : (!llvm.ptr) -> !llvm.ptr, i64
  %0 = llvm.call @MPI_Irecv(%buffer, %n, %p, %n, %n, %p, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}}
"""


def test_starts_and_waits_are_seen_through_functions() -> None:
    start = "%0:2 = " + call("start", {"%x": F64, "%c": I64}, (0, 1))
    assert len(messages(program(start, wrappers=WRAPPERS + SENDRECV.format(then="")), "JIT603")) == 1
    wait = "llvm.call @wait(%request) : (!llvm.ptr) -> ()"
    assert messages(program(start, NEGATE, wrappers=WRAPPERS + SENDRECV.format(then=wait)), "JIT601", "JIT603") == []


def test_a_wait_before_the_start_leaves_the_new_request_open() -> None:
    wrapper = SENDRECV.format(then="").replace(
        "  llvm.call @helper", "  llvm.call @wait(%request) : (!llvm.ptr) -> ()\n  llvm.call @helper"
    )
    again = "%1:2 = " + call("start", {"%0#0": F64, "%0#1": I64}, (0, 1))
    text = program(recv("%0"), again, wrappers=WRAPPERS + wrapper)
    assert messages(text, "JIT603") == ["nothing waits for the request of `MPI_Irecv`, %1#1 of @start"]


OWN = """
llvm.func @lose(%buffer: !llvm.ptr) {{
  %n = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %request = llvm.alloca %n x i64 : (i32) -> !llvm.ptr
  %0 = llvm.call @MPI_Isend(%buffer, %n, %p, %n, %n, %p, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  {then}
  llvm.return
}}
"""


def test_a_request_that_never_leaves_the_wrapper() -> None:
    lose = call("lose", {"%x": F64})
    lost = messages(program(lose, wrappers=WRAPPERS + OWN.format(then="")), "JIT603")
    assert lost == ["@lose does not return the request of `MPI_Isend`, so nothing can wait for it"]
    then = "llvm.call @wait(%request) : (!llvm.ptr) -> ()"
    assert messages(program(lose, wrappers=WRAPPERS + OWN.format(then=then)), "JIT603") == []


def test_many_requests_gathered_one_by_one_take_no_time_to_speak_of() -> None:
    body = [recv("%r0"), f"%g0 = stablehlo.reshape %r0#1 : ({I64}) -> tensor<1xi64>"]
    for number in range(1, 400):
        body += [
            recv(f"%r{number}"),
            f"%s{number} = stablehlo.reshape %r{number}#1 : ({I64}) -> tensor<1xi64>",
            f"%g{number} = stablehlo.concatenate %g{number - 1}, %s{number}, dim = 0"
            f" : (tensor<{number}xi64>, tensor<1xi64>) -> tensor<{number + 1}xi64>",
        ]
    body.append(call("wait_all", {"%g399": "tensor<400xi64>"}))
    body.append(f"%last = stablehlo.negate %r399#0 : {F64}")
    assert "%r399#0" in race(*body)[-1]


MADE = f"%b = stablehlo.negate %x : {F64}"
"""A value whose memory XLA may give away."""


@pytest.mark.parametrize(
    ("operations", "said"),
    [
        ([recv("%0"), WAIT], ["%0#0, which `MPI_Irecv` receives into"]),
        ([MADE, send("%0", "%b"), call("wait", {"%0": I64})], ["%b, which `MPI_Isend` sends from"]),
        # Being used before the wait, or below it without needing it, keeps nothing.
        ([MADE, send("%0", "%b"), f"%u = stablehlo.abs %b : {F64}", call("wait", {"%0": I64})], ["%b, which"]),
        ([MADE, send("%0", "%b"), call("wait", {"%0": I64}), f"%u = stablehlo.abs %b : {F64}"], ["%b, which"]),
        # The wait takes the buffer too, or something behind the wait does.
        ([recv("%0"), call("wait_with", {"%0#1": I64, "%0#0": F64})], []),
        ([MADE, send("%0", "%b"), call("wait_with", {"%0": I64, "%b": F64})], []),
        (
            [
                MADE,
                send("%0", "%b"),
                "%w = " + call("wait", {"%0": I64}, (0,)),
                f"%u = stablehlo.custom_call @f(%w, %b) : ({I64}, {F64}) -> {F64}",
            ],
            [],
        ),
        # An argument of the function is the caller's.
        ([send("%0"), call("wait", {"%0": I64})], []),
        # Where nobody waits, that is what is said.
        ([MADE, send("%0", "%b")], []),
    ],
)
def test_a_buffer_that_nobody_keeps_until_the_wait(operations: list[str], said: list[str]) -> None:
    messages_ = messages(program(*operations), "JIT601")
    assert len(messages_) == len(said)
    for message, part in zip(messages_, said, strict=True):
        assert message.startswith(f"nothing needs {part}")
        assert message.endswith("at or after @wait: XLA may give its memory to another value before then")


def test_a_buffer_that_is_returned_is_kept() -> None:
    body = [MADE, send("%0", "%b"), call("wait", {"%0": I64})]
    text = program(*body).replace("  return\n", f"  return %b : {F64}\n")
    assert messages(text, "JIT601") == []


def test_nothing_is_said_of_a_block_that_is_not_understood() -> None:
    doubtful = 'cf.assert %k, "a" cf.assert %k, "b"'
    assert found(program(recv("%0"), WAIT, NEGATE, doubtful), "JIT902") != []
    assert race(recv("%0"), WAIT, NEGATE, doubtful) == []
