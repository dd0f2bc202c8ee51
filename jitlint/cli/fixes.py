"""The edits that fix one finding, for formats that carry them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from jitlint import engine
from jitlint.config.discovery import Configs
from jitlint.config.settings import Settings
from jitlint.errors import InternalError
from jitlint.findings import Finding
from jitlint.report.protocol import Edit
from jitlint.result import Result
from jitlint.syntax.source import Source

_MOST_WORK = 5_000_000
"""Each finding's edits take a fix of its file: so many characters may be read for one file's, all in all."""


class Fixes:
    """Finds the edits that fix one finding alone, under the settings of its file."""

    def __init__(self, configs: Configs) -> None:
        self._configs = configs
        self._asked: Result | None = None
        self._too_long = False

    def __call__(self, result: Result, wanted: Finding) -> Sequence[Edit]:
        """The edits of `result.source` that fix `wanted`; none where those of all findings would take too long."""
        text, path = result.source.text, result.source.path
        if self._asked is not result:
            self._asked = result
            self._too_long = len(text) * sum(finding.fixable for finding in result.findings) > _MOST_WORK
        if self._too_long:
            return []
        settings = self._configs.of(os.path.dirname(os.path.abspath(path))) or Settings()

        def only(finding: Finding, source: Source) -> bool:
            return (finding.code, finding.span) == (wanted.code, wanted.span) and source.text == text

        try:
            return engine.rewrite(text, path, settings.options, only).edits
        except InternalError:
            return []
