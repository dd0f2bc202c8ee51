"""The reference against modules small enough to know the answer, and its interpreter against plain sums."""

import pytest

from jitlint import api
from tests.engine.spelling import count_calls
from tests.generator import generate
from tests.generator.elements import fitted
from tests.generator.model import MATRIX, SCALAR, VECTOR, Block, Call, Operation, Step, Term, Type, Value, Wrapper
from tests.reference.interpreter import from_memory, in_memory, run_wrapper
from tests.reference.legality import can_fuse
from tests.reference.partition import fewest_calls
from tests.reference.rounds import ends, ends_of


def wrapper(parameters: int, *, kind: str = "llvm", fusable: bool = True) -> Wrapper:
    return Wrapper("w", kind, (SCALAR,) * parameters, (), None, fusable, ())  # type: ignore[arg-type]


def jit(
    operands: list[Value], *aliases: int, free: bool = False, kind: str = "llvm", fusable: bool = True
) -> Operation:
    call = Call(wrapper(len(operands), kind=kind, fusable=fusable), aliases, free)
    return Operation("enzymexla.jit_call", operands, [Value(SCALAR) for _ in aliases], call=call)


def pure(*operands: Value) -> Operation:
    return Operation("stablehlo.add", list(operands), [Value(SCALAR)])


def barrier() -> Operation:
    return Operation("stablehlo.custom_call", [], [], declared_effect=True)


def block(*operations: Operation, returned: list[Value]) -> Block:
    return Block([], [*operations, Operation("return", returned, [])])


X = Value(SCALAR)


def test_a_chain_becomes_one_call() -> None:
    first = jit([X], 0)
    second = jit([first.results[0]], 0)
    third = jit([second.results[0]], 0)
    assert fewest_calls(block(first, second, third, returned=third.results)) == 1


def test_a_returned_value_may_not_be_overwritten() -> None:
    first = jit([X], 0)
    second = jit([first.results[0]], 0)
    assert fewest_calls(block(first, second, returned=[*first.results, *second.results])) == 2


def test_one_outside_value_may_be_read_and_written() -> None:
    first = jit([X], 0)
    second = jit([first.results[0], X], 0)
    assert fewest_calls(block(first, second, returned=[X, *second.results])) == 1


@pytest.mark.parametrize("aliases", [(0,), (1,), (0, 1)])
def test_an_inside_value_may_not_be_written_and_passed_again(aliases: tuple[int, ...]) -> None:
    first = jit([X], 0)
    second = jit([first.results[0]] * 2, *aliases)
    assert fewest_calls(block(first, second, returned=second.results)) == 2


def test_reading_one_inside_value_twice_is_no_harm() -> None:
    first = jit([X], 0)
    second = jit([X, first.results[0], first.results[0]], 0)
    assert fewest_calls(block(first, second, returned=[*first.results, *second.results])) == 1


def test_a_value_read_after_it_was_overwritten_parts_the_calls() -> None:
    first = jit([X], 0)
    second = jit([first.results[0]], 0)
    third = jit([second.results[0], first.results[0]], 0)
    assert fewest_calls(block(first, second, third, returned=third.results)) == 2


def test_a_value_that_comes_back_makes_a_cycle() -> None:
    first = jit([X], 0)
    between = pure(*first.results)
    second = jit([between.results[0], first.results[0]], 0)
    assert fewest_calls(block(first, between, second, returned=second.results)) == 2


@pytest.mark.parametrize(("free", "left"), [(False, 2), (True, 1)])
def test_only_calls_without_effects_cross_a_barrier(free: bool, left: int) -> None:
    first = jit([X], 0, free=free)
    second = jit(first.results, 0)
    assert fewest_calls(block(first, barrier(), second, returned=second.results)) == left


def test_two_groups_that_are_fine_alone_may_block_each_other() -> None:
    one, two = jit([X], 0, free=True), jit([X], 0, free=True)
    to_two, to_one = pure(*one.results), pure(*two.results)
    one_more = jit([one.results[0], to_one.results[0]], 1, free=True)
    two_more = jit([two.results[0], to_two.results[0]], 1, free=True)
    calls = block(one, two, to_two, to_one, one_more, two_more, returned=[*one_more.results, *two_more.results])
    first, second = frozenset({one, one_more}), frozenset({two, two_more})
    assert can_fuse(calls, [first])
    assert can_fuse(calls, [second])
    assert not can_fuse(calls, [first, second])
    assert fewest_calls(calls) == 3


def test_a_slot_has_one_type() -> None:
    first = jit([X], 0, kind="memref")
    second = jit(first.results, 0)
    apart = jit([X, *first.results], 0, kind="memref")
    assert fewest_calls(block(first, second, returned=second.results)) == 2
    assert fewest_calls(block(first, apart, returned=apart.results)) == 1


def test_a_call_that_is_kept_out_stays_out() -> None:
    first = jit([X], 0, fusable=False)
    second = jit(first.results, 0)
    assert fewest_calls(block(first, second, returned=second.results)) == 2


def test_a_use_in_a_region_counts() -> None:
    first = jit([X], 0)
    region = Operation("stablehlo.if", [], [], [block(pure(*first.results), returned=[])])
    second = jit(first.results, 0)
    assert fewest_calls(block(first, region, second, returned=second.results)) == 2


