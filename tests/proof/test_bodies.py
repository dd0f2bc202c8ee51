"""Each rule of running a wrapper's body: pairs that do the same, and pairs that differ in one place."""

from __future__ import annotations

import pytest

from jitlint.proof.compare import prove
from tests.proof.programs import lines, wrapped

EQUAL = {
    "names": ("%v = load %p0; store %v %p0", "%x = load %p0; store %x %p0"),
    "a load of what was stored": (
        "%v = load %p0; %e = at %p0 1; store %v %e",
        "%one = 1; %v = load %p0; %s = stack f64 %one; store %v %s; %u = load %s; %e = at %p0 1; store %u %e",
    ),
    "a value stored back where it was": ("", "%v = load %p0; store %v %p0"),
    "a store that is overwritten": (
        "%w = load %p1; store %w %p0",
        "%v = load %p0; %n = fadd %v %v; store %n %p0; %w = load %p1; store %w %p0",
    ),
    "stores to places apart, in either order": (
        "%w = load %p1; %n = fneg %w; %a = at %p0 1; %b = at %p0 2; store %w %a; store %n %b",
        "%w = load %p1; %n = fneg %w; %a = at %p0 1; %b = at %p0 2; store %n %b; store %w %a",
    ),
    "an address in two steps": (
        "%v = load %p0; %e = at %p0 3; store %v %e",
        "%v = load %p0; %d = at %p0 1; %e = at %d 2; store %v %e",
    ),
    "an index that is a constant": (
        "%v = load %p0; %e = at %p0 1; store %v %e",
        "%v = load %p0; %one = 1; %e = at %p0 %one; store %v %e",
    ),
    "a copy, and a load with a store": ("%w = load %p1; store %w %p0", "%n = 8; copy %p0 %p1 %n"),
    "a copy by way of the stack": (
        "%n = 8; copy %p0 %p1 %n",
        "%n = 8; %one = 1; %s = stack f64 %one; copy %s %p1 %n; copy %p0 %s %n",
    ),
    "a copy in two parts": (
        "%n = 8; copy %p0 %p1 %n",
        "%n = 4; copy %p0 %p1 %n; %a = llvm.getelementptr %p0[4] : (!llvm.ptr) -> !llvm.ptr, i8;"
        "%b = llvm.getelementptr %p1[4] : (!llvm.ptr) -> !llvm.ptr, i8; copy %a %b %n",
    ),
    "a constant in another place and spelling": (
        "%c = 2.0; %v = load %p0; %n = fmul %v %c; store %n %p0",
        "%v = load %p0; %c = 2.000000e+00; %n = fmul %v %c; store %n %p0",
    ),
    "a sum of constants": (
        "%c = 2; %v = load %p0; %e = at %p0 %c; store %v %e",
        "%one = 1; %c = llvm.add %one, %one : i64; %v = load %p0; %e = at %p0 %c; store %v %e",
    ),
    "a field of a struct": (
        "%v = load %p0; %e = at %p0 1; store %v %e",
        "%v = load %p0; %e = llvm.getelementptr %p0[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, f64)>;"
        "store %v %e",
    ),
    "a function of a numbered convention, run or called": (
        "%v = load %p0; %n = fadd %v %v; store %n %p0",
        "llvm.call cc_10 @numbered(%p0) : (!llvm.ptr) -> ()",
    ),
    "a function of the module, run or called": (
        "%v = load %p0; %n = fadd %v %v; store %n %p0",
        "call @twice %p0",
    ),
    "a pointer by way of the stack": (
        "%w = load %p1; store %w %p0",
        "%one = 1; %s = stack !llvm.ptr %one; store %p0 %s !llvm.ptr;"
        "%q = llvm.load %s : !llvm.ptr -> !llvm.ptr; %w = load %p1; store %w %q",
    ),
    "a pointer under another type": (
        "%w = load %p1; store %w %p0",
        "%q = llvm.freeze %p0 : !llvm.ptr; %w = load %p1; store %w %q",
    ),
    "constants inside a region, or before it": (
        "%c = arith.constant true; scf.if %c {; %k = 3.0; store %k %p0; }",
        "%k = 3.0; %c = arith.constant 1 : i1; scf.if %c {; store %k %p0; }",
    ),
    "names that another region uses again": (
        "%c = arith.constant true; scf.if %c {; %k = 3.0; store %k %p0; } else {; %l = 4.0; store %l %p0; }",
        "%c = arith.constant true; scf.if %c {; %k = 3.0; store %k %p0; } else {; %k = 4.0; store %k %p0; }",
    ),
    "a function with a call in a region, run or called": (
        "%v = load %p0; %c = arith.constant true; scf.if %c {; call @twice %p0; store %v %p0; }; store %v %p0",
        "call @branching %p0",
    ),
    "memory that nobody else sees": (
        "",
        "%one = 1; %s = stack f64 %one; %v = load %p1; store %v %s",
    ),
}

