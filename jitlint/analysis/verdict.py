"""What the analysis concludes: a value with a code, words and places, which a rule turns into a finding."""

from __future__ import annotations

from typing import NamedTuple

from jitlint.findings import Note, Severity, Span


class Verdict(NamedTuple):
    """Why something is as the rule `code` says. `span` is where it stands; None means the call it is about. `fixable`
    tells that fusing the group which it is about fixes it.

    Where an entry of the call is at fault, `entry` says so by its key and the number of an element of its list
    (`ir.calls.WHOLE` for all of it): a verdict holds for all calls of one shape, and each has the entry elsewhere. The
    finding then stands at the entry.
    """

    code: str
    message: str
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    path: tuple[Note, ...] = ()
    help: str | None = None
    severity: Severity | None = None
    entry: tuple[str, int] | None = None
    fixable: bool = False
