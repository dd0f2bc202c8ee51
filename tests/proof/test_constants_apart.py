"""Wrappers that differ in floating-point constants are run once: each constant is still its own."""

from __future__ import annotations

import pytest

from jitlint.proof.compare import prove
from tests.proof.programs import call, calling, lines

SCALE = "%c = {0}; %d = {1}; %v = load %p; %m = fmul %v %c; %n = fadd %m %d; store %n %p"
LOOP = (
    "%z = arith.constant 0 : index; %k = arith.constant 4 : index; %s = arith.constant 1 : index; %c = {0}; %d = {1};"
    "scf.for %i = %z to %k step %s {{; %v = load %p; %m = fmul %v %c; %n = fadd %m %d; store %n %p; }}"
)
BLOCKS = "%c = {0}; %d = {1}; llvm.br ^a; ^a:; store %c %p; store %d %p"
OUTSIDE = "%c = {0}; %d = {1}; %i = load %p i64; %q = at %p %i; store %c %q; %e = at %p 1; store %d %e"
MISREAD = "%v = load %p; %c = {0}; %d = {1}; %m = fmul %v %c; %n = fadd %m %d; store %n %p; %y = load %nothing"
SPELLED = "%v = load %p; %c = llvm.mlir.constant({0}:f64) : f64; %w = my.op %c x = constant({1} : f64); store %v %p"
TYPED = (
    "%v = load %p; %c = llvm.mlir.constant({0} : f64) {{a = constant({1} : f64)}} : f64; %m = fmul %v %c; store %m %p"
)
AGAIN = "%v = load %p; %c = {0}; %d = {1}; store %d %p; %e = at %p 1; store %c %e; %m = fmul %v %d; store %m %p"

BODIES = {
    "plain": SCALE,
    "a loop": LOOP,
    "blocks": BLOCKS,
    "what is not understood": OUTSIDE,
    "what is not defined": MISREAD,
    "an attribute": SPELLED,
    "an attribute of a constant": TYPED,
    "stores": AGAIN,
}


def module(body: str, first: tuple[str, str], second: tuple[str, str]) -> str:
    """Two wrappers with these constants, the first called, and then the second."""
    declared = "".join(
        f"llvm.func @w{number}(%p: !llvm.ptr) {{\n{lines(body.format(*constants))}\nllvm.return\n}}\n"
        for number, constants in enumerate((first, second))
    )
    rows = [f"%x = {call('w0', '%a0')}", f"%r = {call('w1', '%x')}", "return %r : tensor<f64>"]
    return calling("\n".join(rows), declared=declared)


ONE, TWO = ("2.0", "3.0"), ("-4.5", "5.0e-3")


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_each_constant_counts(body: str) -> None:
    right = module(body, ONE, TWO)
    assert prove(right, right.replace("%x", "%y")).difference is None
    for first, second in (
        (TWO, ONE),
        (ONE, ONE),
        (TWO, TWO),
        (ONE, ("-4.5", "6.0")),
        (ONE, ("4.5", "5.0e-3")),
        (("2.0", "2.0"), TWO),
        (("3.0", "2.0"), TWO),
    ):
        assert prove(right, module(body, first, second).replace("%x", "%y")).difference is not None


def test_a_constant_is_its_value() -> None:
    assert prove(module(SCALE, ONE, TWO), module(SCALE, ONE, ("-4.50", "0.005"))).difference is None


def test_a_comment_is_no_constant() -> None:
    body = "%v = load %p\n%c = {0}\n%m = fmul %v %c\nstore %m %p"
    text = body.replace("{0}", "llvm.mlir.constant({0}:f64) : f64 // constant({1} : f64)")
    plain, commented = module(body, ONE, TWO), module(text, ONE, TWO)
    assert prove(plain, commented).difference is None
    assert prove(commented, module(text, ONE, ("-4.0", "5.0e-3"))).difference is not None
    assert prove(commented, module(text, ("3.0", "2.0"), TWO)).difference is not None


def test_one_call_of_both_is_the_same() -> None:
    """What is run once for all is what is run for itself, in a wrapper with a call."""
    text = module(SCALE, ONE, TWO)
    begin = text.index("llvm.func @w0")
    both = (
        "llvm.func @both(%p: !llvm.ptr) {\n  llvm.call @w0(%p) : (!llvm.ptr) -> ()\n"
        "  llvm.call @w1(%p) : (!llvm.ptr) -> ()\n  llvm.return\n}\n"
    )
    calls = text.index("%x = enzymexla"), text.index("return %r")
    after = text[:begin] + both + text[begin : calls[0]] + f"%r = {call('both', '%a0')}\n" + text[calls[1] :]
    assert prove(text, after).difference is None
    assert prove(text, after.replace("@w0(%p) :", "@w1(%p) :", 1)).difference is not None


def test_a_wrapper_that_is_not_understood_is_one_of_its_constants() -> None:
    extra = "other = 1 : i64"
    text = module(SCALE, ONE, TWO).replace("<output", f"<{extra}, output")
    assert prove(text, text.replace("%x", "%y")).difference is None
    assert prove(text, text.replace("constant(2.0", "constant(2.5").replace("%x", "%y")).difference is not None


@pytest.mark.parametrize("second", [("2.5", "3.0"), ("2.0", "3.5")])
def test_a_number_in_a_header_is_no_constant_of_the_body(second: tuple[str, str]) -> None:
    """Nor is one of the body that in the header."""
    body = "%v = load %p; %c = {0}; %m = fmul %v %c; store %m %p"
    texts = [
        module(body, *pair).replace("(%p: !llvm.ptr) {\n%v", f"(%p: !llvm.ptr) attributes {{a = {noted}}} {{\n%v")
        for pair, noted in (
            ((ONE, ONE), "constant(3.0 : f64)"),
            ((ONE, second), "constant(3.0 : f64)"),
            ((ONE, ONE), "constant(3.5 : f64)"),
        )
    ]
    assert prove(texts[0], texts[0].replace("%x", "%y")).difference is None
    assert (prove(texts[0], texts[1]).difference is None) == (second[0] == ONE[0])
    assert prove(texts[0], texts[2]).difference is None  # a note on a function that is run says nothing
