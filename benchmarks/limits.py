"""The limits that jitlint has to keep, each measured beside what it is compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import generate
from benchmarks.engine import FUSE, PARSE_AND_PRINT
from benchmarks.lab import Lab
from benchmarks.measure import MeasureError, Sample
from benchmarks.table import Measurement, Row, Table
from benchmarks.words import bound, factor, megabytes, seconds, time_of, verdict

SMALL, LARGE = 2_000, 20_000
"""Groups in the two inputs of the limits."""
PLAIN_FILES = 5_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What jitlint was compared with, in words, and the number that the limit is about."""

    beside: str
    value: float


def _limit(
    key: str, limit: float, work: str, own: Callable[[Lab], str], compare: Callable[[Lab], Outcome]
) -> Measurement:
    """The row that holds if the number that `compare` finds is at most `limit`; `own` says jitlint's figure."""

    def row(measured: str, beside: str, ratio: str, holds: bool | None) -> Row:
        return Row((work, measured, beside, ratio, bound(limit), verdict(holds)), holds)

    def measure(lab: Lab) -> Row:
        try:
            measured = own(lab)
        except MeasureError as failure:
            return row(str(failure), "—", "—", False)
        try:
            outcome = compare(lab)
        except MeasureError as failure:
            return row(measured, str(failure), "—", None)
        return row(measured, outcome.beside, factor(outcome.value), outcome.value <= limit)

    return Measurement(key, measure)


def groups(lab: Lab, n: int = LARGE) -> Path:
    """The input of `n` groups."""
    return lab.input("groups", n)


def _against(own: Callable[[Lab], Sample], n: int, passes: str, name: str) -> Callable[[Lab], Outcome]:
    """Compares jitlint's time with the engine's for the same input."""

    def compare(lab: Lab) -> Outcome:
        engine = lab.passes(groups(lab, n), passes)
        return Outcome(f"{name}: {time_of(engine)}", own(lab).median / engine.median)

    return compare


def _growth(measure: Callable[[Lab, int], Sample]) -> Callable[[Lab], Outcome]:
    """Compares the time for the large input with that for the small one."""

    def compare(lab: Lab) -> Outcome:
        small = measure(lab, SMALL).median
        return Outcome(f"{lab.scaled(SMALL):,} groups: {seconds(small)}", measure(lab, LARGE).median / small)

    return compare


def _memory(measure: Callable[[Lab], Sample]) -> Callable[[Lab], Outcome]:
    """Compares the peak memory with the file's size."""

    def compare(lab: Lab) -> Outcome:
        size = groups(lab).stat().st_size
        return Outcome(f"the file: {megabytes(size)}", measure(lab).peak / size)

    return compare


def _check(lab: Lab) -> Sample:
    return lab.check(groups(lab))


def _fix(lab: Lab) -> Sample:
    return lab.fix(groups(lab))


def _fix_small(lab: Lab) -> Sample:
    return lab.fix(groups(lab, SMALL))


def _findings(lab: Lab, form: str) -> Sample:
    return lab.check(groups(lab), "--select", "JIT001", "--output-format", form)


def _compare_formats(lab: Lab) -> Outcome:
    json = _findings(lab, "json").median
    return Outcome(f"json: {seconds(json)}", _findings(lab, "full").median / json)


def _compare_sarif(lab: Lab) -> Outcome:
    json = _findings(lab, "json").median
    return Outcome(f"json: {seconds(json)}", _findings(lab, "sarif").median / json)


def _compare_diff(lab: Lab) -> Outcome:
    fix = _fix(lab).median
    return Outcome(f"--fix: {seconds(fix)}", lab.check(groups(lab), "--diff").median / fix)


def start_with_a_call(lab: Lab) -> Sample:
    """A run over a file with one group: what every run with a call pays before its work begins."""
    return lab.check(lab.input("groups", 1))


def _compare_start(lab: Lab) -> Outcome:
    start = lab.start().median
    return Outcome(f"start: {seconds(start)}, limit: 50 ms", (start_with_a_call(lab).median - start) / 0.05)


def _constant(lab: Lab) -> Path:
    return lab.input("constant", 50)


def _floor(act: Callable[[Lab, Path], Sample]) -> Callable[[Lab], Outcome]:
    """Compares an act on the large constant, beyond the start, with two searches and a copy."""

    def compare(lab: Lab) -> Outcome:
        path = _constant(lab)
        grep = lab.run("grep", "-c", "jit_call", str(path)).median
        copy = lab.run("cp", str(path), str(path.with_name("copy.mlir"))).median
        beyond = act(lab, path).median - start_with_a_call(lab).median
        beside = f"grep -c: {seconds(grep)}, cp: {seconds(copy)}"
        return Outcome(beside, beyond / (2 * grep + copy))

    return compare


WRAPPERS = 10_000
"""Groups of two distinct wrappers each."""


def _per_wrapper(act: Callable[[Lab, Path], Sample], most: float) -> Callable[[Lab], Outcome]:
    """Compares the time for one wrapper, beyond the start, with what it may take in microseconds."""

    def compare(lab: Lab) -> Outcome:
        beyond = act(lab, lab.input("distinct_wrappers", WRAPPERS)).median - start_with_a_call(lab).median
        each = beyond / (2 * lab.scaled(WRAPPERS)) * 1e6
        return Outcome(f"a wrapper: {each:.0f} µs, limit: {most:.0f} µs", each / most)

    return compare


