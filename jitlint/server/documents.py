"""A document with what is known of it: its settings, its findings and, when somebody asks, its analysis."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from jitlint.analysis.blocks import BlockAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.checker import Checker
from jitlint.config.discovery import Configs
from jitlint.config.settings import Settings
from jitlint.crash import crash
from jitlint.errors import ConfigError
from jitlint.files.search import NEEDLE
from jitlint.fusion.plans import Plans
from jitlint.graph.analyses import Analysed, analyses
from jitlint.result import Result
from jitlint.server.positions import Positions, Units
from jitlint.suppress import baseline
from jitlint.suppress.suppressions import Suppressions
from jitlint.syntax.source import Source

_NEEDLE = NEEDLE.decode()


@dataclass(slots=True)
class Document:
    """One version of an open document, checked. `problem` says what is wrong with its configuration."""

    uri: str
    version: int | None
    checker: Checker
    result: Result
    positions: Positions
    problem: str | None = None
    _analyses: list[Analysed] | None = field(default=None)

    @property
    def source(self) -> Source:
        """Its text."""
        return self.result.source

    @property
    def modules(self) -> list[Analysed]:
        """The analysis of its modules, made when it is first needed."""
        if self._analyses is None:
            self._analyses = analyses(self.source.text, self.checker.settings.options)
        return self._analyses

    def call_at(self, offset: int) -> tuple[Plans, BlockAnalysis, Candidate] | None:
        """The JIT call around an offset, with its block and what becomes of its module; None where there is none."""
        for module in self.modules:
            plans = module.plans
            found = plans.analysis.call_around(offset) if plans is not None else None
            if plans is None or found is None:
                continue
            for block in plans.analysis.blocks:
                for candidate in block.candidates if block.place.block is found.block else ():
                    if candidate.call is found:
                        return plans, block, candidate
        return None

    def suppressions(self) -> Suppressions:
        """The comments in it that say what not to report."""
        return Suppressions(self.source)


def check(uri: str, path: str | None, version: int | None, text: str, units: Units) -> Document:
    """Check a document. `path` is where it is on disk, None if it is nowhere.

    The configuration is read each time, since it may have changed; where it is wrong, the defaults are in force.
    """
    problem = None
    settings = Settings()
    known: Mapping[str, int] = {}
    try:
        settings, known = _in_force(path)
    except ConfigError as error:
        problem = str(error)
    name = path or uri
    checker = Checker(settings.for_file(name), known)
    left_out = path is not None and settings.force_exclude and settings.leaves_out(path, is_folder=False)
    nothing = left_out or _NEEDLE not in text
    result = Result(Source(text, name), ()) if nothing else _checked(checker, text, name)
    return Document(uri, version, checker, result, Positions(text, units), problem)


def _checked(checker: Checker, text: str, name: str) -> Result:
    try:
        return checker.check(text, name)
    except Exception as error:  # whatever is wrong with one document, the server goes on
        return Result(Source(text, name), (crash(error),))


def _in_force(path: str | None) -> tuple[Settings, Mapping[str, int]]:
    """The settings for a file and what its baseline hides. Raises ConfigError."""
    folder = os.getcwd() if path is None else os.path.dirname(path)
    settings = Configs().of(folder) or Settings()
    if settings.baseline is None or path is None:
        return settings, {}
    return settings, baseline.load(settings.baseline).known(path)
