"""The edits that mend one finding, for formats that carry them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from jitlint import engine
from jitlint.config import Settings
from jitlint.configfile import Configs
from jitlint.errors import InternalError
from jitlint.findings import Finding
from jitlint.report.common import Edit
from jitlint.result import Result
from jitlint.syntax.source import Source

_LONGEST = 1_000_000
_MOST = 50
"""Findings of one file that get edits, each of which takes a fix of the file; and the characters of such a file."""


def fixes_of(configs: Configs, result: Result, wanted: Finding) -> Sequence[Edit]:
    """The edits of `result.source` that mend `wanted` alone; none where that would take too long."""
    text, path = result.source.text, result.source.path
    fixable = [finding for finding in result.findings if finding.fixable]
    if len(text) > _LONGEST or len(fixable) > _MOST:
        return []
    settings = configs.of(os.path.dirname(os.path.abspath(path))) or Settings()

    def only(finding: Finding, source: Source) -> bool:
        return (finding.code, finding.span) == (wanted.code, wanted.span) and source.text == text

    try:
        return engine.rewrite(text, path, settings.options, only).edits or []
    except InternalError:
        return []
