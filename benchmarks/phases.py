"""Where the time of a fix goes: the processor time of its phases, without the start.

    python -m benchmarks.phases NAME SIZE

prints {"phase": seconds, …} for one `--fix` of an input.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.generate import text_of

PHASES = ("reading", "analysis", "findings", "edits", "checking", "proof")
"""Cutting both texts and reading their calls; components, order and slots of both; the words for the text that is left;
writing the edits; the check of the new text; the proof."""


class _Clock:
    """Processor time by phases; one inside another counts for the inner one alone."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(PHASES, 0.0)
        self._open: list[str] = []
        self._since = 0.0

    def _turn(self) -> None:
        now = time.process_time()
        if self._open:
            self.spent[self._open[-1]] += now - self._since
        self._since = now

    def within(self, phase: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """`work`, its time counted for `phase`."""

        def timed(*arguments: Any, **options: Any) -> Any:
            self._turn()
            self._open.append(phase)
            try:
                return work(*arguments, **options)
            finally:
                self._turn()
                self._open.pop()

        return timed


def _watch(clock: _Clock) -> None:
    """Let the engine's own steps be timed."""
    from jitlint import engine
    from jitlint.analysis import blocks
    from jitlint.ir.program import call_blocks

    read = engine._Read
    blocks.__dict__["call_blocks"] = clock.within("reading", lambda unit: list(call_blocks(unit)))
    for name, phase in (
        ("Unit", "reading"),
        ("UnitAnalysis", "analysis"),
        ("verify", "checking"),
        ("_proved", "proof"),
    ):
        setattr(engine, name, clock.within(phase, getattr(engine, name)))
    for name in ("apply", "compose"):
        setattr(engine, name, clock.within("edits", getattr(engine, name)))
    for name, phase in (("findings", "findings"), ("fusing", "edits"), ("tidying", "edits")):
        setattr(read, name, clock.within(phase, getattr(read, name)))


def phases(name: str, size: int) -> dict[str, float]:
    """Seconds of processor time that each phase of a fix of an input takes."""
    from jitlint.checker import Checker

    Checker().fix(text_of(name, 2), "warm-up")
    clock = _Clock()
    _watch(clock)
    Checker().fix(text_of(name, size), "x")
    return clock.spent


def main(arguments: list[str]) -> int:
    """Measure what the arguments name."""
    name, size = arguments
    print(json.dumps(phases(name, int(size))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
