"""Which values of a function are its pointer parameters again, and what its operations do with them.

Two questions, kept apart. A value *is* a parameter if a chain of operations that only look at a buffer in another way
(an offset, a cast) leads from the parameter to it. A value *may be* one if the parameter went into anything that could
give it back. What a function does through the first kind it does for certain, if it gets there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jitlint import lazy
from jitlint.ir import effects
from jitlint.ir.functions import Function
from jitlint.ir.tree import Block, Operation, Region
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.heads import GAP
from jitlint.syntax.lexer import COMMENT, NAMES, SSA_NAME, STRING, SYMBOL, SyntaxProblem

VIEWS = frozenset(
    [
        "llvm.getelementptr",
        "llvm.bitcast",
        "llvm.addrspacecast",
        "llvm.intr.launder.invariant.group",
        "llvm.intr.ptr.annotation",
        "llvm.intr.strip.invariant.group",
        "llvm.intr.ptrmask",
        "llvm.intr.threadlocal.address",
        "memref.cast",
        "memref.subview",
        "memref.reinterpret_cast",
        "memref.collapse_shape",
        "memref.expand_shape",
        "memref.view",
        "memref.reshape",
        "memref.memory_space_cast",
        "memref.transpose",
        "memref.assume_alignment",
        "enzymexla.pointer2memref",
        "enzymexla.memref2pointer",
        "enzymexla.subindex",
        "builtin.unrealized_conversion_cast",
    ]
)
"""Their first operand's buffer is the buffer of their one result."""

WRITES = {
    "llvm.store": 1,
    "llvm.intr.memcpy": 0,
    "llvm.intr.memcpy.inline": 0,
    "llvm.intr.memmove": 0,
    "llvm.intr.memset": 0,
    "llvm.intr.memset.inline": 0,
    "llvm.intr.masked.store": 1,
    "llvm.atomicrmw": 0,
    "llvm.cmpxchg": 0,
    "memref.store": 1,
    "memref.copy": 1,
    "memref.atomic_rmw": 1,
    "memref.generic_atomic_rmw": 0,
    "affine.store": 1,
    "affine.vector_store": 1,
    "vector.store": 1,
    "vector.maskedstore": 0,
}
"""Operations that write through an operand, and which."""

READS = {
    "llvm.load": 0,
    "llvm.icmp": -1,
    "llvm.intr.memcpy": 1,
    "llvm.intr.memcpy.inline": 1,
    "llvm.intr.memmove": 1,
    "llvm.intr.masked.load": 0,
    "llvm.intr.prefetch": 0,
    "llvm.intr.assume": -1,
    "llvm.intr.lifetime.start": -1,
    "llvm.intr.lifetime.end": -1,
    "memref.load": 0,
    "memref.copy": 0,
    "memref.dim": 0,
    "memref.rank": 0,
    "memref.prefetch": 0,
    "affine.load": 0,
    "affine.vector_load": 0,
    "affine.prefetch": 0,
    "vector.load": 0,
    "vector.maskedload": 0,
}
"""Operations that only read through an operand and do not give it back, and which operand; -1 for any."""

CALLS = frozenset({"llvm.call", "llvm.invoke", "func.call"})

_BOUND = lazy.pattern(rf"{STRING}|{COMMENT}|({SSA_NAME})")
_NAMED = re.compile(rf"{STRING}|{COMMENT}|({SYMBOL})|(\()|(?<![\w$.])callee{GAP}={GAP}({SYMBOL})")


class Passed(NamedTuple):
    """A parameter that goes into a call as argument `position` of `callee`."""

    callee: str
    position: int
    operation: Operation


class Uses:
    """What a function does with one parameter: writes through it, passes it on, or lets it out of sight."""

    def __init__(self) -> None:
        self.writes: list[Operation] = []
        self.passed: list[Passed] = []


class Pointers(NamedTuple):
    """For each parameter, what is done with it for certain, and what may be done."""

    certain: tuple[Uses, ...]
    possible: tuple[Uses, ...]


DEEPEST = 200
"""Regions inside one another, at the most, for a function to be followed."""


def follow(function: Function) -> Pointers | None:
    """Follow the parameters of a function with a body; None where cutting it into operations is not certain."""
    assert function.body is not None
    walk = _Walk(function)
    try:
        sure = walk.collect(function.body)
    except SyntaxProblem:
        return None
    return walk.answer() if sure else None


