"""Operations whose results are known: those that only move bytes, and sums of integer constants.

What moves bytes gives pieces of what it is given. That is so for tensors with one dimension at the most that is not 1:
others may be laid out in any way. The sources are the StableHLO specification's sections on each operation. Sums of
constants are computed so often that printers and passes write them as constants.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jitlint.proof.terms import Piece, Term, Terms
from jitlint.proof.type_sizes import element_of, is_flat, shape_of, size_of

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
_ARITH = re.compile(r"arith\.constant (-?\d{1,18}):(i[1-9]\d?|index)")
_LLVM = re.compile(r"llvm\.mlir\.constant\((-?\d{1,18})(?::(?:i[1-9]\d?|index))?\):(i[1-9]\d?|index)")
_SUM = re.compile(r"(arith\.addi|llvm\.add) %,%:(i[1-9]\d?|index)")
KNOWN = MOVERS | {"arith.addi", "llvm.add"}
"""Operations whose results may be known."""


def known_results(terms: Terms, text: str, operands: list[Term]) -> tuple[Term, ...] | None:
    """The results of an operation with this text, None where they are not known."""
    total = folded(terms, text, operands)
    return (total,) if total is not None else moved(terms, text, operands)


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


def integer(terms: Terms, term: Term) -> int | None:
    """The integer that a term is the constant of, if it is one."""
    kind, text, *_ = terms.nodes[term]
    match = (_ARITH.fullmatch(text) or _LLVM.fullmatch(text)) if kind == "op" and isinstance(text, str) else None
    if match is None:
        return None
    number, limit = int(match[1]), _limit(match[2])
    return number - 2 * limit if number >= limit else number  # 255 of type `i8` is -1


def _limit(type_: str) -> int:
    """One more than the greatest signed integer of a type."""
    return 1 << (63 if type_ == "index" else int(type_[1:]) - 1)


def folded(terms: Terms, text: str, operands: list[Term]) -> Term | None:
    """The constant that an operation with this text gives, where it adds two without overflow."""
    match = _SUM.fullmatch(text)
    if match is None or len(operands) != 2:
        return None
    first, second = integer(terms, operands[0]), integer(terms, operands[1])
    limit = _limit(match[2])
    if first is None or second is None or not -limit <= first + second < limit:
        return None
    said = f"{first + second}:{match[2]}"
    return terms.make("op", f"arith.constant {said}" if text[0] == "a" else f"llvm.mlir.constant({said}):{match[2]}")
