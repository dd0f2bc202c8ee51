"""What a call and its wrapper may say: two calls are one only where everything that they say is known."""

from __future__ import annotations

import pytest

from jitlint.proof.compare import prove
from tests.proof.programs import OUTSIDE, WRAPPERS, alias, calling, lines

T, M = "tensor<f64>", "tensor<2x3xf64>"
ROWS, COLUMNS = "dense<[1, 0]> : tensor<2xindex>", "dense<[0, 1]> : tensor<2xindex>"
DOUBLE = "%v = load %p0; %w = fadd %v %v; store %w %p0"
TWICE = f"{DOUBLE}; %x = load %p0; %y = fadd %x %x; store %y %p0"
TWO = "%p0: !llvm.ptr, %p1: !llvm.ptr"


def function(name: str, body: str, head: str = "%p0: !llvm.ptr", result: str = "", returned: str = "") -> str:
    return f"llvm.func @{name}({head}) {result} {{\n{lines(body)}\nllvm.return {returned}\n}}\n"


def laid(*layouts: str, of: str = "operand") -> str:
    return f"{of}_layouts = [{', '.join(layouts)}]"


def call(
    name: str, *operands: str, aliases: str = alias("", 0), extra: str = "", types: str = T, result: str = ""
) -> str:
    """A call of operands of one type; its result aliases the first operand unless `aliases` says otherwise."""
    said = ", ".join(filter(None, [f"output_operand_aliases = [{aliases}]", extra]))
    given = ", ".join([types] * len(operands))
    return f"enzymexla.jit_call @{name} ({', '.join(operands)}) <{said}> : ({given}) -> {result or types}"


def main(*rows: str, returned: str, types: str, declared: str = "") -> str:
    parameters = f"%a0: {T}, %a1: {T}, %m: {M}, %n: {M}"
    last = f"return {returned} : {types}" if returned else "return"
    head = f"func.func @main({parameters}){f' -> ({types})' if types else ''}"
    body = "\n".join([*rows, last])
    return f"{OUTSIDE}{WRAPPERS}{declared}{head} {{\n{body}\n}}\n"


def equal(before: str, after: str) -> bool:
    return prove(before, after).difference is None


def chained(
    extra: tuple[str, str] = ("", ""),
    fused: str = "",
    types: str = T,
    result: str = "",
    words: tuple[str, str] = ("", ""),
) -> tuple[str, str]:
    """Two calls in a chain, and the one call that does what both do."""
    head, returns, last = f"%p0: !llvm.ptr{words[0]}", words[1], "%v : f64" if words[1] else ""
    declared = function("one", DOUBLE, head, returns, last) + function("both", TWICE, head, returns, last)
    operand = "%m" if types == M else "%a0"
    rows = [f"%x = {call('one', operand, extra=extra[0], types=types)}"]
    rows.append(f"%r = {call('one', '%x', extra=extra[1], types=types, result=result)}")
    whole = f"%r = {call('both', operand, extra=fused, types=types, result=result)}"
    outcome = result or types
    return (
        main(*rows, returned="%r", types=outcome, declared=declared),
        main(whole, returned="%r", types=outcome, declared=declared),
    )


@pytest.mark.parametrize(
    "pair",
    [
        chained(),
        chained(types=M),
        chained((laid(ROWS), laid(ROWS)), laid(ROWS), M),
        chained((laid(COLUMNS), f"{laid(COLUMNS)}, {laid(COLUMNS, of='result')}"), laid(COLUMNS), M),
        chained((laid("dense<> : tensor<0xindex>"), ""), ""),
        chained(('backend_config = ""', ""), ""),
    ],
)
def test_a_chain_is_one_call(pair: tuple[str, str]) -> None:
    assert equal(*pair)
    assert equal(*pair[::-1])


