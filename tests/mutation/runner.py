"""Run the fast tests against mutants: all is imported and collected once, and each mutant has a process of its own.

A process is forked off for each mutant, puts it in its place and runs the tests until one fails. `found_by.json` says
which test found which mutant the last time: first each mutant gets that test alone, and only the test files that this
needs are collected. What is left gets all the tests, first those that found mutants of the same module, then those of
its layer.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from hypothesis import Phase, is_hypothesis_test, settings

from tests.mutation.mutant import ROOT, Mutant

FIRST = {
    "syntax": ("tests/syntax/", "tests/ir/"),
    "ir": ("tests/ir/", "tests/analysis/", "tests/syntax/"),
    "analysis": ("tests/analysis/", "tests/plumbing/"),
    "fusion": ("tests/fusion/", "tests/analysis/", "tests/test_cases"),
    "proof": ("tests/proof/",),
}
"""The tests that most likely find a mutant of a layer: they run first."""

FAST = (
    *("tests/analysis", "tests/plumbing", "tests/fusion", "tests/ir", "tests/rules", "tests/syntax", "tests/proof"),
    *("tests/test_cases.py", "tests/test_engine.py", "tests/test_reference.py"),
)
"""The tests that hold what is right, without the engine. Reports, files and the command line are not about that."""

TIME_LIMIT = 60
"""Seconds of processor time for one test. A mutant that does not come to an end is found, too."""

_RECORD = Path(__file__).with_name("found_by.json")
"""Which test found which mutant the last time, by `Mutant.key`."""

_UNFIT = "!"
"""Before what is wrong with a mutant itself."""

Found = Callable[[Mutant, "str | None", float], None]
"""What is called with each mutant, the test that found it, and how many seconds that took."""


def recorded() -> dict[str, str]:
    """Which test found which mutant the last time, by `Mutant.key`."""
    known: dict[str, str] = json.loads(_RECORD.read_text(encoding="utf-8"))
    return known


def run(
    mutants: Sequence[Mutant], jobs: int, found: Found, tests: Sequence[str] = FAST, *, record: bool = True
) -> None:
    """Run `tests` against each mutant, `jobs` at once; with `record`, write down which of them found which.

    Raises ValueError where a mutant changes nothing, or where the test that found one fails without it, too.
    """
    # A failure counts, not the smallest example of it; and slowness is none.
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile(
        "mutation", database=None, phases=phases, derandomize=True, deadline=None, max_examples=300
    )
    known = recorded()
    fits = {mutant: known[mutant.key] for mutant in mutants if known.get(mutant.key, "").startswith(tuple(tests))}
    left = dict.fromkeys(mutants)

    def take(mutant: Mutant, test: str | None, seconds: float, *, last: bool) -> None:
        if test is not None:
            del left[mutant]
            if record and known.get(mutant.key) != test and "::" in test:
                known[mutant.key] = test
                _RECORD.write_text(json.dumps(known, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        if test is not None or last:
            found(mutant, test, seconds)

    files = sorted({test.partition("::")[0] for test in fits.values()})
    _collect(files, _Plugin(list(fits), jobs, partial(take, last=False), lambda mutant: [fits[mutant]], alone=True))
    _collect(tests, _Plugin(list(left), jobs, partial(take, last=True), lambda mutant: _near(known, mutant)))


def _near(known: Mapping[str, str], mutant: Mutant) -> list[str]:
    """The tests that found mutants of the same module."""
    return [test for key, test in known.items() if key.startswith(f"{mutant.path}: ")]


def _collect(tests: Sequence[str], plugin: _Plugin) -> None:
    paths = [str(ROOT / name) for name in tests if (ROOT / name).exists()]
    if not paths or not plugin.mutants:
        return
    options = ["-q", "-s", "-m", "not engine", "-p", "no:cacheprovider", "--no-header", "--no-summary"]
    options.append("--hypothesis-profile=mutation")
    pytest.main([*options, "--rootdir", str(ROOT), *paths], plugins=[plugin])
    if plugin.failed:
        raise ValueError(plugin.failed)


class _Plugin:
    """Takes the place of pytest's own loop over the tests.

    `useful` gives the tests that a mutant should meet first; with `alone`, it meets no others.
    """

    def __init__(
        self,
        mutants: Sequence[Mutant],
        jobs: int,
        found: Found,
        useful: Callable[[Mutant], Sequence[str]],
        alone: bool = False,
    ) -> None:
        self.mutants = mutants
        self._jobs = jobs
        self._found = found
        self._useful = useful
        self._alone = alone
        self._sound = set[str]()
        self.failed = "no test was found"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests against every mutant."""
        try:
            self._run(session)
            self.failed = ""
        except ValueError as problem:
            self.failed = str(problem)
        return True

    def _run(self, session: pytest.Session) -> None:
        pending = list(reversed(self.mutants))
        running = dict[int, tuple[Mutant, _Child]]()
        while pending or running:
            while pending and len(running) < self._jobs:
                mutant = pending.pop()
                child = _Child(session, mutant, self._useful(mutant), self._alone)
                running[child.pipe] = mutant, child
            for pipe in select.select(list(running), [], [])[0]:
                mutant, child = running.pop(pipe)
                test = child.ended()
                if test is not None and test.startswith(_UNFIT):
                    raise ValueError(test.removeprefix(_UNFIT))
                if test is not None and "::" in test:
                    if test not in self._sound and _Child(session, None, [test]).ended() is not None:
                        raise ValueError(f"{test} fails without any mutant")
                    self._sound.add(test)
                self._found(mutant, test, time.monotonic() - child.started)


