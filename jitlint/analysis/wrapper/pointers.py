"""Follow the pointers of one function: its operations, in the terms of `points_to`.

Each kind of operation says what flows: views, merges, loads, stores, copies, branches, calls. One that is not known may
do anything with all that it can reach, and what comes out of it is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jitlint.analysis.wrapper import pointer_operations
from jitlint.analysis.wrapper.operands import (
    binds,
    block_arguments,
    direct_callee,
    first_symbol,
    intrinsic,
    outs,
    own_operands,
    successors,
)
from jitlint.analysis.wrapper.origins import (
    OUTSIDE,
    PARAMETER,
    REQUEST,
    SYMBOL_OF,
    UNKNOWN,
    Access,
    Call,
    Origin,
    Place,
    Pointers,
    single,
)
from jitlint.analysis.wrapper.points_to import PointsTo
from jitlint.ir import effects
from jitlint.ir.functions import Function
from jitlint.ir.tree import Operation, Region
from jitlint.syntax.lexer import SyntaxProblem

DEEPEST = 200
"""Regions inside one another, at the most, for a function to be followed."""


def follow(function: Function, known: Callable[[str, int], str], is_outside: Callable[[str], bool]) -> Pointers | None:
    """Follow the pointers of a function with a body; None where it cannot be cut into operations for certain, or where
    there is too much to follow. `known` gives the roles of the arguments of a function outside, "" of any other;
    `is_outside` tells whether the module has no body for a function, so that its name says what it does."""
    assert function.body is not None
    values = _Values(function, known, is_outside)
    try:
        return values.answer() if values.collect(function.body) and values.solve() else None
    except SyntaxProblem:
        return None


class _Values(PointsTo):
    """The values of a function by number, what each may point to, and what flows where."""

    def __init__(self, function: Function, known: Callable[[str, int], str], is_outside: Callable[[str], bool]) -> None:
        super().__init__()
        self._known = known
        self._is_outside = is_outside
        self._function = function
        self._symbols: list[str] = []
        self._writes: list[tuple[Operation, int]] = []
        self._reads: list[tuple[Operation, int]] = []
        self._values_stored: list[tuple[Operation, int, int]] = []
        self._lost: list[tuple[Operation, int]] = []
        self._opaque: list[Operation] = []
        self._calls: list[tuple[str, Operation, tuple[int, ...]]] = []
        self._indirect: list[tuple[Operation, int, tuple[int, ...]]] = []
        self._requests: list[int] = []
        self._parameters = [self._new() for _ in function.parameters]
        for index, value in enumerate(self._parameters):
            self._source(value, Origin(PARAMETER, index))

    def collect(self, body: Region) -> bool:
        """Give every value of the body a number and note what flows; returns whether that is certain.

        Names are looked up innermost first.
        """
        named = zip(self._function.parameters, self._parameters, strict=True)
        outer = {parameter.name: value for parameter, value in named if parameter.name}
        pending: list[tuple[Region, tuple[Mapping[str, int], ...], int | None]] = [(body, (outer,), None)]
        while pending:
            region, scopes, inside = pending.pop()
            if region.problems or len(scopes) > DEEPEST:
                return False
            own = self._defined(region, inside, first=region is body)
            inner = (own, *scopes) if own else scopes
            for block in region.blocks:
                for operation in block.operations:
                    operands = [_find(name, inner) for name in own_operands(operation)]
                    results = [own[name] for name, _ in operation.results]
                    if inside is not None and operation.index == len(block) - 1:
                        self._copy_all(operands, inside)
                    if operation.regions:
                        held, bound = self._around(operation, operands, results)
                        pending += ((nested, (bound, *inner) if bound else inner, held) for nested in operation.regions)
                    self._operation(operation, [self._nothing if x is None else x for x in operands], results)
                    if len(region.blocks) > 1:
                        self._branch(operation, operands, inner, region)
        return True

    @property
    def _nothing(self) -> int:
        """A number for a value that has no name here and of which nothing is known."""
        value = self._new()
        self._add(value, UNKNOWN)
        return value

    def _defined(self, region: Region, inside: int | None, *, first: bool) -> dict[str, int]:
        """Numbers for the values that the blocks of a region define."""
        own: dict[str, int] = {}
        for number, block in enumerate(region.blocks):
            if not (first and number == 0):
                for name in block_arguments(block):
                    own[name] = self._new()
                    if inside is not None:
                        self._copy(inside, own[name])
            for operation in block.operations:
                for name, _ in operation.results:
                    own[name] = self._new()
        return own

    def _around(
        self, operation: Operation, operands: Sequence[int | None], results: Sequence[int]
    ) -> tuple[int, dict[str, int]]:
        """What flows through an operation with regions: operands and what its blocks end in, to results and arguments
        of its blocks. Also the names that its own text binds, as `scf.for` does."""
        held = self._new()
        self._copy_all(operands, held)
        for result in results:
            self._copy(held, result)
        return held, dict.fromkeys(own_operands(operation), held) if binds(operation) else {}

    def _branch(
        self,
        operation: Operation,
        operands: Sequence[int | None],
        scopes: tuple[Mapping[str, int], ...],
        region: Region,
    ) -> None:
        """What a terminator passes to the arguments of other blocks."""
        if operation.text.find("^", operation.operands_start, operation.end) < 0:
            return
        blocks = {block.label_name: block for block in region.blocks}
        for label, passed in successors(operation):
            block = blocks.get(label)
            if block is None:
                continue
            arguments = [scopes[0][name] for name in block_arguments(block)]
            if passed is not None and len(passed) == len(arguments):
                for name, argument in zip(passed, arguments, strict=True):
                    value = _find(name, scopes)
                    if value is not None:
                        self._copy(value, argument, certain=True)
            else:
                for argument in arguments:
                    self._copy_all(operands, argument)

    def _operation(self, operation: Operation, operands: Sequence[int], results: Sequence[int]) -> None:
        """What one operation does."""
        name = effects.full_name(operation.name)
        understood = False
        if (store := pointer_operations.STORES.get(name)) is not None and store[0] < len(operands):
            understood = True
            self._write(operation, operands[store[0]])
            if store[1] is not None and store[1] < len(operands):
                self._put(operation, operands[store[0]], operands[store[1]])
        if (base := pointer_operations.LOADS.get(name)) is not None and base < len(operands):
            understood = True
            self._reads.append((operation, operands[base]))
            for result in results:
                self._load(operands[base], result)
        if (copied := pointer_operations.COPIES.get(name)) is not None and max(copied) < len(operands):
            understood = True
            self._transfer(operation, operands, copied)
        if understood or name in pointer_operations.LOOKS:
            return
        if name in pointer_operations.VIEWS and operands and len(results) == 1:
            self._copy(operands[0], results[0], certain=name != "llvm.extractvalue")
            if name == "llvm.extractvalue":
                self._taken_out.append((operands[0], results[0]))
            elif name == "llvm.inttoptr":
                self._add(results[0], OUTSIDE)
            elif name == "llvm.getelementptr":
                for offset in operands[1:]:
                    self._offsets[offset].append(results[0])
        elif (merged := pointer_operations.MERGES.get(name)) is not None and len(results) == 1:
            for position in merged:
                if position < len(operands):
                    self._copy(operands[position], results[0], certain=True)
        elif name in pointer_operations.ALLOCATES:
            self._allocate(results)
        elif name in pointer_operations.ADDRESSES:
            self._address(operation, results)
        elif name in pointer_operations.CALLS or name in pointer_operations.INDIRECT_CALLS:
            self._call(operation, operands, results)
        elif name == "llvm.call_intrinsic" and (copier := intrinsic(operation)) is not None:
            self._transfer(operation, operands, copier)
        elif name.startswith("linalg.") and (written := outs(operation)):
            for used, operand in zip(own_operands(operation), operands, strict=True):
                if used in written:
                    self._write(operation, operand)
        elif name.startswith("linalg.") and operation.is_generic and operation.regions:
            self._out_of_sight(operation, operands, results, lost=True)  # which of them are outputs, a number tells
        elif effects.declared(name) == effects.NONE:
            for operand in operands:
                for result in results:
                    self._copy(operand, result)
        elif not operation.regions or effects.declared(name) != effects.RECURSIVE:
            self._out_of_sight(operation, operands, results, lost=True)

    def _write(self, operation: Operation, target: int) -> None:
        self._writes.append((operation, target))

    def _put(self, operation: Operation, base: int, value: int) -> None:
        self._store(base, value)
        self._values_stored.append((operation, base, value))

    def _transfer(self, operation: Operation, operands: Sequence[int], copied: tuple[int, int | None]) -> None:
        target, source = copied
        if target >= len(operands):
            return
        self._write(operation, operands[target])
        if source is not None and source < len(operands):
            moved = self._new()
            self._reads.append((operation, operands[source]))
            self._load(operands[source], moved)
            self._put(operation, operands[target], moved)

    def _address(self, operation: Operation, results: Sequence[int]) -> None:
        symbol = first_symbol(operation)
        for result in results:
            self._add(result, OUTSIDE)
            if symbol is not None:
                self._symbols.append(symbol)
                self._source(result, Origin(SYMBOL_OF, len(self._symbols) - 1))

    def _call(self, operation: Operation, operands: Sequence[int], results: Sequence[int]) -> None:
        callee = direct_callee(operation)
        if callee is None:
            if operands:
                self._indirect.append((operation, operands[0], tuple(operands[1:])))
            self._opaque.append(operation)
            self._out_of_sight(operation, operands, results, lost=True)
            return
        self._calls.append((callee, operation, tuple(operands)))
        is_outside = self._is_outside(callee)
        if is_outside and callee in pointer_operations.COPIERS:
            target, source = pointer_operations.COPIERS[callee]
            if source is not None and source < len(operands):
                moved = self._new()
                self._load(operands[source], moved)
                self._put(operation, operands[target], moved)
            for result in results:
                self._copy_all(operands[:1], result)
        elif is_outside and callee in pointer_operations.ALLOCATORS:
            self._allocate(results)
        elif roles := self._known(callee, len(operands)):
            for letter, operand in zip(roles, operands, strict=False):
                if letter == "r":
                    made = self._new()
                    self._requests.append(len(self._calls) - 1)
                    self._add(made, Origin(REQUEST, len(self._requests) - 1))
                    self._store(operand, made)
        elif not (is_outside and callee in pointer_operations.RELEASERS):
            self._out_of_sight(operation, operands, results, lost=False)

    def _out_of_sight(
        self, operation: Operation, operands: Sequence[int], results: Sequence[int], *, lost: bool
    ) -> None:
        """Let an unknown operation do anything with what it can reach."""
        pool = self._new()
        for operand in operands:
            self._copy(operand, pool)
        self._add(pool, UNKNOWN)
        self._load(pool, pool)
        self._store(pool, pool)
        for result in results:
            self._copy(pool, result)
        if lost:
            self._lost.append((operation, pool))

    def answer(self) -> Pointers:
        """What was found."""
        certain = self._certain()
        memo: dict[int, Place] = {}

        def at(value: int) -> Place:
            if value not in memo:
                memo[value] = Place(frozenset(self._possible[value]), frozenset(certain[value]))
            return memo[value]

        calls = [Call(callee, operation, tuple(map(at, passed))) for callee, operation, passed in self._calls]
        requests = tuple(calls[number] for number in self._requests)
        for operation, pointer, passed in self._indirect:
            found = at(pointer)
            for origin in found.possible:
                if origin.kind == SYMBOL_OF:
                    sure = origin in found.certain
                    arguments = tuple(at(x) if sure else at(x)._replace(certain=frozenset()) for x in passed)
                    calls.append(Call(self._symbols[origin.number], operation, arguments))
        held = [frozenset(self._possible[value]) for value in self._objects]
        return Pointers(
            writes=tuple(Access(operation, at(value)) for operation, value in self._writes),
            reads=tuple(Access(operation, at(value)) for operation, value in self._reads),
            calls=tuple(calls),
            stored=tuple((Access(operation, at(base)), at(value)) for operation, base, value in self._values_stored),
            lost=tuple(Access(operation, at(pool)) for operation, pool in self._lost),
            opaque=tuple(self._opaque),
            contents=tuple(Place(each, each if single(each) else frozenset()) for each in held),
            symbols=tuple(self._symbols),
            requests=requests,
        )


def _find(name: str, scopes: tuple[Mapping[str, int], ...]) -> int | None:
    return next((scope[name] for scope in scopes if name in scope), None)
