"""How a run ends when it is told to."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


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
