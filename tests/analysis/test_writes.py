"""JIT602 and JIT705: what wrappers write, by themselves, through functions, and through known externals."""

import re

import pytest

from jitlint.analysis.wrapper import externals
from tests.analysis.programs import F64, I64, WRAPPERS, at, call, found, messages, program, recv

CODES = ("JIT602", "JIT705")


def wrapper(*operations: str, parameters: str = "%a: !llvm.ptr", declared: str = "") -> str:
    body = "".join(f"  {operation}\n" for operation in operations)
    return f"{declared}\nllvm.func @w({parameters}) {{\n{body}  llvm.return\n}}\n"


def said(text: str, *written: int, operands: int = 1) -> list[str]:
    passed = {f"%x{number}": F64 for number in range(operands)}
    named = ", ".join(f"{name}: {of}" for name, of in passed.items())
    left = "" if not written else f"%r:{len(written)} = " if len(written) > 1 else "%r = "
    return messages(f"{text}func.func @main({named}) {{\n  {left}{call('w', passed, written)}\n  return\n}}\n", *CODES)


WRITES = "@w writes through parameter 0, whose operand no result of the call aliases"
IDLE = "result #0 aliases operand 0, which @w never writes"

ZERO = "%z = llvm.mlir.constant(0 : i8) : i8"
EIGHT = "%n = llvm.mlir.constant(8 : i64) : i64"
VALUE = "%v = llvm.mlir.constant(1.0 : f64) : f64"


@pytest.mark.parametrize(
    "operations",
    [
        [VALUE, "llvm.store %v, %a : f64, !llvm.ptr"],
        [VALUE, "%p = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f64", "llvm.store %v, %p : f64, !llvm.ptr"],
        [ZERO, EIGHT, '"llvm.intr.memset"(%a, %z, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()'],
        [EIGHT, '"llvm.intr.memcpy"(%a, %a, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()'],
        ["llvm.call @inner(%a) : (!llvm.ptr) -> ()"],
        ["func.call @inner(%a) : (!llvm.ptr) -> ()"],
        ["call @inner(%a) : (!llvm.ptr) -> ()"],
        [EIGHT, "%r = llvm.call @memcpy(%a, %a, %n) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr"],
    ],
)
def test_what_writes(operations: list[str]) -> None:
    declared = f"llvm.func @inner(%b: !llvm.ptr) {{\n  {VALUE}\n  llvm.store %v, %b : f64, !llvm.ptr\n  llvm.return\n}}"
    text = wrapper(*operations, declared=declared)
    assert said(text) == [WRITES]
    assert said(text, 0) == []


@pytest.mark.parametrize(
    "operations",
    [
        ["%v = llvm.load %a : !llvm.ptr -> f64"],
        ["llvm.call @reads(%a) : (!llvm.ptr) -> ()"],
        [],
    ],
)
def test_what_writes_for_certain_not(operations: list[str]) -> None:
    declared = "llvm.func @reads(!llvm.ptr {llvm.nocapture, llvm.readonly})"
    text = wrapper(*operations, declared=declared)
    assert said(text) == []
    assert said(text, 0) == [IDLE]


@pytest.mark.parametrize(
    "operations",
    [
        ["llvm.call @unknown(%a) : (!llvm.ptr) -> ()"],
        ["%i = llvm.ptrtoint %a : !llvm.ptr to i64", "llvm.call @number(%i) : (i64) -> ()"],
        ["%f = llvm.mlir.addressof @unknown : !llvm.ptr", "llvm.call %f(%a) : !llvm.ptr, (!llvm.ptr) -> ()"],
    ],
)
def test_where_the_body_does_not_tell_nothing_is_said(operations: list[str]) -> None:
    text = wrapper(*operations, declared="llvm.func @unknown(!llvm.ptr)\nllvm.func @number(i64)")
    assert said(text) == []
    assert said(text, 0) == []


ALIAS = """
llvm.func @inner(%b: !llvm.ptr) {
  llvm.return
}
llvm.mlir.alias external @unknown : !llvm.func<void (ptr)> {
  %0 = llvm.mlir.addressof @inner : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
"""


