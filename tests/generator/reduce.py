"""Make a module that shows a failure smaller, for as long as it shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace

from tests.generator.build import without_exports
from tests.generator.elements import is_float
from tests.generator.model import Block, Call, Data, Module, Operation, Type, Value, Wrapper
from tests.generator.wrappers import simpler

Predicate = Callable[[Module], bool]
"""Whether a module still fails."""

_TERMINATORS = ("return", "stablehlo.return")


def reduce(module: Module, fails: Predicate, patience: int = 1000) -> Module:
    """The smallest module that dropping parts of `module` one at a time leads to; `fails` is asked `patience` times.

    `module` itself stays as it is.
    """
    tries = at = 0
    progress = False
    while tries < patience:
        steps = len(list(_steps(module)))
        if at >= steps and not progress:
            return module
        if at >= steps:
            at, progress = 0, False
            continue
        copy = deepcopy(module)
        smaller = without_exports(list(_steps(copy))[at](copy))
        if _size(smaller) < _size(module):
            tries += 1
            if fails(smaller):
                module, progress = smaller, True
                continue
        at += 1
    return module


def _wrappers(module: Module) -> list[Wrapper]:
    return module.wrappers + [wrapper for inner in module.inner for wrapper in _wrappers(inner)]


def _size(module: Module) -> float:
    """What a step must make less."""
    operations = [operation for block in module.blocks for operation in block.operations]
    calls = [operation.call for operation in operations if operation.call]
    return (
        sum(1 if operation.name == "stablehlo.constant" else 2 + 2 * len(operation.results) for operation in operations)
        + sum(len(function.block.operations[-1].operands) for function in module.functions)
        + sum(call.effect_free + bool(call.suppression) for call in calls)
        + sum((call.layouts is not None) + (call.spelling != "plain") for call in calls)
        + sum(1 + len(text) / 1000 for wrapper in _wrappers(module) for text in wrapper.text)
        + len(module.functions)
        + len(module.inner)
    )


Step = Callable[[Module], Module]


def _steps(module: Module) -> Iterator[Step]:
    """What can be left out, the largest first. The steps of a copy are the same ones, in the same order."""
    for number in range(len(module.inner)):
        yield lambda m, n=number: replace(m, inner=m.inner[:n] + m.inner[n + 1 :])  # type: ignore[misc]
    for number in range(len(module.functions) - 1):
        yield lambda m, n=number: _without_function(m, n)  # type: ignore[misc]
    named = _named(module)
    for number, wrapper in reversed(list(enumerate(module.wrappers))):
        if wrapper.name not in named:
            yield lambda m, n=number: replace(m, wrappers=m.wrappers[:n] + m.wrappers[n + 1 :])  # type: ignore[misc]
    for number, wrapper in enumerate(module.wrappers):
        for index in range(len(simpler(wrapper)) if wrapper.name in named else 0):
            yield lambda m, n=number, i=index: _with_simpler(m, n, i)  # type: ignore[misc]
    for at in range(len(module.blocks)):
        for index in reversed(range(len(module.blocks[at].operations))):
            yield from _operation_steps(module, at, index)


def _operation_steps(module: Module, at: int, index: int) -> Iterator[Step]:
    operation = module.blocks[at].operations[index]
    if operation.name in _TERMINATORS:
        if at == _main_block(module):
            for number in reversed(range(len(operation.operands))):
                if len(operation.operands) > 1:
                    yield lambda m, n=number: _without_operand(m, at, index, n)  # type: ignore[misc]
        return
    used = {value for block in module.blocks for each in block.operations for value in each.uses}
    if operation.name != "stablehlo.constant" or operation.results[0] not in used:
        yield lambda m: _without_operation(m, at, index)
    if operation.call is None:
        return
    if operation.call.effect_free:
        yield lambda m: _with_call(m, at, index, effect_free=False)
    if operation.call.suppression:
        yield lambda m: _with_call(m, at, index, suppression="")
    if operation.call.spelling != "plain":
        yield lambda m: _with_call(m, at, index, spelling="plain")
    if operation.call.layouts is not None:
        yield lambda m: _with_call(m, at, index, layouts=None)


def _main_block(module: Module) -> int:
    return next(at for at, block in enumerate(module.blocks) if block is module.main.block)


def _named(module: Module) -> set[str]:
    """The wrappers that JIT calls of the module itself name, and those that other wrappers are made of."""
    own = replace(module, inner=())
    named = {operation.call.wrapper.name for block in own.blocks for operation in block.calls if operation.call}
    firsts = [wrapper.made_from[1].first for wrapper in module.wrappers if wrapper.made_from]
    return named | {first.name for first in firsts if first is not None}


def _with_simpler(module: Module, number: int, index: int) -> Module:
    old = module.wrappers[number]
    new = simpler(old)[index]
    for block in module.blocks:
        for operation in block.calls:
            if operation.call and operation.call.wrapper is old:
                operation.call = replace(operation.call, wrapper=new)
    return replace(module, wrappers=[*module.wrappers[:number], new, *module.wrappers[number + 1 :]])


def _without_function(module: Module, number: int) -> Module:
    """`module` without a function, if nothing calls it."""
    gone = module.functions[number]
    called = [operation.payload for block in module.blocks for operation in block.operations]
    if gone in called:
        return module
    return replace(module, functions=[function for function in module.functions if function is not gone])


def _without_operand(module: Module, at: int, index: int, number: int) -> Module:
    del module.blocks[at].operations[index].operands[number]
    return module


def _with_call(module: Module, at: int, index: int, **changes: object) -> Module:
    operation = module.blocks[at].operations[index]
    assert isinstance(operation.call, Call)
    operation.call = replace(operation.call, **changes)  # type: ignore[arg-type]
    return module


def _without_operation(module: Module, at: int, index: int) -> Module:
    """`module` without an operation; constants, or operands of the same types, stand for results that are used."""
    block = module.blocks[at]
    gone = block.operations[index]
    used = {value for each in module.blocks for operation in each.operations for value in operation.uses}
    instead = {result: _other(gone, result, block, index) for result in gone.results if result in used}
    if all(isinstance(other, Value) for other in instead.values()):
        del block.operations[index]
    else:
        block.operations[index : index + 1] = [
            Operation("stablehlo.constant", [], [other.results[0]], payload=other.payload, number=gone.number)
            for other in instead.values()
            if isinstance(other, Operation)
        ]
    values = {
        result: other if isinstance(other, Value) else other.results[0]
        for result, other in instead.items()
        if other is not None
    }
    _rename(module, values)
    return module


def _other(gone: Operation, result: Value, block: Block, index: int) -> Value | Operation:
    """What stands for a result: an operand or argument of its type, or a new constant."""
    for value in (*gone.operands, *block.arguments):
        if value.type == result.type:
            return value
    return Operation("stablehlo.constant", [], [Value(result.type)], payload=_numbers(result.type))


def _numbers(type_: Type) -> Data:
    return [float(number + 1) if is_float(type_.part) else (number + 1) & 1 for number in range(type_.length)]


def _rename(module: Module, values: dict[Value, Value]) -> None:
    for block in module.blocks:
        for operation in block.operations:
            operation.operands[:] = [values.get(value, value) for value in operation.operands]
