"""What a generated module computes: every JIT call works on copies of its operands."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import cast

from tests.generator.elements import Number, fitted
from tests.generator.layout_text import Layout
from tests.generator.model import Block, Data, Function, Module, Operation, Step, Term, Type, Value, Wrapper
from tests.reference.legality import is_unseen

_ELEMENTWISE: dict[str, Callable[..., Number]] = {
    "stablehlo.add": lambda a, b: a + b,
    "stablehlo.subtract": lambda a, b: a - b,
    "stablehlo.maximum": max,
    "stablehlo.negate": lambda a: -a,
    "stablehlo.abs": abs,
    "stablehlo.compare": lambda a, b: a < b,
    "stablehlo.and": lambda a, b: a & b,
    "stablehlo.or": lambda a, b: a | b,
    "stablehlo.xor": lambda a, b: a ^ b,
    "stablehlo.not": lambda a: a ^ 1,
}
_SAME_ELEMENTS = ("stablehlo.reshape", "stablehlo.custom_call")

Values = dict[Value, Data]


def run_main(module: Module, arguments: list[Data]) -> list[Data]:
    """The results of `@main`."""
    return _run_function(module.main, arguments)


def run_wrapper(wrapper: Wrapper, operands: list[Data]) -> list[Data]:
    """The buffers after a call of `wrapper`, each on a copy of its own."""
    buffers = [list(operand) for operand in operands]
    for step in wrapper.steps:
        _run_step(step, wrapper.types, buffers)
    return buffers


def is_predictable(module: Module) -> bool:
    """Whether the model says what the module computes: it has no state, and nothing depends on what XLA chooses.

    XLA chooses the layouts of calls that do not spell them, and where a value lies that is written without saying so.
    """
    calls = [(block, operation) for block in module.blocks for operation in block.calls]
    made = [operation.call for _, operation in calls if operation.call]
    layouts = any(
        layout != type_.default_layout
        for call in made
        for layout, type_ in zip(call.layouts or (), call.wrapper.types, strict=False)
    )
    chosen = any(call.layouts is None and any(type_.rank > 1 for type_ in call.wrapper.types) for call in made)
    if (layouts and chosen) or any(call.wrapper.remembers for call in made):
        return False
    return not is_faulty(module)


def is_faulty(module: Module) -> bool:
    """Whether a call writes an operand that no result aliases, and others can see it: XLA may keep other values in that
    buffer, so that what comes out hangs on where it lets values lie, in the module as in every other one like it."""
    return any(
        not is_unseen(block, operation, index)
        for block in module.blocks
        for operation in block.calls
        if operation.call
        for index in operation.call.undeclared
    )


def _run_step(step: Step, types: tuple[Type, ...], buffers: list[Data]) -> None:
    if step.only_if is not None and not buffers[step.only_if[0]][0] > buffers[step.only_if[1]][0]:
        return
    part = types[step.target].part
    for element in step.elements:
        terms: list[Number] = [
            fitted(term.coefficient * buffers[term.parameter][_place(term, element, buffers)], part)
            for term in step.terms
        ]
        if step.constant or not terms:
            terms.append(fitted(step.constant, part))
        total = terms[0]
        for term_value in terms[1:]:
            total = fitted(total + term_value, part)
        buffers[step.target][element] = total


def _place(term: Term, element: int, buffers: list[Data]) -> int:
    return term.at if term.at is not None else element % len(buffers[term.parameter])


def in_memory(data: Data, type_: Type, layout: Layout) -> Data:
    """The numbers of a value in the order of `layout`, from those in row-major order."""
    parts = type_.length // type_.size if type_.size else 1
    return [number for at in _order(type_, layout) for number in data[at * parts : (at + 1) * parts]]


def from_memory(data: Data, type_: Type, layout: Layout) -> Data:
    """The inverse of `in_memory`."""
    result: Data = [0] * type_.length
    parts = type_.length // type_.size if type_.size else 1
    for at, logical in enumerate(_order(type_, layout)):
        result[logical * parts : (logical + 1) * parts] = data[at * parts : (at + 1) * parts]
    return result


def _order(type_: Type, layout: Layout) -> list[int]:
    """The row-major number of each element, in the order in which the elements lie in memory."""
    major = tuple(reversed(layout))
    order = []
    for index in product(*(range(type_.shape[dimension]) for dimension in major)):
        at = dict(zip(major, index, strict=True))
        number = 0
        for dimension, extent in enumerate(type_.shape):
            number = number * extent + at[dimension]
        order.append(number)
    return order


def _run_function(function: Function, arguments: list[Data]) -> list[Data]:
    return _run_block(function.block, {}, arguments)


def _run_block(block: Block, outside: Values, arguments: list[Data]) -> list[Data]:
    """What the terminator of a block is given."""
    values = {**outside, **dict(zip(block.arguments, arguments, strict=True))}
    for operation in block.operations[:-1]:
        values.update(zip(operation.results, _run(operation, values), strict=True))
    return [values[value] for value in block.operations[-1].operands]


def _run(operation: Operation, values: Values) -> list[Data]:
    operands = [values[value] for value in operation.operands]
    if operation.call is not None:
        return _run_call(operation, operands)
    if isinstance(operation.payload, Function):
        return _run_function(operation.payload, operands)
    if operation.name == "stablehlo.while":
        assert isinstance(operation.payload, int)
        for _ in range(operation.payload):
            operands = _run_block(operation.blocks[0], values, operands)
        return operands
    if operation.blocks:
        first = operands[0][0] if operation.name == "stablehlo.if" else operands[0][0] == 0
        return _run_block(operation.blocks[0 if first else 1], values, [])
    return operands if operation.name == "stablehlo.optimization_barrier" else [_pure(operation, operands)]


def _run_call(operation: Operation, operands: list[Data]) -> list[Data]:
    call = operation.call
    assert call
    types = call.wrapper.types
    layouts = call.layouts or tuple(type_.default_layout for type_ in types)
    passed = [in_memory(*each) for each in zip(operands, types, layouts, strict=True)]
    buffers = [from_memory(*each) for each in zip(run_wrapper(call.wrapper, passed), types, layouts, strict=True)]
    return [buffers[operand] for operand in call.aliases]


def _pure(operation: Operation, operands: list[Data]) -> Data:
    name, type_ = operation.name, operation.results[0].type
    if name == "stablehlo.constant":
        assert isinstance(operation.payload, list)
        return operation.payload
    if name in _SAME_ELEMENTS:
        return operands[0]
    if name == "stablehlo.transpose":
        order = cast(Layout, operation.payload)
        return in_memory(operands[0], operation.operands[0].type, tuple(reversed(order)))
    if name == "stablehlo.broadcast_in_dim":
        return operands[0] * type_.size
    if name == "stablehlo.slice":
        start, stop = cast(tuple[int, int], operation.payload)
        parts = type_.length // type_.size
        return operands[0][start * parts : stop * parts]
    if name == "stablehlo.concatenate":
        return [number for piece in operands for number in piece]
    if name == "stablehlo.reduce":
        return [fitted(sum(operands[0], operands[1][0]), type_.part)]
    results = [_ELEMENTWISE[name](*elements) for elements in zip(*operands, strict=True)]
    return [fitted(result, type_.part) for result in results]
