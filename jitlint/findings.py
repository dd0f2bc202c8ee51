"""What jitlint says: findings, their places and their groups.

Every output format, the language server and the public API read these values and nothing else. A place is a
`Span` of character offsets into the text that was checked; `Source` turns it into lines and columns.

All are named tuples: a check of 20,000 groups makes some 200,000 of them, and a frozen dataclass takes longer to make.
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class Severity(enum.Enum):
    """How much a finding matters; `check` fails on warnings and errors."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Span(NamedTuple):
    """A half-open range of character offsets, `start <= offset < end`."""

    start: int
    end: int


class Note(NamedTuple):
    """A place that belongs to a finding, in words: "result #1 is overwritten here"."""

    message: str
    span: Span | None = None


class JitCall(NamedTuple):
    """One call of a group, as a report names it: the wrapper's symbol without `@`, the call's place, and the place
    where it names its wrapper, if that is told apart (a plain tuple: they are made by the hundred thousand)."""

    callee: str
    span: Span
    callee_place: tuple[int, int] | None = None


class Group(NamedTuple):
    """The calls that a finding is about, in text order, and the wrapper that fusing them would make."""

    calls: tuple[JitCall, ...]
    fused_name: str | None = None


class Finding(NamedTuple):
    """One diagnostic.

    `span` is None only where there is no text (an unreadable file). `path` holds the steps of a cycle in order,
    from the group through the operations in its way and back to the group. `help` says what to do about it.
    """

    code: str
    message: str
    span: Span | None
    notes: tuple[Note, ...] = ()
    path: tuple[Note, ...] = ()
    group: Group | None = None
    fixable: bool = False
    help: str | None = None
    severity: Severity | None = None
    """Overrides the rule's own severity; None means the rule decides."""
    also: tuple[Finding, ...] = ()
    """The findings for which this one stands as well, where `jitlint.report.together` made one of several."""
    call: Span | None = None
    """The name of the call that the finding is about, where `span` is another place: a part of the call, or of the call
    that it cannot be one with. A suppression at that line counts too, and a baseline knows the finding by it."""
