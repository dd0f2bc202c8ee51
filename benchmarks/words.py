"""How the tables write numbers."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.measure import LONG, MeasureError, Sample


def seconds(value: float) -> str:
    """Three digits that count, in milliseconds below a tenth of a second."""
    if value < 0.1:
        return f"{value * 1000:.1f} ms" if value < 0.01 else f"{value * 1000:.0f} ms"
    return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


def time_of(sample: Sample) -> str:
    """The median, with the number of runs where there were fewer than usual (see `measure.LONG`)."""
    note = f" (runs: {len(sample.seconds)})" if sample.median > LONG else ""
    return seconds(sample.median) + note


def megabytes(count: int) -> str:
    """Bytes in millions."""
    if count < 1e6:
        return f"{count / 1e6:.2f} MB"
    return f"{count / 1e6:.1f} MB" if count < 10e6 else f"{count / 1e6:.0f} MB"


def factor(value: float) -> str:
    """A ratio: as a fraction where it is small."""
    return f"1/{1 / value:.0f}" if 0 < value < 0.1 else f"{value:.2f}"


def bound(value: float) -> str:
    """A limit: a number, or one divided by a whole number."""
    whole = value < 1 and abs(1 / value - round(1 / value)) < 1e-9
    return f"1/{round(1 / value)}" if whole else f"{value:g}"


def verdict(holds: bool | None) -> str:
    """Whether a limit holds; a dash where nothing could be compared."""
    return {True: "yes", False: "no", None: "—"}[holds]


def attempt(measure: Callable[[], str]) -> str:
    """What `measure` says, or why it failed."""
    try:
        return measure()
    except MeasureError as failure:
        return str(failure)
