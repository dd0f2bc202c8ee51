"""What a body does that is not run operation by operation, or not to the end: it is taken for as much as it may do."""

from __future__ import annotations

import pytest

from jitlint.proof.compare import prove
from tests.proof.programs import lines, wrapped

PTR = "!llvm.ptr"
ONE = "%one = 1;"
SET = f'%z = 0 i8; %l = 8; "llvm.intr.memset"(%p0, %z, %l) <{{isVolatile = false}}> : ({PTR}, i8, i64) -> ()'
LOST = "%t = llvm.ptrtoint %p1 : !llvm.ptr to i64;"
OUTSIDE, LOAD, KEEP = "call @outside %p0;", "%w = load %p1;", "%e = at %p0 1; store %w %e"
OWN = "%k = 1; %u = stack f64 %k; call @outside %u;"
MAYBE = "%c = arith.constant true; scf.if %c {; BODY; };"
ROUNDS = 'attributes {passthrough = ["strictfp"]}'

DECLARED = "".join(
    f"llvm.func @{name}({parameters}) {result} {{\n{lines(body)}\n}}\n"
    for name, parameters, result, body in (
        ("twice", "%p: !llvm.ptr", "", "%v = load %p; %n = fadd %v %v; store %n %p; llvm.return"),
        ("strictly", "%p: !llvm.ptr", ROUNDS, "%v = load %p; %n = fadd %v %v; store %n %p; llvm.return"),
        (
            "on_a_copy",
            "%p: !llvm.ptr {llvm.byval = f64}",
            "",
            "%v = load %p; %n = fadd %v %v; store %n %p; llvm.return",
        ),
        (
            "first",
            "%p: !llvm.ptr, %q: !llvm.ptr",
            "",
            "llvm.br ^a; ^a:; %v = load %q; %n = fadd %v %v; store %n %p; llvm.return",
        ),
        (
            "through",
            "%p: !llvm.ptr",
            "",
            f"llvm.br ^a; ^a:; %q = llvm.load %p : {PTR} -> {PTR}; %z = 0.0; store %z %q; llvm.return",
        ),
        (
            "by_argument",
            "%p: !llvm.ptr",
            "",
            f"llvm.br ^a(%p : {PTR}); ^a(%q: {PTR}):; %z = 0.0; store %z %q; llvm.return",
        ),
        ("shows", "%p: !llvm.ptr", "", f"llvm.br ^a; ^a:; llvm.call @outside(%p) : ({PTR}) -> (); llvm.return"),
        (
            "shows_kept",
            "%p: !llvm.ptr",
            "",
            f"llvm.br ^a; ^a:; %k = 1; %s = stack {PTR} %k; store %p %s {PTR};"
            f"llvm.call @outside(%s) : ({PTR}) -> (); llvm.return",
        ),
        (
            "kept",
            "%p: !llvm.ptr",
            "",
            f"llvm.br ^a; ^a:; %k = 1; %s = stack {PTR} %k; store %p %s {PTR}; call @zero_at %s; llvm.return",
        ),
        ("zero_at", "%p: !llvm.ptr", "", f"%q = llvm.load %p : {PTR} -> {PTR}; %z = 0.0; store %z %q; llvm.return"),
        ("to_number", "%p: !llvm.ptr", "-> i64", "%t = llvm.ptrtoint %p : !llvm.ptr to i64; llvm.return %t : i64"),
        (
            "again",
            "%p: !llvm.ptr",
            "",
            '%z = 0.0; %v = load %p; %c = llvm.fcmp "ogt" %v, %z : f64; scf.if %c {; call @again %p; }; llvm.return',
        ),
        (
            "prints_again",
            "%p: !llvm.ptr",
            "",
            "call @outside %p; %c = arith.constant false; scf.if %c {; call @prints_again %p; }; llvm.return",
        ),
        ("prints_too", "%p: !llvm.ptr", "", "llvm.br ^a; ^a:; call @prints %p; llvm.return"),
        (
            "loses",
            "%p: !llvm.ptr",
            "",
            f"llvm.br ^a; ^a:; %t = llvm.call @to_number(%p) : ({PTR}) -> i64; llvm.return",
        ),
        (
            "by_cell",
            "%p: !llvm.ptr",
            "",
            f"llvm.br ^a; ^a:; %k = 1; %s = stack {PTR} %k; store %p %s {PTR}; %q = llvm.load %s : {PTR} -> {PTR};"
            "%z = 0.0; store %z %q; llvm.return",
        ),
        *[
            (
                name,
                f"%p: !llvm.ptr{passed}",
                result,
                "llvm.br ^a; ^a:; %v = load %p; %n = fadd %v %v; store %n %p; llvm.return",
            )
            for name, passed, result in (
                ("blocks", "", ""),
                ("blocks_too", "", ""),
                ("blocks_strictly", "", ROUNDS),
                ("blocks_on_a_copy", " {llvm.byval = f64}", ""),
            )
        ],
        ("shows_too", "%p: !llvm.ptr", "", "llvm.br ^a; ^a:; call @shows %p; llvm.return"),
        (
            "kept_by_another",
            "%p: !llvm.ptr",
            "",
            f"llvm.br ^a; ^a:; %k = 1; %s = stack {PTR} %k; store %p %s {PTR};"
            f"%f = llvm.mlir.addressof @zero_at : {PTR}; llvm.call %f(%s) : {PTR}, ({PTR}) -> (); llvm.return",
        ),
        ("odd", "%p: !llvm.ptr", "", 'llvm.br ^a; ^a:; "x.y"(%p) : (!llvm.ptr) -> (); llvm.return'),
        ("prints", "%p: !llvm.ptr", "", "llvm.br ^a; ^a:; call @outside %p; llvm.return"),
    )
)
GLOBALS = (
    "llvm.mlir.global external @elsewhere() : f64\nllvm.mlir.global internal constant @fixed(1.0 : f64) : f64\n"
    "llvm.func @two(!llvm.ptr, !llvm.ptr)\nllvm.func @other_outside(!llvm.ptr)\n"
)

