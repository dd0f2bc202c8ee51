"""Colours as ANSI prefixes; without colour every prefix is empty."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from jitlint.findings import Severity

STYLES = {
    "error": "1;38;5;160",
    "warning": "1;38;5;130",
    "info": "1;38;5;30",
    "strong": "1",
    "dim": "2",
    "gutter": "38;5;32",
    "mark": "38;5;32",
    "help": "1;38;5;28",
    "removed": "38;5;160",
    "added": "38;5;28",
    "place": "38;5;30",
}
"""The parameters of ANSI's `ESC [ … m`. The colours are of the 256 whose shades no terminal's theme changes, each of a
middle brightness: on black and on white they have a contrast of at least 3.8 to 1."""


class Theme(NamedTuple):
    """One prefix a role. A run of styled text is `role + text + reset`."""

    error: str = ""
    warning: str = ""
    info: str = ""
    strong: str = ""
    dim: str = ""
    gutter: str = ""
    mark: str = ""
    help: str = ""
    removed: str = ""
    added: str = ""
    place: str = ""
    reset: str = ""

    def severity(self, severity: Severity) -> str:
        """The prefix for findings of this severity."""
        if severity is Severity.ERROR:
            return self.error
        return self.warning if severity is Severity.WARNING else self.info


PLAIN = Theme()


@lru_cache(maxsize=2)
def theme(color: bool) -> Theme:
    """The theme in colour, or `PLAIN`."""
    if not color:
        return PLAIN
    return Theme(**{role: f"\x1b[{style}m" for role, style in STYLES.items()}, reset="\x1b[0m")
