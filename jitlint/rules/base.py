"""What a rule is: a code, a name, a severity, a category, and a page whose examples are tests.

A rule is declared by a class whose docstring is its documentation page (Markdown). The class is not instantiated:

    @register
    class DeadCall(Rule):
        '''Free of effects, and no result is used. ...'''

        code = "JIT701"
        name = "dead-call"
        severity = Severity.WARNING
        category = Category.CLARITY
        summary = "No effects, and no result is used."
        INVALID = ("module { ... }",)
        VALID = ("module { ... }",)
"""

from __future__ import annotations

import enum
import inspect
from typing import ClassVar, TypeVar

from jitlint.findings import Severity


class Category(enum.Enum):
    """What a rule is about, in GitLab's words for it."""

    PERFORMANCE = "Performance"
    BUG_RISK = "Bug Risk"
    CLARITY = "Clarity"
    DUPLICATION = "Duplication"
    COMPATIBILITY = "Compatibility"


class Rule:
    """The declaration of one rule: everything that depends on a code alone is said here."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    category: ClassVar[Category]
    summary: ClassVar[str]
    """One line for tables."""
    INVALID: ClassVar[tuple[str, ...]] = ()
    """Modules that the rule reports. The first is shown first; all are tests and documentation."""
    VALID: ClassVar[tuple[str, ...]] = ()
    """Modules that it does not report."""
    fixable: ClassVar[str] = ""
    """How it is fixed: empty (it is not), `--fix`, or the option that fixes it."""
    about_call: ClassVar[bool] = False
    """Whether it says that a single call is wrong, so that it is reported also where there is nothing to fuse with."""
    about_symbol: ClassVar[bool] = False
    """Whether it says what a symbol names, which cannot be told where the text is in doubt."""
    failure: ClassVar[bool] = False
    """Whether it says that jitlint could not do its job: the exit status is 2, and a selection does not silence it."""
    unnecessary: ClassVar[bool] = False
    """Whether what it reports could be removed; editors fade such text."""
    encoding: ClassVar[str] = "utf-8"
    """How a file with the first of `INVALID` is encoded, for the rule that is about encodings."""

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
