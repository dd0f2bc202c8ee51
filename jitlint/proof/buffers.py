"""The memory that one wrapper's body works on: buffers, what their bytes are, and pointers into them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from jitlint.proof.terms import NotUnderstood, Piece, Term, Terms


class Pointer(NamedTuple):
    """An address. `offset` bytes into its one buffer; or, where `offset` is None, somewhere in one of several buffers,
    as `path` tells: a term that is about the buffers in their order, not about which they are."""

    buffers: tuple[int, ...]
    offset: int | None
    path: Term = -1


Value = Term | Pointer
"""What an operation of a wrapper's body uses and gives."""


class Buffer:
    """Bytes that pointers reach: what was written to some places, over `base`.

    `size` is None where it is not known. `is_shut` marks a parameter's buffer that no result aliases. `name` is that of
    a constant global.
    """

    __slots__ = ("base", "is_shut", "name", "places", "size", "stored")

    def __init__(self, base: Term, size: int | None, *, is_shut: bool = False, name: str = "") -> None:
        self.base = base
        self.size = size
        self.is_shut = is_shut
        self.name = name
        self.places: list[int] = []
        self.stored: list[tuple[Piece, Pointer | None]] = []

    def set(self, base: Term) -> None:
        """Let all bytes be those of a term."""
        self.base, self.places, self.stored = base, [], []

    def write(self, place: int, piece: Piece, pointer: Pointer | None = None) -> None:
        """Write a piece; `pointer` is what was stored, if it was one."""
        end = place + piece.length
        if place < 0 or (self.size is not None and end > self.size):
            raise NotUnderstood("a store outside the memory that it is into")
        first = max(bisect_right(self.places, place) - 1, 0)
        last = bisect_left(self.places, end, first)
        kept: list[tuple[int, tuple[Piece, Pointer | None]]] = []
        for start, (old, stored) in zip(self.places[first:last], self.stored[first:last], strict=True):
            stop = start + old.length
            if stored is not None and start < end and stop > place and not (place <= start and stop <= end):
                raise NotUnderstood("part of a pointer is overwritten")
            if start < place:
                kept.append((start, (old._replace(length=min(stop, place) - start), stored)))
            if stop > end:
                begin = max(start, end)
                kept.append((begin, (Piece(old.source, old.offset + begin - start, stop - begin), stored)))
        kept.append((place, (piece, pointer)))
        kept.sort(key=lambda item: item[0])
        self.places[first:last] = [item[0] for item in kept]
        self.stored[first:last] = [item[1] for item in kept]

    def pointer_at(self, place: int, length: int) -> Pointer | None:
        """The pointer that was stored at a place, if exactly that was."""
        at = bisect_left(self.places, place)
        if at < len(self.places) and self.places[at] == place and self.stored[at][0].length == length:
            return self.stored[at][1]
        return None

    def read(self, place: int, length: int) -> list[Piece]:
        """The bytes from a place on. Raises NotUnderstood where a pointer is among them."""
        if place < 0 or (self.size is not None and place + length > self.size):
            raise NotUnderstood("a load outside the memory that it is from")
        found, at, end = [], place, place + length
        index = max(bisect_right(self.places, place) - 1, 0)
        while at < end and index < len(self.places) and self.places[index] < end:
            start, (piece, pointer) = self.places[index], self.stored[index]
            index += 1
            stop = min(start + piece.length, end)
            if stop <= at:
                continue
            if pointer is not None:
                raise NotUnderstood("the bytes of a pointer are read")
            if start > at:
                found.append(Piece(self.base, at, start - at))
                at = start
            found.append(Piece(piece.source, piece.offset + at - start, stop - at))
            at = stop
        if at < end:
            found.append(Piece(self.base, at, end - at))
        return found

    @property
    def pointers(self) -> list[Pointer]:
        """The pointers stored in it."""
        return [pointer for _, pointer in self.stored if pointer is not None]

    def contents(self, terms: Terms) -> Term:
        """All that it holds, as one term. Raises NotUnderstood where a pointer is stored in it."""
        if not self.places:
            return self.base
        if self.pointers:
            raise NotUnderstood("a pointer is left in memory")
        if self.size is not None:
            return terms.bytes(self.read(0, self.size))
        return terms.overlaid(self.base, zip(self.places, [piece for piece, _ in self.stored], strict=True))