EQUAL = {
    "functions of several blocks that are the same": ("call @blocks %p0", "call @blocks_too %p0"),
    "a copy of bytes that came from two places": (
        f"{LOAD} %v = load %p0; store %w %p0; %e = at %p0 1; store %v %e",
        f"{ONE} %two = 2; %n = 16; {LOAD} %v = load %p0; %s = stack f64 %two; store %w %s; %t = at %s 1; store %v %t;"
        "copy %p0 %s %n",
    ),
    "an element of a memref": (
        '%m = "enzymexla.pointer2memref"(%p0) : (!llvm.ptr) -> memref<2x2xf64>; %i = arith.constant 1 : index;'
        f"{LOAD} memref.store %w, %m[%i, %i] : memref<2x2xf64>",
        f"{LOAD} %e = at %p0 3; store %w %e",
    ),
}

DIFFERENT = {
    "memory that is set": ("", SET),
    "the function outside that is called": ("call @outside %p0", "call @other_outside %p0"),
    "how a callee of several blocks rounds": ("call @blocks %p0", "call @blocks_strictly %p0"),
    "how a callee of several blocks is passed an address": ("call @blocks %p0", "call @blocks_on_a_copy %p0"),
    "how a callee rounds": ("call @twice %p0", "call @strictly %p0"),
    "a parameter that is passed as a copy": ("call @twice %p0", "call @on_a_copy %p0"),
    "how far an unknown address is moved": (
        f"{LOAD} %i = load %p1 i64; %d = at %p0 %i; %e = at %d 1; store %w %e",
        f"{LOAD} %i = load %p1 i64; %d = at %p0 %i; %e = at %d 2; store %w %e",
    ),
    "where an unknown address is": (
        f"{LOAD} %i = load %p1 i64; %e = at %p0 %i; store %w %e",
        f"{LOAD} %f = at %p1 1; %i = load %f i64; %e = at %p0 %i; store %w %e",
    ),
    "a copy into a constant": (
        f"{LOAD} store %w %p0",
        f"%g = llvm.mlir.addressof @fixed : {PTR}; %n = 8; copy %g %p1 %n; %w = load %g; store %w %p0",
    ),
    "a global that others may change": (
        f"%g = llvm.mlir.addressof @elsewhere : {PTR}; %v = load %g; call @outside %p1; store %v %p0",
        f"%g = llvm.mlir.addressof @elsewhere : {PTR}; call @outside %p1; %v = load %g; store %v %p0",
    ),
    "one buffer passed twice to what writes one of them": (
        "",
        f"llvm.call @first(%p0, %p0) : ({PTR}, {PTR}) -> ()",
    ),
    "what is written through an address in memory": (
        f"{ONE} %s = stack {PTR} %one; store %p0 %s {PTR}",
        f"{ONE} %s = stack {PTR} %one; store %p0 %s {PTR}; call @through %s",
    ),
    "what is written through an address in memory of a callee's own": ("", "call @by_cell %p0"),
    "what is written through a block's argument": ("", "call @by_argument %p0"),
    "what a callee writes through an address that it kept": ("", "call @kept %p0"),
    "what an address in memory leads to": (
        f"{ONE} {LOAD} %t = stack f64 %one; store %w %t; %s = stack {PTR} %one; store %t %s {PTR}; call @outside %s",
        f"{ONE} %v = load %p0; %t = stack f64 %one; store %v %t; %s = stack {PTR} %one; store %t %s {PTR};"
        "call @outside %s",
    ),
    "a load behind a call, of what went out as a number": (
        f"{LOST} store %t %p0 i64; {LOAD} {OUTSIDE} {KEEP}",
        f"{LOST} store %t %p0 i64; {OUTSIDE} {LOAD} {KEEP}",
    ),
    "a load behind a call, of what a callee made a number": (
        f"{MAYBE.replace('BODY', '%t = call @to_number %p1 i64')} {LOAD} {OUTSIDE} {KEEP}",
        f"{MAYBE.replace('BODY', '%t = call @to_number %p1 i64')} {OUTSIDE} {LOAD} {KEEP}",
    ),
    "a load behind a call, of what was stored": (
        f"{ONE} %s = stack {PTR} %one; store %p1 %s {PTR}; call @outside %s; {LOAD} {OUTSIDE} {KEEP}",
        f"{ONE} %s = stack {PTR} %one; store %p1 %s {PTR}; call @outside %s; {OUTSIDE} {LOAD} {KEEP}",
    ),
    "what a callee shows to a function outside": (
        "call @shows %p0",
        "call @shows %p0; call @shows %p0",
    ),
    "a load behind what a callee shows": (
        f"{LOAD} call @shows %p1; store %w %p0",
        f"call @shows %p1; {LOAD} store %w %p0",
    ),
    "a load behind what a callee of a callee shows": (
        f"{LOAD} call @shows_too %p1; store %w %p0",
        f"call @shows_too %p1; {LOAD} store %w %p0",
    ),
    "a load behind what is called by its address and finds another in memory": (
        f"{LOAD} call @kept_by_another %p1; store %w %p0",
        f"call @kept_by_another %p1; {LOAD} store %w %p0",
    ),
    "a load behind what a callee shows by way of memory": (
        f"{LOAD} call @shows_kept %p1; store %w %p0",
        f"call @shows_kept %p1; {LOAD} store %w %p0",
    ),
    "a function that calls itself": ("", "call @again %p0"),
    "a load behind what a callee made a number": (
        f"call @loses %p1; {LOAD} {OWN} {KEEP}",
        f"call @loses %p1; {OWN} {LOAD} {KEEP}",
    ),
    "a load behind what a callee does that is not known": (
        f"{LOAD} call @odd %p1; {KEEP}",
        f"call @odd %p1; {LOAD} {KEEP}",
    ),
    "a load behind a call, of what a region stored": (
        f"{ONE} %s = stack {PTR} %one; {MAYBE.replace('BODY', f'store %p1 %s {PTR}')} {LOAD} {OWN} {KEEP}",
        f"{ONE} %s = stack {PTR} %one; {MAYBE.replace('BODY', f'store %p1 %s {PTR}')} {OWN} {LOAD} {KEEP}",
    ),
    "a value that an operation reads from memory": (
        '%w = load %p1; %v = "math.absf"(%p0) : (!llvm.ptr) -> f64; store %w %p0; %e = at %p0 1; store %v %e',
        '%w = load %p1; store %w %p0; %v = "math.absf"(%p0) : (!llvm.ptr) -> f64; %e = at %p0 1; store %v %e',
    ),
    "an operation that is not known, on memory": ("", '"x.y"(%p0) : (!llvm.ptr) -> ()'),
}

