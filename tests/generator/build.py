"""Random modules as models: functions, blocks, operations, and which value goes where."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from tests.generator.elements import EXACT, is_float
from tests.generator.layout_text import SPELLINGS, Layout
from tests.generator.look_alikes import CONFIGURATIONS, NOTES, SUPPRESSIONS
from tests.generator.model import (
    BOOLEAN,
    INDEX,
    SCALAR,
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
from tests.generator.traits import Traits
from tests.generator.wrappers import random_wrapper

ROUNDS = 2
"""How often a loop runs."""

_UNARY = ("negate", "abs", "not")
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


def build(seed: int, sizes: Sizes, inside: bool = False, *, extended: bool = False) -> Module:
    """The module of a seed; `inside` another one it has nothing but what a symbol table can have."""
    rng = random.Random(f"module {seed}")
    traits = Traits.random(rng, extended=extended)
    wrappers: list[Wrapper] = []
    for number in range(sizes.wrappers):
        wrappers.append(random_wrapper(rng, number, traits.palette, wrappers))
    builder = _Builder(rng, wrappers, sizes.depth, traits)
    for number in range(sizes.callees):
        builder.function(f"part{number}", rng.randint(1, 4), public=rng.random() < 0.2)
    builder.function("start" if inside else "main", sizes.operations)
    inner: list[Module] = []
    while not inside and traits.containers and len(inner) < 3 and rng.random() < 0.6:
        number, few = rng.choice((seed, rng.randint(0, 10**6))), Sizes(2, rng.randint(1, 4), 0, 0)
        inner.append(build(number, few, inside=True, extended=extended))
    module = Module(wrappers, builder.functions, tuple(inner), rng.choice(("module", "builtin.module", "gpu.module")))
    return without_exports(module)


def without_exports(module: Module) -> Module:
    """`module` without the public `func.func` wrappers that no JIT call names, which the engine would export."""
    named = {call.call.wrapper.name for block in module.blocks for call in block.calls if call.call}
    kept = [wrapper for wrapper in module.wrappers if wrapper.name in named or not wrapper.public]
    return Module(kept, module.functions, module.inner, module.container)


class _Builder:
    """Adds functions, their operations and their regions' operations."""

    def __init__(self, rng: random.Random, wrappers: list[Wrapper], depth: int, traits: Traits) -> None:
        self.functions: list[Function] = []
        self._rng, self._wrappers, self._depth, self._traits = rng, wrappers, depth, traits
        self._number = 0
        self._free = rng.random() < 0.3
        """Whether calls of this module tend to be free of side effects."""
        self._barriers = rng.random() < 0.5
        self._returned = rng.choice((0.05, 0.15, 0.4))

    def function(self, name: str, operations: int, public: bool = False) -> None:
        """A function of one to three parameters, that returns what is not used otherwise, and some more."""
        types = [self._traits.palette.type(self._rng) for _ in range(self._rng.choice((1, 2, 2, 3)))]
        block = Block([Value(type_) for type_ in types])
        self._fill(block, list(block.arguments), operations, self._depth)
        self._add(block, [], Operation("return", self._results(block), []))
        self.functions.append(Function(name, block, public))

    def _results(self, block: Block) -> list[Value]:
        used = {value for operation in block.operations for value in operation.uses}
        made = [value for operation in block.operations for value in operation.results if value.type != BOOLEAN]
        returned = [value for value in made if self._rng.random() < (self._returned if value in used else 0.9)]
        returned += [value for value in block.arguments if self._rng.random() < 0.1]
        return returned or [(made or block.arguments)[-1]]

    def _fill(self, block: Block, visible: list[Value], count: int, depth: int) -> None:
        """Add `count` operations, and what they need; `visible` grows with their results."""
        for _ in range(count):
            if self._traits.beside and self._rng.random() < self._traits.beside:
                self._write_beside(block, visible)
                continue
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
        self._number += 1
        operation.number = self._number
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
        numbers: Data = data or [self._rng.randint(-4, 9) for _ in range(type_.length)]
        if type_.part == "i1":
            numbers = [int(number) & 1 for number in numbers]
        if is_float(type_.part):
            numbers = [float(number) for number in numbers]
        constant = Operation("stablehlo.constant", [], [Value(type_)], payload=numbers)
        return self._add(block, visible, constant).results[0]

    def _jit_call(self, block: Block, visible: list[Value]) -> None:
        wrapper = self._rng.choice(self._wrappers)
        operands = [self._pick(block, visible, type_) for type_ in wrapper.types]
        if len(operands) > 1 and self._rng.random() < 0.05:
            self._twin_constant(block, visible, operands)
        aliased = [index for index in range(len(operands)) if index in wrapper.written or self._rng.random() < 0.1]
        if aliased and self._rng.random() < self._traits.careless:
            aliased.remove(self._rng.choice(aliased))
        self._rng.shuffle(aliased)
        results = [Value(wrapper.types[index]) for index in aliased]
        free = self._rng.random() < (0.8 if self._free else 0.1)
        metadata = self._rng.choice(_METADATA) if self._rng.random() < 0.04 else None
        call = Call(wrapper, tuple(aliased), free, metadata, self._layouts(wrapper.types))
        call = self._extended(call)
        self._add(block, visible, Operation("enzymexla.jit_call", operands, results, call=call))

    def _extended(self, call: Call) -> Call:
        """The call as an extended module has it; no number is drawn for others."""
        traits, rng = self._traits, self._rng
        if call.layouts is not None and traits.spelled and rng.random() < traits.spelled:
            call = replace(call, spelling=rng.choice(SPELLINGS))
        if traits.look_alikes and call.metadata is None and rng.random() < traits.look_alikes:
            call = replace(call, metadata=rng.choice((*NOTES, *CONFIGURATIONS)))
        if traits.suppressed and rng.random() < traits.suppressed:
            call = replace(call, suppression=rng.choice(SUPPRESSIONS))
        return call

    def _write_beside(self, block: Block, visible: list[Value]) -> None:
        """A call that writes a value of another call undeclared, and another use of that value, before or behind."""
        writers = [wrapper for wrapper in self._wrappers if wrapper.written]
        if not writers:
            self._jit_call(block, visible)
            return
        wrapper = self._rng.choice(writers)
        operand = self._rng.choice(sorted(wrapper.written))
        value = self._call_of(block, visible, wrapper, {})[sorted(wrapper.written).index(operand)]
        uses = [self._write, self._rng.choice((self._read, self._write, self._call_with))]
        self._rng.shuffle(uses)
        for use in uses:
            place, seen = block, visible
            if self._rng.random() < 0.3:
                place, seen = Block([]), [*visible]
            use(place, seen, wrapper, operand, value)
            if place is not block:
                self._in_case(block, visible, place, seen)

    def _call_of(
        self,
        block: Block,
        visible: list[Value],
        wrapper: Wrapper,
        given: dict[int, Value],
        silent: Collection[int] = (),
    ) -> list[Value]:
        """A call whose results are all that it writes but for the operands `silent`; `given` are some operands."""
        operands = [given.get(index) or self._pick(block, visible, type_) for index, type_ in enumerate(wrapper.types)]
        aliased = tuple(index for index in sorted(wrapper.written) if index not in silent)
        results = [Value(wrapper.types[index]) for index in aliased]
        call = self._extended(Call(wrapper, aliased, self._rng.random() < 0.3, None, self._layouts(wrapper.types)))
        return self._add(block, visible, Operation("enzymexla.jit_call", operands, results, call=call)).results

    def _write(self, block: Block, visible: list[Value], wrapper: Wrapper, operand: int, value: Value) -> None:
        self._call_of(block, visible, wrapper, {operand: value}, silent=(operand,))

    def _call_with(self, block: Block, visible: list[Value], wrapper: Wrapper, operand: int, value: Value) -> None:
        self._call_of(block, visible, wrapper, {operand: value})

    def _read(self, block: Block, visible: list[Value], _wrapper: Wrapper, _operand: int, value: Value) -> None:
        self._add(block, visible, Operation("stablehlo.optimization_barrier", [value], [Value(value.type)]))

    def _in_case(self, block: Block, visible: list[Value], body: Block, inside: list[Value]) -> None:
        """Run a body that stands in a region; the other region only gives a value."""
        type_ = self._traits.palette.type(self._rng)
        other = Block([])
        for each, seen in ((body, inside), (other, [*visible])):
            self._add(each, [], Operation("stablehlo.return", [self._pick(each, seen, type_)], []))
        selector = self._constant(block, visible, INDEX, [self._rng.randint(0, 1)])
        self._add(block, visible, Operation("stablehlo.case", [selector], [Value(type_)], [body, other]))

    def _layouts(self, types: tuple[Type, ...]) -> tuple[Layout, ...] | None:
        """Layouts for the operands of a call: none, the default ones, or any, the first of `types` often the same."""
        if self._rng.random() > self._traits.layouts:
            return None
        if self._rng.random() < 0.4:
            return tuple(type_.default_layout for type_ in types)
        if self._rng.random() < 0.5:
            return tuple(tuple(range(type_.rank)) for type_ in types)
        return tuple(tuple(self._rng.sample(range(type_.rank), type_.rank)) for type_ in types)

    def _twin_constant(self, block: Block, visible: list[Value], operands: list[Value]) -> None:
        """Pass a constant for one of the operands, equal to one that is there already under another name."""
        equal = [
            (operation.payload, index)
            for operation in block.operations
            if operation.name == "stablehlo.constant"
            for index, operand in enumerate(operands)
            if operand.type == operation.results[0].type
        ]
        if equal:
            data, index = self._rng.choice(equal)
            assert isinstance(data, list)
            operands[index] = self._constant(block, visible, operands[index].type, data)

    def _pure(self, block: Block, visible: list[Value]) -> None:
        type_ = self._traits.palette.type(self._rng)
        name = self._rng.choice(_names_for(type_))
        if name == "constant":
            self._constant(block, visible, type_)
        elif name == "convert":
            self._conversion(block, visible, type_)
        else:
            operands = [self._pick(block, visible, type_) for _ in range(1 if name in _UNARY else 2)]
            self._add(block, visible, Operation(f"stablehlo.{name}", operands, [Value(type_)]))

    def _conversion(self, block: Block, visible: list[Value], type_: Type) -> None:
        """An operation that changes the shape of a value of `type_`, mostly to one that the wrappers take."""
        others = [other for other in self._traits.palette.types if other.element == type_.element and other != type_]
        name, target, payload = self._rng.choice(list(_conversions(self._rng, type_, others)))
        operands = [self._pick(block, visible, type_)]
        if name == "stablehlo.reduce":
            operands.append(self._constant(block, visible, target, [0]))
        if name == "stablehlo.concatenate":
            operands.append(self._pick(block, visible, type_))
        self._add(block, visible, Operation(name, operands, [Value(target)], payload=payload))

    def _barrier(self, block: Block, visible: list[Value]) -> None:
        type_ = self._traits.palette.type(self._rng)
        operand = self._pick(block, visible, type_)
        effect = self._rng.random() < 0.8
        barrier = Operation("stablehlo.custom_call", [operand], [Value(type_)], declared_effect=effect)
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
        types = [self._traits.palette.type(self._rng) for _ in range(self._rng.choice((1, 1, 2)))]
        blocks = [self._body(visible, [], types, depth) for _ in range(2)]
        self._add(block, visible, Operation(name, [selector], [Value(type_) for type_ in types], blocks))

    def _loop(self, block: Block, visible: list[Value], depth: int) -> None:
        """A loop of `ROUNDS`; the model leaves out the counter, which the text adds."""
        types = [self._traits.palette.type(self._rng) for _ in range(self._rng.choice((1, 1, 2)))]
        operands = [self._pick(block, visible, type_) for type_ in types]
        body = self._body(visible, types, types, depth)
        results = [Value(type_) for type_ in types]
        self._add(block, visible, Operation("stablehlo.while", operands, results, [body], payload=ROUNDS))

    def _body(self, visible: list[Value], arguments: list[Type], results: list[Type], depth: int) -> Block:
        block = Block([Value(type_) for type_ in arguments])
        inside = [*visible, *block.arguments]
        self._fill(block, inside, self._rng.randint(1, 4), depth)
        yielded = [self._pick(block, inside, type_) for type_ in results]
        self._add(block, [], Operation("stablehlo.return", yielded, []))
        return block