DIFFERENT = {
    "a constant": ("%c = 2.0; store %c %p0", "%c = 2.5; store %c %p0"),
    "the order of operands": (
        "%v = load %p0; %w = load %p1; %n = fsub %v %w; store %n %p0",
        "%v = load %p0; %w = load %p1; %n = fsub %w %v; store %n %p0",
    ),
    "an operation": (
        "%v = load %p0; %n = fadd %v %v; store %n %p0",
        "%v = load %p0; %n = fmul %v %v; store %n %p0",
    ),
    "a flag of an operation": (
        "%v = load %p0; %n = llvm.fadd %v, %v : f64; store %n %p0",
        "%v = load %p0; %n = llvm.fadd %v, %v {fastmathFlags = #llvm.fastmath<fast>} : f64; store %n %p0",
    ),
    "a type": (
        "%i = load %p1 i64; store %i %p0 i64",
        "%i = load %p1 i32; store %i %p0 i32",
    ),
    "a place": ("%v = load %p0; %e = at %p0 1; store %v %e", "%v = load %p0; %e = at %p0 2; store %v %e"),
    "a load in front of a store": (
        "%v = load %p0; %w = load %p1; store %w %p0; %e = at %p0 1; store %v %e",
        "%w = load %p1; store %w %p0; %v = load %p0; %e = at %p0 1; store %v %e",
    ),
    "the order of stores to one place": (
        "%w = load %p1; %n = fneg %w; store %n %p0; store %w %p0",
        "%w = load %p1; %n = fneg %w; store %w %p0; store %n %p0",
    ),
    "one byte": ("%w = load %p1; store %w %p0", "%w = load %p1; store %w %p0; %n = 0 i8; store %n %p0 i8"),
    "the bytes of a copy": ("%n = 8; copy %p0 %p1 %n", "%n = 4; copy %p0 %p1 %n"),
    "the source of a copy": ("%n = 8; copy %p0 %p1 %n", "%n = 8; %e = at %p1 1; copy %p0 %e %n"),
    "a volatile load": ("%v = load %p0; store %v %p0", "%v = llvm.load volatile %p0 : !llvm.ptr -> f64; store %v %p0"),
    "what is in fresh memory": (
        "%z = 0.0; store %z %p0",
        "%one = 1; %s = stack f64 %one; %z = load %s; store %z %p0",
    ),
    "the order of calls outside": ("call @outside %p0; call @outside %p1", "call @outside %p1; call @outside %p0"),
    "a call outside": ("call @outside %p0", ""),
    "a second call outside": ("call @outside %p0", "call @outside %p0; call @outside %p0"),
    "a store behind a call outside": (
        "%w = load %p1; store %w %p0; call @outside %p0",
        "%w = load %p1; call @outside %p0; store %w %p0",
    ),
    "a load behind a call outside": (
        "%v = load %p0; call @outside %p0; %e = at %p0 1; store %v %e",
        "call @outside %p0; %v = load %p0; %e = at %p0 1; store %v %e",
    ),
    "which of two receives": (
        "%one = 1; %s = stack f64 %one; call @outside %s; %a = load %s; call @outside %s; %b = load %s; store %a %p0",
        "%one = 1; %s = stack f64 %one; call @outside %s; %a = load %s; call @outside %s; %b = load %s; store %b %p0",
    ),
    "which of two numbers": (
        "%n = call @gives_number %p1 f64; %m = call @gives_number %p1 f64; store %n %p0",
        "%n = call @gives_number %p1 f64; %m = call @gives_number %p1 f64; store %m %p0",
    ),
    "a store through an address from outside": (
        "%q = call @gives_address %p0 !llvm.ptr",
        "%q = call @gives_address %p0 !llvm.ptr; %z = 0.0; store %z %q",
    ),
    "what an unknown address may reach": (
        "%i = load %p1 i64; %e = at %p0 %i; %v = load %p0; store %v %e; %u = load %p0; %f = at %p0 1; store %u %f",
        "%i = load %p1 i64; %e = at %p0 %i; %v = load %p0; store %v %e; %f = at %p0 1; store %v %f",
    ),
    "a number of another width": (
        "%i = 255 i64; %v = load %p0; %e = at %p0 %i; store %v %e",
        "%i = 255 i8; %v = load %p0;%e = llvm.getelementptr %p0[%i] : (!llvm.ptr, i8) -> !llvm.ptr, f64; store %v %e",
    ),
    "a condition": (
        "%c = arith.constant true; scf.if %c {; %k = 3.0; store %k %p0; }",
        "%c = arith.constant false; scf.if %c {; %k = 3.0; store %k %p0; }",
    ),
    "which of two regions": (
        "%c = arith.constant true; %v = 1.0; scf.if %c {; store %v %p0; } else {; }",
        "%c = arith.constant true; %v = 1.0; scf.if %c {; } else {; store %v %p0; }",
    ),
    "a value that has the name of another region's constant": (
        "%c = arith.constant true; %v = load %p0; scf.if %c {; %j = 1.0; %k = fmul %v %v; store %k %p0;"
        "} else {; %k = 1.0; store %k %p0; }",
        "%c = arith.constant true; %v = load %p0; scf.if %c {; %j = 1.0; %k = fmul %v %v; store %j %p0;"
        "} else {; %k = 1.0; store %k %p0; }",
    ),
    "a value from outside a region": (
        "%c = arith.constant true; %v = load %p0; %w = load %p1; scf.if %c {; store %v %p0; }",
        "%c = arith.constant true; %v = load %p0; %w = load %p1; scf.if %c {; store %w %p0; }",
    ),
    "a value that is rounded": (
        "%w = load %p1; store %w %p0",
        "%w = load %p1; %n = llvm.fptrunc %w : f64 to f32; %x = llvm.fpext %n : f32 to f64; store %x %p0",
    ),
    "the function that is called": ("call @twice %p0", "call @thrice %p0"),
    "the convention of a call": ("call @twice %p0", "llvm.call fastcc @twice(%p0) : (!llvm.ptr) -> ()"),
    "the number of a convention": (
        "llvm.call cc_10 @numbered(%p0) : (!llvm.ptr) -> ()",
        "llvm.call cc_11 @numbered(%p0) : (!llvm.ptr) -> ()",
    ),
    "the way of a loop": (
        "%z = arith.constant 0 : index; %n = arith.constant 4 : index; %s = arith.constant 1 : index;"
        "scf.for %i = %z to %n step %s {; call @twice %p0; }",
        "%z = arith.constant 0 : index; %n = arith.constant 5 : index; %s = arith.constant 1 : index;"
        "scf.for %i = %z to %n step %s {; call @twice %p0; }",
    ),
    "where blocks go": (
        "%c = arith.constant true; llvm.cond_br %c, ^a, ^b; ^a:; call @twice %p0; llvm.br ^b; ^b:",
        "%c = arith.constant true; llvm.cond_br %c, ^b, ^a; ^a:; call @twice %p0; llvm.br ^b; ^b:",
    ),
    "what a block is given": (
        "%v = load %p0; %w = load %p1; llvm.br ^a(%v : f64); ^a(%x: f64):; store %x %p0",
        "%v = load %p0; %w = load %p1; llvm.br ^a(%w : f64); ^a(%x: f64):; store %x %p0",
    ),
}

