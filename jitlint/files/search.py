"""Which files a run is about, and which of them hold a JIT call.

A run over thousands of files without one spends its time here, so nothing is imported that a plain search does not
need: `pathspec` is, once there is a pattern to match.
"""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Protocol

    from jitlint.files.gitignore import Ignores

    class Exclusion(Protocol):
        """What is left out of a search."""

        @property
        def exclude(self) -> Sequence[str]:
            """The patterns."""

        @property
        def force_exclude(self) -> bool:
            """Whether they count for files that are named too."""

        def leaves_out(self, path: str, is_folder: bool) -> bool:
            """Whether a pattern names the absolute `path`."""

    class Exclusions(Protocol):
        """What is left out below each folder; `config.discovery` knows. May raise ConfigError."""

        def of(self, folder: str) -> Exclusion | None:
            """What counts in a folder, None where nothing is left out."""

    Look = Callable[[str], "Found"]
    LeftOut = Callable[[str, str], object]


NEEDLE = b"jit_call"
"""What a file must hold to be of interest."""
_WIDEST = 4
"""Bytes of a character in UTF-32."""
SUFFIX = ".mlir"

EXCLUDED = "`exclude` names it"
HIDDEN = "a hidden folder"
IGNORED = "a .gitignore names it"
NO_FILE = "not a file, and no link to one"

_FIRST_READ = 1 << 16
_NEXT_READ = 1 << 22
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}


class Found:
    """A file to check, or a path that cannot be: then `problem` says why. `size` is in bytes.

    `path` has `/` between its folders on every system, so that reports and baselines are the same on all.
    """

    __slots__ = ("has_call", "path", "problem", "size")

    def __init__(self, path: str, problem: str | None = None, size: int = 0, has_call: bool = False) -> None:
        self.path = portable(path)
        self.problem = problem
        self.size = size
        self.has_call = has_call


def portable(path: str) -> str:
    """`path` with `/` between its folders, which Windows takes as well."""
    return path if os.sep == "/" else path.replace(os.sep, "/")


def find(
    paths: Sequence[str], exclusions: Exclusions, look: Look | None = None, left_out: LeftOut | None = None
) -> list[Found]:
    """The files that `paths` name or hold, sorted by path, each once.

    `look` says what is told of a file; `scan`, which looks for a JIT call, if it is None. `left_out` is told of every
    file and folder that is left out, and why. Files that are named are taken whatever they are called. Raises what
    `exclusions` raises.
    """
    search = _Search(exclusions, look or scan, left_out or _not_told)
    found: dict[str, Found] = {}
    for path in paths:
        for each in search.named(path):
            found.setdefault(os.path.normpath(each.path), each)
    return [found[path] for path in sorted(found)]


def _not_told(path: str, why: str) -> None:
    """What is left out is said only where somebody wants to know."""


class _Search:
    """What every step of a search needs."""

    def __init__(self, exclusions: Exclusions, look: Look, left_out: LeftOut) -> None:
        self._exclusions = exclusions
        self._look = look
        self._left_out = left_out

    def named(self, path: str) -> Iterator[Found]:
        """The files that a path of the command line names or holds."""
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            yield Found(path, problem=reason(error))
            return
        if stat.S_ISDIR(mode):
            yield from self._below(os.path.normpath(path))
            return
        absolute = os.path.abspath(path)
        exclusion = self._exclusions.of(os.path.dirname(absolute))
        if exclusion is not None and exclusion.force_exclude and exclusion.leaves_out(absolute, is_folder=False):
            self._left_out(path, EXCLUDED)
        elif stat.S_ISREG(mode):
            yield self._look(path)
        else:
            kind = _KINDS.get(stat.S_IFMT(mode), "something else")
            yield Found(path, problem=f"this is {kind}, not a file; `-` reads standard input")

    def _below(self, top: str) -> Iterator[Found]:
        """The files below a folder. Links to folders are not followed, so there is no way round in a circle."""
        absolute = os.path.abspath(top)
        prefix = "" if top == "." else top if top.endswith(os.sep) else top + os.sep
        pending = [(prefix, absolute, _ignores_above(absolute))]
        while pending:
            prefix, folder, ignores = pending.pop()
            exclusion = self._exclusions.of(folder)
            if exclusion is not None and not exclusion.exclude:
                exclusion = None
            try:
                with os.scandir(folder) as entries:
                    inside = list(entries)
            except OSError as error:
                yield Found(prefix or ".", problem=f"this folder cannot be searched: {reason(error)}")
                continue
            if any(entry.name == ".gitignore" for entry in inside):
                ignores = _ignores_in(folder, ignores)
            for entry in inside:
                name = entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder and name.startswith("."):
                    self._left_out(prefix + name, HIDDEN)
                elif not is_folder and not name.endswith(SUFFIX):
                    continue
                elif ignores is not None and ignores.leave_out(entry.path, is_folder):
                    self._left_out(prefix + name, IGNORED)
                elif exclusion is not None and exclusion.leaves_out(entry.path, is_folder):
                    self._left_out(prefix + name, EXCLUDED)
                elif is_folder:
                    pending.append((prefix + name + os.sep, entry.path, ignores))
                elif _is_file(entry):
                    yield self._look(prefix + name)
                else:
                    self._left_out(prefix + name, NO_FILE)


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether this is a file or a link to one: what is not, such as a pipe or a link to nothing, is nobody's module."""
    try:
        return entry.is_file()
    except OSError as error:
        return error.errno != errno.ELOOP  # it cannot be told; reading it will say why


def _ignores_above(folder: str) -> Ignores | None:
    """The `.gitignore` files above `folder` that apply to it, up to the root of its repository."""
    above = []
    at = folder
    while not os.path.exists(os.path.join(at, ".git")):
        at, below = os.path.dirname(at), at
        if at == below:
            return None  # no repository: only what is found below `folder` applies
        if os.path.isfile(os.path.join(at, ".gitignore")):
            above.append(at)
    ignores: Ignores | None = None
    for each in reversed(above):
        ignores = _ignores_in(each, ignores)
    if ignores is None or ignores.leave_out_below(folder, at):
        return None  # a folder that is named is searched, whatever the patterns say about it
    return ignores


def _ignores_in(folder: str, above: Ignores | None) -> Ignores | None:
    from jitlint.files.gitignore import Ignores

    return Ignores(folder, above)


def scan(path: str) -> Found:
    """The file with its size and whether it holds a JIT call; only as much as need be is read."""
    try:
        handle = os.open(path, _READ)
    except OSError as error:
        return Found(path, problem=reason(error))
    try:
        data = os.read(handle, _FIRST_READ)
        while data:
            if holds_call(data):
                return Found(path, size=os.fstat(handle).st_size, has_call=True)
            more = os.read(handle, _NEXT_READ)
            if not more:
                break
            data = data[-_WIDEST * len(NEEDLE) :] + more
    except OSError as error:
        return Found(path, problem=reason(error))
    finally:
        os.close(handle)
    return Found(path)


def holds_call(data: bytes) -> bool:
    """Whether a JIT call may stand in a file's bytes, be it in UTF-16 or UTF-32, which put zeros between ASCII
    characters. Few texts hold a zero, and to look for one takes a fraction of the time that the call takes."""
    return NEEDLE in data or (b"\0" in data and NEEDLE in data.replace(b"\0", b""))


def reason(error: OSError | ValueError) -> str:
    """Why the system refused, in words that stand after a path."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, PermissionError):
        return "no permission to read it"
    if isinstance(error, IsADirectoryError):
        return "this is a folder, not a file"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:1].lower() + error.strerror[1:]
    return str(error)
