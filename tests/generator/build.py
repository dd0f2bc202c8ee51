"""Random modules as models: functions, blocks, operations, and which value goes where."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.generator.model import (
    BOOLEAN,
    BUFFERS,
    INDEX,
    MATRIX,
    SCALAR,
    VECTOR,
    Block,
    Call,
    Data,
    Function,
    Module,
    Operation,
    Type,
    Value,
    Wrapper,
)
from tests.generator.wrappers import KINDS, random_wrapper

ROUNDS = 2
"""How often a loop runs."""

_METADATA = ('backend_config = "x"', 'note = "kept apart"')


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a module is: wrappers, operations of `@main`, and how deep regions nest."""

    wrappers: int
    operations: int
    depth: int
    callees: int

    @classmethod
    def of(cls, seed: int) -> Sizes:
        """Small seeds give small modules; from 100 on, sizes no longer grow."""
        size = min(seed, 100)
        rng = random.Random(f"sizes {seed}")
        long = size == 100 and rng.random() < 0.15
        operations = rng.randint(20, 40) if long else rng.randint(2, 4 + size // 8)
        return cls(rng.randint(1, 2 + size // 25), operations, rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 1)))


def build(seed: int, sizes: Sizes) -> Module:
    """The module of a seed."""
    rng = random.Random(f"module {seed}")
    kinds = rng.choice(KINDS)
    wrappers = [random_wrapper(rng, number, kinds) for number in range(sizes.wrappers)]
    builder = _Builder(rng, wrappers, sizes.depth)
    for number in range(sizes.callees):
        builder.function(f"part{number}", rng.randint(1, 4))
    builder.function("main", sizes.operations)
    return Module(wrappers, builder.functions)


class _Builder:
    """Adds functions, their operations and their regions' operations."""

    def __init__(self, rng: random.Random, wrappers: list[Wrapper], depth: int) -> None:
        self.functions: list[Function] = []
        self._rng, self._wrappers, self._depth = rng, wrappers, depth
        self._free = rng.random() < 0.3
        """Whether calls of this module tend to be free of side effects."""
        self._barriers = rng.random() < 0.5
        self._returned = rng.choice((0.05, 0.15, 0.4))

    def function(self, name: str, operations: int) -> None:
        """A function of one to three parameters, that returns what is not used otherwise, and some more."""
        types = [self._rng.choices(BUFFERS, weights=(6, 2, 1, 1))[0] for _ in range(self._rng.choice((1, 2, 2, 3)))]
        block = Block([Value(type_) for type_ in types])
        self._fill(block, list(block.arguments), operations, self._depth)
        block.operations.append(Operation("return", self._results(block), []))
        self.functions.append(Function(name, block))

    def _results(self, block: Block) -> list[Value]:
        used = {value for operation in block.operations for value in operation.uses}
        made = [value for operation in block.operations for value in operation.results if value.type in BUFFERS]
        returned = [value for value in made if self._rng.random() < (self._returned if value in used else 0.9)]
        returned += [value for value in block.arguments if self._rng.random() < 0.1]
        return returned or [(made or block.arguments)[-1]]

    def _fill(self, block: Block, visible: list[Value], count: int, depth: int) -> None:
        """Add `count` operations, and what they need; `visible` grows with their results."""
        for _ in range(count):
            kind = self._rng.choices(("jit", "pure", "barrier", "region", "call"), weights=(58, 24, 6, 6, 6))[0]
            if kind == "jit" or (kind == "barrier" and not self._barriers):
                self._jit_call(block, visible)
            elif kind == "barrier":
                self._barrier(block, visible)
            elif kind == "region" and depth:
                self._region(block, visible, depth - 1)
            elif kind == "call" and self.functions:
                self._function_call(block, visible)
            else:
                self._pure(block, visible)

    def _add(self, block: Block, visible: list[Value], operation: Operation) -> Operation:
        block.operations.append(operation)
        visible += operation.results
        return operation

    def _pick(self, block: Block, visible: list[Value], type_: Type) -> Value:
        """A value of a type: often one that nothing uses yet, made here where there is none."""
        candidates = [value for value in visible if value.type == type_]
        if not candidates or self._rng.random() < 0.05:
            return self._constant(block, visible, type_)
        used = {value for operation in block.operations for value in operation.uses}
        fresh = [value for value in candidates if value not in used]
        if fresh and self._rng.random() < 0.7:
            return self._rng.choice(fresh[-3:])
        return self._rng.choice(candidates[-6:])

    def _constant(self, block: Block, visible: list[Value], type_: Type, data: Data | None = None) -> Value:
        numbers = data or [self._rng.randint(-4, 9) for _ in range(type_.size)]
        if type_.element == "f64":
            numbers = [float(number) for number in numbers]
        return self._add(block, visible, Operation("stablehlo.constant", [], [Value(type_)], payload=numbers)).results[
            0
        ]

    def _jit_call(self, block: Block, visible: list[Value]) -> None:
        wrapper = self._rng.choice(self._wrappers)
        operands = [self._pick(block, visible, type_) for type_ in wrapper.types]
        aliased = [index for index in range(len(operands)) if index in wrapper.written or self._rng.random() < 0.1]
        self._rng.shuffle(aliased)
        results = [Value(wrapper.types[index]) for index in aliased]
        free = self._rng.random() < (0.8 if self._free else 0.1)
        metadata = self._rng.choice(_METADATA) if self._rng.random() < 0.04 else None
        call = Call(wrapper, tuple(aliased), free, metadata)
        self._add(block, visible, Operation("enzymexla.jit_call", operands, results, call=call))

    def _pure(self, block: Block, visible: list[Value]) -> None:
        name = self._rng.choice(("add", "subtract", "maximum", "negate", "abs", "convert", "constant"))
        type_ = self._rng.choices(BUFFERS, weights=(6, 2, 1, 1))[0]
        if name == "constant":
            self._constant(block, visible, type_)
        elif name == "convert":
            self._conversion(block, visible)
        else:
            operands = [self._pick(block, visible, type_) for _ in range(1 if name in ("negate", "abs") else 2)]
            self._add(block, visible, Operation(f"stablehlo.{name}", operands, [Value(type_)]))

    def _conversion(self, block: Block, visible: list[Value]) -> None:
        name, source, target = self._rng.choice(
            (
                ("stablehlo.reshape", VECTOR, MATRIX),
                ("stablehlo.reshape", MATRIX, VECTOR),
                ("stablehlo.transpose", MATRIX, MATRIX),
                ("stablehlo.broadcast_in_dim", SCALAR, VECTOR),
                ("stablehlo.optimization_barrier", SCALAR, SCALAR),
                ("stablehlo.reduce", VECTOR, SCALAR),
            )
        )
        operands = [self._pick(block, visible, source)]
        if name == "stablehlo.reduce":
            operands.append(self._constant(block, visible, SCALAR, [0]))
        self._add(block, visible, Operation(name, operands, [Value(target)]))

    def _barrier(self, block: Block, visible: list[Value]) -> None:
        type_ = self._rng.choice((SCALAR, SCALAR, VECTOR))
        operand = self._pick(block, visible, type_)
        barrier = Operation("stablehlo.custom_call", [operand], [Value(type_)], declared_effect=True)
        self._add(block, visible, barrier)

    def _function_call(self, block: Block, visible: list[Value]) -> None:
        callee = self._rng.choice(self.functions)
        operands = [self._pick(block, visible, argument.type) for argument in callee.block.arguments]
        results = [Value(value.type) for value in callee.block.operations[-1].operands]
        self._add(block, visible, Operation("func.call", operands, results, payload=callee))

    def _region(self, block: Block, visible: list[Value], depth: int) -> None:
        name = self._rng.choice(("stablehlo.while", "stablehlo.if", "stablehlo.case"))
        if name == "stablehlo.while":
            self._loop(block, visible, depth)
            return
        if name == "stablehlo.if":
            sides = [self._pick(block, visible, SCALAR) for _ in range(2)]
            compare = Operation("stablehlo.compare", sides, [Value(BOOLEAN)])
            selector = self._add(block, visible, compare).results[0]
        else:
            selector = self._constant(block, visible, INDEX, [self._rng.randint(0, 1)])
        types = [self._rng.choice(BUFFERS) for _ in range(self._rng.choice((1, 1, 2)))]
        blocks = [self._body(visible, [], types, depth) for _ in range(2)]
        self._add(block, visible, Operation(name, [selector], [Value(type_) for type_ in types], blocks))

    def _loop(self, block: Block, visible: list[Value], depth: int) -> None:
        """A loop of `ROUNDS`; the model leaves out the counter, which the text adds."""
        types = [self._rng.choice(BUFFERS) for _ in range(self._rng.choice((1, 1, 2)))]
        operands = [self._pick(block, visible, type_) for type_ in types]
        body = self._body(visible, types, types, depth)
        results = [Value(type_) for type_ in types]
        self._add(block, visible, Operation("stablehlo.while", operands, results, [body], payload=ROUNDS))

    def _body(self, visible: list[Value], arguments: list[Type], results: list[Type], depth: int) -> Block:
        block = Block([Value(type_) for type_ in arguments])
        inside = [*visible, *block.arguments]
        self._fill(block, inside, self._rng.randint(1, 4), depth)
        yielded = [self._pick(block, inside, type_) for type_ in results]
        block.operations.append(Operation("stablehlo.return", yielded, []))
        return block
