"""Functions that call themselves, directly or in a ring, stand for what they are: one of that name and that text."""

from __future__ import annotations

import pytest

import jitlint
from jitlint.ir.tree import Unit
from jitlint.proof.compare import prove
from jitlint.proof.module_facts import Module
from jitlint.proof.plain_text import Texts
from jitlint.syntax.functions import HeaderReader
from tests.proof.programs import call, calling


def llvm(name: str, body: str) -> str:
    return f"llvm.func @{name}(%p: !llvm.ptr) {{\n{body}\n  llvm.return\n}}\n"


def calls(*names: str) -> str:
    return "\n".join(f"  llvm.call @{name}(%p) : (!llvm.ptr) -> ()" for name in names)


RING = "".join(llvm(f"w{n}", calls(*[f"w{(n + 1) % 3}"] * 2)) for n in range(3))
"""Each calls the next one twice, and the last the first."""

HALVE = """\
llvm.func @halve(%p: !llvm.ptr) {
  %one = llvm.mlir.constant(1.0 : f64) : f64
  %half = llvm.mlir.constant(0.5 : f64) : f64
  %0 = llvm.load %p : !llvm.ptr -> f64
  %large = llvm.fcmp "ogt" %0, %one : f64
  llvm.cond_br %large, ^again, ^done
^again:
  %1 = llvm.fmul %0, %half : f64
  llvm.store %1, %p : f64, !llvm.ptr
  llvm.call @halve(%p) : (!llvm.ptr) -> ()
  llvm.br ^done
^done:
  llvm.return
}
"""
"""Halves a number until it is 1 or less, by calling itself."""

BELOW_IF = llvm(
    "even",
    "  %t = arith.constant true\n  scf.if %t {\n  llvm.call @odd(%p) : (!llvm.ptr) -> ()\n  }",
) + llvm("odd", calls("double", "even"))
"""Two that call one another, one in a region."""


def chain(*wrappers: str) -> str:
    """The body of `@main`: calls of these wrappers, each on what the one before gives."""
    lines, last = [], "%a0"
    for number, wrapper in enumerate(wrappers):
        lines.append(f"%{number} = {call(wrapper, last)}")
        last = f"%{number}"
    return "\n".join([*lines, f"return {last} : tensor<f64>"])


def module(functions: str, *wrappers: str) -> str:
    return calling(chain(*wrappers), "f64", declared=functions)


PROGRAMS = {
    "a ring": (RING, ("w0", "w1", "w2")),
    "a ring, twice round": (RING, ("w0", "w1", "w2", "w0", "w1")),
    "one that calls itself": (HALVE, ("halve", "double", "halve")),
    "one that calls one that calls itself": (HALVE + llvm("twice", calls("halve", "halve")), ("twice", "double")),
    "a ring with a region": (BELOW_IF, ("even", "odd", "double")),
    "one with a `func.func`": (
        HALVE + "func.func private @f(%p: !llvm.ptr) {\n  llvm.call @halve(%p) : (!llvm.ptr) -> ()\n  return\n}\n",
        ("f", "double", "halve"),
    ),
    "one that is far from them": (
        HALVE + "".join(llvm(f"c{n}", calls(f"c{n - 1}" if n else "halve", "double")) for n in range(40)),
        ("c39", "c5", "double"),
    ),
}


@pytest.mark.parametrize(("functions", "wrappers"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_fix_of_what_calls_itself_is_proved(functions: str, wrappers: tuple[str, ...]) -> None:
    fixed = jitlint.fix(module(functions, *wrappers)).source.text
    assert fixed.count("enzymexla.jit_call") == 1


FUSED = llvm("fused", calls("w0", "w1", "w2"))
BEFORE = module(RING, "w0", "w1", "w2")

CHANGED = {
    "a member calls another one": RING.replace("@w2(%p) :", "@w1(%p) :", 1) + FUSED,
    "a member calls once": RING.replace(f"{calls('w2')}\n", "", 1) + FUSED,
    "a member does something besides": RING.replace(calls("w0"), calls("w0", "double"), 1) + FUSED,
    "a member is outside": RING.replace(llvm("w2", calls("w0", "w0")), "llvm.func @w2(!llvm.ptr)\n") + FUSED,
    "the ring is broken": RING.replace(llvm("w2", calls("w0", "w0")), llvm("w2", "")) + FUSED,
    "two calls in the other order": RING + llvm("fused", calls("w1", "w0", "w2")),
    "a call is gone": RING + llvm("fused", calls("w0", "w1")),
    "one call too many": RING + llvm("fused", calls("w0", "w1", "w2", "w2")),
    "members change names": RING.replace("@w1(", "@t(").replace("@w2(", "@w1(").replace("@t(", "@w2(") + FUSED,
}


def test_a_ring_that_is_called_from_one_is_the_same() -> None:
    assert prove(BEFORE, module(RING + FUSED, "fused")).difference is None


@pytest.mark.parametrize("functions", CHANGED.values(), ids=CHANGED)
def test_a_ring_that_differs_is_refused(functions: str) -> None:
    after = module(functions, "fused")
    assert functions != RING + FUSED
    assert prove(BEFORE, after).difference is not None


def test_what_a_function_that_calls_itself_calls_must_be_the_same() -> None:
    functions = HALVE + llvm("fused", calls("halve", "halve"))
    before = module(HALVE, "halve", "halve")
    assert prove(before, module(functions, "fused")).difference is None
    assert prove(before, module(functions.replace("0.5", "0.25"), "fused")).difference is not None
    below = module(BELOW_IF, "even", "odd")
    fused = BELOW_IF + llvm("fused", calls("even", "odd"))
    assert prove(below, module(fused, "fused")).difference is None
    assert prove(below, module(fused, "fused").replace("llvm.fadd", "llvm.fmul", 1)).difference is not None


@pytest.mark.parametrize("name", ["w0", "w1", "w2", "caller"])
@pytest.mark.parametrize("keeps", [False, True])
def test_what_one_of_a_ring_does_with_an_address_all_do(name: str, *, keeps: bool) -> None:
    """Whichever of them is asked for first."""
    store = "  llvm.store %p, %p : !llvm.ptr, !llvm.ptr\n" if keeps else ""
    text = RING.replace(calls("w2", "w2"), store + calls("w2", "w2")) + llvm("caller", calls("w2"))
    unit = Unit(text, 0, len(text))
    facts = Module(unit.body, Texts(text, unit.aliases), HeaderReader(unit.aliases)).facts(name)
    assert (facts.leaks, facts.has_effects, facts.height) == (keeps, True, 1 if name == "caller" else None)
