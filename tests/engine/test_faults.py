"""The inputs of `tests/faults` on the engine: the values that are right, and the same after a fix."""

from __future__ import annotations

import pytest

from jitlint import api
from tests.engine.judge import Array, Judge, array
from tests.test_faults import text_of

pytestmark = pytest.mark.engine

ONE, THREE, FIVE = array(1.0), array(3.0), array(5.0)

RIGHT: dict[str, tuple[list[Array], list[list[float]]]] = {
    "comdat_called": ([THREE], [[12.0]]),
    "dedupe_names_wrapper": ([THREE], [[24.0]]),
    "inside_undeclared_write": ([THREE, FIVE], [[12.0], [3.0]]),
    "layout_default": ([ONE], [[1.0, 3.0, 5.0, 16.0, 4.0, 6.0]]),
    "undeclared_freeze": ([THREE], [[-6.0], [50.0], [50.0]]),
    "public_in_two_modules": ([THREE], [[12.0]]),
    "component_came_along": ([THREE, FIVE, ONE], [[12.0], [20.0], [2.0]]),
}
"""Arguments of `@main`, and the numbers of its results."""

SAME = {
    "alias_between": [THREE],
    "public_func_wrapper": [THREE],
    "inside_undeclared_write_used": [THREE, FIVE],
    "twin_constants": [THREE, FIVE],
    "gpu_module_fused": [THREE],
    "dropped_with_its_layouts": [array([5.0, 4.0, 9.0, 7.0], shape=[2, 2]), array([2.0, -3.0, 1.0, 6.0], shape=[2, 2])],
    "one_value_two_layouts": [THREE, array([float(number) for number in range(6)], shape=[2, 3])],
}
"""Arguments of `@main` where the module before says what is right."""


@pytest.mark.parametrize("name", [*RIGHT, *SAME])
def test_a_fix_leaves_what_is_computed(name: str, judge: Judge) -> None:
    text = text_of(name)
    arguments = RIGHT[name][0] if name in RIGHT else SAME[name]
    before = [result["data"] for result in judge.run_main(text, arguments)]
    if name in RIGHT:
        assert before == RIGHT[name][1]
    for choices in ({}, {"prune_wrappers": True}):
        assert [result["data"] for result in judge.run_main(api.fix(text, **choices).source.text, arguments)] == before
