"""Results as text: on the terminal, and as `docs/performance.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchmarks.lab import REPEATS
from benchmarks.measure import LONG
from benchmarks.table import Results

WIDTH = 160
"""Columns of a table that does not go to a terminal."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the figures depend on, in words."""

    date: str
    machine: str
    python: str
    jitlint: str
    engine: str
    minutes: int
    """How long the whole run took."""


def print_results(results: Results, note: str = "") -> None:
    """Print one table on standard output; `note` follows its title."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=results.table.title + note, box=box.SIMPLE, title_justify="left", title_style="bold")
    for number, column in enumerate(results.table.columns):
        table.add_column(column, justify="left" if number == 0 else "right", overflow="fold")
    for row in results.rows:
        table.add_row(*row.cells, style="red" if row.holds is False else None)
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table, markup=False)


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _markdown(results: Results) -> Iterator[str]:
    table = results.table
    yield f"\n## {table.title}\n\n{table.about}\n\n"
    yield _markdown_row(table.columns)
    yield _markdown_row(["---", *["---:"] * (len(table.columns) - 1)])
    for row in results.rows:
        yield _markdown_row(row.cells)


_TRIED = """
## What makes a call dear

A chain has nothing but calls in it, and all of them are one group, so what is paid for a call is paid for every line:
its text is taken apart, its operands are looked up, its result takes over a slot, its uses are found, its wrapper's
body is written once more; and what was written is read, analysed and executed again. In nested regions each region is
a block with an analysis of its own, for two calls each. None of that is much, but each step is a call of a Python
function or an object made, and the engine's are compiled. Where most lines are no calls, a line costs next to nothing,
since lines that differ in nothing but numbers are looked up together.

What brought the cost of a call down:

- Whatever is asked of a wrapper is asked once for all wrappers that differ in nothing but names and floating-point
  constants, and of a group's wrappers once for each wrapper, not for each call.
- The proof runs on the modules that the analysis has cut into operations, before and after.
- What an operation of a fused wrapper does is asked once for all that differ in nothing but names.
- SSA names are found by a plain expression where no string or comment can hide any.

What is not left out, although it costs: the analysis of the text after the fix, which shows that nothing is left to
fuse; the check that every name has a definition; the proof. In a chain every line changes, so there is nothing that
the proof could take as equal without executing it.
"""


def page(conditions: Conditions, tables: Iterable[Results]) -> str:
    """The whole of `docs/performance.md`."""
    return "".join(
        [
            "# Performance\n\n",
            "jitlint is measured beside the compiler's own engine, on the same files and in the same run, and beside a "
            "plain search for bytes, which nothing that reads a file can beat. Every figure on this page was written "
            "by the command at its end.\n\n",
            f"Measured on {conditions.date} with {conditions.jitlint}, Python {conditions.python} and "
            f"{conditions.engine}, on {conditions.machine}. Each time is the median of {REPEATS} runs after a warm-up; "
            f"where the warm-up takes over {LONG:.0f} s, it counts and one more run is made. Peak memory is that of "
            "the largest process; the measuring process itself keeps it from being told below some 25 MB.\n",
            *(part for results in tables for part in _markdown(results)),
            _TRIED,
            "\n## To measure again\n\n",
            "```\npip install -e '.[engine]'\npython -m benchmarks --write\n```\n\n",
            f"This took {conditions.minutes} minutes, most of them the engine's; nothing else should run meanwhile. "
            "`python -m benchmarks --quick` tries every row once on inputs of a tenth of the "
            "size. Without the engine, which exists for x86-64 Linux only, its columns say so. The inputs come from "
            "`benchmarks/generate.py`.\n",
        ]
    )
