"""jitlint beside the engine's own pass, on the same random modules, judged by what they compute on the engine.

    python -m benchmarks.differential [--count N] [--seed FIRST] [--mode MODE] [-j N] [--answers FILE] [--write]
    python -m benchmarks.differential --exchanges [--count N] [--mode MODE] [-j N] [--answers FILE] [--write]
    python -m benchmarks.differential --show SEED
    python -m benchmarks.differential --reduce SEED [--mode MODE]

MODE is `default`, `copies`, `adjacent`, `prune`, `all` (these three together), `one` (the default and, by the seed, one
of the others) or `every`. Every version runs twice on the same buffers, and the arguments are compared as well.
`--exchanges` makes exchanges between processes, whose MPI is played by functions of the module; they have the negative
seeds. With `--answers` all that the engine says is kept in FILE, which it is not asked again: a run that was ended soon
is where it was, and one of another version of jitlint runs on the engine only what is written otherwise.

Exit status: 0 jitlint is right on every module, 1 it is not (the seeds are printed), 2 bad usage.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

from benchmarks.correctness import PAGE, Row, Sums, exchange_section, page, sections, table, with_section
from benchmarks.measure import ROOT
from jitlint import api
from tests.engine.answers import Answers
from tests.engine.differential import MODES, OPTIONAL, Outcome, Run, examine, examine_module
from tests.engine.judge import Judge, RefusedError
from tests.engine.spelling import count_calls
from tests.generator import Module, generate, render
from tests.generator.reduce import reduce

PASS = "fuse-jit"
BATCH = 20
"""How many modules a process is given at a time; one engine does for all that it is given."""


def modes_of(word: str, seed: int) -> tuple[str, ...]:
    """The modes that a module is fixed in; the default always comes first."""
    if word == "one":
        return "default", OPTIONAL[seed % len(OPTIONAL)]
    if word == "every":
        return tuple(MODES)
    return tuple(dict.fromkeys(("default", word)))


def measure(judge: Judge, seed: int, modes: str) -> Row:
    """The module of `seed` with jitlint and with the pass."""
    ours = examine(judge, seed, modes_of(modes, seed))
    if ours.refused:
        return Row(ours, None, ours.calls)
    module, text = generate(seed)
    try:
        after = judge.run_passes(text, PASS)
    except RefusedError:
        return Row(ours, "invalid", ours.calls)
    left = count_calls(after)
    if "@fused__" not in after and '@"fused__' not in after:
        return Row(ours, None, left)
    kind = Run(judge, module, text, seed).verdict(text, PASS).kind
    return Row(ours, kind, ours.calls if kind == "invalid" else left)


@cache
def judge_with(answers: Path | None) -> Judge:
    """The engine of this process, which is not asked what the file knows."""
    return Judge(answers=Answers(answers))


def _batch(seeds: Sequence[int], modes: str, answers: Path | None) -> list[Row]:
    return [measure(judge_with(answers), seed, modes) for seed in seeds]


def measured(seeds: Sequence[int], modes: str, jobs: int, answers: Path | None) -> Iterator[Row]:
    """The rows of all seeds, in order; each of the processes has an engine of its own, which may crash."""
    batches = [seeds[at : at + BATCH] for at in range(0, len(seeds), BATCH)]
    with ProcessPoolExecutor(jobs) as pool:
        for rows in pool.map(partial(_batch, modes=modes, answers=answers), batches):
            yield from rows


def _run(seeds: range, modes: str, jobs: int, answers: Path | None) -> Sums:
    """Measure the modules of all seeds, and add them up."""
    sums = Sums()
    for number, row in enumerate(measured(seeds, modes, jobs, answers), 1):
        sums.add(row)
        for failure in row.ours.failures:
            print(f"seed {row.ours.seed}: {failure}", file=sys.stderr, flush=True)
        if number % 500 == 0:
            print(f"{number:,} modules", file=sys.stderr, flush=True)
    return sums


def _show(module: Module, seed: int, mode: str) -> None:
    text = render(module, seed)
    print(text, f"// ----- fixed ({mode})", sep="\n", flush=True)
    print(api.fix(text, **MODES[mode]).source.text)


def _reduce(seed: int, modes: str) -> int:
    """Print the smallest module that fails as the module of `seed` does; 2 if that one does not fail."""
    module, _ = generate(seed)
    with Judge() as judge:
        failing = [mode for mode in modes_of(modes, seed) if examine_module(judge, module, seed, [mode]).failures]
        if not failing:
            print(f"seed {seed} does not fail in {', '.join(modes_of(modes, seed))}", file=sys.stderr)
            return 2
        mode = failing[0]
        kind = _kinds(examine_module(judge, module, seed, [mode]))

        def fails(smaller: Module) -> bool:
            return bool(kind & _kinds(examine_module(judge, smaller, seed, [mode])))

        module = reduce(module, fails)
        for failure in examine_module(judge, module, seed, [mode]).failures:
            print(f"// {failure}".replace("\n", "\n// "))
    _show(module, seed, mode)
    return 1


def _kinds(outcome: Outcome) -> set[str]:
    """What failed, without the numbers of one module; nothing where the engine refuses the module as it is."""
    words = [" ".join(failure.split()[:6]) for failure in outcome.failures]
    return set() if outcome.refused else {"".join(letter for letter in word if not letter.isdigit()) for word in words}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.differential", description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=2000, metavar="N", help="how many (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, metavar="FIRST", help="the first seed (default: 0)")
    parser.add_argument("--exchanges", action="store_true", help="make exchanges; the seeds are those from -N to -1")
    parser.add_argument(
        "--mode", choices=(*MODES, "one", "every"), default="one", help="what to fix with (default: one)"
    )
    parser.add_argument("-j", type=int, default=2, dest="jobs", metavar="N", help="how many at a time (default: 2)")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="keep what the engine says in FILE")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    parser.add_argument("--show", type=int, metavar="SEED", help="print one module, before and after")
    parser.add_argument(
        "--reduce", type=int, metavar="SEED", help="print the least that fails as the module of SEED does"
    )
    return parser


def main() -> int:
    """Measure, print, and write the page if asked to."""
    arguments = _parser().parse_args()
    if arguments.show is not None:
        _show(generate(arguments.show)[0], arguments.show, modes_of(arguments.mode, arguments.show)[-1])
        return 0
    if arguments.reduce is not None:
        return _reduce(arguments.reduce, arguments.mode)
    first = -arguments.count if arguments.exchanges else arguments.seed
    seeds = range(first, first + arguments.count)
    print(f"seeds {seeds.start} to {seeds.stop - 1}", file=sys.stderr)
    sums = _run(seeds, arguments.mode, arguments.jobs, arguments.answers)
    print(table(sums), end="")
    print(f"failed: {' '.join(map(str, sums.failed)) or 'none'}; refused as they were made: {sums.refused}")
    if arguments.write:
        known = PAGE.read_text(encoding="utf-8")
        if arguments.exchanges:
            written = with_section(known, exchange_section(sums, len(seeds), arguments.mode))
        else:
            written = page(sums, seeds, arguments.mode) + sections(known)
        PAGE.write_text(written, encoding="utf-8")
    return 1 if sums.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
