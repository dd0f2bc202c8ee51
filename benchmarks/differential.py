"""jitlint beside the engine's own pass, on the same random modules, judged by what they compute on the engine.

    python -m benchmarks.differential --modules 2000 [--first SEED] [--jobs N] [--write]
    python -m benchmarks.differential --show SEED

Exit status: 0 jitlint is right on every module, 1 it is not (the seeds are printed), 2 bad usage.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import jitlint
from benchmarks import engine, machine
from benchmarks.measure import ROOT
from jitlint import api
from tests.engine.differential import Outcome, Run, examine
from tests.engine.judge import Judge, RefusedError
from tests.engine.spelling import count_calls
from tests.generator import generate

PAGE = ROOT / "docs" / "correctness.md"
PASS = "fuse-jit"
_THEIR_NAME = re.compile(r'jit_call @"?fused__')
"""How the wrappers that the pass makes are named."""


@dataclass(slots=True)
class Tally:
    """What one tool did to all modules. `left` counts an invalid module's calls as they were."""

    right: int = 0
    wrong: int = 0
    invalid: int = 0
    without_need: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One module: what jitlint made of it, and what the pass made of it (None: it fused nothing)."""

    ours: Outcome
    theirs: str | None
    their_left: int

    @property
    def fused(self) -> bool:
        """Whether jitlint fused anything."""
        return self.ours.left < self.ours.calls


@dataclass(slots=True)
class Sums:
    """The whole run."""

    modules: int = 0
    calls: int = 0
    compared: int = 0
    ours: Tally = field(default_factory=Tally)
    theirs: Tally = field(default_factory=Tally)
    our_left_compared: int = 0
    fewest_compared: int = 0
    failed: list[int] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Count one module in."""
        outcome = row.ours
        self.modules += 1
        self.calls += outcome.calls
        if outcome.failures:
            self.failed.append(outcome.seed)
        if outcome.fewest is not None:
            self.compared += 1
            self.our_left_compared += outcome.left
            self.fewest_compared += outcome.fewest
        _count(self.ours, outcome.verdict.kind if row.fused else None, outcome.left)
        _count(self.theirs, row.theirs, row.their_left)
        right = outcome.verdict.kind == "right"
        self.ours.without_need += not row.fused and outcome.fewest is not None and outcome.fewest < outcome.calls
        self.theirs.without_need += row.theirs is None and row.fused and right


def _count(tally: Tally, kind: str | None, left: int) -> None:
    tally.right += kind == "right"
    tally.wrong += kind == "wrong"
    tally.invalid += kind == "invalid"
    tally.left += left


def measure(judge: Judge, seed: int) -> Row:
    """The module of `seed` with jitlint and with the pass."""
    ours = examine(judge, seed)
    module, text = generate(seed)
    try:
        after = judge.run_passes(text, PASS)
    except RefusedError:
        return Row(ours, "invalid", ours.calls)
    left = count_calls(after)
    if not _THEIR_NAME.search(after):
        return Row(ours, None, left)
    kind = Run(judge, module, seed).verdict(text, PASS).kind
    return Row(ours, kind, ours.calls if kind == "invalid" else left)


def measured(seeds: range, jobs: int) -> Iterator[Row]:
    """The rows of all seeds, in order; each job has an engine of its own."""

    def some(first: int) -> list[Row]:
        with Judge() as judge:
            return [measure(judge, seed) for seed in seeds[first : first + 100]]

    with ThreadPoolExecutor(jobs) as pool:
        for rows in pool.map(some, range(0, len(seeds), 100)):
            yield from rows


def _table(sums: Sums) -> str:
    lines = [
        "| | fused, right | fused, wrong | invalid | refused without need | calls left |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, tally in (("jitlint", sums.ours), (f"`{PASS}`", sums.theirs)):
        cells = (tally.right, tally.wrong, tally.invalid, tally.without_need, tally.left)
        lines.append(f"| {name} | " + " | ".join(f"{cell:,}" for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def page(sums: Sums, seeds: range) -> str:
    """The page of the documentation that shows the run."""
    return f"""# Correctness, measured

`python -m benchmarks.differential --modules {len(seeds)} --first {seeds.start} --write` wrote this page. It makes
random modules, fixes each with jitlint and with the engine's own pass `{PASS}`, runs the module before and after on
XLA's CPU backend, and compares the numbers with those that an interpreter of the module gives.

{_table(sums)}
- **fused, right**: at least one group was fused, and the module computes what it did before.
- **fused, wrong**: it computes something else.
- **invalid**: the engine's verifier or its lowering refuses the module, or the engine crashes on it.
- **refused without need**: nothing was fused, although something can be. For `{PASS}` that is a module which jitlint
  fuses right; for jitlint one which the reference below fuses.
- **calls left**: of {sums.calls:,} in all {sums.modules:,} modules, those of an invalid one counted as they were. The
  pass also takes out calls without effects that nobody uses; jitlint reports them.

Every module that jitlint wrote was also checked and fixed again: nothing was left to fuse, and nothing changed. Each
was fixed a second time with one of `copies`, `group = "adjacent"`, `prune-wrappers` or all three, and run again.
Modules for which any of this failed: {len(sums.failed)}.

The reference tries every way to part the calls of a block into groups, under rules written a second time for the
purpose (`tests/reference/`); it takes {sums.compared:,} of the modules, in the others a block has too many calls. There
it leaves {sums.fewest_compared:,} calls, and jitlint {sums.our_left_compared:,}. It can be fewer, since the reference
fuses once, and jitlint again until nothing is left.

| | |
|---|---|
| seeds | {seeds.start} to {seeds.stop - 1} |
| date | {machine.today()} |
| machine | {machine.describe()} |
| jitlint | {jitlint.__version__}, Python {platform.python_version()} |
| engine | {engine.version()} |
"""


def _show(seed: int) -> None:
    text = generate(seed)[1]
    print(text, "// ----- fixed", api.fix(text).source.text, sep="\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.differential", description=__doc__.partition("\n")[0])
    parser.add_argument("--modules", type=int, default=2000, metavar="N", help="how many (default: 2000)")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first seed (default: 0)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many at a time (default: 2)")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    parser.add_argument(
        "--show", type=int, metavar="SEED", help="print one module, before and after, and do nothing else"
    )
    return parser


def main() -> int:
    """Measure, print, and write the page if asked to."""
    arguments = _parser().parse_args()
    if arguments.show is not None:
        _show(arguments.show)
        return 0
    seeds, sums = range(arguments.first, arguments.first + arguments.modules), Sums()
    print(f"seeds {seeds.start} to {seeds.stop - 1}", file=sys.stderr)
    for row in measured(seeds, arguments.jobs):
        sums.add(row)
        for failure in row.ours.failures:
            print(f"seed {row.ours.seed}: {failure}", file=sys.stderr)
        if sums.modules % 500 == 0:
            print(f"{sums.modules:,} modules", file=sys.stderr)
    print(_table(sums), end="")
    if arguments.write:
        PAGE.write_text(page(sums, seeds), encoding="utf-8")
    return 1 if sums.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