ACTS = {
    "an operation with effects": "gpu.barrier",
    "a function that calls itself": "call @prints_again %p1",
    "what a callee calls": "call @prints_too %p1",
    "what is called in a region": MAYBE.replace("BODY", "call @prints %p1"),
    "a function that is not there": MAYBE.replace("BODY", "call @nowhere %p1"),
    "a volatile load in a region": MAYBE.replace("BODY", f"%v = llvm.load volatile %p1 : {PTR} -> f64; store %v %p0"),
    "an atomic store in a region": MAYBE.replace(
        "BODY", f"%v = 0.0; llvm.store %v, %p1 atomic release {{alignment = 8 : i64}} : f64, {PTR}"
    ),
    "a load through an address from memory, in a region": MAYBE.replace(
        "BODY", f"%q = llvm.load %p1 : {PTR} -> {PTR}; %v = load %q; store %v %p0"
    ),
    "a load through an address that was copied from memory": MAYBE.replace(
        "BODY",
        f"%j = 1; %n = 8; %s = stack {PTR} %j; copy %s %p1 %n; %q = llvm.load %s : {PTR} -> {PTR}; %v = load %q;"
        "store %v %p0",
    ),
}
"""What does more than to read and write what it is passed: it keeps its place among the calls of functions outside."""


