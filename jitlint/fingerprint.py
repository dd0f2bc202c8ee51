"""A name for a finding that stays the same while the text around it moves.

The baseline knows findings by it, and code scanning services follow them from run to run. It is made of the code, the
wrappers of the group, the line of the call that the finding is about (or else its own line) and the message, with the
numbers of lines and of values left out: findings that are alike in all of these have one name, and whoever needs to
tell them apart counts them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter

from jitlint.findings import Finding
from jitlint.syntax.source import Source

_MOVING = re.compile(r"(?P<word>\b(?:lines?|columns?) )[0-9]+|%[0-9]+")
_LONGEST_LINE = 10_000
"""Of a line, in characters: what is behind does not count."""


def fingerprint(source: Source, finding: Finding) -> str:
    """32 hexadecimal digits that stay while the text around the finding moves."""
    line = ""
    place = finding.call or finding.span
    if place is not None:
        line = source.line(source.position(place.start).line)[:_LONGEST_LINE].strip()
    calls = [call.callee for call in finding.group.calls] if finding.group is not None else []
    parts = (finding.code, _still(finding.message), _still(line), *calls)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]


class Fingerprints:
    """Hands out names for the findings of a run, none of them twice; findings must come in order."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, path: str, source: Source, finding: Finding) -> str:
        """64 hexadecimal digits for a finding about the file at `path`."""
        name = f"{path.removeprefix('./')}\0{fingerprint(source, finding)}"
        number = self._seen[name]
        self._seen[name] += 1
        return hashlib.sha256(f"{name}\0{number}".encode("utf-8", "backslashreplace")).hexdigest()


def _still(text: str) -> str:
    return _MOVING.sub(lambda match: match["word"] or "%", text)
