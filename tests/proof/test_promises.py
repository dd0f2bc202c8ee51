"""What the first module says of functions outside, and how far the second may rely on it."""

from __future__ import annotations

import pytest

from jitlint.proof.promises import World


@pytest.fixture
def world() -> World:
    return World()


def test_an_effect_depends_on_what_went_before(world: World) -> None:
    first, second = world.terms.make("state", 1), world.terms.make("state", 2)
    assert world.effect("a", first, (), False) != world.effect("a", second, (), False)
    assert world.effect("a", first, (), True) == world.effect("a", second, (), True)
    assert world.after(first, world.effect("a", first, (), True)) == first
    bound = world.effect("a", first, (), False)
    assert world.after(first, bound) == bound


def test_what_the_first_calls_free_is_free_in_the_second(world: World) -> None:
    state, part, other = (world.terms.make("state", number) for number in range(3))
    free = world.effect("a", state, (part,), True)
    world.is_second = True
    assert world.effect("a", state, (part,), False) == free
    assert world.effect("a", state, (other,), False) != world.effect("a", part, (other,), False)
    assert world.effect("b", state, (part,), False) != world.effect("b", part, (part,), False)


def test_what_the_first_also_does_bound_is_not(world: World) -> None:
    state, part = world.terms.make("state", 1), world.terms.make("state", 2)
    free = world.effect("a", state, (part,), True)
    bound = world.effect("a", state, (part,), False)
    world.is_second = True
    assert world.effect("a", state, (part,), False) == bound != free
    assert world.effect("a", bound, (part,), False) == free


def test_what_only_the_second_calls_free_is_a_promise_of_its_own(world: World) -> None:
    state = world.terms.make("state", 1)
    bound = world.effect("a", state, (), False)
    world.is_second = True
    assert world.effect("a", state, (), True) != bound


def test_what_a_function_outside_leaves_in_a_buffer(world: World) -> None:
    effect, before = world.terms.make("effect", 1), world.terms.make("operand", 1)
    assert world.written(effect, 0, 8, before, False) != before
    assert world.written(effect, 1, 8, before, True) == before
    world.is_second = True
    assert world.written(effect, 0, 8, before, True) != before
    assert world.written(effect, 1, 8, before, False) == before
    assert world.written(effect, 2, 8, before, True) != before
    world.forget()
    world.is_second = True
    assert world.written(effect, 1, 8, before, False) != before


def test_promises_are_those_of_one_function(world: World) -> None:
    state = world.terms.make("state", 1)
    free = world.effect("a", state, (), True)
    world.forget()
    assert not world.is_second
    world.is_second = True
    assert world.effect("a", state, (), False) != free
