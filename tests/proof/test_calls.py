"""JIT calls: which buffers operands share, what results are, what calls may be made together or apart."""

from __future__ import annotations

import pytest

from jitlint.proof.compare import prove
from tests.proof.programs import alias, call, calling, lines

T = "tensor<f64>"
NO_CONFIG, CONFIG = 'backend_config = ""', 'backend_config = "q"'


def wrapper(name: str, body: str, count: int = 1, attributes: str = "") -> str:
    parameters = ", ".join(f"%p{number}: !llvm.ptr" for number in range(count))
    return f"llvm.func @{name}({parameters}) {attributes} {{\n{lines(body)}\nllvm.return\n}}\n"


DOUBLE = "%v{0} = load %p{0}; %w{0} = fadd %v{0} %v{0}; store %w{0} %p{0};"
FREE = "attributes {enzymexla.memory_effects = []}"
MORE = "".join(
    [
        wrapper("double2", DOUBLE.format(0) + DOUBLE.format(0).replace("%v0", "%x").replace("%w0", "%y")),
        wrapper("double_each", DOUBLE.format(0) + DOUBLE.format(1), 2),
        wrapper("double_add", DOUBLE.format(0) + "%a = load %p0; %b = load %p1; %s = fadd %a %b; store %s %p0", 2),
        wrapper("add_double", "%a = load %p0; %b = load %p1; %s = fadd %a %b; store %s %p0;" + DOUBLE.format(0), 2),
        wrapper("double_first", DOUBLE.format(0) + "%a = load %p1; %b = load %p0; %s = fadd %a %b; store %s %p1", 2),
        wrapper("receive2", "call @outside %p0; call @outside %p1", 2),
        wrapper("receive_back", "call @outside %p1; call @outside %p0", 2),
        wrapper("hides", "%v = load %p0; store %v %p1", 2),
        wrapper("free_hides", "%v = load %p0; store %v %p1", 2, FREE),
        wrapper("double_hides", DOUBLE.format(1) + "%v = load %p0; store %v %p1", 2),
        wrapper("sets", "%v = load %p1; store %v %p0", 2, FREE),
        wrapper("free2", DOUBLE.format(0) + DOUBLE.format(0).replace("%v0", "%x").replace("%w0", "%y"), 1, FREE),
        "llvm.mlir.global internal @state(1.0 : f64) : f64\n",
        wrapper("counts", "%s = llvm.mlir.addressof @state : !llvm.ptr; %v = load %s; store %v %p0"),
        wrapper("counts2", "%s = llvm.mlir.addressof @state : !llvm.ptr; %v = load %s; store %v %p0; store %v %p0"),
    ]
)


def pair(name: str, *operands: str, aliased: tuple[int, int] = (0, 1)) -> str:
    entries = ", ".join(alias(str(number), operand) for number, operand in enumerate(aliased))
    types = ", ".join([T] * len(operands))
    return (
        f"enzymexla.jit_call @{name} ({', '.join(operands)}) <output_operand_aliases = [{entries}]>"
        f" : ({types}) -> ({T}, {T})"
    )


def free_pair(*operands: str) -> str:
    return pair("double_each", *operands).replace("]>]>", "]>], xla_side_effect_free>")


def body(*rows: str, returned: str = "%r") -> str:
    return "\n".join([*rows, f"return {returned} : {', '.join([T] * (returned.count(',') + 1))}"])


