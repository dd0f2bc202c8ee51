"""Colours as ANSI prefixes, rendered once by rich; without colour every prefix is empty."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from jitlint.findings import Severity

_STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold cyan",
    "strong": "bold",
    "dim": "dim",
    "gutter": "blue",
    "mark": "blue",
    "help": "bold green",
    "removed": "red",
    "added": "green",
    "place": "cyan",
}


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
    """The theme with the terminal's own 16 colours, or `PLAIN`."""
    if not color:
        return PLAIN
    from rich.color import ColorSystem
    from rich.style import Style

    def prefix(spec: str) -> str:
        return Style.parse(spec).render("x", color_system=ColorSystem.STANDARD).partition("x")[0]

    prefixes = {role: prefix(spec) for role, spec in _STYLES.items()}
    return Theme(**prefixes, reset="\x1b[0m")
