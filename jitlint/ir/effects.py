"""Which operations have side effects: `data/op_effects.txt`, read off the operations' own definitions.

Those are the traits and memory-effect interfaces of MLIR 22.1.8, StableHLO and Enzyme-JAX. The classes are those of the
table: `none`; `recursive`, as its regions; `effects`; `unknown`. An operation that is not listed is unknown too.
"""

from __future__ import annotations

from jitlint import data

_ALIASES = {
    "return": "func.return",
    "call": "func.call",
    "call_indirect": "func.call_indirect",
    "constant": "func.constant",
    "module": "builtin.module",
    "func": "func.func",
    "unrealized_conversion_cast": "builtin.unrealized_conversion_cast",
}

NONE = "none"
RECURSIVE = "recursive"
EFFECTS = "effects"
UNKNOWN = "unknown"


def _load() -> dict[str, str]:
    """The class of each operation: the file has a name and a class on each line.

    `importlib.resources` and `pathlib` would take ten times as long as this, and every run with a call pays it.
    """
    with open(f"{data.__path__[0]}/op_effects.txt", encoding="utf-8") as file:
        words = file.read().split()
    return dict(zip(words[::2], words[1::2], strict=True))


TABLE = _load()
OPERATIONS = frozenset(TABLE)
"""Every operation that the table lists."""


def full_name(name: str) -> str:
    """The name with its dialect, for the few operations that may be written without."""
    return _ALIASES.get(name, name)


def declared(name: str) -> str:
    """The class of effects that the definition of operation `name` declares."""
    return TABLE.get(_ALIASES.get(name, name), UNKNOWN)
