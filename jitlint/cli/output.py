"""Where reports go: standard output, standard error or files, and how they look there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TextIO

from jitlint.errors import UsageError
from jitlint.report import Report, Settings, open_report
from jitlint.report.advice import Options
from jitlint.report.protocol import Fixes, Pictures

_BOXES = "╭─→│╰✓…"


class Stream:
    """A standard stream to write on. When nobody reads it any more, it is `closed` and takes everything silently."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.closed = False
        encoding = (stream.encoding or "utf-8").lower().replace("-", "")
        # Names of files may hold any byte; an output that cannot encode a character shows its number.
        errors = "surrogateescape" if encoding == "utf8" else "backslashreplace"
        if hasattr(stream, "reconfigure"):
            # Lines end as they are written on every system: a diff of a file with CRLF must not gain another CR.
            stream.reconfigure(errors=errors, newline="\n")

    def write(self, text: str) -> None:
        """Write `text`, or forget it."""
        if self.closed:
            return
        try:
            self._stream.write(text)
        except BrokenPipeError:
            self._gone()

    def flush(self) -> None:
        """Hand over what was written."""
        if self.closed:
            return
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._gone()

    def _gone(self) -> None:
        self.closed = True
        nobody = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nobody, self._stream.fileno())
        os.close(nobody)

    @property
    def is_terminal(self) -> bool:
        """Whether a person sees this at once."""
        return self._stream.isatty()

    def look(self, color: str) -> Settings:
        """How text looks here. `color` is `auto`, `always` or `never`."""
        return Settings(self._wants_color(color), _columns(), self._shows_boxes())

    def _wants_color(self, color: str) -> bool:
        if color != "auto":
            return color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
            return True
        return self.is_terminal and os.environ.get("TERM") != "dumb"

    def _shows_boxes(self) -> bool:
        try:
            _BOXES.encode(self._stream.encoding or "ascii")
        except (UnicodeEncodeError, LookupError):
            return False
        return True


def _columns() -> int:
    """The width of the terminal, by the rules of `shutil.get_terminal_size`: importing it brings the compressors."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else -1).columns or 80
    except (ValueError, OSError):
        return 80


def targets(formats: Sequence[tuple[str, str | None]], output_file: str | None) -> list[tuple[str, str | None]]:
    """Each format with the file it goes to, None for the stream. Raises UsageError where two go to one place."""
    wanted = list(formats) or [("full", None)]
    if output_file is not None:
        if all(file is not None for _, file in wanted):
            raise UsageError("`--output-file` has no use: every format has a file of its own")
        wanted = [(name, output_file if file is None else file) for name, file in wanted]
    places = [file for _, file in wanted]
    for place in places:
        if places.count(place) > 1:
            raise UsageError(
                f"two formats cannot both be written to {place or 'standard output'}: use `--output-format FORMAT=FILE`"
            )
    return wanted


@contextmanager
def reports(
    wanted: Sequence[tuple[str, str | None]],
    stream: Stream,
    color: str,
    *,
    quiet: int = 0,
    dry_run: bool = False,
    fixes: Fixes | None = None,
    pictures: Pictures | None = None,
    options: Options = (),
    paths: tuple[str, ...] = (),
) -> Iterator[list[Report]]:
    """The reports, open. What goes to a file takes its place when the block ends well, and else leaves it alone."""
    with ExitStack() as stack:
        opened = []
        for name, file in wanted:
            look = stream.look(color)
            if file is None:
                if quiet > 1:
                    continue
                write: Callable[[str], object] = stream.write
            else:
                write = stack.enter_context(_file(file)).write
                look = Settings(color == "always", 80)
            opened.append(
                open_report(
                    name,
                    write,
                    color=look.color,
                    width=look.width,
                    unicode=look.unicode,
                    show_fixed=quiet == 0,
                    show_summary=quiet == 0,
                    dry_run=dry_run,
                    fixes=fixes,
                    pictures=pictures,
                    options=options,
                    paths=paths,
                )
            )
        yield opened


@contextmanager
def _file(path: str) -> Iterator[TextIO]:
    """A file to write a report to. A device or pipe is written at once, a file is replaced at the end."""
    whole = not os.path.exists(path) or os.path.isfile(path)
    target = os.path.realpath(path)
    temporary = f"{target}.{os.getpid()}.tmp" if whole else target
    try:
        with open(temporary, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            yield file
        if whole:
            os.replace(temporary, target)
    except OSError as error:
        raise UsageError(f"{path}: the report cannot be written: {error.strerror}") from error
    finally:
        if whole:
            with suppress(OSError):
                os.unlink(temporary)


def standard_output() -> Stream:
    """Standard output."""
    return Stream(sys.stdout)


def standard_error() -> Stream:
    """Standard error; where it is closed, what is written there is lost."""
    return Stream(sys.stderr if sys.stderr is not None else open(os.devnull, "w", encoding="utf-8"))
