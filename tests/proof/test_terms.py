"""Terms of bytes: the same bytes are one term however they were put together, and others are another."""

from __future__ import annotations

import pytest

from jitlint.proof.known_results import moved
from jitlint.proof.terms import NotUnderstood, Piece, Term, Terms
from jitlint.proof.type_sizes import fields_of, is_flat, size_of


@pytest.fixture
def terms() -> Terms:
    return Terms()


def operand(terms: Terms, number: int, size: int | None = 16) -> Term:
    made = terms.make("operand", (number, size))
    if size is not None:
        terms.sizes[made] = size
    return made


def test_all_the_bytes_of_a_term_are_that_term(terms: Terms) -> None:
    one = operand(terms, 1)
    assert terms.bytes([Piece(one, 0, 16)]) == one
    assert terms.bytes([Piece(one, 0, 4), Piece(one, 4, 12)]) == one
    parts = [[Piece(one, 0, 8)], [Piece(one, 8, 8)], [Piece(one, 8, 8), Piece(one, 0, 8)], [Piece(one, 4, 16)]]
    assert len({one, *map(terms.bytes, parts)}) == 5


def test_bytes_of_bytes_are_those_of_what_they_are_made_of(terms: Terms) -> None:
    one, two = operand(terms, 1), operand(terms, 2)
    made = terms.bytes([Piece(one, 8, 8), Piece(two, 0, 8)])
    assert terms.bytes([Piece(made, 4, 8)]) == terms.bytes([Piece(one, 12, 4), Piece(two, 0, 4)])
    assert terms.bytes([Piece(made, 4, 8)]) != terms.bytes([Piece(made, 0, 8)])


def test_a_value_is_loaded_from_its_own_bytes_as_its_own_type_alone(terms: Terms) -> None:
    value = terms.make("op", "x")
    cell = terms.cell("f64", value)
    assert terms.load("f64", [Piece(cell, 0, 8)]) == value
    others = [("i64", Piece(cell, 0, 8)), ("f32", Piece(cell, 0, 4)), ("f64", Piece(cell, 4, 8))]
    assert len({value, *[terms.load(type_, [piece]) for type_, piece in others]}) == 4


@pytest.mark.parametrize(
    ("loaded", "stored", "are_the_bytes"),
    [
        ("f64", "f64", True),
        ("i32", "i32", True),
        ("!llvm.ptr", "!llvm.ptr", True),
        ("i1", "i1", False),
        ("i7", "i7", False),
        ("f64", "i64", False),
    ],
)
def test_a_loaded_value_that_is_stored_brings_its_bytes(
    terms: Terms, loaded: str, stored: str, are_the_bytes: bool
) -> None:
    size = size_of(stored) or 1
    source = [Piece(operand(terms, 1), 0, size)]
    cell = terms.cell(stored, terms.load(loaded, source))
    assert (terms.bytes([Piece(cell, 0, size)]) == terms.bytes(source)) == are_the_bytes


def overlaid(terms: Terms, base: Term, *placed: tuple[int, Piece]) -> Term:
    return terms.overlaid(base, placed)


def test_memory_of_unknown_size_is_what_was_there_with_pieces_on_it(terms: Terms) -> None:
    base, one = operand(terms, 0, None), operand(terms, 1)
    whole = overlaid(terms, base, (4, Piece(one, 0, 8)))
    assert whole == overlaid(terms, base, (4, Piece(one, 0, 4)), (8, Piece(one, 4, 4)))
    assert whole == overlaid(terms, overlaid(terms, base, (8, Piece(one, 4, 4))), (4, Piece(one, 0, 4)))
    assert whole == overlaid(
        terms,
        overlaid(terms, base, (0, Piece(one, 0, 16))),
        (0, Piece(base, 0, 4)),
        (4, Piece(one, 0, 8)),
        (12, Piece(base, 12, 4)),
    )
    others = [
        base,
        overlaid(terms, base, (0, Piece(one, 0, 8))),
        overlaid(terms, base, (4, Piece(one, 8, 8))),
        overlaid(terms, base, (4, Piece(one, 0, 4))),
        overlaid(terms, base, (4, Piece(one, 0, 4)), (8, Piece(one, 8, 4))),
        overlaid(terms, base, (4, Piece(one, 0, 4)), (9, Piece(one, 4, 4))),
    ]
    assert len({whole, *others}) == 7


def test_what_is_put_back_where_it_was_changes_nothing(terms: Terms) -> None:
    base = operand(terms, 0, None)
    assert overlaid(terms, base, (4, Piece(base, 4, 8))) == base
    assert overlaid(terms, base, (4, Piece(base, 0, 8))) != base


