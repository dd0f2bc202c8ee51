"""Many files on many cores: outcomes come in the order of the tasks, as soon as those before them are there.

A worker that dies (out of memory, say) takes only the file that it worked on with it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as Waiting
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from threading import Thread, main_thread

from jitlint.cli.work import Outcome, Task, failure, work
from jitlint.crash import crash
from jitlint.files.signals import end_on_signals, signals_put_off

_BATCH = 200_000
_TICK = 0.1
_MOST_WORKERS = 61 if sys.platform == "win32" else 1024
"""As many as Windows lets one process wait for."""

Tick = Callable[[], object]


def in_parallel(tasks: Sequence[Task], jobs: int, tick: Tick) -> Iterator[Outcome]:
    """The outcomes of the tasks, worked out by `jobs` processes. `tick` is called while there is nothing to give."""
    done = 0
    one_by_one: Callable[[Task, Tick], Outcome] = _alone
    try:
        with _workers(jobs) as pool:
            for batch in _ordered(pool, list(_batches(tasks)), jobs, tick):
                yield from batch
                done += len(batch)
    except BrokenProcessPool:
        pass  # one of several has died: which one, and of which file, shows when each is worked on alone
    except (OSError, ImportError, NotImplementedError):
        one_by_one = _here  # this system gives no processes
    for task in tasks[done:]:
        yield one_by_one(task, tick)


def _here(task: Task, _: Tick) -> Outcome:
    return work(task)


def _ordered(pool: ProcessPoolExecutor, batches: list[list[Task]], jobs: int, tick: Tick) -> Iterator[list[Outcome]]:
    """The outcomes of batches in order. Only a few are ahead of the one that is waited for, so none pile up."""
    running: deque[Future[list[Outcome]]] = deque()
    waiting = iter(batches)
    while True:
        while len(running) < 3 * jobs:
            batch = next(waiting, None)
            if batch is None:
                break
            running.append(_submitted(pool, batch))
        if not running:
            return
        yield _awaited(running.popleft(), tick)


def _submitted(pool: ProcessPoolExecutor, batch: list[Task]) -> Future[list[Outcome]]:
    """Hand a batch to the workers. The first one starts them, and a signal before one is ready would have it complain:
    it ends on a signal at once, while it replaces a file only after that."""
    with signals_put_off():
        return pool.submit(_work_all, batch)


def _awaited(future: Future[list[Outcome]], tick: Tick) -> list[Outcome]:
    while True:
        try:
            return future.result(timeout=_TICK)
        except Waiting:
            tick()


def _alone(task: Task, tick: Tick) -> Outcome:
    """The outcome of one task in a process of its own, which may die of it."""
    if not task.has_call:
        return work(task)
    with _workers(1) as pool:
        try:
            return _awaited(_submitted(pool, [task]), tick)[0]
        except BrokenProcessPool as error:
            return failure(task, crash(error))


def _batches(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    """Tasks in a row that are worth a message together."""
    batch: list[Task] = []
    size = 0
    for task in tasks:
        batch.append(task)
        size += task.size
        if size >= _BATCH or len(batch) >= 100:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _work_all(tasks: list[Task]) -> list[Outcome]:
    return [work(task) for task in tasks]


@contextmanager
def _workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes that end with the block, at once if it ends by an exception such as Ctrl-C."""
    pool = ProcessPoolExecutor(min(jobs, _MOST_WORKERS), _context(), initializer=_begin)
    try:
        yield pool
    except BaseException:
        for worker in active_children():
            worker.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """What a worker does first: it ends on signals at once, and when the process that started it is gone, however that
    came about, so that nothing goes on writing files behind the back of whoever killed the run."""
    parent = parent_process()
    if parent is not None:
        with signals_put_off():  # in the thread for good: the main thread alone says when a signal counts
            Thread(target=_end_with, args=(parent,), daemon=True).start()
    end_on_signals()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    main = main_thread().ident
    if sys.platform != "win32" and main is not None:
        signal.pthread_kill(main, signal.SIGTERM)  # to this thread, which puts it off while it replaces a file
    else:
        os._exit(1)


def _context() -> BaseContext | None:
    """Forked workers have imported everything already. Only on Linux are the system's own libraries up to it."""
    return get_context("fork") if sys.platform == "linux" else None
