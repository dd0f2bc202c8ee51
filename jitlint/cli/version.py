"""`--version`, and with `--verbose` what a bug report should say. Nothing is imported to tell a library's version."""

from __future__ import annotations

import os
import sys

from jitlint import __version__

LIBRARIES = ("parsimonious", "pathspec", "rich", "pygls", "enzyme-ad")


def version() -> str:
    """One line for programs and people."""
    return f"jitlint {__version__}\n"


def versions() -> str:
    """One line for each: jitlint, Python, the system, the libraries that are there."""
    python = ".".join(map(str, sys.version_info[:3]))
    lines = [f"jitlint {__version__}", f"{sys.implementation.name} {python}", _system()]
    found = _installed()
    lines += [f"{name} {found[name]}" for name in LIBRARIES if name in found]
    return "\n".join(lines) + "\n"


def _system() -> str:
    if not hasattr(os, "uname"):
        return sys.platform
    system = os.uname()
    return f"{system.sysname} {system.release} {system.machine}"


def _installed() -> dict[str, str]:
    """The versions of the installed libraries, from the names of their metadata folders: reading these takes longer."""
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info"):
                library, _, version = name.removesuffix(".dist-info").partition("-")
                found.setdefault(library.replace("_", "-").lower(), version)
    return found
