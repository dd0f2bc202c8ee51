"""Integer constants, and sums of them, which are computed so often that printers and passes write them as constants."""

from __future__ import annotations

import re

from jitlint.proof.terms import Term, Terms

_ARITH = re.compile(r"arith\.constant (-?\d{1,18}):(i\d{1,2}|index)")
_LLVM = re.compile(r"llvm\.mlir\.constant\((-?\d{1,18})(?::(?:i\d{1,2}|index))?\):(i\d{1,2}|index)")
_SUM = re.compile(r"(arith\.addi|llvm\.add) %,%:(i\d{1,2}|index)")


def integer(terms: Terms, term: Term) -> int | None:
    """The integer that a term is the constant of, if it is one."""
    kind, text, *_ = terms.nodes[term]
    match = (_ARITH.fullmatch(text) or _LLVM.fullmatch(text)) if kind == "op" and isinstance(text, str) else None
    return int(match[1]) if match else None


def folded(terms: Terms, text: str, operands: list[Term]) -> Term | None:
    """The constant that an operation with this text gives, where it adds two without overflow."""
    match = _SUM.fullmatch(text)
    if match is None or len(operands) != 2:
        return None
    first, second = integer(terms, operands[0]), integer(terms, operands[1])
    limit = 1 << (63 if match[2] == "index" else int(match[2][1:]) - 1)
    if first is None or second is None or not -limit <= first + second < limit:
        return None
    said = f"{first + second}:{match[2]}"
    return terms.make("op", f"arith.constant {said}" if text[0] == "a" else f"llvm.mlir.constant({said}):{match[2]}")