def many(lab: Lab) -> Path:
    """200 files of 100 groups."""
    return lab.tree("many", 200, lambda _: generate.groups(100))


def _compare_cores(lab: Lab) -> Outcome:
    one = lab.check(many(lab), "-j", "1").median
    return Outcome(f"-j 1: {seconds(one)}", lab.check(many(lab), "-j", "2").median / one)


def plain_tree(lab: Lab) -> Path:
    """The folder of modules without a JIT call."""
    return lab.tree("plain", PLAIN_FILES, generate.plain_module)


def grep_tree(lab: Lab) -> Sample:
    """The byte search over the same folder."""
    return lab.run("grep", "-rl", "jit_call", str(plain_tree(lab)), accepted=(0, 1))


def _compare_tree(lab: Lab) -> Outcome:
    start, grep = lab.start().median, grep_tree(lab).median
    beyond_start = lab.check(plain_tree(lab)).median - start
    return Outcome(f"grep -rl: {seconds(grep)}, start: {seconds(start)}", beyond_start / grep)


LIMITS = Table(
    "Limits",
    "jitlint's time is that of the whole command, the interpreter's start included; the engine's is that of the call "
    "alone. `ratio` is the first divided by the second, and has to be `limit` or less. For the files without a JIT "
    "call it is the time beyond the interpreter's start, divided by that of `grep -rl`.",
    ("work", "jitlint", "beside it", "ratio", "limit", "holds"),
    (
        _limit(
            "fix-small",
            1 / 50,
            "2,000 groups, 44,000 operations, 3.3 MB: `--fix`",
            lambda lab: time_of(_fix_small(lab)),
            _against(_fix_small, SMALL, FUSE, "fuse-jit"),
        ),
        _limit(
            "check-large",
            1 / 2,
            "20,000 groups, 34 MB: `check`",
            lambda lab: time_of(_check(lab)),
            _against(_check, LARGE, PARSE_AND_PRINT, "parse and print"),
        ),
        _limit(
            "fix-large",
            1,
            "20,000 groups, 34 MB: `--fix`",
            lambda lab: time_of(_fix(lab)),
            _against(_fix, LARGE, PARSE_AND_PRINT, "parse and print"),
        ),
        _limit(
            "growth-check",
            11,
            "from 2,000 to 20,000 groups: `check`",
            lambda lab: time_of(_check(lab)),
            _growth(lambda lab, n: lab.check(groups(lab, n))),
        ),
        _limit(
            "growth-fix",
            11,
            "from 2,000 to 20,000 groups: `--fix`",
            lambda lab: time_of(_fix(lab)),
            _growth(lambda lab, n: lab.fix(groups(lab, n))),
        ),
        _limit(
            "memory-check",
            8,
            "peak memory at 34 MB: `check`",
            lambda lab: megabytes(_check(lab).peak),
            _memory(_check),
        ),
        _limit(
            "memory-fix",
            8,
            "peak memory at 34 MB: `--fix`",
            lambda lab: megabytes(_fix(lab).peak),
            _memory(_fix),
        ),
        _limit(
            "findings",
            2,
            "20,000 findings: `--output-format full`",
            lambda lab: time_of(_findings(lab, "full")),
            _compare_formats,
        ),
        _limit(
            "files",
            2,
            "5,000 files without a JIT call: `check`",
            lambda lab: time_of(lab.check(plain_tree(lab))),
            _compare_tree,
        ),
        _limit(
            "sarif",
            3,
            "20,000 findings: `--output-format sarif`",
            lambda lab: time_of(_findings(lab, "sarif")),
            _compare_sarif,
        ),
        _limit(
            "diff",
            1.5,
            "20,000 groups, 34 MB: `--diff`",
            lambda lab: time_of(lab.check(groups(lab), "--diff")),
            _compare_diff,
        ),
        _limit(
            "start",
            1,
            "a file with one group: `check`, beyond the interpreter's start",
            lambda lab: time_of(start_with_a_call(lab)),
            _compare_start,
        ),
        _limit(
            "constant-check",
            1,
            "a constant of 50 MB: `check`, against two searches, a read and a write",
            lambda lab: time_of(lab.check(_constant(lab))),
            _floor(Lab.check),
        ),
        _limit(
            "constant-fix",
            1,
            "a constant of 50 MB: `--fix`, against two searches, a read and a write",
            lambda lab: time_of(lab.fix(_constant(lab))),
            _floor(Lab.fix),
        ),
        _limit(
            "wrappers-check",
            1,
            "10,000 groups of distinct wrappers: `check`",
            lambda lab: time_of(lab.check(lab.input("distinct_wrappers", WRAPPERS))),
            _per_wrapper(Lab.check, 100),
        ),
        _limit(
            "wrappers-fix",
            1,
            "10,000 groups of distinct wrappers: `--fix`",
            lambda lab: time_of(lab.fix(lab.input("distinct_wrappers", WRAPPERS))),
            _per_wrapper(Lab.fix, 250),
        ),
        _limit(
            "cores",
            0.6,
            "200 files of 100 groups: `check -j 2`",
            lambda lab: time_of(lab.check(many(lab), "-j", "2")),
            _compare_cores,
        ),
    ),
)
