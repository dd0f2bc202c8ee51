"""Which rules a run reports: selectors name rules, the longer one wins.

A selector is `ALL`, a code (`JIT102`), the beginning of one (`JIT1`) or a rule's name (`dead-call`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from jitlint.nearest import did_you_mean
from jitlint.rules import RULES

ALL = "ALL"

FAILURES = frozenset(code for code, rule in RULES.items() if rule.failure)
"""What says that jitlint could not do its job. Selecting other rules does not silence these; the exit status is 2."""

_NEVER_SILENT = "JIT999"
_EXACT = 100


class Selector(NamedTuple):
    """The rules that one word names. Of two selectors that name a rule, the one with the larger `weight` decides."""

    text: str
    codes: frozenset[str]
    weight: int


@cache
def known_rules() -> Mapping[str, str]:
    """The names of all rules by their codes."""
    return {code: rule.name for code, rule in RULES.items()}


def selector(text: str) -> Selector:
    """The selector that `text` spells; ValueError in words for the user where it names no rule."""
    rules = known_rules()
    word = text.upper()
    if word == ALL:
        return Selector(text, frozenset(rules), 0)
    exact = frozenset(code for code, name in rules.items() if word in (code, name.upper()))
    if exact:
        return Selector(text, exact, _EXACT)
    begun = frozenset(code for code in rules if word and code.startswith(word))
    if begun:
        return Selector(text, begun, len(text))
    raise ValueError(f"unknown rule `{text}`{did_you_mean(text, [*rules, *rules.values(), ALL])}")


def choose(
    base: frozenset[str], select: Sequence[str] | None, extend: Sequence[str], ignore: Sequence[str]
) -> frozenset[str]:
    """The codes that are in force after one place (a file, the command line) has had its say.

    `base` is what was in force before; a `select` starts afresh. Raises ValueError as `selector` does.
    """
    wanted = [selector(text) for text in (*(select or ()), *extend)]
    unwanted = [selector(text) for text in ignore]
    chosen = set(FAILURES if select is not None else base)
    for code in known_rules():
        for_it, against = _weight(code, wanted), _weight(code, unwanted)
        if for_it > against:
            chosen.add(code)
        elif against >= 0:
            chosen.discard(code)
    return frozenset(chosen | {_NEVER_SILENT})


def _weight(code: str, selectors: Iterable[Selector]) -> int:
    return max((each.weight for each in selectors if code in each.codes), default=-1)
