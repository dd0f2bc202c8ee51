"""jitlint: a linter and auto-fixer for `enzymexla.jit_call` operations in MLIR text.

`check`, `fix` and `rules` are the way in from Python; they are imported when they are first asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jitlint import rules as rules
    from jitlint.api import check as check
    from jitlint.api import fix as fix
    from jitlint.errors import ConfigError as ConfigError
    from jitlint.errors import FileError as FileError
    from jitlint.errors import InternalError as InternalError
    from jitlint.errors import JitlintError as JitlintError
    from jitlint.errors import UsageError as UsageError
    from jitlint.findings import Finding as Finding
    from jitlint.findings import Severity as Severity
    from jitlint.result import Result as Result

__version__ = "0.1.0"

_HOMES = {
    "check": "api",
    "fix": "api",
    "ConfigError": "errors",
    "FileError": "errors",
    "InternalError": "errors",
    "JitlintError": "errors",
    "UsageError": "errors",
    "Finding": "findings",
    "Severity": "findings",
    "Result": "result",
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