@pytest.mark.parametrize(
    "pair",
    [
        chained(("", "other = 1 : i64")),
        chained(("", 'backend_config = "q"')),
        chained((laid(ROWS), laid(COLUMNS)), laid(ROWS), M),
        chained((laid(ROWS), ""), laid(ROWS), M),
        chained(("", laid(ROWS)), "", M),
        chained((laid(ROWS), f"{laid(ROWS)}, {laid(COLUMNS, of='result')}"), laid(ROWS), M),
        chained(result="tensor<i64>"),
        chained(words=(", ...", "")),
        chained(words=("", "-> f64")),
    ],
)
def test_a_chain_is_none(pair: tuple[str, str]) -> None:
    assert equal(pair[0], pair[0].replace("%r", "%last"))
    assert not equal(*pair)
    assert not equal(*pair[::-1])


COPY = function("copy", "%n = 48; copy %p0 %p1 %n", TWO)
HIDES = function("hides", "%v = load %p0; store %v %p1", TWO)
HIDES_DOUBLES = function("hides_doubles", f"%z = load %p0; store %z %p1; {DOUBLE}", TWO)
KEEPS = function("keeps", "%v = load %p0", TWO)
READS = function("reads", "call @outside %p0", result='attributes {enzymexla.memory_effects = ["read"]}')
BY_VALUE = "func.func @by_value(%p0: tensor<f64>) {\n  return\n}\n"
STATE = "llvm.mlir.global internal @state(1.0 : f64) : f64\n"
STEP = (
    "%s{0} = llvm.mlir.addressof @state : !llvm.ptr; %v{0} = load %s{0}; %w{0} = fadd %v{0} %v{0}; store %w{0} %s{0};"
)
COUNTS = STATE + function("counts", f"{STEP.format(0)} store %v0 %p0")
COUNT_BOTH = function("count_both", f"{STEP.format(0)} store %v0 %p0; {STEP.format(1)} store %v1 %p1", TWO)
PAIR = f"{alias('0', 0)}, {alias('1', 1)}"


def test_a_result_that_is_aliased_twice_is_not_understood() -> None:
    declared = function("both", "%v = load %p0; store %v %p1", TWO)
    one, two = (
        main(f"%r = {call('both', '%a0', '%a1', aliases=aliases)}", returned="%r", types=T, declared=declared)
        for aliases in (f"{alias('', 0)}, {alias('', 1)}", alias("", 1))
    )
    assert not equal(one, two)


def test_what_is_read_in_another_layout_is_another_value() -> None:
    copied = call("copy", "%m", "%n", types=M, extra=laid(ROWS, COLUMNS))
    plain = call("copy", "%m", "%n", types=M, extra=laid(ROWS, ROWS))
    texts = [main(f"%r = {each}", returned="%r", types=M, declared=COPY) for each in (copied, plain)]
    returned = main(returned="%n", types=M, declared=COPY)
    assert not equal(texts[0], returned)


def test_a_layout_on_two_lines_is_the_same_one() -> None:
    broken = call("copy", "%m", "%n", types=M, extra=laid(ROWS, COLUMNS.replace("0, 1", "0, // then\n1")))
    whole = call("copy", "%m", "%n", types=M, extra=laid(ROWS, COLUMNS))
    texts = [main(f"%r = {each}", returned="%r", types=M, declared=COPY) for each in (broken, whole)]
    assert equal(*texts)
    assert prove(*texts).difference is None


def test_what_was_read_in_another_layout_is_passed_as_another_value() -> None:
    """Two calls that agree about the matrix between them are one; if they do not, XLA lays it out again."""
    scalar = "dense<> : tensor<0xindex>"
    add = "%c = load %p0; %d = load %p1; %e = fadd %c %d; store %e %p0"
    both = f"{DOUBLE}; {add.replace('%p0', '%q').replace('%p1', '%p0').replace('%q', '%p1')}"
    declared = function("one", DOUBLE) + function("sum", add, TWO) + function("both", both, TWO)
    entries = f"{alias('0', 0)}, {alias('1', 1)}"

    def text(*rows: str, returned: str) -> str:
        return main(*rows, returned=returned, types=T, declared=declared)

    def apart(layout: str) -> str:
        laid_out = f"output_operand_aliases = [{alias('', 0)}], {laid(scalar, layout)}"
        second = f"%r = enzymexla.jit_call @sum (%a0, %x) <{laid_out}> : ({T}, {M}) -> {T}"
        return text(f"%x = {call('one', '%m', types=M, extra=laid(ROWS))}", second, returned="%r")

    said = f"output_operand_aliases = [{entries}], {laid(ROWS, scalar)}"
    whole = f"%r:2 = enzymexla.jit_call @both (%m, %a0) <{said}> : ({M}, {T}) -> ({M}, {T})"
    together = text(whole, returned="%r#1")
    assert equal(apart(ROWS), together)
    assert not equal(apart(COLUMNS), together)


