"""What a generated module computes: every JIT call works on copies of its operands."""

from __future__ import annotations

from collections.abc import Callable

from tests.generator.model import Block, Data, Function, Module, Number, Operation, Step, Type, Value, Wrapper

_ELEMENTWISE: dict[str, Callable[..., Number]] = {
    "stablehlo.add": lambda a, b: a + b,
    "stablehlo.subtract": lambda a, b: a - b,
    "stablehlo.maximum": max,
    "stablehlo.negate": lambda a: -a,
    "stablehlo.abs": abs,
    "stablehlo.compare": lambda a, b: a < b,
}
_SAME_ELEMENTS = ("stablehlo.reshape", "stablehlo.custom_call", "stablehlo.optimization_barrier")

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


def _run_step(step: Step, types: tuple[Type, ...], buffers: list[Data]) -> None:
    if step.only_if is not None and not buffers[step.only_if[0]][0] > buffers[step.only_if[1]][0]:
        return
    for element in step.elements:
        total: Number = step.constant
        for term in step.terms:
            source = buffers[term.parameter]
            total += term.coefficient * source[element if len(source) > 1 else 0]
        buffers[step.target][element] = _fitted(total, types[step.target])


def _fitted(number: Number, type_: Type) -> Number:
    """Integers wrap around at 64 bits."""
    return (int(number) + 2**63) % 2**64 - 2**63 if type_.element == "i64" else float(number)


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
        buffers = run_wrapper(operation.call.wrapper, operands)
        return [buffers[operand] for operand in operation.call.aliases]
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
    return [_pure(operation, operands)]


def _pure(operation: Operation, operands: list[Data]) -> Data:
    name, type_ = operation.name, operation.results[0].type
    if name == "stablehlo.constant":
        assert isinstance(operation.payload, list)
        return operation.payload
    if name in _SAME_ELEMENTS:
        return operands[0]
    if name == "stablehlo.transpose":
        first, second, third, fourth = operands[0]
        return [first, third, second, fourth]
    if name == "stablehlo.broadcast_in_dim":
        return operands[0] * type_.size
    if name == "stablehlo.reduce":
        return [sum(operands[0], operands[1][0])]
    results = [_ELEMENTWISE[name](*elements) for elements in zip(*operands, strict=True)]
    return [_fitted(result, type_) for result in results]
