"""Starts the processes of an exchange: with MPICH's `mpiexec`, or with Open MPI's where that is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 420.0
"""Seconds after which processes that wait for one another for ever are ended."""


class Library(NamedTuple):
    """An MPI library: its file, its handles (numbers, or the symbols whose addresses they are), the integer type of a
    request's size, and the command that starts processes with it."""

    file: str
    handles: dict[str, int | str]
    request: str
    command: tuple[str, ...]

    def missing(self) -> str | None:
        """What there is not that real MPI needs; None where all is there."""
        if shutil.which(self.command[0]) is None or not _loads(self.file):
            how = (
                "apt-get install openmpi-bin libopenmpi-dev" if "openmpi" in self.command[0] else "pip install '.[mpi]'"
            )
            return f"{self.command[0]} or {self.file} is not installed: {how}"
        if shutil.which("cc") is None:
            return "there is no C compiler, which gives the wrappers MPI's handles: apt-get install gcc"
        return None


def _loads(file: str) -> bool:
    """Whether a library can be loaded: asked of another process, since two of them do not live in one."""
    return (
        subprocess.run([sys.executable, "-c", f"import ctypes; ctypes.CDLL({file!r})"], capture_output=True).returncode
        == 0
    )


_WHEEL = Path(sys.prefix)
"""Where the `mpich` wheel puts its commands and libraries."""

_MPIEXEC = (str(_WHEEL / "bin" / "mpiexec"),)

LIBRARIES = {
    "MPICH": Library(
        str(_WHEEL / "lib" / "libmpi.so.12"),
        {"MPI_COMM_WORLD": 0x44000000, "MPI_DOUBLE": 0x4C00080B, "MPI_SUM": 0x58000003},
        "i32",
        _MPIEXEC,
    ),
    "the standard's ABI": Library(
        str(_WHEEL / "lib" / "libmpi_abi.so.1"),
        {"MPI_COMM_WORLD": 0x101, "MPI_DOUBLE": 0x214, "MPI_SUM": 0x21},
        "i64",
        _MPIEXEC,
    ),
    "Open MPI": Library(
        "libmpi.so.40",
        {"MPI_COMM_WORLD": "ompi_mpi_comm_world", "MPI_DOUBLE": "ompi_mpi_double", "MPI_SUM": "ompi_mpi_op_sum"},
        "i64",
        ("mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"),
    ),
}
"""MPICH's own handles are 32-bit numbers. Those of MPI 5.0's ABI have the size of a pointer, and those of Open MPI are
addresses in its library."""


class Run(NamedTuple):
    """A module, each process's arguments, and the process that starts so many seconds late."""

    text: str
    arguments: list[list[Any]]
    late: int = -1
    seconds: float = 0.0


def launch(ranks: int, library: Library, runs: list[Run], where: Path) -> list[list[list[float]]]:
    """What each process gets from each run."""
    job = where / "job.json"
    said = {
        "library": library.file,
        "handles": library.handles,
        "runs": [run._asdict() for run in runs],
    }
    job.write_text(json.dumps(said), encoding="utf-8")
    command = [*library.command, "-n", str(ranks), sys.executable, "-m", "tests.mpi.rank", str(job)]
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
