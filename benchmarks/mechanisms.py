"""What is there for speed alone: each mechanism switched off, and what its input then takes.

    python -m benchmarks.mechanisms NAME SIZE on|off

prints the seconds of processor time that the work takes, without the start.
"""

from __future__ import annotations

import gc
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.generate import text_of


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One mechanism: what it does, the input and the act that need it most, and how it is switched off.

    With `times` above 1, so many files of this kind are worked on, one after the other.
    """

    what: str
    act: str
    input: str
    size: int
    off: Callable[[], None]
    times: int = 1


def _no_digit_table() -> None:
    from jitlint.syntax.lines import LineShapes

    look = LineShapes.of

    def of(self: LineShapes, piece: str) -> object:
        self._alike.known.clear()
        return look(self, piece)

    LineShapes.of = of  # type: ignore[method-assign,assignment]


def _line_by_line() -> None:
    from jitlint.syntax import cut

    cut._FEWEST = cut._MOST = 1


def _collector_on() -> None:
    gc.disable = lambda: None
    gc.enable()


def _exact_keys() -> None:
    from jitlint.ir import functions

    functions.FLOAT = re.compile(r"(?!)")


def _every_text_written() -> None:
    from jitlint.fusion.wrapper.body import FusedWrapper

    make = FusedWrapper.__init__

    def init(self: FusedWrapper, write: Callable[[], tuple[str, tuple[str, ...]]]) -> None:
        make(self, write)
        self.text("@")

    FusedWrapper.__init__ = init  # type: ignore[method-assign]


def _strings_looked_through() -> None:
    from jitlint.ir import values
    from jitlint.syntax import braces, lexer, walk

    string = re.compile(lexer.STRING)

    def end_of(text: str, start: int, end: int) -> int:
        match = string.match(text, start, end)
        return match.end() if match is not None else -1

    for module in (values, braces, walk):
        module.__dict__["string_end"] = end_of


def _parsed_in_every_file() -> None:
    from jitlint.syntax import calls, functions

    calls._parsed = calls._parsed.__wrapped__  # type: ignore[assignment]
    functions._parsed = functions._parsed.__wrapped__  # type: ignore[assignment]


MECHANISMS = {
    "digits": Mechanism(
        "lines are looked up by their text with all digits alike (`syntax/lines.py`)",
        *("check", "groups", 20_000, _no_digit_table),
    ),
    "batches": Mechanism(
        "lines are looked up up to 65,536 characters at a time (`syntax/cut.py`)",
        *("check", "groups", 20_000, _line_by_line),
    ),
    "collector": Mechanism(
        "the cycle collector is paused (`engine.py`)",
        *("check", "groups", 20_000, _collector_on),
    ),
    "keys": Mechanism(
        "functions that differ in names and floating-point constants share what is asked of them (`ir/functions.py`)",
        *("check", "distinct_wrappers", 10_000, _exact_keys),
    ),
    "texts": Mechanism(
        "a fused wrapper is written when its text is asked for (`fusion/wrapper/body.py`)",
        *("check", "distinct_wrappers", 10_000, _every_text_written),
    ),
    "strings": Mechanism(
        "a long string is jumped over by plain searches (`syntax/lexer.py`)",
        *("check", "constant", 50, _strings_looked_through),
    ),
    "parsed": Mechanism(
        "what a call or a header says is parsed once for all files of a run (`syntax/calls.py`, `functions.py`)",
        *("check", "groups", 100, _parsed_in_every_file, 100),
    ),
}
"""By the names of their rows."""


def seconds(mechanism: Mechanism, size: int) -> float:
    """The processor time of one act on one input, or on several files of its kind."""
    from jitlint.checker import Checker

    act: Callable[[str, str], object] = getattr(Checker(), mechanism.act)
    act(text_of(mechanism.input, 1), "warm-up")
    text = text_of(mechanism.input, size)
    start = time.process_time()
    for _ in range(mechanism.times):
        act(text, "x")
    return time.process_time() - start


def main(arguments: list[str]) -> int:
    """Measure what the arguments name."""
    name, size, state = arguments
    mechanism = MECHANISMS[name]
    if state == "off":
        mechanism.off()
    print(seconds(mechanism, int(size)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
