"""Names for findings that stay the same while the text around them moves.

A fingerprint is made of the path, the code, the wrappers of the group and the message without its line numbers;
findings that are alike in all of these are told apart by counting them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter

from jitlint.findings import Finding
from jitlint.report.common import callees

_LINE = re.compile(r"\b(lines?|columns?) \d+")


class Fingerprints:
    """Hands out the fingerprints of one run; findings must come in order."""

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()

    def of(self, path: str, finding: Finding) -> str:
        """64 hexadecimal digits for `finding`, never the same twice."""
        digest = self._digest(path, finding)
        number = self._seen[digest]
        self._seen[digest] += 1
        return hashlib.sha256(digest + str(number).encode()).hexdigest()

    @staticmethod
    def _digest(path: str, finding: Finding) -> bytes:
        message = _LINE.sub(r"\1", finding.message)
        parts = (path.removeprefix("./"), finding.code, message, *callees(finding.group))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).digest()