class _Child:
    """A process in which a mutant is tested; it writes the test that failed to a pipe.

    With `alone`, and without a mutant, it runs the tests of `useful` alone.
    """

    def __init__(
        self, session: pytest.Session, mutant: Mutant | None, useful: Sequence[str], alone: bool = True
    ) -> None:
        self.started = time.monotonic()
        self.pipe, writing = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            os.close(self.pipe)
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, 1)
            os.dup2(devnull, 2)
            answer = ""
            try:
                if mutant is not None:
                    mutant.install()
                if mutant is None:
                    items = [item for item in session.items if item.nodeid in useful]
                elif alone:  # the same test with other arguments, where it has those no more that it had
                    names = {test.partition("[")[0] for test in useful}
                    near = [item for item in session.items if item.nodeid.partition("[")[0] in names]
                    items = sorted(near, key=lambda item: item.nodeid not in useful)
                else:
                    items = _ordered(session.items, mutant, useful)
                answer = _first_failure(items)
            except BaseException as problem:
                answer = f"{_UNFIT}{problem!r}"
            os.write(writing, answer.encode()[:4000])
            os._exit(0)
        os.close(writing)

    def ended(self) -> str | None:
        """The test that failed; None if none did."""
        answer = os.read(self.pipe, 5000).decode()
        os.close(self.pipe)
        _, status = os.waitpid(self._pid, 0)
        return answer or ("the time limit" if os.WIFSIGNALED(status) else None)


def _ordered(items: Sequence[pytest.Item], mutant: Mutant, useful: Sequence[str]) -> list[pytest.Item]:
    """The tests, those that most likely fail first."""
    first = FIRST.get(mutant.path.partition("/")[0], ())
    rank = {name: -number for number, name in enumerate(useful, 1)}
    directories = {name: number for number, name in enumerate(first, 1)}

    def key(item: pytest.Item) -> tuple[bool, int]:
        if item.nodeid in rank:
            return False, rank[item.nodeid]
        near = next((number for name, number in directories.items() if item.nodeid.startswith(name)), len(first) + 1)
        return is_hypothesis_test(getattr(item, "obj", None)) or near > len(first), near

    return sorted(items, key=key)


def _first_failure(items: Sequence[pytest.Item]) -> str:
    following = [*items[1:], None] if items else []  # a test of the record may be gone
    for item, after in zip(items, following, strict=True):
        signal.setitimer(signal.ITIMER_PROF, TIME_LIMIT)  # ends the process
        for report in _reports(item, after):
            if report.failed:
                return item.nodeid
    return ""


def _reports(item: pytest.Item, after: pytest.Item | None) -> Iterator[pytest.TestReport]:
    from _pytest.runner import runtestprotocol

    yield from runtestprotocol(item, log=False, nextitem=after)
