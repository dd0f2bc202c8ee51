"""How many bytes values of a type take in memory, for the types whose layout every target shares.

The sources are LLVM's data layout (a scalar has its natural size and alignment, an array no gaps, a struct is padded)
and XLA's CPU backend, which keeps a dense row-major array with one byte to an `i1`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod

from jitlint.syntax.grammar import scan_type

_SCALARS = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "!llvm.ptr": 8, "ptr": 8, "index": 8, "i1": 1}
_INTEGER = re.compile(r"[su]?i(8|16|32|64)\Z")
_COMPLEX = re.compile(r"complex<(\w+)>\Z")
_ARRAY = re.compile(r"(?:!llvm\.)?array<(\d{1,9}) x (.+)>\Z")
_STRUCT = re.compile(r"(?:!llvm\.)?struct<\((.*)\)>\Z")
_TENSOR = re.compile(r"(?:tensor|memref)<((?:\d{1,15}x)*)([a-z][a-z0-9]*(?:<\w+>)?)>\Z")


@lru_cache(maxsize=4096)
def size_of(type_: str) -> int | None:
    """The bytes from one value of a type to the next in memory, None where this is not known."""
    return _laid_out(type_, 0)[0]


@lru_cache(maxsize=4096)
def shape_of(type_: str) -> tuple[int, ...] | None:
    """The static shape of a tensor or of a memref with the default layout, None for any other type."""
    match = _TENSOR.match(type_)
    return tuple(map(int, match[1].split("x")[:-1])) if match else None


def is_flat(type_: str) -> bool:
    """Whether it is a tensor with one dimension at the most that is not 1: its elements stand in one order."""
    shape = shape_of(type_)
    return shape is not None and sum(each != 1 for each in shape) < 2


def element_of(type_: str) -> str:
    """The type of a tensor's or a memref's elements, "" for any other type."""
    match = _TENSOR.match(type_)
    return match[2] if match else ""


def fields_of(struct: str) -> list[tuple[int, str]] | None:
    """Where the fields of a struct lie, each with its type; None where this is not known."""
    match = _STRUCT.match(struct)
    return _fields(match[1], 0)[0] if match else None


def _laid_out(type_: str, depth: int) -> tuple[int | None, int]:
    """The size and the alignment of a type."""
    if depth > 20:
        return None, 1
    size = _SCALARS.get(type_)
    if size is not None:
        return size, size
    if match := _INTEGER.match(type_):
        return int(match[1]) // 8, int(match[1]) // 8
    if match := _COMPLEX.match(type_):
        size, alignment = _laid_out(match[1], depth + 1)
        return (None if size is None else 2 * size), alignment
    if match := _ARRAY.match(type_):
        size, alignment = _laid_out(match[2], depth + 1)
        return (None if size is None else int(match[1]) * size), alignment
    if match := _TENSOR.match(type_):
        size, alignment = _laid_out(match[2], depth + 1)
        return (None if size is None else prod(map(int, match[1].split("x")[:-1])) * size), alignment
    if match := _STRUCT.match(type_):
        fields, size, alignment = _fields(match[1], depth + 1)
        return (None if fields is None else size), alignment
    return None, 1


def _fields(inside: str, depth: int) -> tuple[list[tuple[int, str]] | None, int, int]:
    """The places and types of a struct's fields, its size and its alignment."""
    place, widest, found, position = 0, 1, [], 0
    while position < len(inside):
        end = scan_type(inside, position)
        if end is None:
            return None, 0, 1
        type_ = inside[position:end]
        size, alignment = _laid_out(type_, depth)
        if size is None:
            return None, 0, 1
        place += -place % alignment
        found.append((place, type_))
        place, widest = place + size, max(widest, alignment)
        position = end + len(inside[end:]) - len(inside[end:].lstrip(", "))
    return found, place + -place % widest, widest
