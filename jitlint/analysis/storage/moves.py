"""Plumbing as a member of a group: an operation between calls that only moves bytes.

A *view* gives the bytes of its operand another shape: both values are in one buffer, and nothing is moved. A
concatenation and a slice put pieces into a new buffer, which a fused wrapper keeps for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from jitlint import lazy
from jitlint.ir.calls import Value
from jitlint.ir.tree import Operation
from jitlint.syntax.lexer import whole

LARGEST = 4096
"""Bytes of stack memory that the buffers of a fused wrapper may take together."""

POINTER = "!llvm.ptr"

_FLAT = lazy.pattern(r"tensor<((?:[0-9]++x)*+)(?:complex<[a-z]++[0-9]*+>|[a-z]++[0-9]*+)>")


def dimensions(type_text: str) -> tuple[list[int], str]:
    """The dimensions of a tensor type, 0 for one that is not static, and the type of its elements."""
    *sizes, element = type_text.removeprefix("tensor<").removesuffix(">").split("x")
    return [whole(each) if each.isdigit() else 0 for each in sizes], element


@lru_cache(maxsize=4096)
def is_flat(type_text: str) -> bool:
    """Whether it is a tensor with one dimension at the most that is not 1: every layout puts its bytes in one order."""
    match = _FLAT.fullmatch(type_text)
    return match is not None and sum(whole(each) != 1 for each in match[1].split("x")[:-1]) < 2


class Piece(NamedTuple):
    """`size` bytes of operand `operand`, from byte `source` on, that stand from byte `target` on in the result."""

    operand: int
    source: int
    target: int
    size: int


class Plumbing:
    """One operation that moves bytes; it can be a member of a group, as a call can.

    `pieces` are those that its one result is put together from; it is empty for a view, each of whose results is the
    operand of the same number.
    """

    __slots__ = (
        *("end", "index", "layouts", "name", "operand_types", "operands", "parameter_types", "pieces"),
        *("result_names", "result_types", "results", "start"),
    )

    mutated: Mapping[int, int] = {}
    obstacles = ()

    def __init__(
        self,
        operation: Operation,
        operands: Sequence[Value],
        operand_types: Sequence[str],
        result_types: Sequence[str],
        pieces: tuple[Piece, ...],
    ) -> None:
        self.index = operation.index
        self.start = operation.start
        self.end = operation.end
        self.name = operation.name
        self.operands = tuple(operands)
        self.operand_types = tuple(operand_types)
        self.parameter_types = (POINTER,) * len(operands)
        ranks = (len(dimensions(type_text)[0]) for type_text in operand_types)
        self.layouts = tuple(tuple(reversed(range(rank))) for rank in ranks)  # any pointer type and layout fits
        self.result_names = operation.results
        self.results = tuple((name, number) for name, count in operation.results for number in range(count))
        self.result_types = tuple(result_types)
        self.pieces = pieces
