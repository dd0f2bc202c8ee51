"""The signals that end a program: in order, at once, or put off while something is done that must not be left half."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

_MASKS = hasattr(signal, "pthread_sigmask")
_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} if _MASKS else set()
_IN_ORDER = (signal.SIGTERM, signal.SIGHUP) if _MASKS else (signal.SIGTERM,)


@contextmanager
def signals_put_off() -> Iterator[None]:
    """Puts off the signals that end a program to the end of the block, also in a process that is forked in it."""
    if not _MASKS:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_on_signals() -> None:
    """From here on this process ends on such a signal at once and without a word, also on one that was put off."""
    for number in (signal.SIGINT, *_IN_ORDER):
        signal.signal(number, signal.SIG_DFL)
    if _MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Makes SIGTERM and SIGHUP end the block as an exception does: workers are ended, what was only begun is taken
    back. One that is ignored, as under `nohup`, stays so."""
    before = {number: signal.getsignal(number) for number in _IN_ORDER}
    taken = [number for number in _IN_ORDER if before[number] is not signal.SIG_IGN]
    for number in taken:
        signal.signal(number, _ended)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])


def _ended(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)
