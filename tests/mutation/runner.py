"""Run the fast tests against mutants: all is imported and collected once, and each mutant has a process of its own.

A process is forked off for each mutant, puts it in its place and runs the tests until one fails: first the one that
found it the last time, then those that found others of the same module, then those of its layer.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence

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

_KNOWN = ROOT / ".cache" / "mutation.json"
"""Which test found which mutant the last time."""

_UNFIT = "!"
"""Before what is wrong with a mutant itself."""

Found = Callable[[Mutant, "str | None", float], None]
"""What is called with each mutant, the test that found it, and how many seconds that took."""


def run(mutants: Sequence[Mutant], jobs: int, found: Found, tests: Sequence[str] = FAST) -> None:
    """Run `tests` against each mutant, `jobs` at once. Raises ValueError where a mutant changes nothing, or where the
    test that found one fails without it, too."""
    # A failure counts, not the smallest example of it.
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutation", database=None, phases=phases, derandomize=True)
    settings.load_profile("mutation")
    paths = [str(ROOT / name) for name in tests if (ROOT / name).exists()]
    plugin = _Plugin(mutants, jobs, found)
    arguments = [
        "-q",
        "-m",
        "not engine",
        "-p",
        "no:cacheprovider",
        "-s",
        "--no-header",
        "--no-summary",
        "--rootdir",
        str(ROOT),
    ]
    pytest.main([*arguments, *paths], plugins=[plugin])
    if plugin.failed:
        raise ValueError(plugin.failed)


class _Plugin:
    """Takes the place of pytest's own loop over the tests."""

    def __init__(self, mutants: Sequence[Mutant], jobs: int, found: Found) -> None:
        self._mutants = mutants
        self._jobs = jobs
        self._found = found
        self._sound = set[str]()
        self._known: dict[str, str] = json.loads(_KNOWN.read_text(encoding="utf-8")) if _KNOWN.exists() else {}
        self.failed = "no test was found"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests against every mutant."""
        try:
            self._run(session)
            self.failed = ""
        except ValueError as problem:
            self.failed = str(problem)
        _KNOWN.parent.mkdir(exist_ok=True)
        _KNOWN.write_text(json.dumps(self._known), encoding="utf-8")
        return True

    def _useful(self, mutant: Mutant) -> list[str]:
        """The tests that found mutants of the same module, the last of them the one that found this one."""
        near = [test for key, test in self._known.items() if key.startswith(f"{mutant.path}: ")]
        return list(dict.fromkeys([*near, self._known.get(mutant.key, "")][::-1]))[::-1]

    def _run(self, session: pytest.Session) -> None:
        pending = list(reversed(self._mutants))
        running = dict[int, tuple[Mutant, _Child]]()
        while pending or running:
            while pending and len(running) < self._jobs:
                mutant = pending.pop()
                child = _Child(session, mutant, self._useful(mutant))
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
                    self._known[mutant.key] = test
                self._found(mutant, test, time.monotonic() - child.started)


class _Child:
    """A process in which a mutant is tested, or, with no mutant, the one test of `useful`; it writes the test that
    failed to a pipe."""

    def __init__(self, session: pytest.Session, mutant: Mutant | None, useful: Sequence[str]) -> None:
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
                    items = _ordered(session.items, mutant, useful)
                else:
                    items = [item for item in session.items if item.nodeid in useful]
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
    for item, after in zip(items, [*items[1:], None], strict=True):
        signal.setitimer(signal.ITIMER_PROF, TIME_LIMIT)  # ends the process
        for report in _reports(item, after):
            if report.failed:
                return item.nodeid
    return ""


def _reports(item: pytest.Item, after: pytest.Item | None) -> Iterator[pytest.TestReport]:
    from _pytest.runner import runtestprotocol

    yield from runtestprotocol(item, log=False, nextitem=after)