HELPERS = "".join(
    f"llvm.func {name}(%p: !llvm.ptr) {{\n{lines(body)}\nllvm.return\n}}\n"
    for name, body in (
        ("cc_10 @numbered", "%v = load %p; %n = fadd %v %v; store %n %p"),
        ("@twice", "%v = load %p; %n = fadd %v %v; store %n %p"),
        (
            "@branching",
            "%v = load %p; %c = arith.constant true; scf.if %c {; call @twice %p; store %v %p; }; store %v %p",
        ),
        ("@thrice", "%v = load %p; %n = fadd %v %v; %m = fadd %n %v; store %m %p"),
    )
)


def verdict(first: str, second: str, aliased: tuple[int, ...] = (0,), attributes: str = "") -> str:
    """What differs between two bodies, "" if nothing does."""
    texts = [wrapped(lines(body), aliased, HELPERS, attributes) for body in (first, second)]
    difference = prove(*texts).difference
    return difference.message if difference is not None else ""


@pytest.mark.parametrize(("first", "second"), EQUAL.values(), ids=EQUAL)
def test_bodies_that_do_the_same(first: str, second: str) -> None:
    assert verdict(first, second) == ""
    assert verdict(second, first) == ""


@pytest.mark.parametrize(("first", "second"), DIFFERENT.values(), ids=DIFFERENT)
def test_bodies_that_differ_in_one_place(first: str, second: str) -> None:
    assert verdict(first, first.replace("%v", "%nn").replace("%c", "%cc")) == ""
    assert verdict(first, second)
    assert verdict(second, first)


def test_a_write_through_a_parameter_without_a_result_is_a_fault() -> None:
    """It is the same fault only in the same wrapper."""
    hidden = "%v = load %p0; store %v %p1"
    assert "overwritten" in verdict("", hidden)
    assert "is gone" in verdict(hidden, "")
    assert verdict(hidden, hidden) == ""
    assert verdict(hidden, hidden, aliased=(0, 1)) == ""
    assert verdict("", hidden, aliased=(0, 1))


def test_more_results_than_anything_has_are_not_named() -> None:
    text = 'func.func @f() {{\n  %r:{} = "x.y"() : () -> ()\n  return\n}}\n'.format("9" * 30)
    difference = prove(text, text.replace("x.y", "x.z")).difference
    assert difference is not None
