"""Running commands and timing them: medians of several runs after a warm-up, and the peak memory of the child."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LONG = 10.0
"""Seconds from which on a run is repeated only once, and the first counts too."""
PATIENCE = 60
"""Seconds after which a command is stopped."""
ROOT = Path(__file__).resolve().parent.parent
"""Where commands run, so that `python -m` finds this tree."""


class MeasureError(Exception):
    """A command that could not be measured; the message goes into the table."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The runs of one command that count: seconds of each, and the largest peak memory of a run in bytes."""

    seconds: tuple[float, ...]
    peak: int

    @property
    def median(self) -> float:
        """The median in seconds."""
        return statistics.median(self.seconds)


def repeated(run: Callable[[], float], repeats: int) -> tuple[float, ...]:
    """The seconds that `run` returns, `repeats` times after a warm-up that does not count (but see `LONG`)."""
    first = run()
    if first > LONG:
        return (first, run()) if repeats > 1 else (first,)
    return tuple(run() for _ in range(repeats))


@dataclass(frozen=True, slots=True)
class Finished:
    """One command that ran to its end: seconds, peak memory in bytes, and what it printed."""

    seconds: float
    peak: int
    output: str


def run_once(command: Sequence[str], accepted: Sequence[int], patience: float | None = PATIENCE) -> Finished:
    """Run `command`, its start included; `MeasureError` for a status outside `accepted` or after `patience` seconds.

    A status other than 0 with nothing said but on standard error is a failure too: an interpreter that finds no
    module ends with 1, as a check with findings does.

    What a command that failed wrote to standard error is shown there.

    Output goes to a file, as grep stops at its first match where it goes to the null device; its beginning is
    returned. The peak is the kernel's (`wait4`): of the largest process, not the sum, and at least what
    this process held when it started the child, which is why nothing large is imported or read here.
    """
    with _scratch() as output, _scratch() as errors:
        start = time.perf_counter()
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, cwd=ROOT, env=_environment()
        )
        watch = threading.Timer(patience or threading.TIMEOUT_MAX, child.kill)
        watch.start()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        watch.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        said, complaint = _beginning(output), _beginning(errors)
        if child.returncode not in accepted or (child.returncode and complaint and not said):
            print(complaint.rstrip(), file=sys.stderr)
            raise MeasureError(_reason(child.returncode))
        return Finished(seconds, usage.ru_maxrss * 1024, said)


def _environment() -> dict[str, str]:
    """That of this process, but Python may keep its bytecode, as an installation does: the warm-up writes it."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _scratch() -> IO[str]:
    """A file without a name for what a command prints."""
    return tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")


def _beginning(file: IO[str]) -> str:
    """The first 4,000 characters of a file."""
    file.seek(0)
    return file.read(4000)


def _reason(status: int) -> str:
    """Why a command failed, short enough for a cell."""
    return f"over {PATIENCE} s" if status in (-signal.SIGKILL, -signal.SIGALRM) else f"exit {status}"


def sample(
    command: Sequence[str],
    repeats: int,
    accepted: Sequence[int] = (0,),
    prepare: Callable[[], object] = lambda: None,
) -> Sample:
    """Time `command`; `prepare` runs before each run and is not timed. `MeasureError` as in `run_once`."""
    peaks: list[int] = []

    def run() -> float:
        prepare()
        finished = run_once(command, accepted)
        peaks.append(finished.peak)
        return finished.seconds

    return Sample(repeated(run, repeats), max(peaks))
