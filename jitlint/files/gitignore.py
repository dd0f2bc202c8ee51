"""What `.gitignore` files leave out of a search. Only imported where there is such a file."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from jitlint.files.patterns import matcher


class Ignores:
    """The patterns of one folder's `.gitignore`, over those of the folders above: the nearest that names a path wins.

    A file that cannot be read, or that holds something else than patterns, ignores nothing, as git has it.
    """

    def __init__(self, folder: str, above: Ignores | None) -> None:
        self._prefix = folder.rstrip(os.sep) + os.sep
        self._above = above
        lines: list[str] = []
        with suppress(OSError), open(self._prefix + ".gitignore", encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().split("\n")
        self._spec = _compiled([line.removesuffix("\r") for line in lines])

    def leave_out(self, path: str, is_folder: bool) -> bool:
        """Whether the absolute `path` is ignored; what holds it is known not to be."""
        level: Ignores | None = self
        while level is not None:
            if path.startswith(level._prefix):
                inside = path[len(level._prefix) :] + ("/" if is_folder else "")
                verdict = level._spec.check_file(inside).include
                if verdict is not None:
                    return bool(verdict)
            level = level._above
        return False

    def leave_out_below(self, folder: str, top: str) -> bool:
        """Whether `folder`, or a folder between it and `top`, is ignored."""
        while folder != top:
            if self.leave_out(folder, is_folder=True):
                return True
            folder = os.path.dirname(folder)
        return False


def _compiled(lines: list[str]) -> Any:
    """The patterns of the lines, without those that are none."""
    try:
        return matcher(tuple(lines))
    except ValueError:
        return matcher(tuple(line for line in lines if _is_pattern(line)))


def _is_pattern(line: str) -> bool:
    try:
        matcher((line,))
    except ValueError:
        return False
    return True
