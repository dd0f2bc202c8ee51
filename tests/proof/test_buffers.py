"""Buffers: which bytes are read from where, whatever was written in which order."""

from __future__ import annotations

import pytest

from jitlint.proof.buffers import Buffer, Pointer
from jitlint.proof.terms import NotUnderstood, Piece, Terms

BASE, ONE, TWO = 0, 1, 2
POINTER = Pointer((5,), 0)


def buffer(*written: tuple[int, Piece], size: int | None = 16) -> Buffer:
    made = Buffer(BASE, size)
    for place, piece in written:
        made.write(place, piece)
    return made


@pytest.mark.parametrize(
    ("written", "place", "length", "read"),
    [
        ([], 4, 8, [Piece(BASE, 4, 8)]),
        ([(4, Piece(ONE, 0, 4))], 0, 12, [Piece(BASE, 0, 4), Piece(ONE, 0, 4), Piece(BASE, 8, 4)]),
        ([(4, Piece(ONE, 0, 4))], 5, 2, [Piece(ONE, 1, 2)]),
        ([(4, Piece(ONE, 8, 4))], 6, 4, [Piece(ONE, 10, 2), Piece(BASE, 8, 2)]),
        (
            [(0, Piece(ONE, 0, 16)), (4, Piece(TWO, 0, 4))],
            0,
            16,
            [Piece(ONE, 0, 4), Piece(TWO, 0, 4), Piece(ONE, 8, 8)],
        ),
        ([(0, Piece(ONE, 0, 8)), (4, Piece(TWO, 0, 8))], 0, 12, [Piece(ONE, 0, 4), Piece(TWO, 0, 8)]),
        ([(4, Piece(ONE, 0, 8)), (0, Piece(TWO, 0, 8))], 0, 12, [Piece(TWO, 0, 8), Piece(ONE, 4, 4)]),
        ([(4, Piece(ONE, 0, 4)), (8, Piece(TWO, 0, 4)), (0, Piece(ONE, 16, 16))], 0, 16, [Piece(ONE, 16, 16)]),
    ],
)
def test_bytes_are_read_as_they_were_written_last(
    written: list[tuple[int, Piece]], place: int, length: int, read: list[Piece]
) -> None:
    assert buffer(*written).read(place, length) == read


@pytest.mark.parametrize(("place", "length"), [(-1, 4), (12, 8), (16, 1)])
def test_nothing_is_read_or_written_outside(place: int, length: int) -> None:
    with pytest.raises(NotUnderstood):
        buffer().read(place, length)
    with pytest.raises(NotUnderstood):
        buffer().write(place, Piece(ONE, 0, length))


def test_where_the_size_is_not_known_there_is_no_end() -> None:
    assert buffer((100, Piece(ONE, 0, 8)), size=None).read(100, 8) == [Piece(ONE, 0, 8)]


def with_pointer() -> Buffer:
    made = buffer()
    made.write(4, Piece(-1, 0, 8), POINTER)
    return made


def test_a_pointer_is_loaded_whole_or_not_at_all() -> None:
    made = with_pointer()
    assert made.pointer_at(4, 8) == POINTER
    assert made.pointer_at(4, 4) is made.pointer_at(0, 8) is made.pointer_at(8, 8) is None
    assert made.pointers == [POINTER]
    for place, length in ((4, 8), (4, 4), (0, 16), (11, 1)):
        with pytest.raises(NotUnderstood):
            made.read(place, length)
    assert made.read(0, 4) == [Piece(BASE, 0, 4)]


def test_a_pointer_may_be_overwritten_whole() -> None:
    made = with_pointer()
    for place, length in ((0, 8), (8, 8), (5, 1)):
        with pytest.raises(NotUnderstood):
            made.write(place, Piece(ONE, 0, length))
    made.write(4, Piece(ONE, 0, 8))
    assert made.pointers == []
    assert made.read(0, 16) == [Piece(BASE, 0, 4), Piece(ONE, 0, 8), Piece(BASE, 12, 4)]


@pytest.mark.parametrize("size", [16, None])
def test_what_is_left_in_memory_is_all_that_was_written(size: int | None) -> None:
    terms = Terms()
    base, one = terms.make("operand", 0), terms.make("operand", 1)
    made = Buffer(base, size)
    assert made.contents(terms) == base
    made.write(4, Piece(one, 0, 4))
    held = made.contents(terms)
    assert held != base
    made.write(4, Piece(base, 4, 4))
    assert terms.nodes[made.contents(terms)][2:] == (base,) or made.contents(terms) == base
    made.write(8, Piece(-1, 0, 8), POINTER)
    with pytest.raises(NotUnderstood):
        made.contents(terms)