def verdict(first: str, second: str) -> str:
    """What differs between two bodies, "" if nothing does."""
    difference = prove(*[wrapped(lines(body), (0, 1), GLOBALS + DECLARED) for body in (first, second)]).difference
    return difference.message if difference is not None else ""


@pytest.mark.parametrize(("first", "second"), EQUAL.values(), ids=EQUAL)
def test_bodies_that_do_the_same(first: str, second: str) -> None:
    assert verdict(first, second) == "" == verdict(second, first)


@pytest.mark.parametrize(("first", "second"), DIFFERENT.values(), ids=DIFFERENT)
def test_bodies_that_differ_in_one_place(first: str, second: str) -> None:
    renamed = [body.replace("%w", "%nn").replace("%one", "%eins") for body in (first, second)]
    assert [verdict(body, new) for body, new in zip((first, second), renamed, strict=True)] == ["", ""]
    assert verdict(first, second)
    assert verdict(second, first)


@pytest.mark.parametrize("body", ACTS.values(), ids=ACTS)
def test_effects_keep_their_order(body: str) -> None:
    assert verdict(f"{body}; {OWN}", f"{body}; {OWN}".replace("%v", "%nn")) == ""
    assert verdict(f"{body}; {OWN}", f"{OWN} {body}")


@pytest.mark.parametrize("body", ACTS.values(), ids=ACTS)
def test_effects_do_not_go(body: str) -> None:
    assert verdict(body, "")
    assert verdict("", body)


def test_a_name_that_is_defined_twice_is_not_followed() -> None:
    assert verdict("%v = load %p0; %v = load %p1; store %v %p0", "%w = load %p1; store %w %p0")
