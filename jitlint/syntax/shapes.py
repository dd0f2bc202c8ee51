"""Lines that differ only in their SSA names are read once.

Printed MLIR is mostly lines of one operation each, and few kinds of them. The *shape* of a line is the line with its
SSA names, symbols, location numbers and dense numbers taken out; what cutting a line found holds for every line of its
shape.
"""

from __future__ import annotations

import re

from jitlint.syntax.lexer import BARE, SSA, SSA_NAME

BLANK = 0
OPERATION = 1
CONTINUATION = 2
COMPLEX = 3
"""What a line at region depth is: nothing, one whole operation, more of the operation before, anything else."""

_OTHER = rf"@{BARE}|#loc[0-9]++(?![\w$.-])|dense<[-+0-9.eE]*>"
_OTHERS = re.compile(_OTHER)
VARYING = re.compile(rf"{SSA_NAME}|{_OTHER}")
"""What a shape leaves out: nothing in it changes how a line is cut."""

_LOCATION = r'(?>"[^"\\\n]*"|[^()"\n]++)'
LOCATION_ALIAS = re.compile(rf"#loc[0-9]*+ = loc\((?:{_LOCATION}|\({_LOCATION}*+\))*+\)")
"""The definition of a location, as the printer writes it: a file with locations has as many as operations."""

LONGEST = 4096
"""Lines of more characters are not worth keeping a shape of."""


_SAME_DIGIT = bytes.maketrans(b"123456789", b"000000000")


def digits_alike(text: str) -> bytes:
    """A text with every digit the same: what is equal then differs in digits alone."""
    return text.encode("utf-8", "surrogatepass").translate(_SAME_DIGIT)


def without_names(lines: str) -> str:
    """Lines without what varies. It makes a difference whether a name is that of a value, above all at a line's end."""
    return _OTHERS.sub("@", SSA.sub("%", lines))


class Shape:
    """What is known of every line of one shape.

    For an OPERATION, `lead` and `trail` are the numbers of characters before its first and after its last token, and
    `name` is the operation's name. `sample` is one line of the shape. `cache` is for what later layers find out about
    an operation from its shape alone.
    """

    __slots__ = ("cache", "is_jit_call", "kind", "lead", "name", "sample", "trail")

    def __init__(self, kind: int, name: str = "", lead: int = 0, trail: int = 0, sample: str = "") -> None:
        self.kind = kind
        self.name = name
        self.lead = lead
        self.trail = trail
        self.sample = sample
        self.is_jit_call = name == "enzymexla.jit_call"
        self.cache: object = None


A_LOCATION = Shape(OPERATION, "alias")
"""The shape of all definitions of locations."""

A_LONG_LINE = Shape(COMPLEX)
"""What a line of more than `LONGEST` characters is taken for."""
