"""`jitlint -`: a text from standard input. With `--fix` the fixed text goes to standard output."""

from __future__ import annotations

import os
import sys

from jitlint.cli.check_options import CheckOptions
from jitlint.cli.session import Session
from jitlint.cli.work import Mode, Outcome, Task, failure, unreadable, work_on
from jitlint.config.discovery import Configs
from jitlint.config.settings import Settings
from jitlint.crash import crash
from jitlint.errors import FileError, UsageError
from jitlint.files import textfile
from jitlint.files.search import holds_call
from jitlint.result import Result
from jitlint.syntax.source import Source

NAMELESS = "<stdin>"


def check_stdin(args: CheckOptions, configs: Configs) -> int:
    """Run `check` on standard input; gives the exit status.

    With `--fix` something always comes out: the fixed text, or what came in where it cannot be fixed, since whoever
    reads it will put it in the place of what they gave.
    """
    if args.add_ignores:
        raise UsageError("`--add-ignores` cannot be used with standard input: it writes comments into files")
    data = textfile.standard_input()
    session = Session(args, configs, takes_output=args.fix and not args.diff)
    name = args.stdin_filename or NAMELESS
    task = session.task(name, len(data))
    if args.verbose:
        from jitlint.cli.verbose import say, under

        say(f"{name}: checked {under(name, configs)}")
    if holds_call(data) and not _left_out(args, configs):
        outcome, new = _worked_on(task, data)
    else:
        outcome, new = Outcome(name, Result(Source("", name), ())), data
    if session.mode is Mode.FIX:
        sys.stdout.buffer.write(new)
        sys.stdout.buffer.flush()
    with session.opened() as opened:
        session.take(outcome, opened)
        summary = session.close(opened)
    return session.status(summary)


def _left_out(args: CheckOptions, configs: Configs) -> bool:
    if args.stdin_filename is None:
        return False
    path = os.path.abspath(args.stdin_filename)
    settings = configs.of(os.path.dirname(path)) or Settings()
    return settings.force_exclude and settings.leaves_out(path, is_folder=False)


def _worked_on(task: Task, data: bytes) -> tuple[Outcome, bytes]:
    try:
        text = textfile.decode(data)
        outcome = work_on(task, text, write=False)
    except FileError as error:
        return failure(task, unreadable(str(error))), data
    except Exception as error:
        return failure(task, crash(error)), data
    return outcome, text._replace(text=outcome.result.source.text).encoded() if outcome.result.changed else data
