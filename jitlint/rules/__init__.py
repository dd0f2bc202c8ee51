"""The rules: importing this package declares them all in `RULES`, in the order of their codes.

Kept light, since every run imports it: no other package is loaded here.
"""

from __future__ import annotations

from jitlint.errors import UsageError
from jitlint.nearest import nearest as nearest_of
from jitlint.rules import fusable, input, metadata, order, storage, tidy, wrapper, wrong_programs  # noqa: A004, F401
from jitlint.rules.base import RULES, Rule, register

__all__ = ["RULES", "Rule", "find", "nearest", "register"]

_BY_CODE = dict(sorted(RULES.items()))
RULES.clear()
RULES.update(_BY_CODE)
del _BY_CODE


def find(code_or_name: str) -> type[Rule]:
    """The rule with that code (`JIT102`, in any case) or name (`dependency-cycle`).

    Raises UsageError, with the nearest right name, where there is none.
    """
    word = code_or_name.strip()
    rule = RULES.get(word.upper())
    if rule is not None:
        return rule
    for rule in RULES.values():
        if rule.name == word.lower():
            return rule
    close = nearest(word)
    hint = f"; did you mean `{close}`?" if close else "; `jitlint explain` lists all rules"
    raise UsageError(f"unknown rule `{code_or_name}`{hint}")


def nearest(word: str) -> str | None:
    """The code or name that `word` was probably meant to be, or None: what an error message offers."""
    spellings = {code.lower(): code for code in RULES} | {rule.name: rule.name for rule in RULES.values()}
    close = nearest_of(word.strip(), spellings)
    return spellings[close] if close is not None else None
