"""Operations that both modules have, letter for letter: their values are taken for equal, and that is checked after.

Most of a module is what it was. A pure operation whose text is in both blocks gives equal values if its operands are
equal; so it gets a term that says no more than "the value of this name, in both". The others are executed, with such
terms among their operands. If then every name that a common operation uses, and that an executed one defines, has one
term in both modules, the assumption holds for all: each common operation rests on operands that stand before it.

Constants and operations that move bytes are executed all the same, since it matters what they are made of.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping
from itertools import pairwise
from typing import NamedTuple

from jitlint.ir.effects import NONE, declared, full_name
from jitlint.ir.tree import Block, Operation
from jitlint.proof.known_results import MOVERS
from jitlint.proof.terms import Term, Terms
from jitlint.syntax.lexer import SSA, SSA_NAME
from jitlint.syntax.shapes import OPERATION, Shape

_PLAIN = re.compile(rf'\s*{SSA_NAME} = [a-z_]+\.[\w.]+ (?=[^%]*%)(?:[^"@#!/^{{]|#loc[0-9]*\b|#[0-9])*\Z')
"""One result, some operands, nothing that would have to be looked up elsewhere or may hide a name."""
_NAME = re.compile(r"%[0-9]++(?:#[0-9]++)?|%[A-Za-z$._-][A-Za-z0-9$._-]*+(?:#[0-9]++)?")
"""A name, which `SSA_NAME` describes, and its number; in two branches, which are found in two thirds of the time."""
_DEFINED = re.compile(rf"({SSA_NAME}) = ")


class Common(NamedTuple):
    """What two blocks have in common: which operations of each are not common, the names that the common ones define
    and those others mention, and the names that they use and do not define."""

    others: dict[Block, list[int]]
    names: frozenset[str]
    used: frozenset[str]

    def hold(self, first: Values, second: Values) -> bool:
        """Whether the names that they use are equal where they were executed."""
        return all(first.known(name) == second.known(name) for name in self.used)


class Values(dict[str, Term]):
    """The terms of names, those that are common made when somebody asks for them."""

    def __init__(self, terms: Terms, common: Common | None = None) -> None:
        super().__init__()
        self._terms = terms
        self._common: Container[str] = common.names if common is not None else frozenset[str]()
        self.captured: list[str] = []

    def __missing__(self, name: str) -> Term:
        if name not in self._common:
            raise KeyError(name)
        term = self[name] = self._terms.make("common", name)
        return term

    def known(self, name: str) -> Term | None:
        """The value of a name; `%0#0` and `%0` are the same where there is one result, or the first is meant."""
        if name in self or name in self._common:
            return self[name]
        other = name.removesuffix("#0") if name.endswith("#0") else f"{name}#0"
        return self[other] if other in self or other in self._common else None

    def defines(self, name: str) -> bool:
        """Whether a name has a value already."""
        return name in self or name in self._common


class Captured(Values):
    """The same for an operation by itself: values from outside of it are no more than the first, the second, …, a new
    one at each use, since one module may have two names for what is one value in the other; but constants are what they
    are, wherever they stand."""

    def __init__(self, terms: Terms, outer: Mapping[str, object]) -> None:
        super().__init__(terms)
        self._common = self._outer = outer

    def __missing__(self, name: str) -> Term:
        if name not in self._outer:
            raise KeyError(name)
        value = self._outer[name]
        if isinstance(value, int) and len(self._terms.nodes[value]) == 2 and self._terms.nodes[value][0] == "op":
            self[name] = value
            return value
        self.captured.append(name)
        return self._terms.make("captured", len(self.captured))


def common_lines(first: Operation, second: Operation, known: dict[Shape, bool]) -> Common | None:
    """What the bodies of two functions have in common, None where that is not worth it. `known` keeps what was found
    out about shapes of lines.

    Stretches of pure operations are compared as a whole, and line by line only what is left of them. No text is kept:
    a large module is most of what there is in memory.
    """
    blocks = [operation.regions[0].blocks if len(operation.regions) == 1 else [] for operation in (first, second)]
    if not all(len(each) == 1 for each in blocks):
        return None
    one, two = _Pure(blocks[0][0], known), _Pure(blocks[1][0], known)
    names = _Names()
    places = {hash(one.text(span)): span for span in one.stretches}
    for span in two.stretches:
        text = two.text(span)
        place = places.pop(hash(text), None)
        if place is not None and one.text(place) == text and names.add(text, *span):
            one.shared.add(place)
            two.shared.add(span)
    known_lines, lines = one.lines().keys(), two.lines()
    lines = {line: index for line, index in lines.items() if line in known_lines}
    if not all(names.add(line, index, index + 1) for line, index in lines.items()) or not names.are_single:
        return None
    others = {each.block: each.others(lines.keys()) for each in (one, two)}
    mentions = [_mentions(each.block, others[each.block]) for each in (one, two)]
    mentioned = {name for found in mentions for names_of in found for name in names_of}
    if not names.are_in_order(two.block, others[two.block], mentions[1]):
        return None
    return Common(others, frozenset(mentioned & names.defined.keys()), names.outside())


def _mentions(block: Block, some: list[int]) -> list[list[str]]:
    """The names in each of some operations of a block."""
    text, starts, ends = block.region.unit.text, block.cut.starts, block.cut.ends
    return [SSA.findall(text, starts[index], ends[index]) for index in some]


class _Names:
    """The names that lines of the second block define and use, as they are added: each with the place where it is
    defined, or first used."""

    def __init__(self) -> None:
        self.defined: dict[str, int] = {}
        self._used: dict[str, int] = {}
        self._count = 0

    def add(self, text: str, place: int, after: int) -> bool:
        """Add the lines from `place` on; whether they are as many operations, each of them with a name of its own."""
        own = _DEFINED.findall(text)
        if len(own) != after - place:
            return False
        self.defined.update(dict.fromkeys(own, place))
        self._count += len(own)
        first = self._used
        for name in set(_NAME.findall(text)).difference(own):
            if first.setdefault(name, place) > place:
                first[name] = place
        return True

    @property
    def are_single(self) -> bool:
        """Whether there are any, and none is defined twice."""
        return 0 < self._count == len(self.defined)

    def are_in_order(self, block: Block, others: list[int], mentions: list[list[str]]) -> bool:
        """Whether in the second block all that lines use, or other operations use of them, is defined above; `mentions`
        are the names in each of the others.

        In the first it is, or the program means nothing. (So lines that stay together are in order.)
        """
        defined, first = self.defined, dict[str, int]()
        for name, place in self._used.items():
            name = name.partition("#")[0]
            if defined.get(name, place) > place:
                return False
            first[name] = min(place, first.get(name, place))
        text, starts = block.region.unit.text, block.cut.starts
        for index, names in zip(others, mentions, strict=True):
            for name in names:
                if defined.get(name, index) > index:
                    return False
            start = starts[index]
            if text[start] == "%":
                for name in names[: text.count("%", start, text.find("=", start))]:
                    if first.get(name, index) < index:
                        return False
        return True

    def outside(self) -> frozenset[str]:
        """The names that are used and not defined."""
        return frozenset([name for name in self._used if name.partition("#")[0] not in self.defined])


class _Pure:
    """The pure operations of a block: its stretches of them, by the index of the first and the one after the last, and
    which of these are `shared` with another block."""

    def __init__(self, block: Block, known: dict[Shape, bool]) -> None:
        self.block = block
        shapes = block.cut.shapes
        for shape in set(shapes).difference(known):
            known[shape] = _is_pure(shape)
        between = [-1, *[index for index, shape in enumerate(shapes) if not known[shape]], len(shapes)]
        self.stretches = [(before + 1, after) for before, after in pairwise(between) if before + 1 < after]
        self.shared = set[tuple[int, int]]()

    def text(self, span: tuple[int, int]) -> str:
        """The text of some operations."""
        return self.block.region.unit.text[self.block.cut.starts[span[0]] : self.block.cut.ends[span[1] - 1]]

    def lines(self) -> dict[str, int]:
        """The operations that are in no stretch that is shared, with their places."""
        left = [range(*span) for span in self.stretches if span not in self.shared]
        return {self.text((index, index + 1)): index for span in left for index in span}

    def others(self, lines: Collection[str]) -> list[int]:
        """The operations of the block that are neither in what is shared nor among some lines."""
        found, after = list[int](), 0
        for begin, end in self.stretches:
            found += range(after, begin)
            if (begin, end) not in self.shared:
                found += [index for index in range(begin, end) if self.text((index, index + 1)) not in lines]
            after = end
        return [*found, *range(after, len(self.block))]


def _is_pure(shape: Shape) -> bool:
    """Whether lines of a shape are pure operations on values, written on a line of their own."""
    name = full_name(shape.name)
    if shape.kind != OPERATION or name in MOVERS or not name.startswith(("stablehlo.", "arith.", "math.")):
        return False
    return declared(name) == NONE and name != "stablehlo.custom_call" and _PLAIN.match(shape.sample) is not None
