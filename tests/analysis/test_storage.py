"""Slots, against running the calls: every value that is needed must be where the fused call says it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitlint.analysis.storage.moves import Piece, Plumbing
from jitlint.analysis.storage.slots import Conflict
from jitlint.analysis.storage.storage import Storage, join

Value = tuple[str, int]


@dataclass
class Call:
    """A call; its operands are f64 scalars unless `operand_types` says otherwise."""

    index: int
    operands: tuple[Value, ...]
    mutated: Mapping[int, int]
    results: tuple[Value, ...] = field(init=False)
    parameter_types: tuple[str, ...] = ()
    layouts: tuple[tuple[int, ...] | None, ...] = ()
    operand_types: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.results = tuple((f"%{self.index}", number) for number in range(len(self.mutated)))
        self.parameter_types = self.parameter_types or ("!llvm.ptr",) * len(self.operands)
        self.layouts = self.layouts or ((),) * len(self.operands)
        self.operand_types = self.operand_types or ("tensor<f64>",) * len(self.operands)


X: Value = ("%x", 0)
Y: Value = ("%y", 0)


def uses_of(calls: list[Call], outside: list[Value]) -> dict[Value, int]:
    every = [value for call in calls for value in call.operands] + outside
    return {value: every.count(value) for value in set(every)}


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[Call], list[Value]]:
    """Calls in text order, and the results that something else uses too."""
    values, calls = [X, Y], []
    for index in range(draw(st.integers(1, 6))):
        operands = tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=3)))
        written = draw(st.lists(st.integers(0, len(operands) - 1), unique=True, max_size=2))
        call = Call(index, operands, {operand: result for result, operand in enumerate(written)})
        calls.append(call)
        values += call.results
    results = [value for call in calls for value in call.results]
    return calls, draw(st.lists(st.sampled_from(results), unique=True)) if results else []


def run_apart(calls: list[Call]) -> dict[Value, object]:
    """What every value is, each call on its own: a result is told by its call and what that read."""
    known: dict[Value, object] = {X: "x", Y: "y"}
    for call in calls:
        read = tuple(known[value] for value in call.operands)
        for result in call.mutated.values():
            known[call.results[result]] = (call.index, result, read)
    return known


def run_fused(storage: Storage) -> list[object]:
    """What every slot holds in the end, when the calls run on the slots as buffers, with the copies between."""
    buffers: list[object] = [{X: "x", Y: "y"}[slot.operand] for slot in storage.slots]
    for call, binding in zip(storage.members, storage.bindings, strict=True):
        for copy in storage.copies:
            if copy.member == call.index:
                buffers[copy.target] = buffers[copy.source]
        read = tuple(buffers[slot] for slot in binding)
        for operand, result in call.mutated.items():
            buffers[binding[operand]] = (call.index, result, read)
    return buffers


def check_result(storage: Storage, calls: list[Call], outside: list[Value]) -> None:
    known, buffers = run_apart(calls), run_fused(storage)
    held = {slot.holds: number for number, slot in enumerate(storage.slots) if slot.holds is not None}
    for value in outside:
        assert buffers[held[value]] == known[value]
    for number, slot in enumerate(storage.slots):
        if slot.mutated:
            assert slot.holds is not None
            assert buffers[number] == known[slot.holds]
        else:
            assert buffers[number] == known[slot.operand], "a slot that is only read was written"


@given(programs())
def test_what_can_be_pushed_computes_the_same(program: tuple[list[Call], list[Value]]) -> None:
    calls, outside = program
    storage = Storage(uses_of(calls, outside))
    if all(storage.push(call) is None for call in calls):
        check_result(storage, calls, outside)


@given(programs())
def test_with_copies_everything_can_be_pushed_and_computes_the_same(program: tuple[list[Call], list[Value]]) -> None:
    calls, outside = program
    storage = Storage(uses_of(calls, outside), {"tensor<f64>": 8})
    assert all(storage.push(call) is None for call in calls)
    check_result(storage, calls, outside)


def state(storage: Storage) -> object:
    return (
        [(slot.operand, slot.holds, slot.mutated) for slot in storage.slots],
        list(storage.bindings),
        list(storage.copies),
        [member.index for member in storage.members],
    )


@given(programs(), st.data())
def test_pop_takes_back_what_push_did(program: tuple[list[Call], list[Value]], data: st.DataObject) -> None:
    calls, outside = program
    storage = Storage(uses_of(calls, outside), {"tensor<f64>": 8} if data.draw(st.booleans()) else None)
    before = []
    for call in calls:
        before.append(state(storage))
        if storage.push(call) is not None:
            assert state(storage) == before.pop(), "a conflict changes nothing"
    while before:
        storage.pop()
        assert state(storage) == before.pop()


@given(programs(), st.data())
def test_joining_two_groups_is_pushing_all_their_calls(
    program: tuple[list[Call], list[Value]], data: st.DataObject
) -> None:
    calls, outside = program
    uses = uses_of(calls, outside)
    first = [call for call in calls if data.draw(st.booleans())]
    second = [call for call in calls if call not in first]
    storage = Storage(uses)
    if not second or any(storage.push(call) is not None for call in first):
        return
    before = state(storage)
    conflict = join(storage, list(second))  # type: ignore[arg-type]
    at_once = Storage(uses)
    fits = all(at_once.push(call) is None for call in calls)
    assert (conflict is None) == fits
    assert state(storage) == (state(at_once) if fits else before)


def test_reads_of_an_outside_value_share_a_slot_and_writes_open_their_own() -> None:
    calls = [Call(0, (X, X), {0: 0}), Call(1, (Y, X), {0: 0})]
    storage = Storage(uses_of(calls, [("%0", 0), ("%1", 0)]))
    assert [storage.push(call) for call in calls] == [None, None]
    assert storage.bindings == [(0, 1), (2, 1)]
    assert [slot.mutated for slot in storage.slots] == [True, False, True]


def test_a_result_that_is_overwritten_and_used_outside_is_a_conflict() -> None:
    calls = [Call(0, (X,), {0: 0}), Call(1, (("%0", 0),), {0: 0})]
    storage = Storage(uses_of(calls, [("%0", 0)]))
    assert storage.push(calls[0]) is None
    conflict = storage.push(calls[1])
    assert isinstance(conflict, Conflict)
    assert (conflict.kind, conflict.value, conflict.by) == ("overwritten", ("%0", 0), calls[1])


def test_an_inside_value_written_and_read_by_one_call_is_a_conflict() -> None:
    calls = [Call(0, (X,), {0: 0}), Call(1, (("%0", 0), ("%0", 0)), {0: 0})]
    storage = Storage(uses_of(calls, []))
    assert storage.push(calls[0]) is None
    conflict = storage.push(calls[1])
    assert isinstance(conflict, Conflict)
    assert conflict.kind == "twice"


def test_a_dead_result_keeps_its_slot_written() -> None:
    calls = [Call(0, (X, Y), {0: 0, 1: 1}), Call(1, (("%0", 0),), {})]
    storage = Storage(uses_of(calls, []))
    assert [storage.push(call) for call in calls] == [None, None]
    assert [(slot.mutated, slot.holds) for slot in storage.slots] == [(True, ("%0", 0)), (True, ("%0", 1))]


def test_types_and_layouts_of_a_slot_must_agree() -> None:
    matrix, row = ("tensor<2x3xf64>",), ("tensor<1x3xf64>",)
    first = Call(0, (X,), {}, operand_types=matrix, layouts=((1, 0),))
    one = Call(0, (X,), {}, operand_types=row, layouts=((1, 0),))
    storage = Storage(uses_of([one], []))
    assert storage.push(one) is None
    assert storage.push(Call(1, (X,), {}, operand_types=row, layouts=((0, 1),))) is None  # both put all in one order
    for other, kind in (
        (Call(1, (X,), {}, operand_types=matrix, layouts=((1, 0),), parameter_types=("!llvm.ptr<1>",)), "type"),
        (Call(1, (X,), {}, operand_types=matrix, layouts=((0, 1),)), "layout"),
    ):
        storage = Storage(uses_of([first, other], []))
        assert storage.push(first) is None
        conflict = storage.push(other)
        assert isinstance(conflict, Conflict)
        assert conflict.kind == kind


def plumbing(index: int, operand: Value, types: tuple[str, str], size: int = 0) -> Plumbing:
    """A view of a value as another type, or, with a size, a piece of so many bytes of it."""
    operation = SimpleNamespace(index=index, start=0, end=0, name="x", results=[(f"%{index}", 1)])
    pieces = (Piece(0, 0, 0, size),) if size else ()
    return Plumbing(operation, (operand,), types[:1], types[1:], pieces)  # type: ignore[arg-type]


def test_the_buffers_of_a_wrapper_are_bounded_together() -> None:
    storage = Storage({})
    types = ("tensor<600xi32>", "tensor<600xi32>")
    assert storage.push(plumbing(0, X, types, 2400)) is None
    conflict = storage.push(plumbing(1, Y, types, 2400))
    assert isinstance(conflict, Conflict)
    assert conflict.kind == "stack"


def test_a_slot_has_the_type_and_the_layout_of_what_is_passed_for_it() -> None:
    view = plumbing(0, X, ("tensor<4xf64>", "tensor<1x4xf64>"))
    call = Call(1, view.results, {}, operand_types=("tensor<1x4xf64>",), layouts=((1, 0),))
    storage = Storage(uses_of([call], []))
    assert storage.push(view) is None
    assert storage.push(call) is None
    (slot,) = storage.slots
    assert (slot.operand, slot.operand_type, slot.layout) == (X, "tensor<4xf64>", (0,))


@pytest.mark.parametrize("kind", ["read", "view"])
def test_a_buffer_of_the_wrapper_that_was_overwritten_is_not_read(kind: str) -> None:
    types = ("tensor<f64>", "tensor<f64>")
    piece = plumbing(0, X, types, 8)
    writer = Call(1, piece.results, {0: 0})
    later = Call(2, piece.results, {}) if kind == "read" else plumbing(2, piece.results[0], types)
    storage = Storage({piece.results[0]: 2})
    assert storage.push(piece) is None
    assert storage.push(writer) is None, "the value is made outside as well"
    conflict = storage.push(later)
    assert isinstance(conflict, Conflict)
    assert (conflict.kind, conflict.by) == ("overwritten", writer)