EQUAL = {
    "two calls as one": (
        body(f"%x = {call('double', '%a0')}", f"%r = {call('double', '%x')}"),
        body(f"%r = {call('double2', '%a0')}"),
    ),
    "two calls as one, side by side": (
        body(f"%x = {call('double', '%a0')}", f"%y = {call('double', '%a1')}", returned="%x, %y"),
        body(f"%z:2 = {pair('double_each', '%a0', '%a1')}", returned="%z#0, %z#1"),
    ),
    "a value written and read": (
        body(f"%x = {call('double', '%a0')}", f"%r = {call('add', '%x', '%a0')}"),
        body(f"%r = {call('double_add', '%a0', '%a0')}"),
    ),
    "two receives as one call": (
        body(f"%x = {call('receive', '%a0')}", f"%y = {call('receive', '%a1')}", returned="%x, %y"),
        body(f"%z:2 = {pair('receive2', '%a0', '%a1')}", returned="%z#0, %z#1"),
    ),
    "a write to a value that nothing else uses": (
        body(f"%x = {call('double', '%a1')}", f"%r = {call('hides', '%a0', '%x')}"),
        body(f"%r:2 = {pair('double_hides', '%a0', '%a1')}", returned="%r#0"),
    ),
    "a write to a value that only free calls use besides": (
        body(
            f"%x = {call('double', '%a1')}",
            f"%w = {call('hides', '%a0', '%x')}",
            f"%r = {call('add', '%a1', '%x', extra='xla_side_effect_free')}",
            returned="%w, %r",
        ),
        body(
            f"%z:2 = {pair('double_first', '%a1', '%a1')}",
            f"%w = {call('hides', '%a0', '%z#0')}",
            returned="%w, %z#1",
        ),
    ),
    "a free call that nothing uses": (
        body(f"%x = {call('free', '%a1')}", f"%r = {call('double', '%a0')}"),
        body(f"%r = {call('double', '%a0')}"),
    ),
    "the second of two equal calls is free": (
        body(
            f"%r = {call('receive', '%a0')}",
            f"%x = {call('receive', '%a0', extra='xla_side_effect_free')}",
            returned="%r, %x",
        ),
        body(f"%z:2 = {pair('receive2', '%a0', '%a0')}", returned="%z#0, %z#1"),
    ),
    "the flag on the call": (
        body(f"%x = {call('double', '%a1', extra='xla_side_effect_free')}", f"%r = {call('double', '%a0')}"),
        body(f"%r = {call('double', '%a0')}"),
    ),
    "a write to one of two values that XLA does not know to be equal": (
        body(
            f"%x = {call('sets', '%a0', '%a1')}",
            f"%y = {call('sets', '%x', '%a1')}",
            f"%z = {call('sets', '%y', '%a1')}",
            f"%r = {call('hides', '%a0', '%z')}",
        ),
        body(f"%z = {call('sets', '%a0', '%a1')}", f"%r = {call('hides', '%a0', '%z')}"),
    ),
    "the default of an entry": (
        body(f"%r = {call('double', '%a0')}"),
        body(f"%r = {call('double', '%a0', extra=NO_CONFIG)}"),
    ),
}

