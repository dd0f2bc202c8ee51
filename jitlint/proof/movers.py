"""Operations on tensors that only move bytes: what they give is made of pieces of what they are given.

That is so for tensors of one dimension or none: those of more may be laid out in any way. The sources are the
StableHLO specification's sections on each operation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jitlint.proof.terms import Piece, Term, Terms
from jitlint.proof.types import shape_of, size_of

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
    r"stablehlo\.(?:reshape %|broadcast_in_dim %,dims=\[\d*\]):\((tensor<[^()]*>)\)->(tensor<[^()]*>)"
)
_JOIN = re.compile(r"stablehlo\.concatenate [%,]*,dim=0:\((.*)\)->(tensor<[^()]*>)")
_SLICE = re.compile(r"stablehlo\.slice % ?\[(\d{1,15}):(\d{1,15})(?::1)?\]:\((tensor<[^()]*>)\)->(tensor<[^()]*>)")


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
        whole, part = _flat(match[3]), _flat(match[4])
        shape = shape_of(match[3])
        if whole is None or part is None or not shape or not shape[0]:
            return None
        step, first, last = whole // shape[0], int(match[1]), int(match[2])
        if (last - first) * step != part or last > shape[0]:
            return None
        _whole(terms, operands[0], whole)
        return (terms.bytes([Piece(operands[0], first * step, part)]),)
    return None


def _whole(terms: Terms, term: Term, size: int) -> Piece:
    terms.sizes.setdefault(term, size)
    return Piece(term, 0, size)


def _flat(type_: str) -> int | None:
    """The bytes of a tensor of one dimension or none."""
    shape = shape_of(type_)
    return size_of(type_) if shape is not None and len(shape) < 2 else None
