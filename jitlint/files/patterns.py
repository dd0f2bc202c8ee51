"""Patterns of paths, as `.gitignore` has them. `pathspec` is imported when there is one to match."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Any


def relative(path: str, root: str) -> str:
    """`path` as patterns see it: relative to `root` where it is below it."""
    path = os.path.abspath(path)
    try:
        inside = os.path.relpath(path, root)
    except ValueError:
        return path  # on Windows, it is on another drive
    return path if inside == os.pardir or inside.startswith(os.pardir + os.sep) else inside


@lru_cache(maxsize=256)
def matcher(patterns: tuple[str, ...]) -> Any:
    """A `pathspec.GitIgnoreSpec`. Raises ValueError for a pattern that is none.

    Patterns that match nothing, such as `[`, are none to `require_matching` only: a `.gitignore` may hold them.
    """
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(patterns)
    except re.error as error:
        raise ValueError(str(error)) from error


def require_matching(pattern: str) -> None:
    """Raises ValueError for a pattern that is none, or that can match no path whatever it is: a slip of the pen."""
    if all(each.include is None for each in matcher((pattern,)).patterns):
        raise ValueError("its `[` is not closed" if "[" in pattern else "it can match nothing")
