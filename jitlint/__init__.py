"""jitlint: a linter and auto-fixer for `enzymexla.jit_call` operations in MLIR text.

`check`, `fix`, `check_file`, `fix_file` and `rules` are the way in from Python; they are imported when they are first
asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jitlint import rules as rules
    from jitlint.api import Choices as Choices
    from jitlint.api import check as check
    from jitlint.api import check_file as check_file
    from jitlint.api import fix as fix
    from jitlint.api import fix_file as fix_file
    from jitlint.api_types import Edit as Edit
    from jitlint.api_types import Finding as Finding
    from jitlint.api_types import Group as Group
    from jitlint.api_types import JitCall as JitCall
    from jitlint.api_types import Note as Note
    from jitlint.api_types import Position as Position
    from jitlint.api_types import Proof as Proof
    from jitlint.api_types import Result as Result
    from jitlint.api_types import Severity as Severity
    from jitlint.api_types import Source as Source
    from jitlint.api_types import Span as Span
    from jitlint.errors import ConfigError as ConfigError
    from jitlint.errors import FileError as FileError
    from jitlint.errors import InternalError as InternalError
    from jitlint.errors import JitlintError as JitlintError
    from jitlint.errors import UsageError as UsageError
    from jitlint.options import Form as Form
    from jitlint.options import Grouping as Grouping
    from jitlint.rules.base import Category as Category
    from jitlint.rules.base import Rule as Rule

__version__ = "0.1.0"

_HOMES = {
    "Choices": "api",
    "check": "api",
    "check_file": "api",
    "fix": "api",
    "fix_file": "api",
    "ConfigError": "errors",
    "FileError": "errors",
    "InternalError": "errors",
    "JitlintError": "errors",
    "UsageError": "errors",
    "Form": "options",
    "Grouping": "options",
    "Category": "rules.base",
    "Rule": "rules.base",
    **dict.fromkeys(
        ("Edit", "Finding", "Group", "JitCall", "Note", "Position", "Proof", "Result", "Severity", "Source", "Span"),
        "api_types",
    ),
}

__all__ = ["__version__", "rules", *_HOMES]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "rules":
        return import_module(f"{__name__}.rules")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
