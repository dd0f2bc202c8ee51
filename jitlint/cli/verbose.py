"""`--verbose`: what becomes of each file, on standard error, where it mixes with no report."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from jitlint.config.discovery import Configs
from jitlint.files.search import Found
from jitlint.report.printable import escape


def left_out(path: str, why: str) -> None:
    """Tell of a file or folder that a search leaves out."""
    say(f"{path}: skipped: {why}")


def tell(found: Iterable[Found], configs: Configs) -> None:
    """Tell of each file whether it is checked, and under which configuration."""
    for each in found:
        if each.problem is None:
            say(f"{each.path}: {_done(each, configs)}")


def _done(file: Found, configs: Configs) -> str:
    if not file.has_call:
        return "nothing to check: it has no JIT call"
    return f"checked {under(file.path, configs)}"


def under(path: str, configs: Configs) -> str:
    """Under which configuration the file at `path` is checked."""
    file = configs.file_of(os.path.dirname(os.path.abspath(path)))
    return f"under {file}" if file is not None else "without a configuration file"


def say(text: str) -> None:
    """One line on standard error, if there is one. Names of files in it do not act on the terminal."""
    if sys.stderr is not None:
        print(f"jitlint: {escape(text)}", file=sys.stderr)
