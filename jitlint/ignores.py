"""What `.gitignore` files leave out of a search. Only imported where there is such a file."""

from __future__ import annotations

import os

from pathspec import GitIgnoreSpec


class Ignores:
    """The patterns of one folder's `.gitignore`, over those of the folders above: the nearest that names a path wins.

    A file that cannot be read, or that holds something else than patterns, ignores nothing, as git has it.
    """

    def __init__(self, folder: str, above: Ignores | None) -> None:
        self._prefix = folder.rstrip(os.sep) + os.sep
        self._above = above
        try:
            with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="surrogateescape") as file:
                self._spec = GitIgnoreSpec.from_lines(file.read().splitlines())
        except (OSError, ValueError):
            self._spec = GitIgnoreSpec.from_lines([])

    def leave_out(self, path: str, is_folder: bool) -> bool:
        """Whether the absolute `path` is ignored; what holds it is known not to be."""
        level: Ignores | None = self
        while level is not None:
            if path.startswith(level._prefix):
                inside = path[len(level._prefix) :] + ("/" if is_folder else "")
                verdict = level._spec.check_file(inside).include
                if verdict is not None:
                    return verdict
            level = level._above
        return False

    def leave_out_below(self, folder: str, top: str) -> bool:
        """Whether `folder`, or a folder between it and `top`, is ignored."""
        while folder != top:
            if self.leave_out(folder, is_folder=True):
                return True
            folder = os.path.dirname(folder)
        return False
