"""What the operations of a body that is not executed may do to the memory that some of its values point into."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from jitlint.ir.tree import Operation, Region
from jitlint.proof.module_facts import CALLS, Module
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.lexer import NAMES, SSA_NAME, SYMBOL

_CALLEE = re.compile(rf"\s*+(?:llvm\.|func\.)?call\b[^@%\"]*({SYMBOL})")
_FIRST = """
    llvm.intr.memcpy llvm.intr.memmove llvm.intr.memset llvm.atomicrmw llvm.cmpxchg memref.generic_atomic_rmw
    vector.maskedstore vector.compressstore vector.scatter gpu.memcpy gpu.memset
"""
_SECOND = """
    llvm.store memref.store affine.store vector.store affine.vector_store vector.transfer_write memref.copy
    memref.atomic_rmw
"""
_ADDRESS = {**dict.fromkeys(_SECOND.split(), 1), **dict.fromkeys(_FIRST.split(), 0)}
"""Which operand is the address that these operations write to."""
_LOADS = frozenset(["llvm.load", "memref.load", "affine.load", "vector.load"])
_BRANCHES = frozenset(["llvm.br", "llvm.cond_br", "llvm.switch", "cf.br", "cf.cond_br", "cf.switch"])
BOUND = re.compile(rf"({SSA_NAME})\s*=(?!=)")
"""A value that a region binds, before it begins: `iter_args(%a = %b)`."""
_ROUNDS = 12
"""How often a body is gone through, at the most, until nothing new is found."""


class Touch(IntEnum):
    """What happens to some memory: nothing is written; it might be, by what is not known here (functions outside the
    module, operations without a rule); it is written."""

    NOT = 0
    OUTSIDE = 1
    WRITTEN = 2


def touches(module: Module, operation: Operation, names: Sequence[str]) -> list[Touch]:
    """What an operation itself does to what each of its operands points to, calls and regions aside."""
    if operation.name in _LOADS:
        return [Touch.NOT] * len(names)
    if operation.name in _ADDRESS and _ADDRESS[operation.name] < len(names):
        target = names[_ADDRESS[operation.name]]
        return [Touch.WRITTEN if name == target else Touch.NOT for name in names]
    return [Touch.OUTSIDE if module.acts(operation) else Touch.NOT] * len(names)


class Reach:
    """Answers for the functions of one symbol table."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: dict[str, tuple[Touch, ...] | None] = {}

    def parameters(self, symbol: str) -> tuple[Touch, ...] | None:
        """What a function may do to what each parameter points to; None where it has no body or is not followed."""
        if symbol not in self._known:
            self._known[symbol] = None  # while it is being found out, and for one that calls itself
            function = self._module.function(symbol)
            if function is not None and function.body is not None and self._module.facts(symbol).height is not None:
                names = [parameter.name or "" for parameter in function.parameters]
                self._known[symbol] = self._of([function.body], names)
        return self._known[symbol]

    def captured(self, operation: Operation, names: Iterable[str]) -> tuple[Touch, ...]:
        """What an operation may do to what each of these values points to."""
        flow = _Flow(self, self._module, {name: 1 << index for index, name in enumerate(dict.fromkeys(names))})
        for _ in range(_ROUNDS):
            if not flow.go_on([operation]):
                return flow.touches
        return flow.all_written

    def _of(self, regions: list[Region], names: list[str]) -> tuple[Touch, ...]:
        flow = _Flow(self, self._module, {name: 1 << index for index, name in enumerate(names)})
        for _ in range(_ROUNDS):
            if not flow.go_on([each for region in regions for _, each in self._module.operations(region)]):
                return flow.touches
        return flow.all_written


class _Flow:
    """Which values may hold an address that came from which of the given ones, in whatever order."""

    def __init__(self, reach: Reach, module: Module, given: Mapping[str, int]) -> None:
        self._reach, self._module = reach, module
        self._from = dict(given)
        self._count = len(given)
        self._written = self._outside = self._spilled = 0

    @property
    def touches(self) -> tuple[Touch, ...]:
        """The answer for each given value."""
        return tuple([self._touch(1 << index) for index in range(self._count)])

    def _touch(self, bit: int) -> Touch:
        if self._written & bit:
            return Touch.WRITTEN
        return Touch.OUTSIDE if self._outside & bit else Touch.NOT

    @property
    def all_written(self) -> tuple[Touch, ...]:
        """The answer where none was found."""
        return (Touch.WRITTEN,) * self._count

    def go_on(self, operations: list[Operation]) -> bool:
        """Go through the operations once; whether something new was found."""
        before = (dict(self._from), self._written, self._outside, self._spilled)
        pending = list(operations)
        while pending:
            operation = pending.pop()
            self._step(operation)
            if len(operations) == 1:
                pending += [each for region in operation.regions for _, each in self._module.operations(region)]
        return before != (self._from, self._written, self._outside, self._spilled)

    def _step(self, operation: Operation) -> None:
        names = [name for name, _ in operation.operands]
        masks = [self._from.get(name, 0) for name in names]
        together, name = 0, operation.name
        for mask in masks:
            together |= mask
        if name in _LOADS:
            together = self._spilled
        elif name in CALLS:
            self._call(operation, masks, together)
        else:
            if together and (name in _BRANCHES or operation.regions):
                self._flood(operation)
            self._touched(masks, touches(self._module, operation, names))
            if name.endswith("store") and masks:
                self._spilled |= masks[0]
            elif self._module.acts(operation):
                self._spilled |= together
        if together:
            for result, _ in operation.results:
                self._from[result] = self._from.get(result, 0) | together

    def _call(self, operation: Operation, masks: list[int], together: int) -> None:
        match = _CALLEE.match(operation.text, operation.operands_start, operation.end)
        symbol = symbol_name(match[1]) if match else ""
        found = self._reach.parameters(symbol) if symbol else None
        self._spilled |= together
        function = self._module.function(symbol) if symbol else None
        if not symbol or (function is not None and function.body is None):  # without one, its address is from outside
            self._outside |= together | self._spilled
        elif found is None or len(found) != len(masks):
            self._written |= together | self._spilled
        else:
            self._touched(masks, found)

    def _touched(self, masks: Sequence[int], found: Sequence[Touch]) -> None:
        for mask, touch in zip(masks, found, strict=True):
            self._written |= mask if touch is Touch.WRITTEN else 0
            self._outside |= mask if touch is Touch.OUTSIDE else 0

    def _flood(self, operation: Operation) -> None:
        """Values that go to other blocks, or into regions, may come out as any of their arguments."""
        text, regions = operation.text, operation.regions or (operation.block.region,)
        head = operation.regions[0].start if operation.regions else operation.end
        blocks = [block for region in regions for block in region.blocks]
        names = [*NAMES.finditer(text, operation.operands_start, head)]
        if operation.regions:  # what a region ends with may come in again
            ends = [block[len(block) - 1] for block in blocks if len(block)]
            names += [match for last in ends for match in NAMES.finditer(text, last.operands_start, last.end)]
        given = 0
        for match in names:
            given |= self._from.get(match[1] or "", 0)
        arguments = [
            match[1] for block in blocks if block.cut.arguments for match in NAMES.finditer(text, *block.cut.arguments)
        ]
        if operation.regions:
            arguments += BOUND.findall(text, operation.operands_start, head)
        for name in filter(None, arguments):
            self._from[name] = self._from.get(name, 0) | given
