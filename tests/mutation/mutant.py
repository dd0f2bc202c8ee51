"""What a mutant is, and running the fast tests against it in a copy of the project."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

FIRST = {
    "syntax": ("tests/syntax", "tests/ir"),
    "ir": ("tests/ir", "tests/analysis", "tests/syntax"),
    "analysis": ("tests/analysis", "tests/rules", "tests/fusion"),
    "fusion": ("tests/fusion", "tests/analysis", "tests/rules"),
    "proof": ("tests/proof",),
}
"""The tests that most likely find a mutant of a layer: they run first."""

FAST = (
    *("tests/analysis", "tests/fusion", "tests/ir", "tests/rules", "tests/syntax", "tests/proof"),
    *("tests/test_cases.py", "tests/test_engine.py", "tests/test_reference.py", "tests/test_generator.py"),
)
"""The tests that hold what is right, without the engine. Reports, files and the command line are not about that."""

TIME_LIMIT = 300
"""Seconds. A mutant that loops is found, too."""


class Mutant(NamedTuple):
    """`old` stands once in the module `path` (from `jitlint/`), and `new` in its place leaves out `check`."""

    path: str
    old: str
    new: str
    check: str

    def applied(self, text: str) -> str:
        """The module's text with the check off. Raises ValueError where `old` does not stand in it exactly once."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.path}: {self.old!r} stands {text.count(self.old)} times")
        return text.replace(self.old, self.new)


class Copy:
    """A copy of the project in which one mutant after the other is tested."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        skip = shutil.ignore_patterns("__pycache__", ".*")
        for name in ("jitlint", "tests", "benchmarks", "docs"):
            shutil.copytree(ROOT / name, folder / name, ignore=skip)
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
            shutil.copy(ROOT / name, folder / name)

    def found_by(self, mutant: Mutant) -> str | None:
        """The first test that fails with the mutant; None if none does."""
        module = self.folder / "jitlint" / mutant.path
        text = module.read_text(encoding="utf-8")
        try:
            module.write_text(mutant.applied(text), encoding="utf-8")
            return self._first_failure(mutant)
        finally:
            module.write_text(text, encoding="utf-8")

    def _first_failure(self, mutant: Mutant) -> str | None:
        first = FIRST.get(mutant.path.split("/")[0], ())
        tests = [name for name in dict.fromkeys((*first, *FAST)) if (self.folder / name).exists()]
        command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-m", "not engine", "-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(
                command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=TIME_LIMIT
            )
        except subprocess.TimeoutExpired:
            return "the time limit"
        if done.returncode == 0:
            return None
        lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return lines[0].split(" ")[1] if lines else done.stdout[-200:] + done.stderr[-200:]
