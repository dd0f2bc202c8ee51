"""What a differential run adds up to, as a table and as the page `docs/correctness.md`."""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass, field

import jitlint
from benchmarks import engine, machine
from benchmarks.measure import ROOT
from tests.engine.differential import Outcome

PAGE = ROOT / "docs" / "correctness.md"


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
    """The whole run. Modules that the engine refuses as they were made count in `refused` and nowhere else."""

    modules: int = 0
    refused: int = 0
    unpredicted: int = 0
    faulty: int = 0
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
        if outcome.refused:
            self.refused += 1
            return
        self.modules += 1
        self.unpredicted += outcome.unpredicted and not outcome.faulty
        self.faulty += outcome.faulty
        self.calls += outcome.calls
        if outcome.failures:
            self.failed.append(outcome.seed)
        if outcome.fewest is not None:
            self.compared += 1
            self.our_left_compared += outcome.left
            self.fewest_compared += outcome.fewest
        _count(self.ours, outcome.kind if row.fused else None, outcome.left, outcome.faulty)
        _count(self.theirs, row.theirs, row.their_left, outcome.faulty)
        right = outcome.kind == "right"
        self.ours.without_need += not row.fused and outcome.fewest is not None and outcome.fewest < outcome.calls
        self.theirs.without_need += row.theirs is None and row.fused and right


def _count(tally: Tally, kind: str | None, left: int, faulty: bool) -> None:
    tally.right += kind == "right" and not faulty
    tally.wrong += kind == "wrong"
    tally.invalid += kind == "invalid"
    tally.left += left


def table(sums: Sums) -> str:
    """The run in two lines."""
    lines = [
        "| | fused, right | fused, wrong | invalid | refused without need | calls left |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, tally in (("jitlint", sums.ours), ("`fuse-jit`", sums.theirs)):
        cells = (tally.right, tally.wrong, tally.invalid, tally.without_need, tally.left)
        lines.append(f"| {name} | " + " | ".join(f"{cell:,}" for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def page(sums: Sums, seeds: range, modes: str) -> str:
    """The page of the documentation that shows the run."""
    command = f"python -m benchmarks.differential --count {len(seeds)} --seed {seeds.start} --mode {modes} --write"
    return f"""# Correctness, measured

`{command}` wrote this page.
It makes random modules, fixes each with jitlint and with the engine's own pass `fuse-jit`,
and runs the module before and after on XLA's CPU backend, twice on the same buffers. The results of both runs and the
arguments after them must be the same before and after; where the module says what is right, they are also compared
with what an interpreter of the module gives.

{table(sums)}
- **fused, right**: at least one group was fused, and the module computes what it did before.
- **fused, wrong**: it computes something else.
- **invalid**: the engine's verifier or its lowering refuses the module, or the engine crashes on it.
- **refused without need**: nothing was fused, although something can be. For `fuse-jit` that is a module which jitlint
  fuses right; for jitlint one which the reference below fuses.
- **calls left**: of {sums.calls:,} in all {sums.modules:,} modules, those of an invalid one counted as they were. The
  pass also takes out calls without effects that nobody uses; jitlint reports them.

{sums.refused:,} more modules are refused by the engine as they were made, and say nothing of a fix; they are counted
nowhere. For {sums.unpredicted:,} modules the model does not say what is right, because XLA chooses a layout, or because
a wrapper writes a global: these are compared before and after alone. {sums.faulty:,} modules are wrong as they are: a
wrapper writes an operand that no result aliases, and others can see it, so that what they compute hangs on where XLA
lets values lie. Of these it is asked whether the engine still runs them; they are counted as fused neither right nor
wrong.

Every module that jitlint wrote was also checked and fixed again: nothing was left to fuse, and nothing changed.
{_modes(modes)} `form = "pass"` is not run: it may change what a program computes.
Modules for which any of this failed: {len(sums.failed)}.

The reference tries every way to part the calls of a block into groups, again and again until nothing fuses, under
rules written a second time for the purpose (`tests/reference/`); it takes {sums.compared:,} of the modules, in the
others a block has too many calls or a wrapper is one of which it does not know whether it can be called. There it
leaves {sums.fewest_compared:,} calls, and jitlint {sums.our_left_compared:,}.

| | |
|---|---|
| seeds | {seeds.start} to {seeds.stop - 1} |
| date | {machine.today()} |
| machine | {machine.describe()} |
| jitlint | {jitlint.__version__}, Python {platform.python_version()} |
| engine | {engine.version()} |
"""


def exchange_section(sums: Sums, count: int, modes: str) -> str:
    """The part of the page about exchanges."""
    command = f"python -m benchmarks.differential --exchanges --count {count} --mode {modes} --write"
    return f"""<!-- exchanges -->
## Exchanges

`{command}` wrote this part ({machine.today()}).
Its random modules are exchanges: receives and sends that start, waits for one request or for several, operations
between them that only move bytes, and calls in the way, some of it in loops. Functions of the module play MPI, so that
every number that moves can be seen in the results. They are fixed, run and compared as above.

| | fused, right | fused, wrong | invalid | calls left |
|---|---:|---:|---:|---:|
| jitlint | {sums.ours.right:,} | {sums.ours.wrong:,} | {sums.ours.invalid:,} | {sums.ours.left:,} |
| `fuse-jit` | {sums.theirs.right:,} | {sums.theirs.wrong:,} | {sums.theirs.invalid:,} | {sums.theirs.left:,} |

These are {sums.modules:,} modules with {sums.calls:,} calls; the engine refused {sums.refused:,} as they were made. In
the {sums.compared:,} that the reference takes, it leaves {sums.fewest_compared:,} calls, and jitlint
{sums.our_left_compared:,}. Modules for which anything failed, a call more than the reference leaves included:
{len(sums.failed)}.
<!-- end of exchanges -->
"""


def with_section(text: str, section: str) -> str:
    """The page with a section in the place of the old one, or at the end."""
    begin, end = section.partition("\n")[0], section.rstrip().rpartition("\n")[2]
    if begin not in text:
        return f"{text.rstrip()}\n\n{section}"
    before, _, rest = text.partition(begin)
    return before + section.rstrip("\n") + rest.partition(end)[2]


_SECTION = re.compile(r"<!-- (\w+) -->\n.*?<!-- end of \1 -->\n", re.DOTALL)


def sections(text: str) -> str:
    """The parts of the page that other commands write, as they stand in `text`."""
    return "".join(f"\n{match[0]}" for match in _SECTION.finditer(text))


def _modes(modes: str) -> str:
    if modes == "one":
        return 'Each was fixed a second time with one of `copies`, `group = "adjacent"`, `prune-wrappers` or all three.'
    if modes == "every":
        return 'Each was fixed again with `copies`, `group = "adjacent"`, `prune-wrappers`, and all three.'
    return f"Each was fixed in the mode `{modes}`."
