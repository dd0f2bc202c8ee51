from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from jitlint.cli import pool, session, work
from jitlint.cli.work import Mode, Task
from tests.cli.conftest import Jitlint
from tests.cli.samples import BARRIER, BROKEN, CLEAN, FUSABLE


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes are used however small the work is, with a file for each message."""
    monkeypatch.setattr(session, "WORTH_WORKERS", 0)
    monkeypatch.setattr(pool, "_BATCH", 1)


def write_tree() -> None:
    for index in range(12):
        Path(f"{index:02}.mlir").write_text((FUSABLE, BARRIER, CLEAN, BROKEN)[index % 4])


@pytest.mark.usefixtures("workers")
class TestWorkers:
    @pytest.mark.parametrize("form", ["full", "json", "sarif", "junit"])
    def test_they_say_what_one_process_says_in_the_same_order(self, jitlint: Jitlint, form: str) -> None:
        write_tree()
        alone = jitlint("--output-format", form, "-j", "1", ".", "gone.mlir")
        assert jitlint("--output-format", form, "-j", "3", ".", "gone.mlir") == alone
        assert alone.status == 2

    def test_they_fix_what_one_process_fixes(self, jitlint: Jitlint) -> None:
        write_tree()
        jitlint("--fix", "-j", "3")
        texts = [path.read_text() for path in sorted(Path().glob("*.mlir"))]
        write_tree()
        jitlint("--fix", "-j", "1")
        assert [path.read_text() for path in sorted(Path().glob("*.mlir"))] == texts

    def test_one_that_dies_takes_one_file_with_it(self, jitlint: Jitlint, monkeypatch: pytest.MonkeyPatch) -> None:
        real = work.work_on
        this = os.getpid()

        def work_on(task: Task, text: object) -> work.Outcome:
            if task.path == "04.mlir" and os.getpid() != this:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(task, text)  # type: ignore[arg-type]

        monkeypatch.setattr(work, "work_on", work_on)
        for index in range(8):
            Path(f"{index:02}.mlir").write_text(FUSABLE)
        ran = jitlint("--output-format", "concise", "-j", "2")
        assert ran.status == 2
        lines = [line.split(":")[0] for line in ran.out.splitlines() if ".mlir:" in line]
        assert lines == [f"{index:02}.mlir" for index in range(8)]
        assert "04.mlir: error: JIT999" in ran.out
        assert ran.out.count("JIT999") == 1

    def test_without_processes_it_goes_on_in_this_one(self, jitlint: Jitlint, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise OSError("no semaphores here")

        write_tree()
        alone = jitlint("-j", "1")
        monkeypatch.setattr(pool, "ProcessPoolExecutor", refuse)
        assert jitlint("-j", "2") == alone


def test_tasks_are_sent_together_while_they_are_small() -> None:
    sizes = [1, 1, pool._BATCH, 1, pool._BATCH - 1, 1]
    batches = pool._batches([Task(str(index), size=size) for index, size in enumerate(sizes)])
    assert [[task.path for task in batch] for batch in batches] == [["0", "1", "2"], ["3", "4"], ["5"]]
    many = list(pool._batches([Task("x")] * 250))
    assert [len(batch) for batch in many] == [100, 100, 50]


def test_no_more_is_asked_for_than_is_soon_needed() -> None:
    """Results wait in memory until it is their turn, so only a few may."""
    taken: list[int] = []

    class Pool:
        def submit(self, _: object, batch: list[Task]) -> Done:
            taken.append(len(batch))
            return Done()

    class Done:
        def result(self, timeout: float) -> list[object]:
            return []

    batches = [[Task(str(index))] for index in range(100)]
    ordered = pool._ordered(Pool(), batches, 2, lambda: None)  # type: ignore[arg-type]
    next(ordered)
    assert len(taken) == 6
    next(ordered)
    assert len(taken) == 7


def test_an_outcome_survives_the_way_between_processes() -> None:
    import pickle

    from jitlint.files.textfile import Text

    outcome = work.work_on(Task("m.mlir", mode=Mode.DIFF), Text(FUSABLE))
    again = pickle.loads(pickle.dumps(outcome))
    assert (again.path, again.diff) == (outcome.path, outcome.diff)
    assert again.result.findings == outcome.result.findings
    assert again.result.source.text == outcome.result.source.text
