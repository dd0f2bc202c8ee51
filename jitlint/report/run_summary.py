"""The counts of a run, and the sentence that a person reads last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from operator import attrgetter
from typing import NamedTuple

from jitlint.findings import Severity
from jitlint.proof.answer import Proof
from jitlint.report.advice import Options, fix_command
from jitlint.report.lookup import FUSABLE, severity_of
from jitlint.report.printable import count
from jitlint.result import Result

_FEW_PATHS = 3
"""Of a command line with more paths, the advice does not repeat them."""


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
    that a fix fixed, `changed_files` the files in which it fixed any. `fixable` counts the findings that `--fix`
    fixes. `proved` tells of the proofs that there were, None without any, `unproved` counts the files that were changed
    without one. `codes` counts all findings by code.
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
    fixable: int = 0
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
            self._fixable += number * finding.fixable
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
            fixable=self._fixable,
            proved=self._proved,
            unproved=self._unproved,
            codes=dict(sorted((code, n) for code, n in self._codes.items() if n)),
        )


def closing(summary: Summary, dry_run: bool, options: Options = (), paths: tuple[str, ...] = ()) -> str:
    """The last lines of a run: what was fused, what is left, and what to do next. `dry_run`: only planned."""
    changed = bool(summary.fused_groups or summary.other_fixes)
    planned = dry_run and changed
    proved = f"Proved to compute the same: {summary.proved}." if summary.proved else ""
    lines = (_fixed(summary, planned), proved, _found(summary, changed, planned), _fixable(summary, options, paths))
    return "\n".join([*filter(None, lines), ""])


def _fixed(summary: Summary, planned: bool) -> str:
    done = []
    if summary.fused_groups:
        calls = count(summary.fused_calls, "call")
        done.append(f"{'fuse' if planned else 'fused'} {calls} into {summary.fused_groups:,}")
    if summary.other_fixes:
        noun = "other finding" if done else "finding"
        done.append(f"{'fix' if planned else 'fixed'} {count(summary.other_fixes, noun)}")
    if not done:
        return ""
    sentence = f"{'would ' if planned else ''}{' and '.join(done)}"
    return f"{sentence[0].upper()}{sentence[1:]} in {count(summary.changed_files, 'file')}."


def _found(summary: Summary, changed: bool, planned: bool) -> str:
    """Infos are no problems: they say why calls stay apart, and fail no check."""
    where = count(summary.files, "file")
    if not summary.files:
        return "No files to check."
    kinds = ((summary.errors, "error"), (summary.warnings, "warning"))
    kind = ", ".join(count(number, noun) for number, noun in kinds if number)
    infos = count(summary.infos, "info") if summary.infos else ""
    left = " left" if changed else ""
    if not kind and not planned:
        clear = f"No problems{left} in {where}" if infos or changed else f"All clear: no problems in {where}"
        return f"{clear}; {infos}." if infos else f"{clear}."
    problems = f"{count(summary.errors + summary.warnings, 'problem')} ({kind})" if kind else "no problems"
    both = f"{problems} and {infos}" if infos else problems
    if planned:
        return f"That would leave {both} in {where}."
    return f"{both}{left} in {where}." if changed else f"Found {both} in {where}."


def _fixable(summary: Summary, options: Options, paths: tuple[str, ...]) -> str:
    """What the reports mark with `[*]`, and the command that fixes it."""
    if not summary.fixable:
        return ""
    few = len(paths) <= _FEW_PATHS
    command = f"run `{fix_command(options, paths)}`" if few else "run jitlint again with `--fix`"
    return f"[*] {count(summary.fixable, 'finding')} can be fixed: {command}."
