"""What a rule is: a code, a name, a severity, and a page whose examples are tests.

A rule is declared by a class whose docstring is its documentation page (Markdown). The class is not instantiated:

    @register
    class DeadCall(Rule):
        '''Free of effects, and no result is used. ...'''

        code = "JIT701"
        name = "dead-call"
        severity = Severity.WARNING
        offends = '''module { ... }'''
        passes = '''module { ... }'''
"""

from __future__ import annotations

import inspect
from typing import ClassVar, TypeVar

from jitlint.findings import Severity


class Rule:
    """The declaration of one rule. `offends` is a module that it reports, `passes` one that it does not."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    summary: ClassVar[str]
    """One line for tables."""
    offends: ClassVar[str]
    passes: ClassVar[str]
    fixable: ClassVar[str] = ""
    """How it is fixed: empty (it is not), `--fix`, or the option that fixes it."""
    encoding: ClassVar[str] = "utf-8"
    """How a file with `offends` is encoded, for the rule that is about encodings."""

    @classmethod
    def page(cls) -> str:
        """The documentation page, in Markdown, without the examples."""
        return inspect.cleandoc(cls.__doc__ or "")


RULES: dict[str, type[Rule]] = {}
"""Every rule by its code; filled by importing `jitlint.rules`."""

_R = TypeVar("_R", bound=type[Rule])


def register(rule: _R) -> _R:
    """Class decorator: adds `rule` to `RULES`; ValueError if its code is taken."""
    if rule.code in RULES:
        raise ValueError(f"{rule.code} is declared twice")
    RULES[rule.code] = rule
    return rule
