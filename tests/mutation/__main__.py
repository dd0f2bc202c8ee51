"""Run the fast tests against the mutants: `python -m tests.mutation [OPTION]… [PATH…]`.

Exit status 1 where one was not found.
"""

from __future__ import annotations

import argparse

from tests.mutation.mutant import ROOT, Mutant
from tests.mutation.mutants import LAYERS, MUTANTS
from tests.mutation.runner import FAST, recorded, run

PAGE = ROOT / "docs" / "correctness.md"
BEGIN, END = "<!-- mutants -->\n", "<!-- end of mutants -->\n"
TEXT = """\
## Mutants

`python -m tests.mutation --write` wrote this part. Each mutant is jitlint with one check of its own off, and the fast
tests, which need no engine, must find it.

"""


def sample(number: int) -> list[Mutant]:
    """`number` mutants spread evenly over those that the record has a test for; all of these if there are no more."""
    known = recorded()
    quick = [mutant for mutant in MUTANTS if mutant.key in known]
    step = max(len(quick) / number, 1)
    return [quick[int(place * step)] for place in range(min(number, len(quick)))]


def table(found: set[Mutant]) -> str:
    """How many mutants of each layer were found, in Markdown."""
    rows = [(layer, len(mutants), len(found.intersection(mutants))) for layer, mutants in LAYERS.items()]
    rows.append(("all", len(MUTANTS), len(found)))
    lines = [f"| {layer} | {number} | {seen} |\n" for layer, number, seen in rows]
    return "| layer | mutants | found |\n|---|---:|---:|\n" + "".join(lines)


def with_part(page: str, text: str) -> str:
    """The page with `text` as the part about mutants, in place of the one that it has or at its end."""
    before, _, rest = page.partition(BEGIN)
    return before.rstrip("\n") + "\n\n" + BEGIN + text + END + rest.partition(END)[2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="only mutants of modules whose path begins like this")
    parser.add_argument("-j", "--jobs", type=int, default=2, metavar="N", help="how many at once (default: 2)")
    parser.add_argument("--sample", type=int, metavar="N", help="only N that were found before, spread evenly")
    parser.add_argument("--tests", action="append", metavar="PATH", help="only these tests (more than once: all these)")
    parser.add_argument("--write", action="store_true", help="write the table in docs/correctness.md, of all mutants")
    given = parser.parse_args()
    chosen = sample(given.sample) if given.sample else list(MUTANTS)
    chosen = [each for each in chosen if not given.paths or each.path.startswith(tuple(given.paths))]
    seen: set[Mutant] = set()

    def found(mutant: Mutant, test: str | None, seconds: float) -> None:
        if test is not None:
            seen.add(mutant)
        print(f"{mutant.path:40} {mutant.check:60.60} {test or 'NOT FOUND':80.80} {seconds:5.1f} s", flush=True)

    run(chosen, given.jobs, found, given.tests or FAST, record=not given.sample)
    print(f"{len(seen)} of {len(chosen)} mutants found")
    for mutant in [each for each in chosen if each not in seen]:
        print(f"  {mutant.path}: {mutant.check}")
    if given.write and len(chosen) == len(MUTANTS):
        PAGE.write_text(with_part(PAGE.read_text(encoding="utf-8"), TEXT + table(seen)), encoding="utf-8")
    return 1 if len(seen) < len(chosen) else 0


if __name__ == "__main__":
    raise SystemExit(main())