@pytest.mark.parametrize(
    ("operations", "writes"),
    [
        (['llvm.inline_asm has_side_effects "movq $$0, ($0)", "r,~{memory}" %a : (!llvm.ptr) -> ()'], True),
        (["%p = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f64", "foo.bar %p : !llvm.ptr"], True),
        (['llvm.call_intrinsic "llvm.some.store"(%a) : (!llvm.ptr) -> ()'], True),
        (['llvm.inline_asm has_side_effects "nop", "" : () -> ()', "%v = llvm.load %a : !llvm.ptr -> f64"], False),
        (["llvm.call @unknown(%a) : (!llvm.ptr) -> ()"], True),
        (["%f = llvm.load %c : !llvm.ptr -> !llvm.ptr", "llvm.call %f(%a) : !llvm.ptr, (!llvm.ptr) -> ()"], False),
        (["llvm.call @free(%a) : (!llvm.ptr) -> ()"], False),
    ],
)
def test_what_is_not_followed_may_write_what_it_is_given(operations: list[str], writes: bool) -> None:
    """Measured: an aliased function and an assembly that store through an operand that no result aliases. A function
    outside is taken to keep what the aliases say."""
    text = wrapper(
        *operations,
        VALUE.replace("%v", "%u"),
        "llvm.store %u, %c : f64, !llvm.ptr",
        parameters="%c: !llvm.ptr, %a: !llvm.ptr",
        declared=ALIAS + "llvm.func @free(!llvm.ptr)",
    )
    calls = f"""
func.func @main(%x: {F64}, %y: {F64}) -> {F64} {{
  %0 = {call("w", {"%x": F64, "%y": F64}, (0,))}
  %1 = {call("w", {"%0": F64, "%y": F64}, (0,))}
  return %1 : {F64}
}}
"""
    may = "@w stays out of the group: it may write through parameter 1, whose operand no result of the call aliases"
    assert messages(text + calls, "JIT602") == [may, may] * writes
    assert bool(messages(text + calls, "JIT001")) is not writes


RETURNS = "{\n  llvm.return %p : !llvm.ptr\n}\n"


@pytest.mark.parametrize(
    ("defined", "operation"),
    [
        (
            "free(%p: !llvm.ptr) {\n  llvm.call @inner(%p) : (!llvm.ptr) -> ()\n  llvm.return\n}\n",
            "llvm.call @free(%a) : (!llvm.ptr) -> ()",
        ),
        ("malloc(%p: !llvm.ptr) -> !llvm.ptr " + RETURNS, "%q = llvm.call @malloc(%a) : (!llvm.ptr) -> !llvm.ptr"),
        (
            "memset(%n: !llvm.ptr, %p: !llvm.ptr) -> !llvm.ptr " + RETURNS,
            "%q = llvm.call @memset(%c, %a) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr",
        ),
    ],
)
def test_a_function_that_the_module_defines_is_not_that_of_the_library(defined: str, operation: str) -> None:
    """Measured: each of them writes the operand that no result aliases."""
    inner = f"llvm.func @inner(%b: !llvm.ptr) {{\n  {VALUE}\n  llvm.store %v, %b : f64, !llvm.ptr\n  llvm.return\n}}\n"
    store = ["llvm.store %v, %q : f64, !llvm.ptr"] * operation.startswith("%q")
    text = wrapper(
        VALUE, operation, *store, parameters="%c: !llvm.ptr, %a: !llvm.ptr", declared=f"{inner}llvm.func @{defined}"
    )
    calls = f"""
func.func @main(%x: {F64}, %y: {F64}) -> {F64} {{
  %0 = {call("w", {"%x": F64, "%y": F64}, (0,))}
  %1 = {call("w", {"%0": F64, "%y": F64}, (0,))}
  return %1 : {F64}
}}
"""
    assert messages(text + calls, "JIT602")
    assert not messages(text + calls, "JIT001")


def test_the_steps_to_the_write_are_shown() -> None:
    text = program(
        call("outer", {"%x": F64}),
        wrappers=WRAPPERS
        + """
llvm.func @outer(%p: !llvm.ptr) {
  llvm.call @double(%p) : (!llvm.ptr) -> ()
  llvm.return
}
""",
    )
    (finding,) = found(text, *CODES)
    shown = [text[note.span.start : note.span.end] for note in finding.notes if note.span]
    assert shown == [
        "llvm.call @double(%p) : (!llvm.ptr) -> ()",
        "llvm.store %1, %buffer : f64, !llvm.ptr",
        "%p: !llvm.ptr",
    ]
    assert at(text, finding) == "enzymexla.jit_call @outer"
    assert finding.help is not None and "XLA treats the operand as read-only" in finding.help


