"""The long mode of the fuzzer: harm texts and check what has to hold for all of them, until told to stop.

    python -m benchmarks.fuzz [--seconds N] [--seed N] [--keep DIR]

Prints each new kind of failure once, with the number that makes it again, and keeps its text. Exit status: 0 nothing
failed, 1 something did.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.check import CHOICES, is_changed, seeds
from tests.fuzz.mutate import mutate


def _kind(error: Exception) -> str:
    """What makes two failures the same: the exception and the line that raised it."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"


def fuzz(seconds: float, seed: int, keep: Path | None) -> Counter[str]:
    """Harm and check texts for a number of seconds; returns how often each kind of failure was met."""
    texts, failures, number, changed = seeds(), Counter[str](), 0, 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        source = random.Random(f"{seed}:{number}")
        text = mutate(source.choice(texts), source)
        options = source.choice(CHOICES)
        try:
            changed += is_changed(text, options)
        except Exception as error:
            kind = _kind(error)
            failures[kind] += 1
            if failures[kind] == 1:
                print(f"text {seed}:{number}, {options}\n  {kind}: {error}", flush=True)
                if keep is not None:
                    (keep / f"{seed}-{number}.mlir").write_text(text, encoding="utf-8", newline="")
        number += 1
    print(f"{number:,} texts, {changed:,} of them fixed, {sum(failures.values()):,} failures of {len(failures)} kinds")
    return failures


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz as asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description="Harm module texts, and check them.")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long to go on (default: 600)")
    parser.add_argument("--seed", type=int, default=0, help="where to begin (default: 0)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the texts that fail into this folder")
    given = parser.parse_args(arguments)
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    return int(bool(fuzz(given.seconds, given.seed, given.keep)))


if __name__ == "__main__":
    sys.exit(main())
