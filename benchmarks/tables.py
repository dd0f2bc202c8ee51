"""The tables beside the limits: every input, growth, start, output formats, cores, and what fusion buys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks import generate
from benchmarks.engine import FUSE, PARSE_AND_PRINT
from benchmarks.generate import INPUTS
from benchmarks.lab import Lab
from benchmarks.limits import LARGE, LIMITS, SMALL, grep_tree, groups, many, plain_tree, start_with_a_call
from benchmarks.measure import PATIENCE, MeasureError, Sample
from benchmarks.mechanisms import MECHANISMS
from benchmarks.phases import PHASES
from benchmarks.table import Measurement, Row, Table
from benchmarks.words import attempt, factor, megabytes, seconds, time_of, verdict

MOST_CHECK, MOST_FIX = 2, 4
"""How many times the engine's parse and print a check and a fix may take, beyond the start."""

MANY_CALLS = 5_000
"""From so many calls on, a fix may take no longer than `fuse-jit`."""

MOST_GROWTH = 11
"""How much longer ten times the input may take."""


def _time(measure: Callable[[], Sample]) -> str:
    return attempt(lambda: time_of(measure()))


def _calls(lab: Lab, path: Path) -> str:
    return attempt(lambda: f"{lab.calls(path):,} → {lab.calls(lab.fixed(path)):,}")


def _label(name: str, size: str) -> str:
    unit = INPUTS[name].unit
    return f"{size} {unit}" if unit == name else f"{name.replace('_', ' ')}: {size} {unit}"


def _input(name: str, n: int) -> Measurement:
    """One input: what is in it, the floor, the engine, jitlint."""

    def measure(lab: Lab) -> Row:
        path = lab.input(name, n)
        return Row(
            (
                _label(name, f"{lab.scaled(n):,}"),
                megabytes(path.stat().st_size),
                _calls(lab, path),
                _time(lambda: lab.run("grep", "-c", "jit_call", str(path))),
                _time(lambda: lab.passes(path, PARSE_AND_PRINT)),
                _time(lambda: lab.passes(path, FUSE)),
                _time(lambda: lab.check(path)),
                _time(lambda: lab.fix(path)),
                attempt(lambda: megabytes(lab.check(path).peak)),
                attempt(lambda: megabytes(lab.fix(path).peak)),
            )
        )

    return Measurement(f"input-{name}-{n}", measure)


_SIZES = [("groups", SMALL), ("chain", 5_000), *((name, made.size) for name, made in INPUTS.items())]

EVERY_INPUT = Table(
    "Every input",
    "`calls` counts the JIT calls before and after `--fix`. `grep -c` is the floor: one search for the bytes "
    "`jit_call`. `parse, print` and `fuse-jit` are the engine's, imports left out; what is not done after "
    f'{PATIENCE} seconds is stopped ("over {PATIENCE} s"), and of what ends with an error, the exit status is shown. '
    "The last two columns are peak memory.",
    (
        "input",
        "size",
        "calls",
        "grep -c",
        "parse, print",
        "fuse-jit",
        "check",
        "--fix",
        "check, peak",
        "--fix, peak",
    ),
    tuple(_input(name, n) for name, n in _SIZES),
)


def _ratio(name: str, n: int) -> Measurement:
    """One input: jitlint's time beyond the start, divided by the engine's for reading and printing; and beside fusing,
    the time of the whole fix."""

    def measure(lab: Lab) -> Row:
        path = lab.input(name, n)
        label = _label(name, f"{lab.scaled(n):,}")
        start, calls = start_with_a_call(lab).median, lab.calls(path)
        check, fix = (max(each(path).median - start, 0.0) for each in (lab.check, lab.fix))
        of_a_call = (f"{check / calls * 1e6:,.1f} µs", f"{fix / calls * 1e6:,.1f} µs")
        try:
            engine = lab.passes(path, PARSE_AND_PRINT).median
        except MeasureError as failure:
            return Row((label, str(failure), "—", of_a_call[0], "—", of_a_call[1], "—", "—"))
        fusing, is_no_slower = _beside_fusing(lab, path, calls)
        holds = check <= MOST_CHECK * engine and fix <= MOST_FIX * engine and is_no_slower
        ratios = factor(check / engine), factor(fix / engine)
        cells = (label, seconds(engine), ratios[0], of_a_call[0], ratios[1], of_a_call[1], fusing, verdict(holds))
        return Row(cells, holds)

    return Measurement(f"ratio-{name}-{n}", measure)