class _Walk:
    """All operations of a function with their operands resolved to values: parameters and results, by number."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.count = len(function.parameters)
        self.users: list[list[tuple[Operation, int]]] = [[] for _ in function.parameters]
        self.results: dict[int, tuple[int, ...]] = {}
        self.kept: list[Operation] = []

    def collect(self, body: Region) -> bool:
        """Give every value of the body a number and note its uses; returns whether that is certain.

        Names are looked up innermost first.
        """
        outer = {parameter.name: index for index, parameter in enumerate(self.function.parameters) if parameter.name}
        pending: list[tuple[Region, tuple[Mapping[str, int], ...]]] = [(body, (outer,))]
        while pending:
            region, scopes = pending.pop()
            if region.problems or len(scopes) > DEEPEST:
                return False
            own = self._defined(region, first=region is body)
            inner = (own, *scopes) if own else scopes
            for block in region.blocks:
                for operation in block.operations:
                    self._use(operation, inner)
                    pending.extend((nested, inner) for nested in operation.regions)
        return True

    def _defined(self, region: Region, *, first: bool) -> dict[str, int]:
        """Numbers for the values that the blocks of a region define."""
        own: dict[str, int] = {}
        for number, block in enumerate(region.blocks):
            if not (first and number == 0):
                own.update((name, self._new()) for name in _block_arguments(block))
            for operation in block.operations:
                for name, _ in operation.results:
                    own[name] = self._new()
                self.results[id(operation)] = tuple(own[name] for name, _ in operation.results)
                self.kept.append(operation)
        return own

    def _new(self) -> int:
        self.users.append([])
        return len(self.users) - 1

    def _use(self, operation: Operation, scopes: tuple[Mapping[str, int], ...]) -> None:
        for position, name in enumerate(own_operands(operation)):
            for scope in scopes:
                if name in scope:
                    self.users[scope[name]].append((operation, position))
                    break

    def answer(self) -> Pointers:
        """Follow each parameter to everything that is made of it."""
        certain = tuple(self._from(index, certain=True) for index in range(self.count))
        possible = tuple(self._from(index, certain=False) for index in range(self.count))
        return Pointers(certain, possible)

    def _from(self, parameter: int, *, certain: bool) -> Uses:
        uses = Uses()
        seen = {parameter}
        pending = [parameter]
        while pending:
            for operation, position in self.users[pending.pop()]:
                goes_on = self._step(operation, position, uses, certain=certain)
                for result in self.results[id(operation)] if goes_on else ():
                    if result not in seen:
                        seen.add(result)
                        pending.append(result)
        return uses

    def _step(self, operation: Operation, position: int, uses: Uses, *, certain: bool) -> bool:
        """Note what one operation does with one operand; returns whether its results are made of it."""
        name = effects.full_name(operation.name)
        if WRITES.get(name) == position:
            uses.writes.append(operation)
            return name == "memref.generic_atomic_rmw" and not certain
        if READS.get(name) in (position, -1):
            return False
        if name in VIEWS and position == 0 and len(operation.results) == 1:
            return True
        if name in CALLS and (callee := direct_callee(operation)) is not None:
            uses.passed.append(Passed(callee, position, operation))
            return not certain
        if certain:
            return False
        if effects.declared(name) == effects.NONE and operation.results:
            return True
        uses.writes.append(operation)
        return False


def _block_arguments(block: Block) -> Iterator[str]:
    if block.cut.arguments is None:
        return
    start, end = block.cut.arguments
    for match in _BOUND.finditer(block.region.unit.text, start, end):
        if match[1] is not None:
            yield match[1]


def own_operands(operation: Operation) -> list[str]:
    """The SSA names that an operation uses itself, outside its regions, in order."""
    names: list[str] = []
    position = operation.operands_start
    for start, end in [*((region.start, region.end) for region in operation.regions), (operation.end, operation.end)]:
        names += [match[1] for match in NAMES.finditer(operation.text, position, start) if match[1] is not None]
        position = end
    return names


def direct_callee(operation: Operation) -> str | None:
    """The function that a call names; None for a call through a pointer."""
    generic = operation.is_generic
    for match in _NAMED.finditer(operation.text, operation.operands_start, operation.end):
        if symbol := match[3] if generic else match[1]:
            return symbol_name(symbol)
        if match[2] is not None and not generic:
            return None
    return None
