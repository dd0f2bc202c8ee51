"""Measures jitlint beside the engine and prints tables: `python -m benchmarks`.

Exit status: 0 every limit that could be measured holds, 1 one does not, 2 bad usage.
"""

from __future__ import annotations

import argparse
import platform
import shlex
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import machine
from benchmarks.lab import Lab, version_of
from benchmarks.measure import ROOT, MeasureError
from benchmarks.render import Conditions, page, print_results
from benchmarks.table import Measurement, Results, Row, Table
from benchmarks.tables import TABLES

PAGE = ROOT / "docs" / "performance.md"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure jitlint beside the engine.")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)} from the results")
    parser.add_argument("--quick", action="store_true", help="inputs of a tenth of the size, one run each")
    parser.add_argument(
        "--only", action="append", default=[], metavar="ROW", help="only rows whose key starts so (may be repeated)"
    )
    parser.add_argument("--list", action="store_true", help="print the keys of the rows, and measure nothing")
    parser.add_argument(
        "--jitlint", type=shlex.split, default=[sys.executable, "-m", "jitlint"], metavar="CMD", help="what to measure"
    )
    parser.add_argument(
        "--engine-python", default=sys.executable, metavar="PATH", help="a Python that has the engine (default: this)"
    )
    parser.add_argument(
        "--inputs", type=Path, metavar="DIR", help="keep the inputs in DIR and use those that are there"
    )
    return parser


def _selected(table: Table, only: Sequence[str]) -> Iterator[str]:
    """The keys of a table's rows that are asked for."""
    for measurement in table.measurements:
        if not only or any(measurement.key.startswith(prefix) for prefix in only):
            yield measurement.key


def _measure(lab: Lab, only: Sequence[str]) -> Iterator[Results]:
    """The tables, one by one, with the rows that are asked for; a table without any is left out."""
    for table in TABLES:
        keys = set(_selected(table, only))
        rows = []
        for measurement in table.measurements:
            if measurement.key in keys:
                print(f"measuring {measurement.key}", file=sys.stderr)
                rows.append(_row(measurement, table, lab))
        if rows:
            yield Results(table, tuple(rows))


def _row(measurement: Measurement, table: Table, lab: Lab) -> Row:
    """One row. What goes wrong in measuring it is its only cell: the rows before it have taken minutes."""
    try:
        return measurement.measure(lab)
    except MeasureError as failure:
        said = str(failure)
    except Exception as problem:
        traceback.print_exc()
        said = f"not measured: {type(problem).__name__}"
    return Row((measurement.key, said, *["—"] * (len(table.columns) - 2)), False)


def _run(lab: Lab, only: Sequence[str]) -> list[Results]:
    """Measure, and print each table when it is complete."""
    done = []
    for results in _measure(lab, only):
        print_results(results, " (quick: a tenth of the size, one run)" if lab.quick else "")
        done.append(results)
    return done


def _conditions(lab: Lab, engine: str | None, elapsed: float) -> Conditions:
    return Conditions(
        date=machine.today(),
        machine=machine.describe(),
        python=platform.python_version(),
        jitlint=version_of([*lab.jitlint, "--version"]) or "jitlint",
        engine=engine or "no engine",
        minutes=round(elapsed / 60),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.list:
        print(*(key for table in TABLES for key in _selected(table, given.only)), sep="\n")
        return 0
    if given.write and (given.quick or given.only):
        parser.error("--write needs every row at its full size: not with --quick or --only")
    engine = version_of([given.engine_python, "-m", "benchmarks.engine", "version"])
    with tempfile.TemporaryDirectory(prefix="jitlint-benchmarks-") as scratch:
        folder = given.inputs or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        lab = Lab(folder.resolve(), tuple(given.jitlint), given.engine_python if engine else None, given.quick)
        start = time.monotonic()
        results = _run(lab, given.only)
        if given.write:
            PAGE.parent.mkdir(exist_ok=True)
            PAGE.write_text(page(_conditions(lab, engine, time.monotonic() - start), results), encoding="utf-8")
    missed = any(row.holds is False for table in results for row in table.rows)
    return int(missed and not given.quick)


if __name__ == "__main__":
    raise SystemExit(main())
