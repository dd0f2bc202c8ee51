"""The right name for a misspelt one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The one of `names` that is most like `word`, or None where none is much like it."""
    from difflib import get_close_matches

    folded = {name.lower(): name for name in names}
    # Only so much of a word is looked at: the comparison is quadratic, and the word may be anything.
    matches = get_close_matches(word[:80].lower(), folded, n=1, cutoff=0.6)
    return folded[matches[0]] if matches else None


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """`; did you mean …?` with the nearest name, for the end of an error about an unknown one, or nothing."""
    name = nearest(word, names)
    return f"; did you mean `{name}`?" if name is not None else ""