DIFFERENT = {
    "two calls as one, in another order": (
        body(f"%x = {call('double', '%a0')}", f"%r = {call('add', '%x', '%a1')}"),
        body(f"%r = {call('add_double', '%a0', '%a1')}"),
    ),
    "results in another order": (
        body(f"%x = {call('double', '%a0')}", f"%y = {call('double', '%a1')}", returned="%x, %y"),
        body(f"%z:2 = {pair('double_each', '%a0', '%a1')}", returned="%z#1, %z#0"),
    ),
    "aliases in another order": (
        body(f"%z:2 = {pair('double_each', '%a0', '%a1')}", returned="%z#0, %z#1"),
        body(f"%z:2 = {pair('double_each', '%a0', '%a1', aliased=(1, 0))}", returned="%z#0, %z#1"),
    ),
    "a value that is overwritten before it is read": (
        body(f"%x = {call('double', '%a0')}", f"%y = {call('double', '%x')}", returned="%x, %y"),
        body(f"%y = {call('double2', '%a0')}", returned="%y, %y"),
    ),
    "receives in another order": (
        body(f"%x = {call('receive', '%a0')}", f"%y = {call('receive', '%a1')}", returned="%x, %y"),
        body(f"%z:2 = {pair('receive_back', '%a0', '%a1')}", returned="%z#0, %z#1"),
    ),
    "two results on one operand": (
        body(f"%x = {call('double', '%a0')}", returned="%x, %x"),
        body(f"%z:2 = {pair('double_each', '%a0', '%a0', aliased=(0, 0))}", returned="%z#0, %z#1"),
    ),
    "a write to a value that something else uses": (
        body(f"%x = {call('double', '%a1')}", f"%r = {call('hides', '%a0', '%x')}", returned="%r, %x"),
        body(f"%r:2 = {pair('double_hides', '%a0', '%a1')}", returned="%r#0, %r#1"),
    ),
    "a write to a value that a call with effects uses besides": (
        body(
            f"%x = {call('double', '%a1')}",
            f"%w = {call('hides', '%a0', '%x')}",
            f"%r = {call('add', '%a1', '%x')}",
            returned="%w, %r",
        ),
        body(
            f"%z:2 = {pair('double_first', '%a1', '%a1')}",
            f"%w = {call('hides', '%a0', '%z#0')}",
            returned="%w, %z#1",
        ),
    ),
    "a write to a value that only free calls use besides, in the second module": (
        body(
            f"%z:2 = {pair('double_first', '%a1', '%a1')}",
            f"%w = {call('hides', '%a0', '%z#0')}",
            returned="%w, %z#1",
        ),
        body(
            f"%x = {call('double', '%a1')}",
            f"%w = {call('hides', '%a0', '%x')}",
            f"%r = {call('add', '%a1', '%x', extra='xla_side_effect_free')}",
            returned="%w, %r",
        ),
    ),
    "a write to an argument": (
        body(f"%r = {call('hides', '%a0', '%a1')}"),
        body(f"%r = {call('double', '%a0')}"),
    ),
    "a write to one of two equal calls' values": (
        body(
            f"%x = {call('free', '%a1')}",
            f"%y = {call('free', '%a1')}",
            f"%r = {call('free_hides', '%a0', '%x')}",
            returned="%r, %y",
        ),
        body(f"%y = {call('free', '%a1')}", returned="%a0, %y"),
    ),
    "a write to one of two values that equal calls on equal calls' values give": (
        body(
            f"%x = {call('free', '%a1')}",
            f"%x2 = {call('free', '%a1')}",
            f"%y = {call('free', '%x')}",
            f"%z = {call('free', '%x2')}",
            f"%r = {call('free_hides', '%a0', '%y')}",
            returned="%r, %z",
        ),
        body(f"%x = {call('free', '%a1')}", f"%z = {call('free', '%x')}", returned="%a0, %z"),
    ),
    "a write to one of two equal calls' values, one of them behind a barrier": (
        body(
            f"%x = {call('free', '%a1')}",
            f"%b = stablehlo.optimization_barrier %x : {T}",
            f"%y = {call('free', '%x')}",
            f"%z = {call('free', '%b')}",
            f"%r = {call('free_hides', '%a0', '%y')}",
            returned="%r, %z",
        ),
        body(f"%x = {call('free', '%a1')}", f"%z = {call('free', '%x')}", returned="%a0, %z"),
    ),
    "a write to one of two equal calls' values, passed to the same call at different places": (
        body(
            f"%z:2 = {free_pair('%a0', '%a1')}",
            f"%y:2 = {free_pair('%a0', '%a1')}",
            f"%r = {call('free_hides', '%a0', '%z#1')}",
            returned="%r, %y#1",
        ),
        body(f"%y:2 = {free_pair('%a0', '%a1')}", returned="%a0, %y#1"),
    ),
    "a dropped call with effects": (
        body(f"%x = {call('receive', '%a1')}", f"%r = {call('double', '%a0')}"),
        body(f"%r = {call('double', '%a0')}"),
    ),
    "storage that each wrapper has for itself": (
        body(f"%x = {call('counts', '%a0')}", f"%r = {call('counts', '%x')}"),
        body(f"%r = {call('counts2', '%a0')}"),
    ),
    "an entry that is not known": (
        body(f"%r = {call('double', '%a0')}"),
        body(f"%r = {call('double', '%a0', extra=CONFIG)}"),
    ),
    "the operand of a free call": (
        body(f"%r = {call('receive', '%a0', extra='xla_side_effect_free')}"),
        body(f"%r = {call('receive', '%a1', extra='xla_side_effect_free')}"),
    ),
}


def verdict(first: str, second: str) -> str:
    results = [", ".join(["f64"] * (each.rpartition("return ")[2].count("tensor"))) for each in (first, second)]
    texts = [calling(each, results=types, declared=MORE) for each, types in zip((first, second), results, strict=True)]
    difference = prove(*texts).difference
    return difference.message if difference is not None else ""


@pytest.mark.parametrize(("first", "second"), EQUAL.values(), ids=EQUAL)
def test_calls_that_do_the_same(first: str, second: str) -> None:
    assert verdict(first, second) == ""
    assert verdict(first, first.replace("%x", "%renamed")) == ""


@pytest.mark.parametrize(("first", "second"), DIFFERENT.values(), ids=DIFFERENT)
def test_calls_that_differ(first: str, second: str) -> None:
    assert verdict(first, first.replace("%x", "%renamed")) == ""
    assert verdict(first, second)


def test_why_a_call_is_not_followed() -> None:
    one = body(f"%x = {call('double', '%a0')}", returned="%x, %x")
    two = body(f"%z:2 = {pair('double_each', '%a0', '%a0', aliased=(0, 0))}", returned="%z#0, %z#1")
    assert verdict(one, two) == (
        "effect 1 of @main is new: `enzymexla.jit_call @double_each`, which is not followed:"
        " two of its results alias operand 0"
    )
