"""Element types: how their numbers are written, how they round or wrap, and what the engine calls them.

A complex element is two numbers, its *parts*, one after the other, in memory and in the model's data.
"""

from __future__ import annotations

import struct

Number = int | float
"""A part of an element; complex elements have two."""

_BITS = {"i1": 1, "i8": 8, "i32": 32, "i64": 64}
_DTYPES = {
    "i1": "bool",
    "i8": "int8",
    "i32": "int32",
    "i64": "int64",
    "bf16": "bfloat16",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
}
ELEMENTS = tuple(_DTYPES)
EXACT = ("f64", "i64", "i32", "i8")
"""Elements with sums and differences that XLA computes exactly or to the last bit."""


def part_of(element: str) -> str:
    """The type of the numbers that an element consists of."""
    return element.removeprefix("complex<").removesuffix(">")


def parts_of(element: str) -> int:
    """How many numbers an element consists of."""
    return 2 if element.startswith("complex") else 1


def is_float(part: str) -> bool:
    """Whether a number of this type is a floating-point number."""
    return part not in _BITS


def dtype(element: str) -> str:
    """The name of the element type in NumPy."""
    return _DTYPES[element]


def literal(number: Number, part: str) -> str:
    """A number as an attribute writes it, its type left out."""
    return f"{float(number)!r}" if is_float(part) else str(int(number) & 1 if part == "i1" else int(number))


def fitted(number: Number, part: str) -> Number:
    """The number that a variable of the type holds: integers wrap around, floats round to even."""
    if part == "i1":
        return int(number) & 1
    if part in _BITS:
        half = 1 << (_BITS[part] - 1)
        return (int(number) + half) % (2 * half) - half
    number = float(number)
    if part == "f64" or number != number or number in (float("inf"), -float("inf")):
        return number
    return _rounded(number, part)


def _rounded(number: float, part: str) -> float:
    code = "e" if part == "f16" else "f"
    try:
        rounded: float = struct.unpack(code, struct.pack(code, number))[0]
    except OverflowError:
        return float("inf") if number > 0 else -float("inf")
    return _bfloat(rounded) if part == "bf16" else rounded


def _bfloat(number: float) -> float:
    """Drop the last sixteen bits of an f32, rounding to even."""
    bits = int.from_bytes(struct.pack("<f", number), "little")
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    result: float = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    return result
