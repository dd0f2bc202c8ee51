"""The engine in a child process, which may crash or hang without taking the tests along."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.engine.answers import Answers

Array = dict[str, Any]
"""An array as it travels: {"dtype", "shape", "data": its elements in a row}."""

_ROOT = Path(__file__).resolve().parents[2]
_PATIENCE = 60.0
_JOBS_PER_CHILD = 400
"""A compiled wrapper stays in the process for good, so children are replaced now and then."""


class RefusedError(ValueError):
    """The engine refuses a module, crashes on it or does not come back; the text says which."""


@dataclass
class _Child:
    process: subprocess.Popen[str]
    jobs: int = 0


class Judge:
    """A child process that is started when it is needed and again after a crash; use as a context manager."""

    def __init__(self, patience: float = _PATIENCE, answers: Answers | None = None) -> None:
        """`patience` is how many seconds one request may take, the start of a child included; what `answers` knows is
        not asked again."""
        self.patience = patience
        self._answers = answers or Answers()
        self._child: _Child | None = None

    def run_passes(self, text: str, passes: str = "") -> str:
        """The module after `passes`; RefusedError where the engine does not accept it."""
        return str(self._ask({"do": "passes", "text": text, "passes": passes}))

    def verify(self, text: str) -> str | None:
        """What the engine has against `text`, or None where it accepts it."""
        try:
            self.run_passes(text)
        except RefusedError as refusal:
            return str(refusal)
        return None

    def run_main(self, text: str, arguments: Sequence[Array], passes: str = "") -> list[Array]:
        """The results of @main for `arguments`, after `passes`; RefusedError where the module does not run."""
        return self.run_times(text, arguments, passes, times=1)[0][0]

    def run_times(
        self, text: str, arguments: Sequence[Array], passes: str = "", times: int = 2
    ) -> list[tuple[list[Array], list[Array]]]:
        """What `times` runs of the compiled @main give on the same buffers: its results, and the arguments after it."""
        request = {"do": "run", "text": text, "passes": passes, "arguments": list(arguments), "times": times}
        return [(results, after) for results, after in self._ask(request)]

    def _ask(self, request: dict[str, Any]) -> Any:
        asked = json.dumps(request)
        line = self._answers.get(asked)
        if line is None:
            line = self._answer(asked)
            self._answers.keep(asked, line)
        answer = json.loads(line)
        if "error" in answer:
            raise RefusedError(answer["error"])
        return answer["value"]

    def _answer(self, asked: str) -> str:
        """The child's answer; RefusedError where it takes too long, which says nothing of the next time."""
        child = self._ready()
        overtime = threading.Timer(self.patience, child.process.kill)
        overtime.start()
        try:
            line = self._exchange(child, asked)
        finally:
            timed_out = not overtime.is_alive()
            overtime.cancel()
        if line:
            return line
        status = child.process.wait()
        self._child = None
        if timed_out:
            raise RefusedError("timeout")
        return json.dumps({"error": f"crashed with status {status}"})

    @staticmethod
    def _exchange(child: _Child, line: str) -> str:
        assert child.process.stdin and child.process.stdout
        try:
            child.process.stdin.write(line + "\n")
            child.process.stdin.flush()
        except BrokenPipeError:
            return ""
        return child.process.stdout.readline()

    def _ready(self) -> _Child:
        if self._child is not None and self._child.jobs >= _JOBS_PER_CHILD:
            self.close()
        if self._child is None:
            command = [sys.executable, "-m", "tests.engine.worker"]
            pipe = subprocess.PIPE
            self._child = _Child(
                subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, encoding="utf-8", cwd=_ROOT
                )
            )
        self._child.jobs += 1
        return self._child

    @property
    def child(self) -> int | None:
        """The child's process id, None where none runs."""
        return self._child.process.pid if self._child else None

    def close(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._child.process.kill()
            self._child.process.communicate()
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()


def array(value: float | Sequence[float], dtype: str = "float64", shape: Sequence[int] | None = None) -> Array:
    """A number or a list of them as an array; `shape` defaults to the value's own."""
    if isinstance(value, (int, float)):
        return {"dtype": dtype, "shape": [], "data": [value]}
    return {"dtype": dtype, "shape": list(shape) if shape is not None else [len(value)], "data": list(value)}
