"""Random wrappers: what they compute, and the functions that do it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.generator.model import BUFFERS, Kind, Step, Term, Type, Wrapper
from tests.generator.wrapper_text import Style, wrapper_text

_EFFECTS: tuple[tuple[str, ...] | None, ...] = (None, None, None, None, (), ("read",), ("read", "write"))
_NAMES = ("step", "fill", "axpy", "solve", "enzymexla_wrapper_x", "do it", "k.1")


KINDS: tuple[tuple[Kind, ...], ...] = (("llvm",),) * 5 + (
    ("memref",),
    ("llvm", "pointer"),
    ("llvm", "memref", "pointer"),
)
"""The kinds of wrapper that one module mixes: only equal types of a slot can fuse."""


def random_wrapper(rng: random.Random, number: int, kinds: Sequence[Kind]) -> Wrapper:
    """A wrapper of one to three parameters that writes some or none of them, from any of them."""
    name = f"{rng.choice(_NAMES)}{number}"
    kind = rng.choice(kinds)
    types = tuple(_parameter_type(rng) for _ in range(rng.choice((1, 2, 2, 3))))
    steps = _steps(rng, types)
    effects = rng.choice(_EFFECTS)
    style = _style(rng, kind, steps)
    text = wrapper_text(name, kind, types, steps, effects, style)
    return Wrapper(name, kind, types, steps, effects, style.global_kind != "mutable", text)


def _parameter_type(rng: random.Random) -> Type:
    return rng.choices(BUFFERS, weights=(6, 2, 1, 1))[0]


def _steps(rng: random.Random, types: tuple[Type, ...]) -> tuple[Step, ...]:
    written = [index for index in range(len(types)) if rng.random() < 0.7] or [0]
    if rng.random() < 0.04:
        return ()
    rng.shuffle(written)
    if rng.random() < 0.15:
        written.append(written[0])
    return tuple(_step(rng, types, target) for target in written)


def _step(rng: random.Random, types: tuple[Type, ...], target: int) -> Step:
    family = [index for index, type_ in enumerate(types) if type_.element == types[target].element]
    sources = [index for index in family if rng.random() < 0.75] or [target]
    terms = tuple(Term(rng.choice((1, 1, 2, 3, -1)), source) for source in sources)
    size = types[target].size
    elements = tuple(range(size)) if rng.random() < 0.7 else tuple(sorted(rng.sample(range(size), 1)))
    only_if = (rng.choice(family), rng.choice(family)) if len(family) > 1 and rng.random() < 0.25 else None
    return Step(target, elements, terms, rng.choice((0, 0, 1, 2, -3)), only_if)


def _style(rng: random.Random, kind: Kind, steps: tuple[Step, ...]) -> Style:
    constant = rng.choice(("llvm", "arith")) if kind != "memref" else "arith"
    floats = [step for step in steps if step.constant]
    return Style(
        constants=constant,
        branches=rng.choice(("blocks", "blocks", "scf")) if kind != "memref" else "scf",
        alloca=rng.choice((None,) * 5 + ("static", "dynamic", "large")) if kind == "llvm" else None,
        helper=rng.choice((None, None, None, "value", "pointer")) if kind == "llvm" else None,
        global_kind=rng.choice((None,) * 12 + ("constant", "mutable")) if floats and kind != "memref" else None,
        linkage=rng.choice(("", "", "", "internal ", "private ")) if kind == "llvm" else "",
        convention=rng.choice(("",) * 12 + ("fastcc ",)) if kind == "llvm" else "",
        attribute=rng.choice((None,) * 6 + ('passthrough = ["nounwind"]', "no_inline")) if kind == "llvm" else None,
        parameters=rng.choice((None, None, "readonly", "effects", "noalias")) if kind != "memref" else None,
        names=rng.choice(("numbers", "numbers", "words")),
        comments=rng.random() < 0.2,
    )