@pytest.mark.parametrize(("extra", "returned"), [("", "%r, %x"), ("other = 1 : i64", "%r")])
def test_a_value_may_be_written_that_is_understood_and_used_nowhere_else(extra: str, returned: str) -> None:
    """It is not if something else uses it, or if what makes it is not understood."""
    count = returned.count("%")
    before, after = (
        main(
            f"%x = {call('double', '%a0', extra=extra)}",
            f"%r = {call(name, '%a1', '%x')}",
            returned=returned,
            types=", ".join([T] * count),
            declared=HIDES + KEEPS,
        )
        for name in ("hides", "keeps")
    )
    assert not equal(before, after)
    assert not equal(after, before)


def test_a_write_that_is_a_fault_is_the_same_in_the_same_call_alone() -> None:
    apart = [f"%x = {call('hides', '%a1', '%a0')}", f"%r = {call('double', '%x')}"]
    together = [f"%r = {call('hides_doubles', '%a1', '%a0')}"]
    before, after = (main(*rows, returned="%r", types=T, declared=HIDES + HIDES_DOUBLES) for rows in (apart, together))
    assert not equal(before, after)


def test_one_value_that_is_only_read_is_in_one_buffer() -> None:
    outside = "llvm.func @two(!llvm.ptr, !llvm.ptr)\n"
    both = function("both", "llvm.call @two(%p0, %p1) : (!llvm.ptr, !llvm.ptr) -> ()", TWO)
    same = function("same", "llvm.call @two(%p0, %p0) : (!llvm.ptr, !llvm.ptr) -> ()")
    calls = [f"enzymexla.jit_call @both (%a0, {other}) : ({T}, {T}) -> ()" for other in ("%a0", "%a1")]
    calls.append(f"enzymexla.jit_call @same (%a0) : ({T}) -> ()")
    once, apart, merged = (main(each, returned="", types="", declared=outside + both + same) for each in calls)
    assert equal(once, merged)
    assert not equal(apart, merged)


def test_a_call_without_results_has_effects() -> None:
    receives = f"enzymexla.jit_call @receive (%a0) : ({T}) -> ()"
    with_it, without = (main(*rows, returned="", types="") for rows in ([receives], []))
    assert not equal(with_it, without)
    assert not equal(without, with_it)


def test_only_an_empty_list_of_effects_says_that_there_are_none() -> None:
    calls = [f"%x = {call('reads', '%a0')}", f"%y = {call('reads', '%a1')}"]
    before, after = (main(*rows, returned="%x, %y", types=f"{T}, {T}", declared=READS) for rows in (calls, calls[::-1]))
    assert not equal(before, after)


def test_a_wrapper_takes_buffers() -> None:
    before = main(f"%x = {call('by_value', '%a0')}", returned="%x", types=T, declared=BY_VALUE)
    assert not equal(before, main(returned="%a0", types=T, declared=BY_VALUE))


def test_storage_that_each_wrapper_has_for_itself_is_not_shared() -> None:
    types = f"{T}, {T}"
    apart = [f"%x = {call('counts', '%a0')}", f"%y = {call('counts', '%a1')}"]
    together = [f"%r:2 = {call('count_both', '%a0', '%a1', aliases=PAIR, result=f'({types})')}"]
    declared = COUNTS + COUNT_BOTH
    before = main(*apart, returned="%x, %y", types=types, declared=declared)
    assert not equal(before, main(*together, returned="%r#0, %r#1", types=types, declared=declared))


