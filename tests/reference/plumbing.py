"""Operations between calls that only move bytes: what one call can do as well, in host memory of its own.

A *view* leaves its operands where they are; a copy puts pieces together in a new place. Only values with at most one
dimension that is not 1 count, whose bytes stand in one order, of plain elements of whole bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tests.generator.model import Block, Operation, Type, Value

_VIEWS = ("stablehlo.reshape", "stablehlo.broadcast_in_dim", "stablehlo.optimization_barrier")
_COPIES = ("stablehlo.concatenate", "stablehlo.slice")


def is_view(operation: Operation) -> bool:
    """Whether each result is the operand of the same number, in another shape perhaps."""
    return operation.name in _VIEWS


def is_flat(type_: Type) -> bool:
    """Whether every layout puts the bytes of the type in the same order."""
    return sum(extent != 1 for extent in type_.shape) < 2


def taken_in(block: Block, group: Iterable[Operation]) -> list[Operation]:
    """What one call that stands for `group` has to do as well: the plumbing on the ways between its calls."""
    after, before = _steps(block)
    reached, leading = _reach(group, after), _reach(group, before)
    return [operation for operation in block.operations if operation in reached and operation in leading]


def fed_by(block: Block, call: Operation) -> set[Operation]:
    """The calls that are passed a result of `call`, or what plumbing makes of one."""
    after, _ = _steps(block)
    return {user for maker in (call, *_reach([call], after)) for user in _users(block, maker) if user.call}


def _users(block: Block, maker: Operation) -> list[Operation]:
    return [other for other in block.operations if any(value in maker.results for value in other.operands)]


Steps = dict[Operation, list[Operation]]
"""From calls and plumbing to the plumbing one step further on, or back."""


@lru_cache(maxsize=64)
def _steps(block: Block) -> tuple[Steps, Steps]:
    plumbing = _plumbing(block)
    nodes = [operation for operation in block.operations if operation in plumbing or operation.call]
    maker = {value: operation for operation in nodes for value in operation.results}
    after: Steps = {operation: [] for operation in nodes}
    before: Steps = {operation: [] for operation in nodes}
    for operation in nodes:
        for value in operation.operands:
            if value in maker:
                after[maker[value]] += [operation] if operation in plumbing else []
                before[operation] += [maker[value]] if maker[value] in plumbing else []
    return after, before


def _reach(start: Iterable[Operation], steps: Steps) -> set[Operation]:
    reached: set[Operation] = set()
    waiting = list(start)
    while waiting:
        new = set(steps[waiting.pop()]) - reached
        reached |= new
        waiting += new
    return reached


def _plumbing(block: Block) -> set[Operation]:
    """The operations between calls that may be taken in.

    A copy may be where a wrapper shows that what is copied is the host's memory, since all that such operations connect
    is in one memory, and where nobody goes on using the copy when the call has returned.
    """
    some = _between(block, [operation for operation in block.operations if _moves_bytes(operation)])
    memory: dict[Value, Value] = {}
    place: dict[Value, Value] = {}
    for operation in some:
        for value in (*operation.operands, *operation.results):
            memory[_first(value, memory)] = _first(operation.operands[0], memory)
        if is_view(operation):
            place.update(zip(operation.results, operation.operands, strict=True))
    passed = [
        (each.call, index, value) for each in block.calls if each.call for index, value in enumerate(each.operands)
    ]
    shown = {_first(value, memory) for call, index, value in passed if index in call.wrapper.shows}
    kept = {_first(value, place) for call, index, value in passed if index in call.wrapper.pending}
    allowed = [
        operation
        for operation in some
        if is_view(operation) or (_first(operation.results[0], memory) in shown and operation.results[0] not in kept)
    ]
    return set(_between(block, allowed))


def _first(value: Value, known: dict[Value, Value]) -> Value:
    while known.get(value, value) is not value:
        value = known[value]
    return value


def _between(block: Block, some: list[Operation]) -> list[Operation]:
    """Those on a way from a call to a call."""
    from_calls = {value for call in block.calls for value in call.results}
    for operation in some:
        if from_calls.intersection(operation.operands):
            from_calls.update(operation.results)
    to_calls = {value for call in block.calls for value in call.operands}
    for operation in reversed(some):
        if to_calls.intersection(operation.results):
            to_calls.update(operation.operands)
    return [each for each in some if from_calls.intersection(each.operands) and to_calls.intersection(each.results)]


def _moves_bytes(operation: Operation) -> bool:
    values = [*operation.operands, *operation.results]
    if operation.name not in (*_VIEWS, *_COPIES) or not all(_is_plain(value.type) for value in values):
        return False
    same = all(a.type.size == b.type.size for a, b in zip(operation.operands, operation.results, strict=False))
    return same or not is_view(operation)


def _is_plain(type_: Type) -> bool:
    return is_flat(type_) and type_.size > 0 and type_.element != "i1" and not type_.element.startswith("complex")