def _names_for(type_: Type) -> tuple[str, ...]:
    """The operations that XLA and the interpreter compute alike on a type."""
    if type_.element == "i1":
        return ("and", "or", "xor", "not", "constant", "convert")
    if type_.element.startswith("complex"):
        return ("negate", "constant", "convert")
    if type_.element not in EXACT:
        return ("maximum", "negate", "abs", "constant", "convert")
    return ("add", "subtract", "maximum", "negate", "abs", "convert", "constant")


def _conversions(rng: random.Random, type_: Type, others: list[Type]) -> Iterator[tuple[str, Type, object]]:
    """Operations on a value of `type_`, with the result's type and what the operation says; at least one."""
    yield "stablehlo.optimization_barrier", type_, None
    for other in others:
        if other.size == type_.size:
            yield "stablehlo.reshape", other, None
        if not type_.shape:
            yield "stablehlo.broadcast_in_dim", other, None
    if type_.rank > 1:
        order = tuple(rng.sample(range(type_.rank), type_.rank))
        yield "stablehlo.transpose", Type(tuple(type_.shape[at] for at in order), type_.element), order
    if type_.rank == 1 and type_.length:
        if type_.element in EXACT:
            yield "stablehlo.reduce", Type((), type_.element), None
        start = rng.randrange(type_.shape[0])
        stop = rng.randint(start + 1, type_.shape[0])
        yield "stablehlo.slice", Type((stop - start,), type_.element), (start, stop)
        yield "stablehlo.concatenate", Type((2 * type_.shape[0],), type_.element), None