def test_too_many_calls_are_not_tried() -> None:
    assert fewest_calls(block(*(jit([X], 0) for _ in range(13)), returned=[])) is None


def test_steps_run_one_after_the_other_on_copies() -> None:
    first, second = Step(0, (1,), (Term(2, 0), Term(1, 1)), 1.0), Step(1, (0,), (Term(1, 0),), 0.0)
    never = Step(1, (0,), (), 9.0, only_if=(1, 0))
    operands: list[list[int | float]] = [[1.0, 2.0, 3.0, 4.0], [10.0]]
    made = Wrapper("w", "llvm", (VECTOR, SCALAR), (first, second, never), None, True, ())
    assert run_wrapper(made, operands) == [[1.0, 15.0, 3.0, 4.0], [1.0]]
    assert operands == [[1.0, 2.0, 3.0, 4.0], [10.0]]


def laid(operands: list[Value], layouts: tuple[tuple[int, ...], ...] | None) -> Operation:
    """A call that writes its first operand, with its layouts."""
    made = Wrapper("w", "llvm", tuple(value.type for value in operands), (), None, True, ())
    call = Call(made, (0,), layouts=layouts)
    return Operation("enzymexla.jit_call", operands, [Value(operands[0].type)], call=call)


M = Value(MATRIX)


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        (None, None, 1),
        (((1, 0),), ((1, 0),), 1),
        (((0, 1),), ((0, 1),), 1),
        (((0, 1),), ((1, 0),), 2),
        (((1, 0),), None, 2),
        (None, ((1, 0),), 2),
    ],
)
def test_layouts_agree_or_nobody_spells_them(
    first: tuple[tuple[int, ...], ...] | None, second: tuple[tuple[int, ...], ...] | None, left: int
) -> None:
    one = laid([M], first)
    two = laid(one.results, second)
    assert fewest_calls(block(one, two, returned=two.results)) == left


def test_a_vector_has_one_layout_alone() -> None:
    one = laid([Value(VECTOR), M], ((0,), (0, 1)))
    two = laid(one.results, None)
    assert fewest_calls(block(one, two, returned=two.results)) == 1
    three = laid([*two.results, M], None)
    assert fewest_calls(block(two, three, returned=three.results)) == 1
    assert fewest_calls(block(one, two, three, returned=three.results)) == 2
    spelled = laid(one.results, ((0,),))
    assert fewest_calls(block(spelled, laid([*spelled.results, M], None), returned=[])) == 1


def careless(operands: list[Value]) -> Operation:
    """A call that writes its operands and declares the first alone."""
    steps = tuple(Step(index, (0,), (Term(1, index),), 1) for index in range(len(operands)))
    made = Wrapper("w", "llvm", (SCALAR,) * len(operands), steps, None, True, ())
    return Operation("enzymexla.jit_call", operands, [Value(SCALAR)], call=Call(made, (0,)))


@pytest.mark.parametrize(("kind", "in_the_end"), [("llvm", {1}), ("memref", {2})])
def test_a_free_call_may_run_after_a_later_reader_of_what_it_overwrites(kind: str, in_the_end: set[int]) -> None:
    """Once the other two are one call it stands behind both. That call cannot be called if a call names its part."""
    first = jit([X], 0, kind=kind)
    free = jit(first.results, 0, free=True, kind=kind)
    reader = jit([X, *first.results], 0, kind=kind)
    calls = block(first, free, reader, returned=[*free.results, *reader.results])
    assert fewest_calls(calls) == 2
    assert ends_of(calls) == in_the_end


def test_an_undeclared_write_that_nobody_sees_is_no_harm() -> None:
    first = jit([X], 0)
    second = careless([X, *first.results])
    assert fewest_calls(block(first, second, returned=second.results)) == 1
    assert fewest_calls(block(first, second, returned=[*second.results, *first.results])) == 2


def test_an_undeclared_write_from_outside_keeps_the_call_out() -> None:
    first = jit([X], 0)
    second = careless([*first.results, X])
    assert fewest_calls(block(first, second, returned=second.results)) == 2


def test_memory_holds_the_numbers_in_the_order_of_the_layout() -> None:
    wide = Type((2, 3), "complex<f64>")
    data: list[int | float] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert in_memory(data, wide, (1, 0)) == data
    assert in_memory(data, wide, (0, 1)) == [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]
    assert from_memory(in_memory(data, wide, (0, 1)), wide, (0, 1)) == data


@pytest.mark.parametrize(
    ("number", "part", "held"),
    [
        (257.0, "bf16", 256.0),
        (259.0, "bf16", 260.0),
        (2049.0, "f16", 2048.0),
        (70000.0, "f16", float("inf")),
        (16777217.0, "f32", 16777216.0),
        (3, "i1", 1),
        (130, "i8", -126),
        (2**31, "i32", -(2**31)),
    ],
)
def test_numbers_round_and_wrap(number: int | float, part: str, held: int | float) -> None:
    assert fitted(number, part) == held


@pytest.mark.parametrize("first", [*range(0, 300, 60), *range(-240, 0, 60)])
def test_jitlint_leaves_as_many_calls_as_the_reference(first: int) -> None:
    compared = 0
    for seed in range(first, first + 60):
        module, text = generate(seed)
        left = ends(module)
        if left is not None:
            compared += 1
            assert {count_calls(api.fix(text).source.text)} == left, f"seed {seed}"
    assert compared > 20
