"""The parser library, loaded as it starts fastest."""

from __future__ import annotations

import sys


def load_parser() -> None:
    """Import parsimonious so that it works with `re`, as it does where `regex` is not installed.

    Importing `regex` is 9 ms of the 80 that a run over a small file takes, and the patterns of jitlint's grammars mean
    the same to both. Only in a process of jitlint's own: elsewhere somebody else's grammar may need `regex`.
    """
    if "parsimonious" in sys.modules or "regex" in sys.modules:
        return
    sys.modules["regex"] = None  # type: ignore[assignment]  # Python's own mark of what cannot be imported
    try:
        import parsimonious  # noqa: F401
    except ImportError:
        pass  # a version that needs `regex`: it is imported where it is used
    finally:
        del sys.modules["regex"]