@pytest.mark.parametrize("attribute", ["llvm.readonly", "llvm.readnone"])
def test_a_parameter_that_denies_the_write(attribute: str) -> None:
    text = wrapper(VALUE, "llvm.store %v, %a : f64, !llvm.ptr", parameters=f"%a: !llvm.ptr {{{attribute}}}")
    assert said(text, 0) == [f"@w writes through parameter 0, which it declares `{attribute}`"]
    assert said(text) == [WRITES]


GEQRF = """\
llvm.func @{name}(i64, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i64
llvm.func @w(%a: !llvm.ptr, %tau: !llvm.ptr, %info: !llvm.ptr) {{
  %n = llvm.mlir.constant(2 : i64) : i64
  %0 = llvm.call @{name}(%n, %n, %n, %a, %n, %tau) : (i64, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i64
  llvm.store %0, %info : i64, !llvm.ptr
  llvm.return
}}
"""


@pytest.mark.parametrize("name", ["LAPACKE_dgeqrf", "enzymexla_lapacke_sgeqrf_"])
def test_lapack_writes_what_its_documentation_says(name: str) -> None:
    text = GEQRF.format(name=name)
    assert said(text, 0, 1, 2, operands=3) == []
    assert said(text, 0, 2, operands=3) == [
        "@w writes through parameter 1, whose operand no result of the call aliases"
    ]


def test_a_routine_of_another_shape_or_with_a_body_of_its_own_is_not_the_known_one() -> None:
    assert said(GEQRF.format(name="dgeqrf"), 2, operands=3) == []
    of_its_own = wrapper("llvm.call @dscal_(%a) : (!llvm.ptr) -> ()", declared="llvm.func @dscal_(!llvm.ptr)")
    assert said(of_its_own) == []


@pytest.mark.parametrize(
    ("symbol", "parameters", "written"),
    [
        ("dgeqrf_", 8, {2, 4, 5, 7}),
        ("enzymexla_lapack_zgetrf_", 6, {2, 4, 5}),
        ("sgemm_", 13, {11}),
        ("enzymexla_blas_ssyrk_", 12, {8}),
        ("dgesdd_64_", 14, {3, 5, 10, 12, 13}),
        ("zgesdd_", 15, {3, 5, 10, 13, 14}),
        ("LAPACKE_zungqr", 7, {4}),
        ("enzymexla_lapacke_sormqr_", 11, {9}),
        ("MPI_Recv", 7, {0}),
        ("MPI_Allreduce", 6, {1}),
        ("PMPI_Comm_rank", 2, {1}),
        ("MPI_Wait", 2, set()),
        ("MPI_Isend", 7, {6}),
        ("MPI_Isend", 8, set()),
        ("dgeqrf_", 7, set()),
        ("MPI_Unheard_of", 2, set()),
        ("main", 2, set()),
    ],
)
def test_the_table_of_known_functions(symbol: str, parameters: int, written: set[int]) -> None:
    roles = externals.roles(symbol, parameters)
    assert {place for place, letter in enumerate(roles) if letter in externals.WRITTEN} == written


def test_every_letter_of_the_table_is_one_that_its_page_explains() -> None:
    explained = set(re.findall(r"^    (\S)  ", externals.__doc__ or "", re.MULTILINE))
    assert {*externals.MAYBE_WRITTEN, "b", "."} == explained


def test_a_wait_writes_a_handle_and_a_start_makes_one() -> None:
    assert messages(program(recv("%0"), call("wait", {"%0#1": I64})), "JIT602") == []
    start = call("recv", {"%x": F64, "%c": I64}, (0,))
    assert messages(program(f"%0 = {start}"), "JIT602") == [
        "@recv writes through parameter 1, whose operand no result of the call aliases"
    ]


def test_a_request_that_lives_and_ends_in_one_wrapper_is_no_data() -> None:
    both = """
llvm.func @both(%buffer: !llvm.ptr, %request: !llvm.ptr) {
  llvm.call @recv(%buffer, %request) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @wait(%request) : (!llvm.ptr) -> ()
  llvm.return
}
"""
    text = program("%0 = " + call("both", {"%x": F64, "%c": I64}, (0,)), wrappers=WRAPPERS + both)
    assert messages(text, "JIT602", "JIT603") == []


def test_a_buffer_that_passes_through_a_wait_is_there_for_the_order() -> None:
    complete = "%1 = " + call("wait_with", {"%0#1": I64, "%0#0": F64}, (1,))
    assert messages(program(recv("%0"), complete), "JIT705") == []
