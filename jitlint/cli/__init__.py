"""The command line: which command is meant, and what every command does about trouble.

What a run over files without a JIT call does not need is imported where it is used: the start is felt in every hook.
"""

from __future__ import annotations

import os
import sys

from jitlint.errors import JitlintError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Collection, Sequence

INTERRUPTED = 130
"""The exit status after Ctrl-C: 128 and the signal's number, as shells have it."""
READER_GONE = 141
"""The exit status when nobody reads the output any more."""


def run(argv: Sequence[str]) -> int:
    """Run one command line; gives the exit status, and never raises what a user should not see."""
    if sys.stdout is None:
        _say("standard output is closed; nothing was done")
        return 2
    try:
        status = _command(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        status = _reader_gone()
    except JitlintError as error:
        _say(str(error))
        status = 2
    except OSError as error:
        _say(f"{error.filename or 'the output cannot be written'}: {error.strerror or error}")
        status = _silenced(2)
    return status


def _command(argv: Sequence[str]) -> int:
    from jitlint.cli.overview import OVERVIEW, SUMMARIES

    first = argv[0] if argv else ""
    if first in ("-h", "--help"):
        sys.stdout.write(OVERVIEW)
        return 0
    if first in ("-V", "--version"):
        from jitlint.cli.version import version, versions

        verbose = "--verbose" in argv or "-v" in argv
        sys.stdout.write(versions() if verbose else version())
        return 0
    if first in SUMMARIES and first != "check":
        return _other(first, argv[1:])
    _no_misspelt_command(first, SUMMARIES)
    from jitlint.cli.check import check
    from jitlint.cli.check_options import CheckOptions

    argv = argv[1:] if first == "check" else argv
    if any(word.startswith("-") for word in argv):
        from jitlint.cli.arguments import read_check

        return check(read_check(argv))
    return check(CheckOptions(list(argv)))


def _other(command: str, argv: Sequence[str]) -> int:
    from jitlint.cli import commands
    from jitlint.cli.arguments import read

    handler: Callable[[Namespace], int] = getattr(commands, command)
    return handler(read(command, argv))


def _no_misspelt_command(word: str, commands: Collection[str]) -> None:
    """Raises UsageError for a first word that looks like a command, but is neither that nor a path."""
    if not word.replace("-", "").isalpha() or word.startswith("-") or word in commands or os.path.lexists(word):
        return
    from jitlint.cli.overview import MEANT
    from jitlint.nearest import nearest

    close = nearest(word, [*commands, *MEANT])
    hint = "`jitlint --help` lists the commands" if close is None else f"did you mean `{MEANT.get(close, close)}`?"
    raise UsageError(f"no such command or file: `{word}`; {hint}")


def _say(what: str) -> None:
    """One line on standard error. Names of files in it do not act on the terminal."""
    from jitlint.report.printable import escape

    try:
        if sys.stderr is not None:  # else `print` would take standard output
            print(f"jitlint: error: {escape(what)}", file=sys.stderr)
    except OSError:
        pass  # the status says it still


def _reader_gone() -> int:
    """Who read the output has seen enough: not a word about it, as with any filter."""
    return _silenced(READER_GONE)


def _silenced(status: int) -> int:
    """Give standard output to nobody, so that the interpreter does not fail on it again when it ends."""
    nobody = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nobody, sys.stdout.fileno())
    return status
