"""Reading a module's text from a file, and putting a new one in its place without ever harming it.

A file is replaced in one step: the new text is written to a file beside it and takes over its name. Whatever happens
in between, the name stands for the old text or for the new one.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from jitlint.errors import FileError
from jitlint.files.search import NEEDLE, holds_call, reason
from jitlint.files.signals import signals_put_off

try:
    import fcntl
except ImportError:  # no advisory locks on this system
    fcntl = None  # type: ignore[assignment]

_BOM = b"\xef\xbb\xbf"
_BYTECODE = b"ML\xefR"


_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

_PIECE = 1 << 20
"""Characters of a text that are compared at a time."""


class Text(NamedTuple):
    """What a file holds: its text with its own line endings, and whether a byte order mark comes before it.

    Where carriage returns alone end the lines, `text` has line feeds in their place, and `returns` tells so: MLIR takes
    one for the other, and so every line is one for whoever reads the text.
    """

    text: str
    bom: bool = False
    returns: bool = False

    def encoded(self) -> bytes:
        """The bytes of the file."""
        data = self._bytes(self.text)
        return _BOM + data if self.bom else data

    def _bytes(self, piece: str) -> bytes:
        data = piece.encode()
        return data.replace(b"\n", b"\r") if self.returns else data

    def is_in(self, path: str) -> bool:
        """Whether a file holds just this. It is read piece by piece: there is a copy of a large text in memory already.

        Raises OSError where the file cannot be read.
        """
        with open(path, "rb") as file:
            if self.bom and file.read(len(_BOM)) != _BOM:
                return False
            for start in range(0, len(self.text), _PIECE):
                piece = self._bytes(self.text[start : start + _PIECE])
                if file.read(len(piece)) != piece:
                    return False
            return not file.read(1)


def decode(data: bytes) -> Text:
    """The text of a file's bytes. Raises FileError where they are no MLIR text."""
    if data.startswith(_BYTECODE):
        raise FileError("this is MLIR bytecode, which jitlint cannot read; print it as text first (`mlir-opt FILE`)")
    if NEEDLE not in data and holds_call(data):
        raise FileError("this is UTF-16 or UTF-32, not UTF-8; convert it first (`iconv -f UTF-16 -t UTF-8 FILE`)")
    bom = data.startswith(_BOM)
    returns = b"\r" in data and b"\n" not in data
    try:
        text = data.decode("utf-8-sig" if bom else "utf-8")
        return Text(text.replace("\r", "\n") if returns else text, bom, returns)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start + (3 if bom else 0)) + 1
        byte = error.object[error.start]
        raise FileError(f"line {line} is not UTF-8: byte 0x{byte:02x} ({error.reason})") from error


def read(path: str) -> Text | None:
    """The text of a file; None where it holds no JIT call, whatever else it holds.

    Raises FileError where it cannot be read.
    """
    try:
        data = _bytes_of(path)
    except OSError as error:
        raise FileError(reason(error)) from error
    return decode(data) if holds_call(data) else None


def standard_input() -> bytes:
    """All that comes from standard input. Raises FileError where nothing can."""
    if sys.stdin is None:
        raise FileError("standard input is closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise FileError(f"standard input cannot be read: {reason(error)}") from error


def replace(path: str, old: Text, text: str) -> None:
    """Put `text` in place of what the file held when `old` was read from it. Links are followed, the mode stays.

    Raises FileError where that cannot be done, also because the file has changed since; it is as it was then.
    """
    if _names_an_open_file(path):
        raise FileError("this names what another program has opened, not a file to replace; it was not changed")
    target = os.path.realpath(path)
    new = old._replace(text=text)
    try:
        before = os.stat(target)
        if before.st_nlink > 1:
            others = "another name" if before.st_nlink == 2 else f"{before.st_nlink - 1} other names"
            raise FileError(f"the file has {others} (hard links), which would keep the old text; it was not changed")
        if not before.st_mode & 0o222:
            raise FileError(
                "the file cannot be written: it is read-only (`chmod u+w` makes it writable); it was not changed"
            )
        if not os.access(target, os.W_OK):
            raise FileError("the file cannot be written: no permission; it was not changed")
        with signals_put_off(), _beside(target, new.encoded(), before) as temporary, _locked(os.path.dirname(target)):
            if new.is_in(target):
                return  # somebody else has made the same change
            if not old.is_in(target):
                raise FileError("the file has changed since it was read; it was not changed again")
            os.replace(temporary, target)
            _to_disk(os.path.dirname(target))
    except OSError as error:
        why = _write_reason(error)
        raise FileError(f"the file cannot be written: {why}; it was not changed") from error


def write(path: str, text: str) -> None:
    """Put `text` in a file, new or not, in one step. Raises FileError where that cannot be done."""
    if _names_an_open_file(path):
        raise FileError(f"{path}: this names a device or what another program has opened, not a file to replace")
    target = os.path.realpath(path)
    try:
        with signals_put_off(), _beside(target, text.encode(), None) as temporary:
            os.replace(temporary, target)
    except OSError as error:
        raise FileError(f"{path}: the file cannot be written: {_write_reason(error)}") from error


def _names_an_open_file(path: str) -> bool:
    """Whether a path, or a link that it leads through, is one of the system's own: `/dev/stdin`, `/proc/self/fd/3`."""
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(os.path.abspath(path))
        path = os.path.join(os.path.realpath(folder), name)
        if f"{os.path.abspath(folder)}/".startswith(_SYSTEM) or path.startswith(_SYSTEM):
            return True
        if not os.path.islink(path):
            return False
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    return True


_SYSTEM = ("/dev/", "/proc/")
_MOST_LINKS = 40
"""As many as the system itself follows."""


def _bytes_of(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _write_reason(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "no space left on the device"
    if isinstance(error, PermissionError):
        return "no permission to write to its folder"
    return reason(error)


@contextmanager
def _beside(target: str, data: bytes, like: os.stat_result | None) -> Iterator[str]:
    """A file in the folder of `target` with `data` on disk; gone at the end, unless it has taken another name."""
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name[:80]}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o600)
    try:
        with open(handle, "wb", buffering=0) as file:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) or 0 :]
            if like is not None:
                _dress(handle, target, like)
            elif hasattr(os, "fchmod"):
                os.fchmod(handle, 0o666 & ~_umask())
            os.fsync(handle)
        yield temporary
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def _dress(handle: int, target: str, like: os.stat_result) -> None:
    """Give the new file the owner, where the system lets us, the extended attributes and the mode of the old one.

    Windows has none of these: a new file there takes the rights of its folder.
    """
    if not (hasattr(os, "fchmod") and hasattr(os, "geteuid")):
        return
    if (os.geteuid(), os.getegid()) != (like.st_uid, like.st_gid):
        with suppress(PermissionError):
            os.fchown(handle, like.st_uid, like.st_gid)
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            for name in os.listxattr(target):
                os.setxattr(handle, name, os.getxattr(target, name))
    os.fchmod(handle, stat.S_IMODE(like.st_mode))


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@contextmanager
def _locked(folder: str) -> Iterator[None]:
    """Keeps other runs of jitlint from replacing a file of this folder. Where there are no locks, nothing does."""
    handle = _opened(folder)
    try:
        if handle is not None and fcntl is not None:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _to_disk(folder: str) -> None:
    """Make the new name last. A system that cannot sync folders keeps its own promises."""
    handle = _opened(folder)
    if handle is None:
        return
    try:
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)


def _opened(folder: str) -> int | None:
    """A handle of a folder, None for one that may be written but not read."""
    try:
        return os.open(folder, os.O_RDONLY)
    except OSError:
        return None
