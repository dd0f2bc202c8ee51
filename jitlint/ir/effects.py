"""Which operations have side effects: `data/op_effects.json`, read off the operations' own definitions.

The classes are those of the table: `none`; `recursive`, as its regions; `effects`; `unknown`. An operation that is not
listed is unknown too.
"""

from __future__ import annotations

import json
from importlib import resources

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
    text = resources.files("jitlint.data").joinpath("op_effects.json").read_text(encoding="utf-8")
    table: dict[str, str] = json.loads(text)["ops"]
    return table


TABLE = _load()
OPERATIONS = frozenset(TABLE)
"""Every operation that the table lists."""


def full_name(name: str) -> str:
    """The name with its dialect, for the few operations that may be written without."""
    return _ALIASES.get(name, name)


def declared(name: str) -> str:
    """The class of effects that the definition of operation `name` declares."""
    return TABLE.get(_ALIASES.get(name, name), UNKNOWN)