def _beside_fusing(lab: Lab, path: Path, calls: int) -> tuple[str, bool]:
    """A fix's time divided by that of `fuse-jit`, and whether it is no longer where there are many calls."""
    try:
        ratio = lab.fix(path).median / lab.passes(path, FUSE).median
    except MeasureError as failure:
        return str(failure), True
    return factor(ratio), ratio <= 1 or calls < MANY_CALLS


RATIOS = Table(
    "Beside the engine",
    "jitlint's times beyond the start of a run with a call, divided by the engine's parse and print of the same file "
    f"in the same run. A check may take {MOST_CHECK} times it, a fix, with its proof, {MOST_FIX} times. The last ratio "
    f"is that of the whole fix to `fuse-jit`: 1 or less for {MANY_CALLS:,} calls or more. Where a row does not hold, "
    "the cost of a call says how much is too much, and the next table says what it goes into.",
    ("input", "parse, print", "check", "a call", "--fix", "a call", "--fix / fuse-jit", "holds"),
    tuple(_ratio(name, n) for name, n in _SIZES),
)


def _grown(measure: Callable[[Path], Sample], small: Path, large: Path) -> tuple[str, bool]:
    """The factor between the times for two files, and whether it is within `MOST_GROWTH`."""
    try:
        ratio = measure(large).median / measure(small).median
    except MeasureError as failure:
        return str(failure), False
    return factor(ratio), ratio <= MOST_GROWTH