def test_a_wrapper_that_calls_itself_has_effects() -> None:
    again = "call @outside %p0; %c = arith.constant false; scf.if %c {; call @again %p0; }"
    rows = [f"%x = {call('again', '%a0')}", f"%y = {call('receive', '%a1')}"]
    declared = function("again", again)
    before, after = (
        main(*each, returned="%x, %y", types=f"{T}, {T}", declared=declared) for each in (rows, rows[::-1])
    )
    assert equal(before, before.replace("%x", "%z"))
    assert not equal(before, after)


def test_operands_that_share_a_buffer_in_one_call_do_not_in_another() -> None:
    declared = function("sum", "%a = load %p1; %b = load %p2; %s = fadd %a %b; store %s %p0", f"{TWO}, %p2: !llvm.ptr")

    def text(second: str) -> str:
        rows = [f"%x = {call('sum', '%a0', '%a1', '%a1')}", f"%y = {call('sum', '%a0', '%a1', second)}"]
        return main(*rows, returned="%x, %y", types=f"{T}, {T}", declared=declared)

    assert not equal(text("%x"), text("%a1"))
    assert not equal(text("%a1"), text("%x"))


def test_a_wrapper_whose_buffers_others_write_means_something_else() -> None:
    declared = function("one", "call @outside %p0") + function("two", "%v = load %p0; call @outside %p0; store %v %p0")
    before, after = (
        main(f"%x = {call(name, '%a0', extra='other = 1 : i64')}", returned="%x", types=T, declared=declared)
        for name in ("one", "two")
    )
    assert not equal(before, after)


def test_what_one_function_says_of_a_call_holds_in_no_other() -> None:
    free = call("receive", "%k", extra="xla_side_effect_free")
    constant = f"%k = stablehlo.constant dense<1.0> : {T}"

    def text(name: str, *rows: str) -> str:
        body = "\n".join([constant, *rows, f"return %k : {T}"])
        one = f"func.func @one() -> {T} {{\n{constant}\n%{name} = {free}\nreturn %{name} : {T}\n}}\n"
        return f"{OUTSIDE}{WRAPPERS}{one}func.func @two() -> {T} {{\n{body}\n}}\n"

    assert equal(text("x"), text("y"))
    assert not equal(text("x"), text("y", f"%x = {call('receive', '%k')}"))


@pytest.mark.parametrize(
    ("entries", "is_free"),
    [
        ("<xla_side_effect_free>", True),
        (
            "{xla_side_effect_free}",
            False,
        ),  # it may mean nothing, where no other of its own stands
        ('{backend_config = "", xla_side_effect_free}', True),
        ('<backend_config = ""> {xla_side_effect_free}', False),
        ('<backend_config = "", xla_side_effect_free>', True),
    ],
)
def test_what_says_that_a_call_is_free(entries: str, *, is_free: bool) -> None:
    """XLA drops a free call without results; any other that is gone is an effect that is gone."""
    call_it = f"enzymexla.jit_call @receive (%a0) {entries} : (tensor<f64>) -> ()"
    before, after = calling(f"{call_it}\nreturn %a0 : tensor<f64>"), calling("return %a0 : tensor<f64>")
    assert (prove(before, after).difference is None) == is_free


def test_an_entry_beside_the_properties_means_nothing() -> None:
    """Not even that a result aliases an operand: the call counts as one unknown effect."""
    aliases = f"output_operand_aliases = [{alias('', 0)}]"
    texts = [
        calling(
            f"%r = enzymexla.jit_call @double (%a0) {entries} : (tensor<f64>) -> tensor<f64>\nreturn %r : tensor<f64>"
        )
        for entries in (f"<{aliases}>", f"{{{aliases}}}", f"<{aliases}> {{note = 1 : i32}}")
    ]
    assert prove(texts[0], texts[1]).difference is None
    assert "`note` is not followed" in str(prove(texts[0], texts[2]).difference)
