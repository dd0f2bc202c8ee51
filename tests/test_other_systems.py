"""Windows and macOS, as far as they can be imitated: without what their Python lacks, and with `\\` between folders."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitlint.cli.output import Stream
from jitlint.config.settings import Settings
from jitlint.files import patterns, search
from jitlint.report import advice
from jitlint.suppress import baseline
from tests.cli.samples import CLEAN, FUSABLE

ROOT = Path(__file__).parents[1]

WITHOUT = {
    "win32": {
        "os": "fchmod fchown geteuid getegid getuid listxattr getxattr setxattr uname sched_getaffinity O_NONBLOCK "
        "O_CLOEXEC fork",
        "signal": "SIGHUP SIGQUIT SIGPIPE pthread_sigmask pthread_kill",
        "modules": "fcntl termios pty resource",
    },
    "darwin": {"os": "listxattr getxattr setxattr sched_getaffinity", "signal": "", "modules": ""},
}
"""What the standard library lacks on a system."""

PROGRAM = """\
import importlib, json, os, signal, sys
without, command = json.loads(sys.argv[1]), sys.argv[2:]
import jitlint.cli
if __name__ == "__main__":
    import multiprocessing, subprocess, tempfile  # these have other ways there
    for module in ("os", "signal"):
        for name in without[module].split():
            for each in (sys.modules[module], sys.modules.get("posix")):
                if hasattr(each, name):
                    delattr(each, name)
    for name in without["modules"].split():
        sys.modules[name] = None
    import jitlint.cli.pool as pool
    pool._context = lambda: multiprocessing.get_context("spawn")
    sys.exit(jitlint.cli.run(command))
"""


def run_without(system: str, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command line of jitlint in a Python without what a system lacks."""
    script = folder / "run.py"
    script.write_text(PROGRAM)
    return subprocess.run(
        [sys.executable, script, json.dumps(WITHOUT[system]), *command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("system", WITHOUT)
def test_a_run_needs_nothing_that_a_system_lacks(system: str, tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(FUSABLE)
    (tmp_path / "clean.mlir").write_text(CLEAN)
    checked = run_without(system, tmp_path, "--output-format", "json")
    assert (checked.returncode, checked.stderr) == (1, "")
    assert [each["file"] for each in json.loads(checked.stdout)["diagnostics"]] == ["m.mlir"]
    assert run_without(system, tmp_path, "--baseline", "known.json", "--write-baseline").returncode == 0
    assert run_without(system, tmp_path, "--baseline", "known.json").returncode == 0
    assert run_without(system, tmp_path, "--diff", "m.mlir").stdout.startswith("--- a/m.mlir\n+++ b/m.mlir\n")
    assert run_without(system, tmp_path, "--version").returncode == 0
    assert run_without(system, tmp_path, "graph", "m.mlir").returncode == 0


@pytest.mark.parametrize("system", WITHOUT)
def test_workers_and_fixes_need_nothing_that_a_system_lacks(system: str, tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.mlir").write_text(FUSABLE + f"// {'long ' * 200}\n" * 501)  # worth two processes
    fixed = run_without(system, tmp_path, "-j", "2", "--fix")
    assert (fixed.returncode, fixed.stderr) == (0, "")
    assert all("@__enzyme_fused" in (tmp_path / f"{number}.mlir").read_text() for number in range(2))


class TestBackslashes:
    @pytest.fixture(autouse=True)
    def windows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "sep", "\\")

    def test_reports_have_slashes(self) -> None:
        (found,) = search.find(["no such\\folder\\m.mlir"], _Nothing())
        assert found.path == "no such/folder/m.mlir"

    def test_a_baseline_has_slashes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os.path, "relpath", lambda path, root: "sub\\m.mlir")
        assert baseline._inside("x", "/") == "sub/m.mlir"


class _Nothing:
    def of(self, folder: str) -> Settings | None:
        return None


def test_a_file_on_another_drive_is_named_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, root: str) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", refuse)
    assert patterns.relative("/d/m.mlir", "/c") == "/d/m.mlir"
    assert baseline._inside("/d/m.mlir", "/c") == "/d/m.mlir"


@pytest.mark.parametrize(
    ("word", "quoted"),
    [
        ("sub/m.mlir", "sub/m.mlir"),
        ("C:\\a\\m.mlir", "C:\\a\\m.mlir"),
        ("my file.mlir", '"my file.mlir"'),
        ('form = "pass"', '"form = \\"pass\\""'),
        ("a&b", '"a&b"'),
    ],
)
def test_advice_is_quoted_as_the_shells_of_windows_read_it(
    word: str, quoted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "_WINDOWS", True)
    assert advice.quoted(word) == quoted


def test_lines_end_as_they_are_written() -> None:
    """A text stream of Windows would make CR CR LF of the CR LF in a diff."""
    data = io.BytesIO()
    stream = Stream(io.TextIOWrapper(data, newline="\r\n"))
    stream.write("-a\r\n+b\r\n")
    stream.flush()
    assert data.getvalue() == b"-a\r\n+b\r\n"
