"""The counts of a run, and the sentence that a person reads last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from operator import attrgetter
from typing import NamedTuple

from jitlint.findings import Severity
from jitlint.proof.verdict import Proof
from jitlint.report.lookup import FUSABLE, severity_of
from jitlint.report.text import count
from jitlint.result import Result


class Proved(NamedTuple):
    """The proofs of a run that modules compute the same: of how many files, and what was compared in them."""

    files: int = 0
    functions: int = 0
    values: int = 0
    effects: int = 0
    calls: int = 0

    def plus(self, proof: Proof) -> Proved:
        """These and one more file."""
        counts = (proof.functions, proof.values, proof.effects, proof.calls)
        return Proved(self.files + 1, *[one + more for one, more in zip(self[1:], counts, strict=True)])

    def __str__(self) -> str:
        nouns = ("function", "value", "effect", "call")
        words = [count(number, noun) for number, noun in zip(self[1:], nouns, strict=True)]
        return f"{', '.join(words[:-1])} and {words[-1]}"


class Summary(NamedTuple):
    """Counts over all files of a run.

    The first six are the JSON summary. `fusable_groups` are groups that stand in the text still, `fused_groups` those
    that a fix made one call of, `fused_calls` the calls that went into them. `other_fixes` counts the other findings
    that a fix mended, `changed_files` the files in which it mended any. `fixable_groups` are the fusable groups that a
    fix has not been tried on in vain. `proved` tells of the proofs that there were, None without any, `unproved` counts
    the files that were changed without one. `codes` counts the findings by code.
    """

    files: int = 0
    fusable_groups: int = 0
    fused_groups: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    fused_calls: int = 0
    other_fixes: int = 0
    changed_files: int = 0
    fixable_groups: int = 0
    proved: Proved | None = None
    unproved: int = 0
    codes: Mapping[str, int] = {}

    @property
    def findings(self) -> int:
        """All findings that are left."""
        return self.errors + self.warnings + self.infos


_kind = attrgetter("code", "severity", "fixable")
"""All that a tally asks of a finding that is left: of thousands, few differ in it."""


class Tally:
    """Adds up results, one at a time, so that none needs to be kept."""

    def __init__(self) -> None:
        self._files = self._changed = self._calls = self._fused = self._fixes = self._fixable = 0
        self._severities: Counter[Severity] = Counter()
        self._codes: Counter[str] = Counter()
        self._proved: Proved | None = None
        self._unproved = 0

    def add(self, result: Result) -> None:
        """Counts one file."""
        self._files += 1
        self._changed += bool(result.fixed)
        kinds = {_kind(finding): finding for finding in result.findings}
        for kind, number in Counter(map(_kind, result.findings)).items():
            finding = kinds[kind]
            self._severities[severity_of(finding)] += number
            self._codes[finding.code] += number
            self._fixable += number * (finding.fixable and finding.code == FUSABLE)
        if result.proof is not None and result.proof.is_equal:
            self._proved = (self._proved or Proved()).plus(result.proof)
        self._unproved += result.proof is not None and not result.proof.is_equal
        for finding in result.fixed:
            if finding.code == FUSABLE:
                self._fused += 1
                self._calls += len(finding.group.calls) if finding.group else 0
            else:
                self._fixes += 1

    def summary(self) -> Summary:
        """The counts so far."""
        return Summary(
            files=self._files,
            fusable_groups=self._codes[FUSABLE],
            fused_groups=self._fused,
            errors=self._severities[Severity.ERROR],
            warnings=self._severities[Severity.WARNING],
            infos=self._severities[Severity.INFO],
            fused_calls=self._calls,
            other_fixes=self._fixes,
            changed_files=self._changed,
            fixable_groups=self._fixable,
            proved=self._proved,
            unproved=self._unproved,
            codes=dict(sorted((code, n) for code, n in self._codes.items() if n)),
        )


def closing(summary: Summary, dry_run: bool) -> str:
    """The last lines of a run: what was fused, then what is left and what to do next. `dry_run`: only planned."""
    proved = f"Proved to compute the same: {summary.proved}." if summary.proved else ""
    lines = [line for line in (_fixed(summary, dry_run), proved, _found(summary)) if line]
    return "\n".join([*lines, ""])


def _fixed(summary: Summary, dry_run: bool) -> str:
    done = []
    if summary.fused_groups:
        calls, groups = count(summary.fused_calls, "call"), f"{summary.fused_groups:,}"
        done.append(f"{'would fuse' if dry_run else 'fused'} {calls} into {groups}")
    if summary.other_fixes:
        done.append(f"{'would fix' if dry_run else 'fixed'} {count(summary.other_fixes, 'problem')}")
    if not done:
        return ""
    sentence = " and ".join(done)
    return f"{sentence[0].upper()}{sentence[1:]} in {count(summary.changed_files, 'file')}."


def _found(summary: Summary) -> str:
    where = count(summary.files, "file")
    if not summary.files:
        return "No files to check."
    if not summary.findings:
        left = "No problems left" if summary.fused_groups or summary.other_fixes else "All clear: no problems"
        return f"{left} in {where}."
    kinds = ((summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info"))
    kind = ", ".join(count(number, noun) for number, noun in kinds if number)
    found = f"Found {count(summary.findings, 'problem')} ({kind}) in {where}"
    if not summary.fixable_groups:
        return f"{found}."
    return f"{found}; {count(summary.fixable_groups, 'group')} can be fused: run `jitlint --fix`."
