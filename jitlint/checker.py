"""One text on its way through the engine: what is selected, suppressed or known is not reported, and not fixed."""

from __future__ import annotations

from collections.abc import Mapping

from jitlint import engine
from jitlint.config.selection import FAILURES
from jitlint.config.settings import Settings
from jitlint.findings import Finding
from jitlint.fusion.edits import Edit, apply, compose
from jitlint.result import Result
from jitlint.suppress.filecheck import ADVICE, runs_the_pass
from jitlint.suppress.suppressions import MARK, UNUSED, Suppressions
from jitlint.syntax.source import Source

_INCOMPLETE = FAILURES | {"JIT902"}
"""Findings that say that something was not analysed: then nobody knows what a suppression there is good for."""


RACE, FUSABLE = "JIT601", "JIT001"
"""What fusing fixes besides, and the rule that must be selected for that."""


class Checker:
    """Checks and fixes texts under the settings of one file. `known` are the findings that a baseline hides."""

    def __init__(self, settings: Settings | None = None, known: Mapping[str, int] | None = None) -> None:
        self.settings = Settings() if settings is None else settings
        self.known = known or {}

    def check(self, text: str, path: str) -> Result:
        """What there is to report about `text`."""
        allowed = _Allowed(self)
        result = engine.analyse(text, path, self.settings.options, allowed)
        return result._replace(findings=self._reported(result, allowed.suppressions(result.source)))

    def fix(self, text: str, path: str) -> Result:
        """`text` with everything fixed that is fixable and reported, and what there is to report after that.

        Raises InternalError where the new text does not check; `text` must then be left as it is.
        """
        return self._fixed(text, path, keep_found=False)

    def plan(self, text: str, path: str) -> tuple[Result, Result]:
        """What `check` and `fix` give, for little more than what a fix costs. Raises as `fix` does."""
        fixed = self._fixed(text, path, keep_found=True)
        if MARK in text:
            return self.check(text, path), fixed  # what has been asked of its suppressions is known there alone
        now = Result(Source(text, path), fixed.found)
        return now._replace(findings=self._reported(now, Suppressions(now.source))), fixed

    def removals(self, text: str, path: str) -> list[Edit]:
        """The edits that take out of `text` the suppressions that hide nothing."""
        allowed = _Allowed(self)
        result = engine.analyse(text, path, self.settings.options, allowed)
        suppressions = allowed.suppressions(result.source)
        self._reported(result, suppressions)
        return suppressions.removals()

    def _fixed(self, text: str, path: str, *, keep_found: bool) -> Result:
        allowed = _Allowed(self)
        result = engine.rewrite(text, path, self.settings.options, allowed, keep_found=keep_found)
        suppressions = allowed.suppressions(result.source)
        reported = self._reported(result, suppressions)
        unused = [finding for finding in reported if finding.code == UNUSED and finding.fixable]
        if not unused:
            return result._replace(findings=reported)
        # Comments mean nothing to the engine, so there is nothing new to fix once these are gone.
        removals = suppressions.removals()
        edits = compose(result.edits, result.source.text, removals)
        again = self.check(apply(result.source.text, removals), path)
        moved = result.changed  # then the places of `unused` are not those of the text before
        fixed = [finding._replace(span=None) if moved else finding for finding in unused]
        return again._replace(before=result.before, fixed=(*result.fixed, *fixed), edits=edits, found=result.found)

    def _reported(self, result: Result, suppressions: Suppressions) -> tuple[Finding, ...]:
        # All findings are shown to the suppressions: one of a rule that is not selected still has its use.
        kept = [finding for finding in result.findings if not suppressions.hide(finding)]
        if _INCOMPLETE.isdisjoint(finding.code for finding in result.findings):
            kept = _in_order(kept, suppressions.unused())
        reported = {code for code in {finding.code for finding in kept} if self.settings.selects(code)}
        selected = [finding for finding in kept if finding.code in reported]
        if RACE in reported and not self.settings.selects(FUSABLE):
            selected = [each._replace(fixable=False) if each.code == RACE else each for each in selected]
        if self.known:
            from jitlint.suppress.baseline import new_findings  # brings 4 ms of imports, and few runs have one

            selected = new_findings(result.source, selected, self.known)
        if FUSABLE in reported and runs_the_pass(result.source.text):
            selected = [
                each._replace(help=ADVICE) if each.code == FUSABLE and each.fixable else each for each in selected
            ]
        return tuple(map(self._weighed, selected) if self.settings.severities else selected)

    def _weighed(self, finding: Finding) -> Finding:
        severity = self.settings.severities.get(finding.code)
        return finding if severity is None else finding._replace(severity=severity)


def _in_order(findings: list[Finding], more: list[Finding]) -> list[Finding]:
    """Both in the order of the text, what has no place first."""
    if not more:
        return findings
    return sorted([*findings, *more], key=lambda finding: finding.span.start if finding.span else -1)


class _Allowed:
    """Which findings a fix may fix: those that a check would report. What keeps one from being fixed has its use."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._suppressions: Suppressions | None = None
        self._text = ""

    def suppressions(self, source: Source) -> Suppressions:
        """The suppressions of a text, those of them used that have hidden what was asked about in it."""
        if self._suppressions is None or self._text != source.text:
            self._text, self._suppressions = source.text, Suppressions(source)
        return self._suppressions

    def __call__(self, finding: Finding, source: Source) -> bool:
        if not self._checker.settings.selects(finding.code) or self.suppressions(source).hide(finding):
            return False
        if not self._checker.known:
            return True
        from jitlint.fingerprint import fingerprint

        return fingerprint(source, finding) not in self._checker.known
