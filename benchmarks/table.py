"""What a table of results is: rows that are measured when the table is shown, and their text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.lab import Lab


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one measured row, and whether its limit holds (None: there is none, or nothing to compare with)."""

    cells: tuple[str, ...]
    holds: bool | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """A row that can be asked for by its `key`."""

    key: str
    measure: Callable[[Lab], Row]


@dataclass(frozen=True, slots=True)
class Table:
    """A title, what the reader must know about the columns, and the rows to measure."""

    title: str
    about: str
    columns: tuple[str, ...]
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """The rows of one table that were measured, in the order of the table."""

    table: Table
    rows: tuple[Row, ...]
