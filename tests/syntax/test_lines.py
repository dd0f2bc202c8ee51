"""The shapes of lines: one that was looked up is one that was read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitlint.ir.effects import OPERATIONS
from jitlint.syntax.cut import read_line
from jitlint.syntax.lines import LineShapes
from jitlint.syntax.shapes import A_LOCATION, A_LONG_LINE, LONGEST, Shape

NUMBER = st.sampled_from(["0", "1", "7", "12", "34", "123"])
NAME = st.one_of(NUMBER, st.sampled_from(["a", "b7", "c_0", "arg12"])).map("%{}".format)
WORD = st.sampled_from(
    ["stablehlo.add", "math.log2", "math.log3", "a.b1", "a.b2", "x1.y", "x2.y", "return", "arith.addf"]
)
PIECES = st.one_of(
    NAME,
    WORD,
    NUMBER,
    NUMBER.map("tensor<{}xf32>".format),
    NUMBER.map("loc(#loc{})".format),
    NUMBER.map("@f{}".format),
    NUMBER.map('"s{}"'.format),
    NUMBER.map("// c{}".format),
    st.sampled_from(
        ["=", " = ", ":", ": 2 =", ",", "(", ")", "{", "}", "<", ">", " ", "  ", "->", "#1", "^bb0:", "é", "\r"]
    ),
)
LINES = st.lists(st.lists(PIECES, max_size=8).map("".join), min_size=1, max_size=12)


def learn(line: str) -> Shape:
    return read_line(line, OPERATIONS)


def facts(shape: Shape) -> tuple[int, str, int, int]:
    return shape.kind, shape.name, shape.lead, shape.trail


@given(st.lists(LINES, min_size=1, max_size=3))
def test_what_is_looked_up_is_what_is_read(pieces: list[list[str]]) -> None:
    shapes = LineShapes(learn)
    for lines in pieces:
        found, lengths = shapes.of("\n".join(lines))
        assert lengths == [len(line) for line in lines]
        assert [facts(shape) for shape in found] == [facts(learn(line)) for line in lines]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("%0 = math.log2 %1 : f32", "%0 = math.log3 %1 : f32"),
        ("a.b { x.y2 }", "a.b { x.y3 }"),
        ('%0 = "a.b1"() : () -> f32', '%0 = "a.b2"() : () -> f32'),
        ("%0 = x1.y %1 : f32", "%0 = x2.y %1 : f32"),
    ],
)
def test_a_digit_in_a_name_of_an_operation_counts(one: str, other: str) -> None:
    shapes = LineShapes(learn)
    assert facts(shapes.of(one)[0][0]) == facts(learn(one))
    assert facts(shapes.of(other)[0][0]) == facts(learn(other))
    assert shapes.read == 2


def test_lines_that_differ_in_names_and_numbers_are_read_once() -> None:
    shapes = LineShapes(learn)
    lines = [f"    %{n} = stablehlo.add %{n - 1}, %x{n} : tensor<5xf64>" for n in range(1, 2000)]
    shapes.of("\n".join(lines))
    assert shapes.read == 1


def test_locations_and_long_lines_are_not_kept() -> None:
    shapes = LineShapes(learn)
    locations = "\n".join(f'#loc{n} = loc("model{n}.py":{n}:{n % 7})' for n in range(500))
    long = "a.b " + "%0, " * LONGEST
    assert set(shapes.of(f"{locations}\n{long}")[0]) == {A_LOCATION, A_LONG_LINE}
    assert shapes.read == 0
