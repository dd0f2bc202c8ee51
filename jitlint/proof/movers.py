"""Operations on tensors that only move bytes: what they give is made of pieces of what they are given.

That is so for tensors with one dimension at the most that is not 1: others may be laid out in any way. The sources are
the StableHLO specification's sections on each operation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jitlint.proof.terms import Piece, Term, Terms
from jitlint.proof.types import element_of, is_flat, shape_of, size_of

MOVERS = frozenset(
    [
        "stablehlo.reshape",
        "stablehlo.broadcast_in_dim",
        "stablehlo.concatenate",
        "stablehlo.slice",
        "stablehlo.optimization_barrier",
    ]
)
_BARRIER = re.compile(r"stablehlo\.optimization_barrier [%,]*:.*")
_RESHAPE = re.compile(
    r"stablehlo\.(?:reshape %|broadcast_in_dim %,dims=\[[\d,]*\]):\((tensor<[^()]*>)\)->(tensor<[^()]*>)"
)
_JOIN = re.compile(r"stablehlo\.concatenate [%,]*,dim=\d{1,15}:\((.*)\)->(tensor<[^()]*>)")
_SLICE = re.compile(r"stablehlo\.slice % ?\[([\d:,]+)\]:\((tensor<[^()]*>)\)->(tensor<[^()]*>)")
_RANGE = re.compile(r"(\d{1,15}):(\d{1,15})(?::1)?")


def moved(terms: Terms, text: str, operands: Sequence[Term]) -> tuple[Term, ...] | None:
    """The results of an operation that only moves bytes, None where it does more or that is not known."""
    if _BARRIER.fullmatch(text):
        return tuple(operands)
    if match := _RESHAPE.fullmatch(text):
        given, size = _flat(match[1]), _flat(match[2])
        if given is None or given != size:
            return None
        return (terms.bytes([_whole(terms, operands[0], given)]),)
    if match := _JOIN.fullmatch(text):
        sizes = [_flat(type_) for type_ in match[1].split(",")]
        if len(sizes) != len(operands):
            return None
        known = [size for size in sizes if size is not None]
        if len(known) != len(sizes) or sum(known) != _flat(match[2]):
            return None
        return (terms.bytes([_whole(terms, each, size) for each, size in zip(operands, known, strict=True)]),)
    if match := _SLICE.fullmatch(text):
        whole, part, offset = _flat(match[2]), _flat(match[3]), _offset(match[1], match[2])
        if whole is None or part is None or offset is None or offset + part > whole:
            return None
        return (terms.bytes([Piece(_whole(terms, operands[0], whole).source, offset, part)]),)
    return None


def _whole(terms: Terms, term: Term, size: int) -> Piece:
    terms.sizes.setdefault(term, size)
    return Piece(term, 0, size)


def _offset(ranges: str, type_: str) -> int | None:
    """The byte where a slice of neighbouring elements begins, None where it is not one."""
    shape, start = shape_of(type_) or (), 0
    found = [_RANGE.fullmatch(each) for each in ranges.split(",")]
    if len(found) != len(shape):
        return None
    for match, dimension in zip(found, shape, strict=True):
        if match is None or not int(match[1]) < int(match[2]) <= dimension:
            return None
        start += int(match[1])  # 0 in a dimension of size 1
    element = size_of(f"tensor<{element_of(type_)}>")
    return None if element is None else start * element


def _flat(type_: str) -> int | None:
    """The bytes of a tensor whose layout does not matter."""
    return size_of(type_) if is_flat(type_) else None
