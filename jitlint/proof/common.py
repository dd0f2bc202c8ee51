"""Operations that both modules have, letter for letter: their values are taken for equal, and that is checked after.

Most of a module is what it was. A pure operation whose text is in both blocks gives equal values if its operands are
equal; so it gets a term that says no more than "the value of this name, in both". The others are executed, with such
terms among their operands. If then every name that a common operation uses, and that an executed one defines, has one
term in both modules, the assumption holds for all: each common operation rests on operands that stand before it.

Constants and operations that move bytes are executed all the same, since it matters what they are made of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from jitlint.ir.effects import NONE, declared, full_name
from jitlint.ir.tree import Block, Operation
from jitlint.proof.movers import MOVERS
from jitlint.proof.terms import Term, Terms
from jitlint.syntax.lexer import SSA_NAME
from jitlint.syntax.shapes import OPERATION, Shape

_PLAIN = re.compile(rf'\s*{SSA_NAME} = [a-z_]+\.[\w.]+ (?=[^%]*%)(?:[^"@#!/^{{]|#loc[0-9]*\b|#[0-9])*\Z')
"""One result, some operands, nothing that would have to be looked up elsewhere or may hide a name."""
_NAME = re.compile(rf"{SSA_NAME}(?:#[0-9]+)?")


class Common(NamedTuple):
    """The lines that two blocks have in common, and the names that they define."""

    lines: frozenset[str]
    names: frozenset[str]

    def others(self, block: Block) -> list[int]:
        """The operations of a block that are not among them."""
        text, cut = block.region.unit.text, block.cut
        pairs = zip(cut.starts, cut.ends, strict=True)
        return [index for index, (start, end) in enumerate(pairs) if text[start:end] not in self.lines]

    def hold(self, first: Values, second: Values) -> bool:
        """Whether the names that they use are equal where they were executed."""
        used = set(_NAME.findall("\n".join(self.lines)))
        return all(first.known(name) == second.known(name) for name in used if name.partition("#")[0] not in self.names)


class Values(dict[str, Term]):
    """The terms of names, those that are common made when somebody asks for them."""

    def __init__(self, terms: Terms, common: Common | None = None) -> None:
        super().__init__()
        self._terms = terms
        self._common = common.names if common is not None else frozenset[str]()
        self.captured: dict[str, Term] = {}

    def __missing__(self, name: str) -> Term:
        if name not in self._common:
            raise KeyError(name)
        term = self[name] = self._terms.make("common", name)
        return term

    def known(self, name: str) -> Term | None:
        """The value of a name; `%0#0` and `%0` are the same where there is one result, or the first is meant."""
        for spelled in (name, name.removesuffix("#0") if name.endswith("#0") else f"{name}#0"):
            if spelled in self or spelled in self._common:
                return self[spelled]
        return None

    def defines(self, name: str) -> bool:
        """Whether a name has a value already."""
        return name in self or name in self._common


class Captured(Values):
    """The same for an operation by itself: values from outside of it are no more than the first, the second, …; but
    constants are what they are, wherever they stand."""

    def __init__(self, terms: Terms, outer: Mapping[str, object]) -> None:
        super().__init__(terms)
        self._outer = outer

    def __missing__(self, name: str) -> Term:
        if name not in self._outer:
            raise KeyError(name)
        value = self._outer[name]
        if isinstance(value, int) and len(self._terms.nodes[value]) == 2 and self._terms.nodes[value][0] == "op":
            term = self[name] = value
        else:
            term = self[name] = self.captured[name] = self._terms.make("captured", len(self.captured))
        return term

    def known(self, name: str) -> Term | None:
        """The value of a name."""
        for spelled in (name, name.removesuffix("#0") if name.endswith("#0") else f"{name}#0"):
            if spelled in self or spelled in self._outer:
                return self[spelled]
        return None

    def defines(self, name: str) -> bool:
        """Whether a name has a value already."""
        return name in self or name in self._outer


def common_lines(first: Operation, second: Operation, known: dict[Shape, bool]) -> Common | None:
    """What the bodies of two functions have in common, None where that is not worth it. `known` keeps what was found
    out about shapes of lines."""
    blocks = [operation.regions[0].blocks if len(operation.regions) == 1 else [] for operation in (first, second)]
    if not all(len(each) == 1 for each in blocks):
        return None
    lines = frozenset.intersection(*[frozenset(_pure_lines(each[0], known)) for each in blocks])
    names = frozenset([line[: line.index(" ")] for line in lines])
    return Common(lines, names) if len(lines) == len(names) > 0 else None


def _pure_lines(block: Block, known: dict[Shape, bool]) -> list[str]:
    text, cut = block.region.unit.text, block.cut
    for shape in set(cut.shapes).difference(known):
        known[shape] = _is_pure(shape)
    triples = zip(cut.starts, cut.ends, cut.shapes, strict=True)
    return [text[start:end] for start, end, shape in triples if known[shape]]


def _is_pure(shape: Shape) -> bool:
    """Whether lines of a shape are pure operations on values, written on a line of their own."""
    name = full_name(shape.name)
    if shape.kind != OPERATION or name in MOVERS or not name.startswith(("stablehlo.", "arith.", "math.")):
        return False
    return declared(name) == NONE and name != "stablehlo.custom_call" and _PLAIN.match(shape.sample) is not None
