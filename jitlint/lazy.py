"""Regular expressions that are compiled when they are first used.

Compiling takes a tenth of a millisecond each, which every run would pay for what few texts hold. What nearly every run
looks for is compiled where it stands, with `re`.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, to all who only call its methods."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


class _Pattern:
    """Stands for a pattern. Each method that is asked for becomes an attribute, so that it is found at once later."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._text, self._flags), name)  # `re` keeps what it has compiled
        setattr(self, name, value)
        return value
