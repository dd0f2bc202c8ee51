"""Functions that are written like others before them: what was proved of those is not proved again.

What the execution of a function comes to hangs on its text and on what the symbols in it name, and on nothing else. So
where a function of the first module differs from an earlier one in its own name alone, and the functions of these names
in the second module do so as well, the two pairs are equal or not together. (A function may call itself by its name, or
one of the two may call the other: functions of one name in both modules stand for one another, whichever they are.)
"""

from __future__ import annotations

import re
from typing import NamedTuple

from jitlint.ir.functions import FUNCTIONS
from jitlint.ir.tree import Operation

_HEAD = re.compile(r"[\w.\s]+@")
_LONGEST = 100_000
"""Characters of a function that is looked for: a longer one is most of its module."""


class Counts(NamedTuple):
    """How many values, effects and JIT calls were executed for a function."""

    values: int
    effects: int
    calls: int


Texts = tuple[tuple[str, str], ...]
"""The texts of two functions, each before and behind its name."""


class Twins:
    """The pairs of functions of two symbol tables that were proved to be equal. No text is kept."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[str, tuple[Operation, Operation], Counts]] = {}

    def counts(self, texts: Texts) -> Counts | None:
        """The counts of an equal pair with these texts, None where there is none."""
        name, pair, counts = self._known.get(hash(texts), ("", None, None))
        return counts if pair is not None and texts_of(name, pair) == texts else None

    def add(self, texts: Texts, name: str, pair: tuple[Operation, Operation], counts: Counts) -> None:
        """Note a pair that was proved to be equal."""
        self._known.setdefault(hash(texts), (name, pair, counts))


def texts_of(name: str, pair: tuple[Operation, Operation]) -> Texts | None:
    """The texts of two functions of one name; None where they are not looked for."""
    found = []
    for each in pair:
        if each.name not in FUNCTIONS or each.end - each.start > _LONGEST:
            return None
        head = _HEAD.match(each.text, each.start, each.end)
        if head is None or not each.text.startswith(f"{name}(", head.end()):
            return None
        found.append((head[0], each.text[head.end() + len(name) : each.end]))
    return tuple(found)
