"""Nothing grows faster than its input, shown by counting: no clock is asked.

What is counted is what Python does: the calls of functions, in Python and in C, while a text is checked or fixed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from benchmarks.generate import text_of
from jitlint import engine
from jitlint.analysis.blocks import UnitAnalysis
from jitlint.ir.program import call_blocks
from jitlint.ir.tree import Unit
from jitlint.options import Options

IN_PLACE = (
    "<output_operand_aliases = [#stablehlo.output_operand_alias"
    "<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]>"
)
DOUBLE = """  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
"""


def module(lines: list[str]) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return (
        f"module {{\n{DOUBLE}  func.func @main(%x: tensor<f64>) -> tensor<f64> {{\n{body}"
        "    return %x : tensor<f64>\n  }\n}\n"
    )


def call(result: str, operand: str, flags: str = "") -> str:
    aliases = IN_PLACE.replace("]>]>", f"]>]{flags}>")
    return f"{result} = enzymexla.jit_call @double ({operand}) {aliases} : (tensor<f64>) -> tensor<f64>"


def behind_barriers(n: int) -> str:
    """A value that `n` calls use, each behind an operation with effects."""
    barrier = "stablehlo.custom_call @log(%x) {has_side_effect = true} : (tensor<f64>) -> tensor<f64>"
    lines = [call("%0", "%x")]
    for number in range(n):
        lines += [f"%b{number} = {barrier}", call(f"%c{number}", "%0")]
    return module(lines)


def sinking(n: int) -> str:
    """A chain in which every result but the last has a pure user that must come after the fused call."""
    lines, last = [], "%x"
    for number in range(n):
        lines += [
            f"%p{number} = stablehlo.negate %x : tensor<f64>",
            call(f"%c{number}", last),
        ]
        last = f"%c{number}"
    return module(lines)


def side_by_side(n: int) -> str:
    """Pairs of effect-free calls, all first calls before all second ones: every group reaches over every other."""
    free = ", xla_side_effect_free"
    first = [call(f"%a{number}", "%x", free) for number in range(n)]
    return module(first + [call(f"%b{number}", f"%a{number}", free) for number in range(n)])


INPUTS: dict[str, Callable[[int], str]] = {
    name: (lambda n, name=name: text_of(name, n))
    for name in ("groups", "functions", "chain", "located", "sparse", "distinct_wrappers", "users", "nested")
} | {"behind_barriers": behind_barriers, "sinking": sinking, "side_by_side": side_by_side}

SIZE = {"sparse": 2_000}
"""What is measured is what an input adds: it must be large beside what every run does once."""


def work(run: Callable[[], object]) -> int:
    """How many functions are called while `run` runs."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("act", [engine.analyse, engine.rewrite], ids=["check", "fix"])
def test_twice_the_input_is_twice_the_work(name: str, act: Callable[[str, str, Options], object]) -> None:
    size = SIZE.get(name, 200)
    once, twice = (INPUTS[name](n) for n in (size, 2 * size))
    act(once, "warm up", Options())
    assert work(lambda: act(twice, "x", Options())) < 2.3 * work(lambda: act(once, "x", Options()))


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
