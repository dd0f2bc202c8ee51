"""Nothing grows faster than its input, shown by counting: no clock is asked.

What is counted is what Python does: the calls of functions, in Python and in C, while a text is checked or fixed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType

import pytest

from benchmarks.generate import text_of
from benchmarks.odd_shapes import SHAPES, call, module
from jitlint.analysis.blocks import UnitAnalysis
from jitlint.checker import Checker
from jitlint.ir.program import call_blocks
from jitlint.ir.tree import Unit
from jitlint.options import Options
from jitlint.syntax import calls, functions

INPUTS: dict[str, Callable[[int], str]] = {
    name: (lambda n, name=name: text_of(name, n))
    for name in ("groups", "functions", "chain", "located", "sparse", "distinct_wrappers", "users", "nested")
} | SHAPES

SIZE = {
    "sparse": 2_000,
    "codes": 75,
    "one_value": 200,
    "splits": 15,
    "modules": 30,
    "attributes": 1_000,
    "deep": 400,
    "views": 1_000,
}
"""What is measured is what an input adds: it must be large beside what every run does once."""


def work(run: Callable[[], object]) -> int:
    """How many functions are called while `run` runs."""
    called = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("act", [Checker.check, Checker.fix], ids=["check", "fix"])
def test_twice_the_input_is_twice_the_work(name: str, act: Callable[[Checker, str, str], object]) -> None:
    size = SIZE.get(name, 100)
    once, twice = (INPUTS[name](n) for n in (size, 2 * size))
    act(Checker(), INPUTS[name](size // 2), "warm up")
    works = []
    for text in (once, twice):
        calls._parsed.cache_clear()  # what one text has taught must not make the next one cheap
        functions._parsed.cache_clear()
        works.append(work(partial(act, Checker(), text, "x")))
    assert works[1] < 2.3 * works[0]


@pytest.mark.parametrize("name", ["groups", "functions", "chain", "located", "users"])
def test_the_shapes_that_are_read_do_not_grow_with_the_input(name: str) -> None:
    read = []
    for n in (50, 400):
        text = text_of(name, n)
        unit = Unit(text, 0, len(text))
        analysis = UnitAnalysis(unit, Options())
        assert analysis.blocks
        read.append((unit.cutter.shapes.read, unit.call_reader.parsed, analysis.headers.parsed))
    assert read[1][0] <= read[0][0] + 5
    assert read[1][1:] == read[0][1:]


def test_a_region_without_calls_is_not_cut() -> None:
    plain = "".join(f"    %{number} = my.op{number} %x : tensor<f64>\n" for number in range(500))
    text = f"func.func @other(%x: tensor<f64>) {{\n{plain}    return\n}}\n" + module([call("%0", "%x")])
    unit = Unit(text, 0, len(text))
    assert list(call_blocks(unit))
    assert unit.cutter.shapes.read < 50
