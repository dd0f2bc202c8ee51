"""Names for what fusing makes: symbols of fused wrappers, and SSA names inside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jitlint import lazy
from jitlint.syntax.lexer import BARE

LONGEST_SYMBOL = 200
"""Characters that the name of a fused wrapper may have before it is cut; a number behind a taken name aside."""

_HASH_DIGITS = 16
_IS_BARE = lazy.pattern(BARE)
_ESCAPED = lazy.pattern(r'["\\\x00-\x1f\x7f\udc80-\udcff]')


def fused_symbol(
    prefix: str,
    wrappers: Sequence[str],
    is_taken: Callable[[str], bool],
    originals: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """The name of the fused wrapper of `wrappers`, without `@`: the same for the same wrappers, until it is taken.

    A wrapper that was itself fused gives its list of wrappers: `originals` holds those that are known, and of any other
    the prefix is left out.
    """
    known = originals or {}
    parts = [part for wrapper in wrappers for part in known.get(wrapper, (wrapper.removeprefix(prefix),))]
    name = prefix + "_".join(parts)
    if len(name) > LONGEST_SYMBOL:
        import hashlib  # takes 2 ms, and hardly any name is that long

        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
        name = f"{name[: LONGEST_SYMBOL - _HASH_DIGITS - 1]}_{digest}"
    if not is_taken(name):
        return name
    number = 1
    while is_taken(f"{name}_{number}"):
        number += 1
    return f"{name}_{number}"


def reference(symbol: str) -> str:
    """The symbol as a reference: `@name`, or `@"…"` with escapes where the name is no bare identifier."""
    if _IS_BARE.fullmatch(symbol):
        return f"@{symbol}"
    escaped = _ESCAPED.sub(lambda match: f"\\{ord(match[0]) & 0xFF:02X}", symbol)  # a lone surrogate is a byte
    return f'@"{escaped}"'


class Values:
    """Hands out SSA names: numbers from 0 on, and given names, with `_0`, `_1`, … where one is taken."""

    def __init__(self, taken: Sequence[str]) -> None:
        self._taken = set(taken)
        self._next_number = 0
        self._next_suffix: dict[str, int] = {}

    def number(self) -> str:
        """The next number, as a name."""
        self._next_number += 1
        return f"%{self._next_number - 1}"

    def like(self, name: str) -> str:
        """A name for a value that was called `name` elsewhere: a number for a number, the name itself if it is free."""
        if name[1:].isdigit():
            return self.number()
        fresh, suffix = name, self._next_suffix.get(name, 0)
        while fresh in self._taken:
            fresh, suffix = f"{name}_{suffix}", suffix + 1
        self._next_suffix[name] = suffix
        self._taken.add(fresh)
        return fresh
