"""The parser library, loaded as it starts fastest."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


def load_parser() -> None:
    """Load of parsimonious what is needed: its expressions, with `re` instead of `regex`, as where that is missing.

    Importing `regex` takes 9 ms, and the grammar of its notation, which the package makes when it is imported, takes
    11: a quarter of a run over a small file. `syntax.notation` reads the notation, and the patterns of jitlint's
    grammars mean the same to `re`. Only in a process of jitlint's own; whoever asks the package for more gets it.
    """
    if "parsimonious" in sys.modules or "regex" in sys.modules:
        return
    from importlib.util import find_spec, module_from_spec

    spec = find_spec("parsimonious")
    if spec is None:
        return  # where it is needed, its import says so
    package = module_from_spec(spec)
    package.__dict__["__getattr__"] = _more
    sys.modules["parsimonious"] = package
    sys.modules["regex"] = None  # type: ignore[assignment]  # Python's own mark of what cannot be imported
    try:
        import_module("parsimonious.expressions")
    except ImportError:  # another version: then all of it is imported, where it is used
        for name in [name for name in sys.modules if name.partition(".")[0] == "parsimonious"]:
            del sys.modules[name]
    finally:
        del sys.modules["regex"]


def _more(name: str) -> Any:
    """What the package itself would hold by a name."""
    for part in ("grammar", "nodes", "exceptions"):
        module: ModuleType = import_module(f"parsimonious.{part}")
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(name)
