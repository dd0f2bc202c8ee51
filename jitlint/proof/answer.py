"""What a proof comes to: the values that reports and the API read."""

from __future__ import annotations

from typing import NamedTuple

from jitlint.findings import Span


class Difference(NamedTuple):
    """Why two modules are not shown equal: what differs, and where it stands in each of the two texts, if it does."""

    message: str
    before: Span | None = None
    after: Span | None = None


class Proof(NamedTuple):
    """How many functions were compared, how many values, effects and JIT calls of the first module were executed for
    it, and the first difference: None where the modules are equal.

    What is the same text in both modules is compared, and not executed.
    """

    functions: int = 0
    values: int = 0
    effects: int = 0
    calls: int = 0
    difference: Difference | None = None

    @property
    def is_equal(self) -> bool:
        """Whether the modules compute the same."""
        return self.difference is None
