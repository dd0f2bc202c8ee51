"""Integer constants, and sums of them, which are computed so often that printers and passes write them as constants."""

from __future__ import annotations

import re

from jitlint.proof.terms import Term, Terms

_ARITH = re.compile(r"arith\.constant (-?\d{1,18}):(i[1-9]\d?|index)")
_LLVM = re.compile(r"llvm\.mlir\.constant\((-?\d{1,18})(?::(?:i[1-9]\d?|index))?\):(i[1-9]\d?|index)")
_SUM = re.compile(r"(arith\.addi|llvm\.add) %,%:(i[1-9]\d?|index)")


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
