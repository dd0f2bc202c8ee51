"""One run of the benchmarks: writes each input once and measures each command on it once."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from benchmarks import generate, odd_shapes
from benchmarks.measure import MeasureError, Sample, run_once, sample

REPEATS = 5
_FOUND = (0, 1)
"""Exit statuses of a check that did its job."""
_T = TypeVar("_T")


@dataclass(slots=True)
class Lab:
    """Where inputs lie, which commands are measured, and what has been measured so far.

    `engine_python` is None where the engine is not installed. With `quick`, inputs have a tenth of their size and
    each command runs once, after its warm-up.
    """

    folder: Path
    jitlint: tuple[str, ...]
    engine_python: str | None
    quick: bool = False
    _known: dict[object, object] = field(default_factory=dict)

    @property
    def repeats(self) -> int:
        """How often a command runs."""
        return 1 if self.quick else REPEATS

    def scaled(self, n: int) -> int:
        """The size that stands for `n` in this run."""
        return max(1, n // 10) if self.quick else n

    def _once(self, key: object, measure: Callable[[], _T]) -> _T:
        """What `measure` gave when it was first asked for under `key`; a failure is remembered too."""
        if key not in self._known:
            try:
                self._known[key] = measure()
            except MeasureError as failure:
                self._known[key] = failure
        known = self._known[key]
        if isinstance(known, MeasureError):
            raise known
        return known  # type: ignore[return-value]  # one key is only ever used with one kind of value

    def input(self, name: str, n: int) -> Path:
        """The file of input `name` at size `n`, written when first asked for."""
        path = self.folder / f"{name}_{self.scaled(n)}.mlir"
        if not path.exists():
            generate.write(path, generate.INPUTS[name].make(self.scaled(n)))
        return path

    def odd_input(self, name: str, n: int) -> Path:
        """The file of an odd shape at size `n`, written when first asked for."""
        path = self.folder / f"odd_{name}_{self.scaled(n)}.mlir"
        if not path.exists():
            path.write_text(odd_shapes.SHAPES[name](self.scaled(n)), encoding="utf-8")
        return path

    def tree(self, name: str, files: int, module: Callable[[int], generate.Chunks]) -> Path:
        """A folder of `files` modules, written when first asked for."""
        path = self.folder / name
        if not path.exists():
            generate.write_tree(path, self.scaled(files), module)
        return path

    def check(self, path: Path, *options: str) -> Sample:
        """`jitlint check` on a file or folder."""
        command = (*self.jitlint, "check", *options, str(path))
        return self._once(command, lambda: sample(command, self.repeats, _FOUND))

    def fix(self, path: Path, *options: str) -> Sample:
        """`jitlint --fix` on a copy of the file, made afresh for each run."""
        copy = self.fixed_path(path)
        command = (*self.jitlint, "--fix", *options, str(copy))
        return self._once(command, lambda: sample(command, self.repeats, _FOUND, lambda: shutil.copyfile(path, copy)))

    def fixed(self, path: Path) -> Path:
        """The file that `--fix` made of `path`."""
        self.fix(path)
        return self.fixed_path(path)

    @staticmethod
    def fixed_path(path: Path) -> Path:
        """Where the copy of `path` lies that is fixed."""
        return path.with_name(f"fixed_{path.name}")

    def run(self, *command: str, accepted: Sequence[int] = (0,)) -> Sample:
        """Any other command."""
        return self._once(command, lambda: sample(command, self.repeats, accepted))

    def start(self) -> Sample:
        """The start of the interpreter alone."""
        return self.run(sys.executable, "-c", "pass")

    def passes(self, path: Path, passes: str) -> Sample:
        """The engine's passes on a file, its start and imports left out."""
        return self._engine("benchmarks.engine", str(path), passes, str(self.repeats))

    def compile_time(self, path: Path) -> Sample:
        """XLA's compilation of a file."""
        return self._engine("benchmarks.compile_time", str(path), str(self.repeats))

    def _engine(self, module: str, *arguments: str) -> Sample:
        """What a child process in the engine's Python printed, and its peak memory, imports included."""
        if self.engine_python is None:
            raise MeasureError("no engine")
        command = (self.engine_python, "-m", module, *arguments)

        def measure() -> Sample:
            finished = run_once(command, (0,), patience=None)
            return Sample(tuple(json.loads(finished.output.splitlines()[-1])["seconds"]), finished.peak)

        return self._once(command, measure)

    def processor_time(self, *arguments: str) -> float:
        """The seconds that a module of the benchmarks measured of itself and printed."""
        return float(self._printed(*arguments))

    def phases(self, name: str, n: int) -> dict[str, float]:
        """The processor time of each phase of a fix of an input, in seconds."""
        return dict(json.loads(self._printed("benchmarks.phases", name, str(self.scaled(n)))))

    def _printed(self, *arguments: str) -> str:
        """What a module of the benchmarks printed."""
        command = (sys.executable, "-m", *arguments)
        return self._once(command, lambda: run_once(command, (0,)).output)

    def calls(self, path: Path) -> int:
        """How many lines of a file make a JIT call."""
        return int(run_once(("grep", "-c", "enzymexla.jit_call @", str(path)), _FOUND).output)


def version_of(command: Sequence[str]) -> str | None:
    """The first line that a command prints, or None where it fails."""
    try:
        lines = run_once(command, (0,)).output.splitlines()
    except (MeasureError, OSError):
        return None
    return lines[0].strip() if lines else None
