"""Whether two functions are the same but for their names and the names of their values."""

from __future__ import annotations

import re

from jitlint import lazy
from jitlint.syntax.lexer import COMMENT, SSA_NAME, STRING, SYMBOL

_SYMBOL = lazy.pattern(rf"{STRING}|{COMMENT}|({SYMBOL})")
_NORMALISED = lazy.pattern(rf"({STRING})|({SSA_NAME})|(?:\s++|{COMMENT})++")


def without_name(text: str) -> str:
    """The text of a function without its symbol, its values numbered as they come, and all white space alike.

    Equal texts mean equal functions. (Unequal ones need not differ: the order of attributes counts, and so do
    locations.)
    """
    start, end = next((match.span(1) for match in _SYMBOL.finditer(text) if match[1] is not None), (0, 0))
    numbers: dict[str, str] = {}

    def normalised(match: re.Match[str]) -> str:
        if match[1] is not None:
            return match[1]
        if match[2] is not None:
            return numbers.setdefault(match[2], f"%{len(numbers)}")
        return " "

    return _NORMALISED.sub(normalised, f"{text[:start]}@{text[end:]}").strip()
