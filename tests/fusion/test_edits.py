"""Edits of a text: replacements, moves, and what must not be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitlint.errors import InternalError
from jitlint.fusion.edits import Edit, Edits, Move, apply, compose

TEXT = "one\ntwo\nthree\n"


def edited(edits: Edits) -> str:
    return apply(TEXT, edits.flat(TEXT))


def test_what_moves_takes_its_replacements_along() -> None:
    edits = Edits()
    edits.replace(4, 7, "2")
    edits.rewrite(4, 8)
    edits.rewrite(0, 0, Move(4, 8, lead="> "))
    assert edited(edits) == "> 2\none\nthree\n"


def test_a_replacement_in_what_goes_is_lost() -> None:
    edits = Edits()
    edits.replace(4, 7, "2")
    edits.replace(8, 13, "3")
    edits.rewrite(4, 8)
    assert edited(edits) == "one\n3\n"


@pytest.mark.parametrize("second", [(2, 6), (4, 5)])
def test_edits_that_overlap_are_a_defect(second: tuple[int, int]) -> None:
    edits = Edits()
    edits.rewrite(0, 5, "x")
    edits.rewrite(*second, "y")
    with pytest.raises(InternalError, match="overlap"):
        edits.flat(TEXT)


@st.composite
def edits_of(draw: st.DrawFn, text: str) -> list[Edit]:
    points = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = zip(points[::2], points[1::2], strict=False)
    return [(start, end, draw(st.sampled_from(["", "x", "yy", "zzz\n"]))) for start, end in pairs]


@given(st.data(), st.text("abc\n", max_size=12))
def test_edits_of_two_rounds_are_one_list_of_edits(data: st.DataObject, text: str) -> None:
    first = data.draw(edits_of(text))
    middle = apply(text, first)
    second = data.draw(edits_of(middle))
    composed = compose(first, middle, second)
    assert apply(text, composed) == apply(middle, second)
    assert all(one[1] < two[0] for one, two in pairwise(composed))


def test_edits_apart_stay_apart() -> None:
    assert compose([(0, 1, "xx")], "xxbcdef", [(5, 6, "")]) == [(0, 1, "xx"), (4, 5, "")]
    assert compose([(2, 3, "")], "abdef", []) == [(2, 3, "")]
    assert compose([], "abc", [(1, 2, "")]) == [(1, 2, "")]


@pytest.mark.parametrize(
    ("small", "large"),
    [([(0, 3), (2, 4)], []), ([], [(0, 5), (3, 8)]), ([(4, 7)], [(6, 9)]), ([(0, 7)], [(6, 9)])],
)
def test_edits_that_overlap_in_whatever_way_are_a_defect(
    small: list[tuple[int, int]], large: list[tuple[int, int]]
) -> None:
    edits = Edits()
    for start, end in small:
        edits.replace(start, end, "x")
    for start, end in large:
        edits.rewrite(start, end, "x")
    with pytest.raises(InternalError, match="overlap"):
        edits.flat("0123456789")
