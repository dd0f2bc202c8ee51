"""What is done with one file, in this process or in another: a task goes in, an outcome comes out."""

from __future__ import annotations

import enum
import gc
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from jitlint.checker import Checker
from jitlint.config.settings import Settings
from jitlint.crash import crash
from jitlint.errors import FileError, InternalError
from jitlint.files import textfile
from jitlint.findings import Finding
from jitlint.result import Result
from jitlint.syntax.source import Source


class Mode(enum.Enum):
    """What a run does with its files."""

    CHECK = "check"
    FIX = "fix"
    DIFF = "diff"
    ADD_IGNORES = "add ignores"


class Task(NamedTuple):
    """A file to work on. `known` are the findings that a baseline hides in it, `size` is in bytes."""

    path: str
    settings: Settings = Settings()
    mode: Mode = Mode.CHECK
    known: Mapping[str, int] = {}
    size: int = 0
    problem: str | None = None
    has_call: bool = True


class Outcome(NamedTuple):
    """What came of a task: the result, the diff where one was asked for, the number of suppressions added."""

    path: str
    result: Result
    diff: tuple[str, ...] = ()
    suppressed: int = 0


_COLLECT_AFTER = 64 << 20
_since_collection = 0


def work(task: Task) -> Outcome:
    """Do a task. Nothing that goes wrong with one file is raised: it is a finding.

    The cycle collector is off in this process from here on: it would walk through everything that was made for a large
    file, 0.2 s for 34 MB, to find nothing. It runs when enough text has gone by for cycles to matter.
    """
    global _since_collection
    gc.disable()
    _since_collection += task.size
    if _since_collection > _COLLECT_AFTER:
        gc.collect()
        _since_collection = 0
    return _work(task)


def _work(task: Task) -> Outcome:
    if task.problem is not None:
        return failure(task, unreadable(task.problem))
    if not task.has_call:
        return Outcome(task.path, Result(Source("", task.path), ()))
    try:
        text = textfile.read(task.path)
    except FileError as error:
        return failure(task, unreadable(str(error)))
    if text is None:
        return Outcome(task.path, Result(Source("", task.path), ()))
    try:
        return work_on(task, text)
    except Exception as error:
        return failure(task, crash(error))


def work_on(task: Task, text: textfile.Text, write: bool = True) -> Outcome:
    """Do a task on the text that was read for it. With `write` false, the file stays as it is."""
    checker = Checker(task.settings, task.known)
    if task.mode is Mode.CHECK:
        return Outcome(task.path, checker.check(text.text, task.path))
    if task.mode is Mode.ADD_IGNORES:
        return _with_ignores(task, text, checker)
    try:
        if task.mode is Mode.DIFF:
            return _differing(task, *checker.plan(text.text, task.path))
        result = checker.fix(text.text, task.path)
        if result.changed and write:
            textfile.replace(task.path, text, result.source.text)
    except (InternalError, FileError) as error:
        return Outcome(task.path, _left_alone(task, text, checker, error))
    return Outcome(task.path, result)


def _differing(task: Task, now: Result, then: Result) -> Outcome:
    """The outcome of a fix that is not written, and the diff that it would be."""
    if not then.changed:
        return Outcome(task.path, then)
    from jitlint.report.diff import unified_diff

    diff = tuple(unified_diff(now.source.text, then.source.text, task.path, then.edits))
    return Outcome(task.path, _planned(now, then), diff)


def _planned(now: Result, then: Result) -> Result:
    """What a fix that is not written would leave, in the text as it is: the places of `then` are in no file.

    What only the fix brings about is not reported. Fusing also fixes findings that it is not about, so of each rule no
    more stay than there are in `then`: first those that say the same as one there.
    """
    fixed = {(each.code, each.span) for each in then.fixed}
    left_alone = [each for each in now.findings if (each.code, each.span) not in fixed]
    left = Counter(each.code for each in then.findings)
    said = {(each.code, each.message) for each in then.findings}
    stay: list[Finding] = []
    for each in sorted(left_alone, key=lambda each: (each.code, each.message) not in said):
        if left[each.code]:
            left[each.code] -= 1
            stay.append(each)
    stay.sort(key=lambda each: each.span.start if each.span else -1)
    return now._replace(findings=tuple(stay), before=now.source, fixed=then.fixed)


def _with_ignores(task: Task, text: textfile.Text, checker: Checker) -> Outcome:
    from jitlint.suppress.add_ignores import with_ignores

    result = checker.check(text.text, task.path)
    new, hidden = with_ignores(result.source, result.findings)
    if not hidden:
        return Outcome(task.path, result)
    try:
        textfile.replace(task.path, text, new)
    except FileError as error:
        return Outcome(task.path, result._replace(findings=(not_written(str(error)), *result.findings)))
    return Outcome(task.path, checker.check(new, task.path), suppressed=len(hidden))


def _left_alone(task: Task, text: textfile.Text, checker: Checker, error: InternalError | FileError) -> Result:
    """What there is to report about a file that could not be fixed: all that there was, and why.

    To fix it is not offered as if that had not been tried.
    """
    why = crash(error) if isinstance(error, InternalError) else not_written(str(error))
    result = checker.check(text.text, task.path)
    return result._replace(findings=(why, *(each._replace(fixable=False) for each in result.findings)))


def failure(task: Task, finding: Finding) -> Outcome:
    """What came of a task of which nothing is known but what went wrong, which may be meant to go wrong."""
    findings = (finding,) if task.settings.selects(finding.code) else ()
    return Outcome(task.path, Result(Source("", task.path), findings))


def unreadable(why: str) -> Finding:
    """JIT903."""
    return Finding("JIT903", why, None)


def not_written(why: str) -> Finding:
    """JIT904."""
    return Finding("JIT904", why, None)
