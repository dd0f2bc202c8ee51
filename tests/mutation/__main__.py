"""Run the fast tests against the mutants: `python -m tests.mutation [-j N] [--sample N] [PATH…]`.

Exit status 1 where one was not found.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutation.mutant import Copy, Mutant
from tests.mutation.mutants import MUTANTS


def sample(number: int) -> list[Mutant]:
    """`number` mutants spread evenly over the list; all if there are no more."""
    step = max(len(MUTANTS) / number, 1)
    return [MUTANTS[int(place * step)] for place in range(min(number, len(MUTANTS)))]


def run(mutants: Sequence[Mutant], jobs: int) -> list[tuple[Mutant, str | None]]:
    """Each mutant with the test that found it."""
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(jobs):
            copies.put(Copy(Path(folder) / str(number)))

        def found_by(mutant: Mutant) -> tuple[Mutant, str | None]:
            copy = copies.get()
            try:
                started = time.monotonic()
                found = copy.found_by(mutant)
                took = time.monotonic() - started
                print(f"{mutant.path:44} {mutant.check:60.60} {found or 'NOT FOUND':70.70} {took:5.1f} s", flush=True)
                return mutant, found
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(found_by, mutants))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="only mutants of modules whose path begins like this")
    parser.add_argument("-j", "--jobs", type=int, default=2, metavar="N", help="how many at once (default: 2)")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of them, spread evenly")
    given = parser.parse_args()
    chosen = sample(given.sample) if given.sample else list(MUTANTS)
    chosen = [each for each in chosen if not given.paths or each.path.startswith(tuple(given.paths))]
    missed = [mutant for mutant, found in run(chosen, given.jobs) if found is None]
    print(f"{len(chosen) - len(missed)} of {len(chosen)} mutants found")
    for mutant in missed:
        print(f"  {mutant.path}: {mutant.check}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
