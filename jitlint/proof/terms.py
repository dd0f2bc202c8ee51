"""Terms: what a value is, as a number; two values are equal if their numbers are.

A term is made of a kind, some data and other terms, and the table gives the same number to the same parts
(hash-consing). The terms that stand for bytes in memory are brought to a normal form when they are made, so that bytes
that were moved about, by `memcpy` or by a `stablehlo.concatenate`, are the same term however they got there.

Both modules of a proof share one table. Terms are numbered as they are made, so a term's parts have lower numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from jitlint.proof.type_sizes import size_of

Term = int

Node = tuple[Any, ...]
"""`(kind, data, *terms)`: the data holds no terms."""


class NotUnderstood(Exception):
    """Something in a module that execution has no rule for and cannot pass over; the message says what."""


class Piece(NamedTuple):
    """`length` bytes of `source` from `offset` on."""

    source: Term
    offset: int
    length: int


class Terms:
    """The table. `sizes` has the number of bytes of the terms that are the contents of a whole buffer."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.sizes: dict[Term, int] = {}
        self._numbers: dict[Node, Term] = {}
        self._data: dict[object, int] = {}

    def make(self, kind: str, data: object, *parts: Term) -> Term:
        """The term with these parts."""
        node = (kind, data, *parts)
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return number

    def number(self, data: object) -> int:
        """A number in place of some data: quicker to look up, and the same for the same."""
        return self._data.setdefault(data, len(self._data))

    def results(self, of: Term, count: int) -> tuple[Term, ...]:
        """The results of an operation or a call, of which `of` is the term."""
        return (of,) if count == 1 else tuple([self.make("result", number, of) for number in range(count)])

    def bytes(self, pieces: Iterable[Piece]) -> Term:
        """What a buffer holds whose bytes are these, first to last: a term that is all of them stands for itself."""
        flat = self._flat(pieces)
        if len(flat) == 1 and flat[0].offset == 0 and self.sizes.get(flat[0].source) == flat[0].length:
            return flat[0].source
        made = self.make("bytes", tuple([piece[1:] for piece in flat]), *[piece.source for piece in flat])
        self.sizes[made] = sum(piece.length for piece in flat)
        return made

    def overlaid(self, base: Term, placed: Iterable[tuple[int, Piece]]) -> Term:
        """What a buffer of unknown size holds: `base`, with pieces at some places of it, sorted and apart."""
        own = [(place, piece) for place, piece in placed if piece.length]
        kind, data, *parts = self.nodes[base]
        if kind == "overlaid":
            covered = [(place, place + piece.length) for place, piece in own]
            for (place, offset, length), source in zip(data, parts[1:], strict=True):
                own += [(at, Piece(source, offset + at - place, end - at)) for at, end in _gaps(place, length, covered)]
            base = parts[0]
        flat: list[tuple[int, Piece]] = []
        for place, whole in sorted(own):
            for piece in self._taken_apart(whole):
                if piece[:2] == (base, place):
                    place += piece.length
                    continue
                at, last = flat[-1] if flat else (0, Piece(-1, 0, 0))
                if (last.source, at + last.length, last.offset + last.length) == (piece.source, place, piece.offset):
                    flat[-1] = at, Piece(last.source, last.offset, last.length + piece.length)
                else:
                    flat.append((place, piece))
                place += piece.length
        if not flat:
            return base
        layout = tuple([(place, *piece[1:]) for place, piece in flat])
        return self.make("overlaid", layout, base, *[piece.source for _, piece in flat])

    def left(self, order: int, size: int | None, doing: Term) -> Term:
        """What a buffer of some size holds after something unknown was done, to which it was the `order`th passed."""
        made = self.make("left", (order, size), doing)
        if size is not None:
            self.sizes[made] = size
        return made

    def cell(self, type_: str, value: Term) -> Term:
        """The bytes of a value of some type."""
        return self.make("cell", type_, value)

    def load(self, type_: str, pieces: Iterable[Piece]) -> Term:
        """The value of a type whose bytes are these. The bytes of a value, read as its own type, are the value."""
        flat = self._flat(pieces)
        if len(flat) == 1 and flat[0].offset == 0:
            kind, data, *parts = self.nodes[flat[0].source]
            if kind == "cell" and data == type_ and flat[0].length == size_of(type_):
                return int(parts[0])
        return self.make("load", (type_, tuple([p[1:] for p in flat])), *[piece.source for piece in flat])

    def _flat(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Pieces of sources that are not made of pieces themselves, neighbours joined."""
        flat: list[Piece] = []
        for whole in pieces:
            for piece in self._taken_apart(whole):
                last = flat[-1] if flat else None
                if last and last.source == piece.source and last.offset + last.length == piece.offset:
                    flat[-1] = Piece(last.source, last.offset, last.length + piece.length)
                else:
                    flat.append(piece)
        return flat

    def _taken_apart(self, piece: Piece) -> list[Piece]:
        """A piece as pieces of what its source is made of. A loaded value that is stored brings its bytes along."""
        kind = self.nodes[piece.source][0]
        if kind not in _MADE_OF_PIECES:
            return [piece]
        _, data, *parts = self.nodes[piece.source]
        if kind == "cell":
            inner = self.nodes[parts[0]]
            if inner[0] != "load" or inner[1][0] != data or not is_whole_bytes(data):
                return [piece]
            kind, data, parts = "bytes", inner[1][1], list(inner[2:])
        if kind == "bytes":
            layout, place = [], 0
            for offset, length in data:
                layout.append((place, offset, length))
                place += length
            return _cut(piece, layout, parts, None)
        return _cut(piece, data, parts[1:], parts[0])


_MADE_OF_PIECES = frozenset(["bytes", "cell", "overlaid"])


def _cut(
    piece: Piece, layout: Sequence[tuple[int, int, int]], sources: Sequence[Term], base: Term | None
) -> list[Piece]:
    """The part `piece` of bytes that are laid out so; `base` lies between the pieces of the layout."""
    found, at, end = [], piece.offset, piece.offset + piece.length
    for (place, offset, length), source in zip(layout, sources, strict=True):
        if place + length <= at or place >= end:
            continue
        if place > at:
            found.append(Piece(_within(base), at, place - at))
            at = place
        stop = min(end, place + length)
        found.append(Piece(source, offset + at - place, stop - at))
        at = stop
    if at < end:
        found.append(Piece(_within(base), at, end - at))
    return found


def _within(base: Term | None) -> Term:
    if base is None:
        raise NotUnderstood("bytes are read that are not there")
    return base


def _gaps(place: int, length: int, covered: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The parts of some bytes that nothing covers."""
    found, at = [], place
    for start, end in sorted(covered):
        if start > at and at < place + length:
            found.append((at, min(start, place + length)))
        at = max(at, end)
    if at < place + length:
        found.append((at, place + length))
    return found


def is_whole_bytes(type_: str) -> bool:
    """Whether to load a value of a type and to store it again leaves every bit of its bytes as it was."""
    return type_ in ("f16", "bf16", "f32", "f64", "!llvm.ptr") or (
        type_[:1] == "i" and type_[1:].isdigit() and int(type_[1:]) % 8 == 0
    )
