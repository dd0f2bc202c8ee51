"""Whole modules: what may be gone, and what must be the same besides the functions."""

from __future__ import annotations

import pytest

from jitlint.proof.compare import prove
from tests.proof.programs import call, calling

BODY = f"%x = {call('double', '%a0')}\nreturn %x : tensor<f64>"
MODULE = calling(BODY)
WRAPPER = "llvm.func @other(%p: !llvm.ptr) {\n  %0 = llvm.load %p : !llvm.ptr -> f64\n  llvm.return\n}\n"
FUNCTION = "func.func @more(%x: tensor<f64>) -> tensor<f64> {\n  return %x : tensor<f64>\n}\n"
PRIVATE = FUNCTION.replace("func.func", "func.func private")
TWICE = "llvm.func @double(%p: !llvm.ptr) {\n  llvm.return\n}\n"


def difference(before: str, after: str) -> str:
    """What differs between two modules, "" if nothing does."""
    found = prove(before, after).difference
    return found.message if found is not None else ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (MODULE + WRAPPER, MODULE + "// a comment\n" + WRAPPER),
        (MODULE, MODULE + WRAPPER),
        (MODULE + WRAPPER.replace("@other", "private @other"), MODULE),
        (MODULE + PRIVATE.replace("tensor<f64>", "memref<f64>"), MODULE),
        (MODULE + FUNCTION, MODULE + FUNCTION.replace("%x", "%y")),
        (f"module @m {{\n{MODULE}}}\n", f"module @m  {{\n{MODULE}}}\n"),
    ],
)
def test_what_makes_no_difference(before: str, after: str) -> None:
    assert difference(before, after) == ""


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (MODULE, f"{MODULE}// -----\n{MODULE}", "there are 1 modules before and 2 after"),
        (MODULE + TWICE, MODULE + TWICE + WRAPPER, "@double is defined twice"),
        (MODULE, MODULE + '"x.y"() : () -> ()\n', "there are more or fewer operations without a symbol"),
        (MODULE + FUNCTION, MODULE, "@more is gone"),
        (MODULE + PRIVATE, MODULE, "@more is gone"),
        (
            MODULE + WRAPPER,
            MODULE + WRAPPER.replace("  llvm.return", "  llvm.call @outside(%p) : (!llvm.ptr) -> ()\n  llvm.return"),
            "@other differs",
        ),
        (
            f"module @m attributes {{a = 1}} {{\n{MODULE}}}\n",
            f"module @m attributes {{a = 2}} {{\n{MODULE}}}\n",
            "two modules differ in what they say of themselves",
        ),
        (
            MODULE + '"x.module"() ({\n' + MODULE + "}) : () -> ()\n",
            MODULE + '"x.module"() ({\n' + MODULE.replace("@free", "@fre") + "}) : () -> ()\n",
            "differs",
        ),
    ],
)
def test_what_makes_one(before: str, after: str, words: str) -> None:
    assert words in difference(before, after)
    assert difference(before, after)


T, RNG = "tensor<f64>", "distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<f64>"
RECEIVED = f"%x = {call('receive', '%a0')}"


def main(*rows: str, returned: str) -> str:
    count = returned.count("%")
    text = "\n".join([*rows, f"return {returned} : {', '.join([T] * count)}"])
    hides = (
        "llvm.func @hides(%p: !llvm.ptr, %q: !llvm.ptr) attributes {enzymexla.memory_effects = []} {\n"
        "  %0 = llvm.load %p : !llvm.ptr -> f64\n  llvm.store %0, %q : f64, !llvm.ptr\n  llvm.return\n}\n"
    )
    return calling(text, results=", ".join(["f64"] * count), declared=hides)


SUMS = [f"%c = stablehlo.add %a0, %a0 : {T}", f"%d = stablehlo.add %a0, %a0 : {T}"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Operations with effects have an order, though their text is the same in both.
        (
            main(f"%q = stablehlo.rng %a0, %a1, %a1, {RNG}", RECEIVED, returned="%x, %q"),
            main(RECEIVED, f"%q = stablehlo.rng %a0, %a1, %a1, {RNG}", returned="%x, %q"),
        ),
        # XLA makes one call of these two, since their operands are equal.
        (
            main(
                *SUMS,
                f"%y = {call('free', '%c')}",
                f"%z = {call('free', '%d')}",
                f"%r = {call('hides', '%a1', '%y')}",
                returned="%r, %z",
            ),
            main(*SUMS, f"%z = {call('free', '%d')}", returned="%a1, %z"),
        ),
        # A name that is defined twice is none that can be followed, be it by equal lines.
        (
            main(f"%q = stablehlo.add %a0, %a1 : {T}", f"%q = stablehlo.multiply %a0, %a1 : {T}", returned="%q"),
            main(f"%q = stablehlo.multiply %a0, %a1 : {T}", f"%q = stablehlo.add %a0, %a1 : {T}", returned="%q"),
        ),
        (
            main(
                '%q:2 = "a.b"() : () -> (tensor<f64>, tensor<f64>)', '%q:2 = "a.c"() : () -> (i1, i2)', returned="%q#0"
            ),
            main(
                '%q:2 = "a.b"() : () -> (tensor<f64>, tensor<f64>)', '%q:2 = "a.c"( ) : () -> (i1, i2)', returned="%q#0"
            ),
        ),
    ],
)
def test_functions_that_differ(before: str, after: str) -> None:
    assert difference(before, after)


def test_an_operation_that_may_be_a_symbol_table_decides_what_is_named_in_it() -> None:
    """Outside, the two wrappers are the same."""
    begin = MODULE.index("llvm.func @double")
    same = MODULE[begin : MODULE.index("}\n", begin) + 2].replace("@double", "@same")
    named = [FUNCTION.replace("return %x", f"%y = {call(name, '%x')}\n  return %y") for name in ("double", "same")]
    inner = [f'"x.table"() ({{\n{TWICE}{same}{each}}}) : () -> ()\n' for each in named]
    assert difference(MODULE + same + inner[0], MODULE + same + inner[1])


@pytest.mark.parametrize("name", ["%k", "%l"])
def test_an_alias_is_what_it_stands_for(name: str) -> None:
    """Whether or not the text that names it is the same in both."""
    one = f"#value = dense<1.0> : {T}\n" + main(f"%k = stablehlo.constant #value : {T}", returned="%k")
    assert difference(one, one.replace("%k", name)) == ""
    assert difference(one, one.replace("%k", name).replace("1.0", "2.0"))
