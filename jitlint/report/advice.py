"""What to do about a finding, as a command that works when it is pasted.

A finding's help names a command by the switches that matter (`jitlint --fix --copies`). The user may have run jitlint
with others, and on a file whose name a shell reads otherwise: what is printed repeats them and quotes it.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from functools import lru_cache

from jitlint import lazy
from jitlint.findings import Finding
from jitlint.report.lookup import FUSABLE

Options = tuple[tuple[str, ...], ...]
"""Options of a command line, each a name with its value, if it takes one."""

_COMMAND = lazy.pattern(r"`jitlint --fix(?P<switches>[^`]*)`")
_FUSE = "run `jitlint --fix`"


def advice(options: Options, path: str, finding: Finding) -> str | None:
    """What to do about a finding: its own help, or for a group that can be fused the command that does it."""
    text = finding.help
    if text is None and finding.code == FUSABLE and finding.fixable:
        text = _FUSE
    if text is None or "`jitlint --fix" not in text:
        return text
    return _completed(text, options, path)


@lru_cache(maxsize=64)
def _completed(text: str, options: Options, path: str) -> str:
    targets = ["-"] if path in ("", "-") or path.startswith("<") else [path]
    return _COMMAND.sub(lambda match: f"`{fix_command(options, targets, match['switches'])}`", text)


def fix_command(options: Options, paths: Sequence[str], switches: str = "") -> str:
    """`jitlint --fix` with the options in force, further switches, which win over those, and paths, quoted."""
    more = _options(switches)
    names = {_positive(option[0]) for option in more}
    kept = [option for option in options if _positive(option[0]) not in names or option[0] in _GATHERING]
    words = [word for option in (*kept, *more) for word in option]
    if any(path.startswith("-") and path != "-" for path in paths):
        words.append("--")
    return " ".join(["jitlint --fix", *map(quoted, (*words, *paths))])


def quoted(word: str) -> str:
    """A word as the shell reads it: one like `sh`, or on Windows both `cmd` and PowerShell."""
    if not _WINDOWS:
        return shlex.quote(word)
    return word if _PLAIN.fullmatch(word) else '"' + word.replace('"', '\\"') + '"'


_WINDOWS = os.name == "nt"
_PLAIN = lazy.pattern(r"[\w./:\\=-]+")


_GATHERING = ("--config", "--select", "--extend-select", "--ignore", "--exclude")
"""Options that may be given more than once, each time for something else."""


def _options(switches: str) -> list[tuple[str, ...]]:
    options: list[tuple[str, ...]] = []
    for word in shlex.split(switches):
        if word.startswith("--") or not options:
            options.append((word,))
        else:
            options[-1] += (word,)
    return options


def _positive(name: str) -> str:
    return name.replace("--no-", "--", 1)
