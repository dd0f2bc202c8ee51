"""What a mutant is, and putting it in the place of a module that is imported already."""

from __future__ import annotations

import functools
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from jitlint import lazy

ROOT = Path(__file__).resolve().parents[2]


class Mutant(NamedTuple):
    """`old` stands once in the module `path` (from `jitlint/`), and `new` in its place leaves out `check`."""

    path: str
    old: str
    new: str
    check: str

    @property
    def key(self) -> str:
        """What it is known by from one run to the next."""
        return f"{self.path}: {self.check}"

    def applied(self, text: str) -> str:
        """The module's text with the check off. Raises ValueError where `old` does not stand in it exactly once."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.path}: {self.old!r} stands {text.count(self.old)} times")
        return text.replace(self.old, self.new)

    def install(self) -> None:
        """Leave the check out of this process for good: the code of functions and the values of constants change where
        they are. (To import all anew for each of hundreds of mutants would take longer than the tests.)

        Raises ValueError where that changes nothing.
        """
        module = importlib.import_module("jitlint." + self.path.removesuffix(".py").replace("/", "."))
        text = self.applied((ROOT / "jitlint" / self.path).read_text(encoding="utf-8"))
        changed = ModuleType(module.__name__)
        changed.__dict__.update(__package__=module.__package__, __file__=module.__file__)
        exec(compile(text, str(module.__file__), "exec"), changed.__dict__)
        functions = {function.__qualname__: function for function in _functions(changed)}
        count = 0
        for function in _functions(module):
            new = functions[function.__qualname__].__code__
            if _told(function.__code__) != _told(new):
                function.__code__ = new
                count += 1
        for name, value in list(vars(module).items()):
            if not name.startswith("__") and _constant(value) != _constant(changed.__dict__.get(name)):
                _rebind(name, value, changed.__dict__[name])
                count += 1
        if not count:
            raise ValueError(f"{self.path}: without {self.check!r} nothing is different")
        _forget()


def off(path: str, *changes: tuple[str, str, str]) -> list[Mutant]:
    """The mutants of one module, each an old text, what stands in its place, and the check that this leaves out."""
    return [Mutant(path, old, new, check) for old, new, check in changes]


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """The functions and methods that a module defines, without what is wrapped around them."""
    pending: list[Any] = list(vars(module).values())
    while pending:
        each = pending.pop()
        if isinstance(each, type) and each.__module__ == module.__name__:
            pending += vars(each).values()
            continue
        if isinstance(each, property):
            each = each.fget
        elif isinstance(each, functools.cached_property):
            each = each.func
        each = getattr(each, "__wrapped__", each)
        if isinstance(each, FunctionType) and each.__module__ == module.__name__:
            yield each


def _told(code: Any) -> tuple[object, ...]:
    """What a function does, wherever it stands."""
    consts = tuple(_told(each) if hasattr(each, "co_code") else each for each in code.co_consts)
    return code.co_code, repr(consts), code.co_names, code.co_varnames, code.co_freevars


def _constant(value: object) -> object:
    """What a constant says; None of what is none."""
    if isinstance(value, re.Pattern | lazy._Pattern):
        return value.pattern
    return value if isinstance(value, (str, int, tuple, frozenset, dict)) else None


def _rebind(name: str, old: object, new: object) -> None:
    for other in [each for key, each in sys.modules.items() if key.startswith(("jitlint", "tests"))]:
        if vars(other).get(name) is old:
            setattr(other, name, new)


def _forget() -> None:
    """Empty the caches of all functions."""
    for other in [each for key, each in sys.modules.items() if key.startswith("jitlint")]:
        for each in vars(other).values():
            if isinstance(each, functools._lru_cache_wrapper):
                each.cache_clear()
