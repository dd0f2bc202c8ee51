"""Edits of a text: replacements, moves, and what must not be."""

from __future__ import annotations

import pytest

from jitlint.errors import InternalError
from jitlint.fusion.edits import Edits, Move, apply

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