def test_bytes_between_pieces_are_those_below(terms: Terms) -> None:
    base, one = operand(terms, 0, None), operand(terms, 1)
    made = overlaid(terms, base, (4, Piece(one, 0, 4)), (12, Piece(one, 4, 4)))
    assert terms.bytes([Piece(made, 0, 16)]) == terms.bytes(
        [Piece(base, 0, 4), Piece(one, 0, 4), Piece(base, 8, 4), Piece(one, 4, 4)]
    )


def test_no_bytes_are_made_up(terms: Terms) -> None:
    made = terms.bytes([Piece(operand(terms, 1), 0, 8), Piece(operand(terms, 2), 0, 8)])
    with pytest.raises(NotUnderstood):
        terms.bytes([Piece(made, 8, 16)])


def test_what_is_left_in_two_buffers_is_not_the_same(terms: Terms) -> None:
    doing = terms.make("op", "x")
    assert len({terms.left(0, 8, doing), terms.left(1, 8, doing), terms.left(0, 16, doing)}) == 3


X, Y = "tensor<4xf64>", "tensor<2xf64>"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (f"stablehlo.slice %[1:3]:({X})->{Y}", [(0, 8, 16)]),
        (f"stablehlo.slice %[2:4:1]:({X})->{Y}", [(0, 16, 16)]),
        ("stablehlo.slice %[0:1,1:3]:(tensor<1x4xf64>)->tensor<1x2xf64>", [(0, 8, 16)]),
        ("stablehlo.slice %[1:3]:(tensor<4xi8>)->tensor<2xi8>", [(0, 1, 2)]),
        (f"stablehlo.reshape %:({X})->tensor<1x4xf64>", [(0, 0, 32)]),
        (f"stablehlo.broadcast_in_dim %,dims=[1]:({X})->tensor<1x4xf64>", [(0, 0, 32)]),
        (f"stablehlo.concatenate %,%,dim=0:({Y},{Y})->{X}", [(0, 0, 16), (1, 0, 16)]),
        (f"stablehlo.slice %[1:4:2]:({X})->{Y}", None),
        (f"stablehlo.slice %[3:5]:({X})->{Y}", None),
        (f"stablehlo.slice %[3:1]:({X})->{Y}", None),
        (f"stablehlo.slice %[1:9]:({X})->{Y}", None),
        (f"stablehlo.slice %[2:3]:({X})->{X}", None),
        ("stablehlo.slice %[0:2]:(tensor<1x4xf64>)->tensor<1x2xf64>", None),
        ("stablehlo.slice %[0:1,0:3]:(tensor<2x3xf64>)->tensor<3xf64>", None),
        ("stablehlo.reshape %:(tensor<2x3xf64>)->tensor<6xf64>", None),
        ("stablehlo.reshape %:(tensor<?xf64>)->tensor<4xf64>", None),
        (f"stablehlo.broadcast_in_dim %,dims=[]:(tensor<f64>)->{X}", None),
        (f"stablehlo.concatenate %,%,dim=0:({Y},tensor<?xf64>)->tensor<?xf64>", None),
        (f"stablehlo.concatenate %,%,dim=0:({Y},{Y})->tensor<5xf64>", None),
        ("stablehlo.concatenate %,%,dim=0:(tensor<1x2xf64>,tensor<1x2xf64>)->tensor<2x2xf64>", None),
    ],
)
def test_operations_that_only_move_bytes(terms: Terms, text: str, pieces: list[tuple[int, int, int]] | None) -> None:
    values = [terms.make("op", number) for number in range(text.partition(":")[0].count("%"))]
    found = moved(terms, text, values)
    if pieces is None:
        assert found is None
    else:
        assert found == (terms.bytes([Piece(values[number], offset, size) for number, offset, size in pieces]),)


@pytest.mark.parametrize(
    ("type_", "flat"),
    [("tensor<f64>", True), ("tensor<1x4x1xf64>", True), ("tensor<2x3xf64>", False), ("tensor<?xf64>", False)],
)
def test_tensors_with_one_order_of_elements(type_: str, flat: bool) -> None:
    assert is_flat(type_) == flat


def test_fields_are_aligned() -> None:
    assert fields_of("!llvm.struct<(i8, f64, i32)>") == [(0, "i8"), (8, "f64"), (16, "i32")]
    assert size_of("!llvm.struct<(i8, f64, i32)>") == 24
