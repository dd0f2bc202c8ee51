"""The signals that end a program: in order, at once, or put off while something is done that must not be left half."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

_MASKS = hasattr(signal, "pthread_sigmask")
_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} if _MASKS else set()


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
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if _MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Makes SIGTERM end the block as an exception does: workers are ended, what was only begun is taken back."""
    before = signal.signal(signal.SIGTERM, _ended)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _ended(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)
