"""A bar on the terminal for runs that last, gone when they are done."""

from __future__ import annotations

import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 1.0
"""Seconds before anything is shown."""
_INTERVAL = 0.1


class Progress:
    """Counts files. It draws only when told of something, on standard error, and only if that is a terminal."""

    def __init__(self, total: int, enabled: bool) -> None:
        self._total = total
        self._enabled = enabled and total > 1 and sys.stderr.isatty()
        self._next = time.monotonic() + PATIENCE
        self._done = 0
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def advance(self) -> None:
        """One more file is done."""
        self._done += 1
        self.tick()

    def tick(self) -> None:
        """Draw, if it is time."""
        if not self._enabled or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _INTERVAL
        bar = self._shown()
        assert self._task is not None
        bar.update(self._task, completed=self._done)
        bar.refresh()

    def hide(self) -> None:
        """Take the bar away, before something is printed; the next `tick` brings it back."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _shown(self) -> Bar:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
            from rich.progress import Progress as Bar

            # No thread draws it: worker processes may be forked at any time, which threads do not survive.
            self._bar = Bar(
                TextColumn("Checking"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("files"),
                console=Console(stderr=True),
                transient=True,
                auto_refresh=False,
            )
            self._task = self._bar.add_task("", total=self._total, completed=self._done)
            self._bar.start()
        return self._bar
