"""What every format shares: its settings and protocol, the order of findings, and how a group names its calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from operator import lt
from typing import NamedTuple, Protocol

from jitlint.findings import Finding, Group, Note
from jitlint.report.advice import Options
from jitlint.report.run_summary import Summary, closing
from jitlint.result import Result

_BARE = re.compile("[A-Za-z_][A-Za-z0-9_$.]*")
_TOGETHER = 64

Write = Callable[[str], object]
"""Takes the next piece of the output, such as the `write` of a text stream."""

Edit = tuple[int, int, str]
"""A replacement: start and end offset in a text, and what comes there."""

Fixes = Callable[[Result, Finding], Sequence[Edit]]
"""Gives the edits of `result.source` that fix one finding, sorted; empty where there are none to show."""

Pictures = Callable[[Result], str]
"""Gives Markdown that pictures the calls of one file; empty where there is nothing to see."""


class Settings(NamedTuple):
    """How a report looks. Formats for machines read `fixes` and `options` only; `pictures` is for Markdown.

    `width` is in terminal cells. `unicode` is false where the output cannot encode box characters. `show_fixed`
    lists what a fix fixed, `dry_run` says that it was only planned (`--diff`), `show_summary` is the last line.
    `options` and `paths` are those of the command line that decide what a fix does: advice repeats them.
    """

    color: bool = False
    width: int = 80
    unicode: bool = True
    show_fixed: bool = True
    show_summary: bool = True
    dry_run: bool = False
    fixes: Fixes | None = None
    pictures: Pictures | None = None
    options: Options = ()
    paths: tuple[str, ...] = ()

    def closing(self, summary: Summary) -> str:
        """The last lines of a report for people."""
        return closing(summary, self.dry_run, self.options, self.paths)


class Report(Protocol):
    """One output format at work. `file` is called once for each file in a stable order, then `close` once."""

    def file(self, path: str, result: Result) -> None:
        """Prints what was found in one file."""

    def close(self, summary: Summary) -> None:
        """Prints what comes after all files."""


def _order(finding: Finding) -> tuple[int, str, int]:
    span = finding.span
    return (-1, finding.code, -1) if span is None else (span.start, finding.code, span.end)


def in_order(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The findings of one file by their place, those without a place first.

    Most often they are so already, and then nothing is sorted: a key for each of a hundred thousand findings would be
    as many tuples for the collector to walk through.
    """
    starts = [-1 if finding.span is None else finding.span.start for finding in findings]
    if all(map(lt, starts, islice(starts, 1, None))):
        return findings
    return sorted(findings, key=_order)


def write_together(write: Write, texts: Iterable[str]) -> None:
    """Writes texts, none of them empty, many at a time: to write once costs as much as a short text does."""
    left = iter(texts)
    while together := "".join(islice(left, _TOGETHER)):
        write(together)


def symbol(name: str) -> str:
    """A symbol as MLIR spells it: `@name`, quoted where it is no bare identifier."""
    return f"@{name}" if _BARE.fullmatch(name) else f'@"{name}"'


def steps(finding: Finding) -> list[Note]:
    """Notes, then those steps of the path that the notes do not say already."""
    if not finding.path:
        return list(finding.notes)
    return [*finding.notes, *(step for step in finding.path if step not in finding.notes)]


def callees(group: Group | None) -> list[str]:
    """The wrappers of the group's calls in order, without `@`."""
    return [] if group is None else [call.callee for call in group.calls]
