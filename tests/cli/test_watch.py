"""`--watch`, run as a user runs it, with files that change under it."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.samples import BARRIER, CLEAN, FUSABLE

ROOT = Path(__file__).parents[2]
PATIENCE = 60
"""Seconds after which a run that says nothing has failed."""


class Watching:
    """A `jitlint --watch` in a folder, and what it says."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jitlint", "--watch", "--output-format", "concise", *args],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def said(self) -> list[str]:
        """What the next check says, up to the line that it waits for changes."""
        lines = [self._lines.get(timeout=PATIENCE)]
        while "watching for changes" not in lines[-1]:
            lines.append(self._lines.get(timeout=PATIENCE))
        return lines[:-1]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE)
        self._reader.join()
        return status


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[list[Watching]]:
    """Those that are started in a test, ended after it."""
    started: list[Watching] = []
    yield started
    for each in started:
        each.process.kill()


def put(file: Path, text: str) -> None:
    """Writes a file in one step, as editors do, so that nobody sees half of it."""
    new = file.with_suffix(".new")
    new.write_text(text)
    new.replace(file)


def start(watched: list[Watching], folder: Path, *args: str) -> Watching:
    watched.append(Watching(folder, *args))
    return watched[-1]


def test_a_change_is_checked(tmp_path: Path, watched: list[Watching]) -> None:
    put(tmp_path / "m.mlir", CLEAN)
    run = start(watched, tmp_path)
    assert run.said() == ["All clear: no problems in 1 file."]
    put(tmp_path / "m.mlir", FUSABLE)
    assert run.said()[0].startswith("m.mlir:10:10: warning: JIT001")
    put(tmp_path / "new.mlir", BARRIER)
    assert [line[:4] for line in run.said()][:2] == ["m.ml", "new."]
    (tmp_path / "m.mlir").unlink()
    assert "JIT001" not in "\n".join(run.said())
    put(tmp_path / "jitlint.toml", 'ignore = ["ALL"]')
    assert run.said() == ["All clear: no problems in 1 file."]
    put(tmp_path / "jitlint.toml", "ignre = []")
    (line,) = run.said()
    assert line == "jitlint: error: jitlint.toml:1: unknown key `ignre`; did you mean `ignore`?".replace(
        "jitlint.toml", f"{tmp_path}/jitlint.toml"
    )
    (tmp_path / "jitlint.toml").unlink()
    assert "JIT201" in run.said()[0]
    assert run.stop() == 130


def test_what_a_fix_writes_is_no_change(tmp_path: Path, watched: list[Watching]) -> None:
    put(tmp_path / "m.mlir", FUSABLE)
    run = start(watched, tmp_path, "--fix")
    assert "fixed: JIT001" in run.said()[0]
    assert "@__enzyme_fused" in (tmp_path / "m.mlir").read_text()
    put(tmp_path / "m.mlir", CLEAN)
    assert run.said() == ["All clear: no problems in 1 file."]  # and not first what the fix wrote, checked again
    assert run.stop() == 130
