"""Random wrappers: what they compute, and the functions that do it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from tests.generator.look_alikes import NOTES
from tests.generator.model import BUFFERS, Kind, Step, Term, Type, Wrapper
from tests.generator.style import Style
from tests.generator.wrapper_text import wrapper_text

_EFFECTS: tuple[tuple[str, ...] | None, ...] = (None, None, None, None, (), ("read",), ("read", "write"))
_NAMES = ("step", "fill", "axpy", "solve", "enzymexla_wrapper_x", "do it", "k.1")
_ODD_NAMES = ("llvm.w", "llvm.x y", "é", "a$b-", "void f<int>(T&, {", "run", "entry", "main.", "//", "^bb0 %0")
_LINKAGES = ("", "", "", "internal ", "private ")
_ODD_LINKAGES = ("weak ", "linkonce_odr ", "weak_odr ", "external ", "available_externally ", "linkonce hidden ")
_CONVENTIONS = ("",) * 12 + ("fastcc ",)
_ODD_CONVENTIONS = ("", "coldcc ", "preserve_mostcc ", "tailcc ", "swiftcc ", "cc_10 ")
_ATTRIBUTES = (None,) * 6 + ('passthrough = ["nounwind"]', "no_inline")
_ODD_ATTRIBUTES = ("always_inline", "optimize_none, no_inline", "allocsize = array<i32: 0>", "will_return", "my.a = 1")

KINDS: tuple[tuple[Kind, ...], ...] = (("llvm",),) * 5 + (
    ("memref",),
    ("llvm", "pointer"),
    ("llvm", "memref", "pointer"),
)
"""The kinds of wrapper that one module mixes: only equal types of a slot can fuse."""


@dataclass(frozen=True, slots=True)
class Palette:
    """What the wrappers of one module are drawn from."""

    kinds: tuple[Kind, ...]
    types: tuple[Type, ...] = BUFFERS
    odd: float = 0.0
    """How often a wrapper has an unusual name, linkage, convention or attribute."""
    remembers: bool = False
    """Whether some write globals."""
    disguises: bool = False
    by_name: float = 0.0
    """How often a wrapper has what is only known by its name or its text: an alias, an intrinsic, assembly."""
    labelled: float = 0.0
    """How often it has an attribute that looks like something else."""

    def type(self, rng: random.Random) -> Type:
        """One of the types, the first ones more often."""
        return rng.choices(self.types, weights=(6, 2, 1, 1, 1, 1)[: len(self.types)])[0]


def random_wrapper(rng: random.Random, number: int, palette: Palette, others: Sequence[Wrapper]) -> Wrapper:
    """A wrapper of one to three parameters that writes some or none of them, from any of them.

    It may call one of `others`, or do what one of them does.
    """
    name = f"{rng.choice(_NAMES)}{number}"
    if rng.random() < palette.odd:
        name = f"{rng.choice(_ODD_NAMES)}{number}" if rng.random() < 0.8 else f"llvm.{name}"
    kind = rng.choice(palette.kinds)
    if others and rng.random() < 0.12:
        return _twin(name, rng.choice(others))
    first = None
    if rng.random() < 0.12:
        first = next((other for other in reversed(others) if other.kind == kind and not other.public), None)
    types = tuple(_parameter(rng, palette, kind) for _ in range(rng.choice((1, 2, 2, 3))))
    if first is not None:
        types = first.types + (types[:1] if rng.random() < 0.4 else ())
    steps = _steps(rng, types, first is not None)
    effects = rng.choice(_EFFECTS)
    style = _extended(rng, kind, replace(_style(rng, kind, steps, palette), first=first), palette)
    return _made(name, kind, types, steps, effects, style)


def _made(
    name: str,
    kind: Kind,
    types: tuple[Type, ...],
    steps: tuple[Step, ...],
    effects: tuple[str, ...] | None,
    style: Style,
) -> Wrapper:
    text = wrapper_text(name, kind, types, steps, effects, style)
    first = style.first
    odd = style.linkage in _ODD_LINKAGES or style.convention in _ODD_CONVENTIONS[1:] or style.comdat
    certain = not odd and style.attribute not in _ODD_ATTRIBUTES and not name.startswith(("entry", "llvm."))
    changes = style.global_kind in ("mutable", "counter")
    aliased = any(symbol.startswith("llvm.mlir.alias") for symbol in text)  # what an alias does is not followed
    return Wrapper(
        name,
        kind,
        types,
        (*(first.steps if first else ()), *steps),
        effects,
        not changes and not aliased and (first is None or first.fusable),
        text,
        style.public,
        certain and style.disguise in (None, "freeze") and first is None,
        style.global_kind == "counter" or (first is not None and first.remembers),
        style.convention,
        (steps, style),
    )


def _twin(name: str, other: Wrapper) -> Wrapper:
    """The same function under another name."""
    steps, style = other.made_from
    return _made(name, other.kind, other.types, steps, other.effects, style)


def simpler(wrapper: Wrapper) -> list[Wrapper]:
    """Wrappers of the same name and parameters that do less, or do it in a plainer way."""
    if wrapper.made_from is None:
        return []
    steps, style = wrapper.made_from
    fewer = [steps[:at] + steps[at + 1 :] for at in range(len(steps))]
    fewer += [
        (*steps[:at], replace(step, elements=step.elements[:1]), *steps[at + 1 :])
        for at, step in enumerate(steps)
        if len(step.elements) > 1
    ]
    plain = Style(branches=style.branches, public=style.public)
    styles = [
        replace(style, **{field.name: getattr(plain, field.name)})
        for field in fields(Style)
        if getattr(style, field.name) != getattr(plain, field.name)
    ]
    made = [_made(wrapper.name, wrapper.kind, wrapper.types, some, wrapper.effects, style) for some in fewer]
    if wrapper.kind != "memref":
        made += [_made(wrapper.name, wrapper.kind, wrapper.types, steps, wrapper.effects, some) for some in styles]
    if wrapper.effects is not None:
        made.append(_made(wrapper.name, wrapper.kind, wrapper.types, steps, None, style))
    return made


def _parameter(rng: random.Random, palette: Palette, kind: Kind) -> Type:
    type_ = palette.type(rng)
    while kind == "memref" and type_.element.startswith("complex"):
        type_ = rng.choice(BUFFERS)
    return type_


def _steps(rng: random.Random, types: tuple[Type, ...], calls: bool) -> tuple[Step, ...]:
    full = [index for index, type_ in enumerate(types) if type_.length]
    if not full or rng.random() < 0.04:
        return ()
    written = [index for index in full if rng.random() < (0.3 if calls else 0.7)] or ([] if calls else full[:1])
    rng.shuffle(written)
    if written and rng.random() < 0.15:
        written.append(written[0])
    return tuple(_step(rng, types, target) for target in written)


def _step(rng: random.Random, types: tuple[Type, ...], target: int) -> Step:
    part, length = types[target].part, types[target].length
    family = [index for index, type_ in enumerate(types) if type_.part == part and type_.length]
    sources = [index for index in family if rng.random() < 0.75] or [target]
    terms = tuple(Term(rng.choice((1, 1, 2, 3, -1)), source) for source in sources)
    elements = tuple(range(length)) if rng.random() < 0.7 else tuple(sorted(rng.sample(range(length), 1)))
    only_if = (rng.choice(family), rng.choice(family)) if len(family) > 1 and rng.random() < 0.25 else None
    return Step(target, elements, terms, rng.choice((0, 0, 1, 2, -3)), only_if)


def _extended(rng: random.Random, kind: Kind, style: Style, palette: Palette) -> Style:
    """The style with what only wrappers of extended modules have; no number is drawn for others."""
    if palette.by_name and rng.random() < palette.by_name:
        what = rng.choice(("alias", "assembly", "intrinsic", "pointer"))
        if what == "assembly":
            return replace(style, assembly=rng.choice(("empty", "unmarked", "nop", "memory", "generic")))
        if kind == "memref":
            return replace(style, intrinsic=rng.choice(("intrinsic", "function")))
        if what == "alias":
            return replace(style, helper=rng.choice(("value", "pointer", "chain")), aliased=True)
        if what == "intrinsic":
            kinds = ("intrinsic", "function", "copy", "copy function", "copy operation")
            return replace(style, intrinsic=rng.choice(kinds))  # type: ignore[arg-type]
        return replace(style, disguise="assembly") if rng.random() < 0.4 else style
    if palette.labelled and kind == "llvm" and rng.random() < palette.labelled:
        return replace(style, attribute=f"my.{rng.choice(NOTES)}")
    return style


def _style(rng: random.Random, kind: Kind, steps: tuple[Step, ...], palette: Palette) -> Style:
    llvm, memref = kind == "llvm", kind == "memref"
    constant = rng.choice(("llvm", "arith")) if not memref else "arith"
    odd = rng.random() < palette.odd
    constants = any(step.constant for step in steps)
    mutable = "counter" if palette.remembers else "mutable"
    style = Style(
        constants=constant,
        branches=rng.choice(("blocks", "blocks", "scf")) if not memref else "scf",
        loops=rng.random() < 0.2,
        alloca=rng.choice((None,) * 5 + ("static", "dynamic", "large")) if llvm else None,
        helper=rng.choice((None, None, None, "value", "pointer", "chain")) if llvm or rng.random() < 0.3 else None,
        disguise=rng.choice(("freeze", "select", "block", "spill", "integer"))
        if palette.disguises and not memref and rng.random() < 0.4
        else None,
        global_kind=rng.choice((*(None,) * (3 if palette.remembers else 12), "constant", mutable))  # type: ignore[arg-type]
        if constants and not memref
        else None,
        linkage=rng.choice(_ODD_LINKAGES if odd else _LINKAGES) if llvm else "",
        convention=rng.choice(_ODD_CONVENTIONS if odd else _CONVENTIONS) if llvm else "",
        attribute=rng.choice(_ODD_ATTRIBUTES if odd and rng.random() < 0.4 else _ATTRIBUTES) if llvm else None,
        parameters=rng.choice((None, None, "readonly", "effects", "noalias")) if not memref else None,
        names=rng.choice(("numbers", "numbers", "words")),
        comments=rng.random() < 0.2,
        public=not llvm and rng.random() < 0.35,
    )
    return replace(style, comdat=llvm and odd and style.linkage.startswith(("linkonce", "weak")) and rng.random() < 0.5)