def _growth(name: str) -> Measurement:
    """One input at a tenth of its size and at its size."""
    full = INPUTS[name].size

    def measure(lab: Lab) -> Row:
        small, large = lab.input(name, full // 10), lab.input(name, full)
        check, check_holds = _grown(lab.check, small, large)
        fix, fix_holds = _grown(lab.fix, small, large)
        engine, _ = _grown(lambda path: lab.passes(path, PARSE_AND_PRINT), small, large)
        holds = check_holds and fix_holds
        sizes = f"{lab.scaled(full // 10):,} to {lab.scaled(full):,}"
        return Row((_label(name, sizes), check, fix, engine, verdict(holds)), holds)

    return Measurement(f"growth-{name}", measure)


GROWTH = Table(
    "Growth",
    f"How many times longer ten times the input takes, start included. At most {MOST_GROWTH} holds.",
    ("from a tenth to the whole", "check", "--fix", "engine, parse and print", "holds"),
    tuple(_growth(name) for name in INPUTS),
)


ODD_SIZE = 1_000
_ODD = (
    *("wrappers_that_call_one_another", "wrappers_in_a_ring", "functions_in_a_chain", "functions_in_a_ring"),
    *(
        "modules",
        "undefined_operands",
        "codes",
        "suppressions",
        "overwritten",
        "parameters",
        "regions_of_one_operation",
    ),
)


def _odd_growth(name: str) -> Measurement:
    """One odd shape at a tenth of its size and at its size."""

    def measure(lab: Lab) -> Row:
        small, large = lab.odd_input(name, ODD_SIZE // 10), lab.odd_input(name, ODD_SIZE)
        check, check_holds = _grown(lab.check, small, large)
        fix, fix_holds = _grown(lab.fix, small, large)
        times = _time(lambda: lab.check(large)), _time(lambda: lab.fix(large))
        holds = check_holds and fix_holds
        return Row((name.replace("_", " "), times[0], check, times[1], fix, verdict(holds)), holds)

    return Measurement(f"odd-{name}", measure)


ODD_SHAPES = Table(
    "Odd shapes",
    f"What no compiler prints: {ODD_SIZE:,} of each, and how many times longer they take than a tenth of them. The "
    "shapes are in `benchmarks/odd_shapes.py`; `tests/test_growth.py` holds more of them by counting.",
    ("shape", "check", "growth", "--fix", "growth", "holds"),
    tuple(_odd_growth(name) for name in _ODD),
)


def _mechanism(name: str) -> Measurement:
    """What one mechanism buys, in processor time without the start."""
    mechanism = MECHANISMS[name]

    def measure(lab: Lab) -> Row:
        size = lab.scaled(mechanism.size)
        files = f"{mechanism.times} files of " if mechanism.times > 1 else ""
        label = f"{files}{_label(mechanism.input, f'{size:,}')}: `{mechanism.act}`"
        try:
            on, off = (lab.processor_time("benchmarks.mechanisms", name, str(size), state) for state in ("on", "off"))
        except MeasureError as failure:
            return Row((mechanism.what, label, str(failure), "—"))
        return Row((mechanism.what, label, seconds(on), seconds(off)))

    return Measurement(f"mechanism-{name}", measure)


def _phases(name: str, n: int) -> Measurement:
    """Where the time of one fix goes: microseconds of processor time for each call."""

    def measure(lab: Lab) -> Row:
        label = _label(name, f"{lab.scaled(n):,}")
        try:
            found, calls = lab.phases(name, n), lab.calls(lab.input(name, n))
        except MeasureError as failure:
            return Row((label, str(failure), *["—"] * len(PHASES)))
        each = [found[phase] / calls * 1e6 for phase in PHASES]
        return Row((label, *(f"{value:,.1f}" for value in (*each, sum(each)))))

    return Measurement(f"phases-{name}", measure)


WHERE = Table(
    "Where the time goes",
    "Microseconds of processor time for each call of the input in `--fix`, without the start. *Reading* is cutting the "
    "text into operations and reading its calls, before and after the fix; *analysis* finds components, order, slots "
    "and what wrappers do, before and after; *findings* are the words for what is left; *edits* writes the new text; "
    "*checking* sees that every name in it has a definition; *proof* executes both texts.",
    ("input", *PHASES, "together"),
    tuple(_phases(name, INPUTS[name].size) for name in ("groups", "functions", "chain", "distinct_wrappers", "nested")),
)


SPEED_ALONE = Table(
    "What is there for speed alone",
    "Each mechanism that the code would be shorter without, and what the input that needs it most takes in processor "
    "time, without the start: with it, and with it switched off (`benchmarks/mechanisms.py`).",
    ("mechanism", "work", "with it", "without"),
    tuple(_mechanism(name) for name in MECHANISMS),
)


def _timed(key: str, what: str, measure: Callable[[Lab], Sample]) -> Measurement:
    """A row of a name and a time."""
    return Measurement(key, lambda lab: Row((what, _time(lambda: measure(lab)))))


def _plain_file(lab: Lab) -> Sample:
    return lab.check(plain_tree(lab) / "part_000" / "step_00000.mlir")


START = Table(
    "Start",
    "What a run costs that finds nothing to do.",
    ("command", "time"),
    (
        _timed("start-python", "`python -c pass`", Lab.start),
        _timed("start-version", "`jitlint --version`", lambda lab: lab.run(*lab.jitlint, "--version")),
        _timed("start-file", "`jitlint check` of one file without a JIT call", _plain_file),
        _timed("start-call", "`jitlint check` of one file with a group", start_with_a_call),
        _timed("start-files", "`jitlint check` of 5,000 such files", lambda lab: lab.check(plain_tree(lab))),
        _timed("start-grep", "`grep -rl jit_call` of the same files", grep_tree),
    ),
)


def _format(form: str) -> Measurement:
    return _timed(
        f"output-{form}",
        f"`--output-format {form}`",
        lambda lab: lab.check(groups(lab, LARGE), "--select", "JIT001", "--output-format", form),
    )


OUTPUT = Table(
    "Output",
    "`jitlint check --select JIT001` of 34 MB with 20,000 findings, and the diff of all that `--fix` would write.",
    ("output", "time"),
    (
        *(_format(form) for form in ("full", "concise", "json", "sarif", "github", "gitlab", "junit")),
        _timed("output-diff", "`--diff`", lambda lab: lab.check(groups(lab, LARGE), "--diff")),
    ),
)


CORES = Table(
    "Cores",
    "`jitlint check` of 200 files of 100 groups each.",
    ("command", "time"),
    (
        _timed("cores-1", "`-j 1`", lambda lab: lab.check(many(lab), "-j", "1")),
        _timed("cores-2", "`-j 2`", lambda lab: lab.check(many(lab), "-j", "2")),
    ),
)


def _bought(calls: int) -> Measurement:
    """XLA's compile time of a chain of calls before and after `--fix`; the chain is never scaled."""

    def measure(lab: Lab) -> Row:
        path = lab.folder / f"compile_{calls}.mlir"
        generate.write(path, generate.chain(calls))
        try:
            before, after = lab.compile_time(path), lab.compile_time(lab.fixed(path))
        except MeasureError as failure:
            return Row((f"{calls:,}", str(failure), "—", "—"))
        return Row((f"{calls:,}", time_of(before), time_of(after), f"{before.median / after.median:.1f}"))

    return Measurement(f"compile-{calls}", measure)


COMPILE = Table(
    "What fusion buys",
    "The time XLA takes to compile a chain of calls for the CPU, before and after `--fix`: only the compilation, "
    "without lowering and without the compilation of the wrappers.",
    ("calls", "before", "after", "times faster"),
    tuple(_bought(calls) for calls in (10, 100, 1_000)),
)

TABLES = (LIMITS, EVERY_INPUT, RATIOS, WHERE, GROWTH, ODD_SHAPES, START, OUTPUT, CORES, SPEED_ALONE, COMPILE)
