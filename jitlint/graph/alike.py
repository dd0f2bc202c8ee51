"""Pieces of a picture that are alike: many of them are drawn as one, with their number."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from jitlint.graph.pieces import Piece, elsewhere
from jitlint.graph.sketch import Sketch

_MOST = 3
"""Pieces that are alike and are still drawn one by one."""


def alike(pieces: Sequence[Piece], sketch: Sketch) -> list[tuple[Piece, int]]:
    """The pieces to draw, each with the number of pieces for which it stands, in their order."""
    keys = [_key(piece, sketch) for piece in pieces]
    numbers: dict[Hashable, int] = {}
    for key in keys:
        numbers[key] = numbers.get(key, 0) + 1
    drawn: set[Hashable] = set()
    chosen = []
    for piece, key in zip(pieces, keys, strict=True):
        if key is None or numbers[key] <= _MOST:
            chosen.append((piece, 1))
        elif key not in drawn:
            drawn.add(key)
            chosen.append((piece, numbers[key]))
    return chosen


def _key(piece: Piece, sketch: Sketch) -> Hashable:
    """Equal keys: the pictures differ in lines and in the names of values alone. None: like no other piece."""
    if piece.unread is not None:
        return None
    calls = tuple(
        (
            call.call.symbol,
            tuple(sorted(call.mutated.items())),
            tuple((verdict.code, verdict.message) for verdict in sketch.block.obstacles(call)),
            tuple(user.symbol for _, user in elsewhere(call, sketch)),
        )
        for call in piece.calls
    )
    if piece.component is None or piece.split is None:
        return calls
    if piece.split.left:
        return None  # what keeps calls apart is drawn for each
    place = {call.index: number for number, call in enumerate(piece.calls)}
    ties = tuple((place[tie.maker.index], place[tie.user.index], tie.operand) for tie in piece.component.ties)
    names = tuple((piece.fused_names or {}).values())
    # Which operands are one value decides what the slots are, and which arrows there are.
    values: dict[object, int] = {}
    operands = tuple(values.setdefault(value, len(values)) for call in piece.calls for value in call.operands)
    return calls, ties, names, operands
