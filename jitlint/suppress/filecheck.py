"""Tests of the compiler's own pass: files that are there to be fused by it, not by jitlint."""

from __future__ import annotations

from jitlint import lazy

ADVICE = (
    "run `jitlint --fix`; but this file tests the compiler's pass (`// RUN:` with `fuse-jit`): to leave it as it is, "
    "add it to `exclude`, or put `// jitlint: ignore-file[JIT001]` at its top"
)
"""What to do about a group in such a file."""

_RUN = lazy.pattern(r"^[ \t]*+//[ \t]*+RUN:[^\n]*?fuse-jit")


def runs_the_pass(text: str) -> bool:
    """Whether a text is a FileCheck test that runs `fuse-jit`. Nearly all texts are told by a search for the word."""
    if "fuse-jit" not in text:
        return False
    return any(_RUN.match(line) for line in text.split("\n") if "RUN:" in line)
