"""`--watch`: check, and check again whenever a file or a configuration changes, until Ctrl-C."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Mapping

from jitlint.cli.check_options import CheckOptions
from jitlint.cli.inputs import configs_of, found_by
from jitlint.cli.parser import load_parser
from jitlint.cli.session import Session
from jitlint.cli.verbose import say
from jitlint.errors import JitlintError
from jitlint.files.search import Found, find

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_PAUSE = 0.2
"""Seconds between two looks at the files, at the least."""
_SHARE = 20
"""A look is followed by a pause so many times as long: a large tree keeps no core busy."""

_State = Mapping[str, object]
"""What tells that a file has changed, for every file and configuration by its path."""


def watch(args: CheckOptions) -> int:
    """Check for ever. A wrong configuration is said, and checked again when it has changed."""
    load_parser()
    while True:
        before = _state(args)
        if sys.stdout.isatty():
            sys.stdout.write(_CLEAR)
        written: set[str] = set()
        try:
            configs = configs_of(args)
            session = Session(args, configs)
            session.run(found_by(args, configs))
            written = session.written
        except JitlintError as error:
            say(f"error: {error}")
        # What the run has written is no change to wait for; what others write meanwhile is.
        now = _state(args)
        sys.stdout.flush()
        say(f"checked at {time.strftime('%H:%M:%S')}; watching for changes, Ctrl-C ends it")
        gc.collect()
        before = {path: now.get(path) if path in written else seen for path, seen in before.items()}
        while now == before:
            start = time.perf_counter()
            now = _state(args)
            time.sleep(max(_PAUSE, _SHARE * (time.perf_counter() - start)))


def _state(args: CheckOptions) -> _State:
    """How things are. A configuration that cannot be taken is told from another by its text alone."""
    state: dict[str, object] = {}
    try:
        configs = configs_of(args)
        for each in find(args.paths or ["."], configs, look=Found):
            folder = os.path.dirname(os.path.abspath(each.path))
            for path in (each.path, configs.file_of(folder)):
                if path is not None:
                    state[path] = _stamp(path)
    except JitlintError as error:
        state["error"] = str(error)
    return state


def _stamp(path: str) -> tuple[int, int, int] | None:
    """What changes when a file does; None where no such file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
