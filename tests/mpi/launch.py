"""Starts the processes of an exchange with MPICH's `mpiexec`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 240.0
"""Seconds after which processes that wait for one another for ever are ended."""


class Library(NamedTuple):
    """An MPI library of MPICH: its file, its handles, and the integer type of a request's size."""

    file: str
    handles: dict[str, int]
    request: str


LIBRARIES = {
    "MPICH": Library(
        "libmpi.so.12", {"MPI_COMM_WORLD": 0x44000000, "MPI_DOUBLE": 0x4C00080B, "MPI_SUM": 0x58000003}, "i32"
    ),
    "the standard's ABI": Library(
        "libmpi_abi.so.1", {"MPI_COMM_WORLD": 0x101, "MPI_DOUBLE": 0x214, "MPI_SUM": 0x21}, "i64"
    ),
}
"""MPICH's own handles are 32-bit numbers; those of MPI 5.0's ABI have the size of a pointer, as Open MPI's have."""


class Run(NamedTuple):
    """A module, each process's arguments, and the process that starts so many seconds late."""

    text: str
    arguments: list[list[Any]]
    late: int = -1
    seconds: float = 0.0


def folder() -> Path:
    """Where the `mpich` wheel puts its libraries."""
    return Path(sys.prefix) / "lib"


def missing() -> str | None:
    """What there is not that real MPI needs; None where all is there."""
    if not mpiexec().exists() or not (folder() / LIBRARIES["MPICH"].file).exists():
        return "MPICH is not installed: pip install '.[mpi]'"
    if shutil.which("cc") is None:
        return "there is no C compiler, which gives the wrappers MPI's handles: apt-get install gcc"
    return None


def mpiexec() -> Path:
    """The command of the `mpich` wheel."""
    return Path(sys.prefix) / "bin" / "mpiexec"


def launch(ranks: int, library: Library, runs: list[Run], where: Path) -> list[list[list[float]]]:
    """What each process gets from each run."""
    job = where / "job.json"
    said = {
        "library": str(folder() / library.file),
        "handles": library.handles,
        "runs": [run._asdict() for run in runs],
    }
    job.write_text(json.dumps(said), encoding="utf-8")
    command = [str(mpiexec()), "-n", str(ranks), sys.executable, "-m", "tests.mpi.rank", str(job)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as late:
        finished = [len(_results(where, rank)) for rank in range(ranks)]
        raise AssertionError(f"after {PATIENCE:.0f} s, the processes had finished {finished} runs") from late
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return [_results(where, rank) for rank in range(ranks)]


def _results(where: Path, rank: int) -> list[list[float]]:
    """What a process got from the runs that it has finished."""
    file = where / f"job.json.{rank}"
    return list(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else []
