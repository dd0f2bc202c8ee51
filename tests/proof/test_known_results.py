"""Sums of constants."""

from __future__ import annotations

import pytest

from jitlint.proof.known_results import folded, integer
from jitlint.proof.terms import Terms


@pytest.mark.parametrize(
    ("of_type", "first", "second", "total"),
    [
        ("i64", 3, 4, 7),
        ("i64", -3, 2, -1),
        ("i8", 100, 27, 127),
        ("i8", 100, 28, None),
        ("i8", -100, -29, None),
        ("i8", -100, -28, -128),
        ("index", 3, 4, 7),
    ],
)
def test_a_sum_is_a_constant_where_it_does_not_overflow(
    of_type: str, first: int, second: int, total: int | None
) -> None:
    terms = Terms()
    constants = [terms.make("op", f"arith.constant {number}:{of_type}") for number in (first, second)]
    found = folded(terms, f"arith.addi %,%:{of_type}", constants)
    assert (found if found is None else integer(terms, found)) == total


def test_what_is_no_constant_has_no_sum() -> None:
    terms = Terms()
    constant, other = terms.make("op", "arith.constant 1:i64"), terms.make("operand", 0)
    assert folded(terms, "arith.addi %,%:i64", [constant, other]) is None
    assert folded(terms, "arith.muli %,%:i64", [constant, constant]) is None
