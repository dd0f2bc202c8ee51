"""Exchanges on two and four real processes: after a fix they are right, whoever is late."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from jitlint import api
from tests.engine.spelling import count_calls
from tests.mpi.exchanges import CELLS, Exchange, module
from tests.mpi.launch import LIBRARIES, PATIENCE, ROOT, Library, Run, launch

pytestmark = pytest.mark.engine


def library(name: str) -> Library:
    """A library that is installed; the test is skipped where it is not, and says what to install."""
    found = LIBRARIES[name]
    if why := found.missing():
        pytest.skip(why)
    return found


def exchanges(ranks: int) -> list[Exchange]:
    """Pairs, a ring, halos of 2 to 4 neighbours, a sum over all between start and wait, two in a row, and loops."""
    half = ranks // 2  # as far in both directions
    return [
        Exchange("all", (half,)),
        Exchange("each", (half,)),
        Exchange("all", (1,), shift=True),
        Exchange("all", (1, -1)),
        Exchange("each", (1, -1)),
        Exchange("parts", (1, -1)),
        Exchange("nested", (1, -1, 2)),
        Exchange("all", (1, -1), reduces=True),
        Exchange("each", (1, -1), reduces=True),
        Exchange("all", (1, -1, 2, -2)),
        Exchange("each", (1, -1, 2, -2)),
        Exchange("all", (1, -1), times=2),
        Exchange("each", (1, -1), times=2),
        Exchange("all", (1, -1), steps=3),
        Exchange("each", (half,), steps=3),
    ]


def _states(ranks: int, seed: int) -> list[list[float]]:
    chosen = random.Random(seed)
    return [[float(chosen.randint(1, 999)) for _ in range(CELLS)] for _ in range(ranks)]


def _run(text: str, exchange: Exchange, states: list[list[float]], late: int) -> Run:
    ranks = len(states)
    arguments = [[states[rank], *exchange.partners(rank, ranks)] for rank in range(ranks)]
    return Run(text, arguments, late, 1.0)


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("name", LIBRARIES)
def test_exchanges_are_right_after_a_fix(ranks: int, name: str, tmp_path: Path) -> None:
    of = library(name)
    runs, expected = [], []
    for number, exchange in enumerate(exchanges(ranks)):
        fixed = api.fix(module(exchange, of.request))
        assert count_calls(fixed.source.text) == exchange.times
        assert "JIT601" not in {finding.code for finding in fixed.findings}
        states = _states(ranks, number)
        runs.append(_run(fixed.source.text, exchange, states, number % ranks))
        expected.append(exchange.expected(states))
    given = launch(ranks, of, runs, tmp_path)
    assert [[list(run) for run in each] for each in zip(*given, strict=True)] == expected


@pytest.mark.parametrize("name", ["MPICH", "Open MPI"])
def test_before_the_fix_they_are_stale_where_the_report_says_so(name: str, tmp_path: Path) -> None:
    """Where requests are gathered, the engine unpacks first; elsewhere it keeps to the text, which is but a habit."""
    of = library(name)
    # (Two in one block go wrong together: the processes may then end with an error of MPI.)
    gathered = [each for each in exchanges(2) if each.wait != "each" and not each.reduces and each.times == 1]
    runs, expected = [], []
    for number, exchange in enumerate(gathered):
        text = module(exchange, of.request)
        races = [finding for finding in api.check(text).findings if finding.code == "JIT601"]
        received = [race for race in races if "receives into" in race.message]
        assert len(received) == exchange.count
        assert all(finding.fixable for finding in races)
        states = _states(2, number)
        runs.append(_run(text, exchange, states, number % 2))
        expected.append(exchange.expected(states))
    given = launch(2, of, runs, tmp_path)
    for number, right in enumerate(expected):
        assert [given[rank][number] for rank in range(2)] != right


def test_the_page_shows_what_the_example_does(tmp_path: Path) -> None:
    of = library("MPICH")
    page = (ROOT / "docs" / "exchange.md").read_text(encoding="utf-8")
    text = (ROOT / "docs" / "examples" / "halo.mlir").read_text(encoding="utf-8")
    file = tmp_path / "halo.mlir"
    for each in (text, api.fix(text).source.text):
        file.write_text(each, encoding="utf-8")
        command = [*of.command, "-n", "2", sys.executable, "-m", "tests.mpi.halo", str(file)]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
        assert "\n".join(sorted(said.splitlines())) in page
