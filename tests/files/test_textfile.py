from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from jitlint.errors import FileError
from jitlint.files import textfile
from jitlint.files.textfile import Text, decode, read, replace

CALL = "%0 = enzymexla.jit_call @w ()\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.mlir"
    path.write_text(CALL)
    return path


@pytest.fixture(autouse=True)
def nothing_left_over(tmp_path: Path) -> Iterator[None]:
    yield
    assert [path.name for path in tmp_path.rglob(".*.tmp")] == []


class TestRead:
    @pytest.mark.parametrize(
        "text", [CALL, CALL.replace("\n", "\r\n"), "a\rb\n" + CALL, CALL.strip(), "é\0\x1b" + CALL]
    )
    def test_the_text_is_as_it_stands(self, file: Path, text: str) -> None:
        file.write_bytes(text.encode())
        assert read(str(file)) == Text(text, bom=False)

    def test_a_byte_order_mark_is_no_part_of_the_text(self, file: Path) -> None:
        file.write_bytes(b"\xef\xbb\xbf" + CALL.encode())
        found = read(str(file))
        assert found == Text(CALL, bom=True)
        assert found is not None
        assert found.encoded() == file.read_bytes()

    @pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"ML\xefR\x01", b"func.func @f()"])
    def test_a_file_without_a_call_is_nobodys_business(self, file: Path, data: bytes) -> None:
        file.write_bytes(data)
        assert read(str(file)) is None

    def test_what_is_not_utf8_is_refused_with_its_line(self) -> None:
        with pytest.raises(FileError, match="line 2 is not UTF-8: byte 0xff"):
            decode(CALL.encode() + b"// \xff")
        with pytest.raises(FileError, match="line 2 is not UTF-8: byte 0xff"):
            decode(b"\xef\xbb\xbf" + CALL.encode() + b"\xff")
        with pytest.raises(FileError, match="line 1 is not UTF-8"):
            decode(b"\xed\xa0\x80" + CALL.encode())

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
    def test_utf16_is_called_by_its_name(self, file: Path, encoding: str) -> None:
        file.write_bytes(f"// é\n{CALL}".encode(encoding))
        with pytest.raises(FileError, match="this is UTF-16 or UTF-32, not UTF-8"):
            read(str(file))
        file.write_bytes("func.func @f()".encode(encoding))
        assert read(str(file)) is None

    def test_carriage_returns_that_end_lines_are_read_as_line_feeds(self, file: Path) -> None:
        file.write_bytes(CALL.replace("\n", "\r").encode())
        found = read(str(file))
        assert found == Text(CALL, returns=True)
        assert found is not None
        assert found.encoded() == file.read_bytes()
        replace(str(file), found, CALL + "// more\n")
        assert file.read_bytes() == (CALL + "// more\n").replace("\n", "\r").encode()

    def test_bytecode_is_called_by_its_name(self) -> None:
        with pytest.raises(FileError, match="MLIR bytecode"):
            decode(b"ML\xefR" + CALL.encode())

    def test_why_a_file_cannot_be_read_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="no such file"):
            read(str(tmp_path / "gone.mlir"))
        with pytest.raises(FileError, match="this is a folder"):
            read(str(tmp_path))


def put(path: Path, text: str) -> None:
    old = read(str(path))
    assert old is not None
    replace(str(path), old, text)


class TestReplace:
    def test_the_new_text_takes_the_place_of_the_old(self, file: Path) -> None:
        put(file, "new")
        assert file.read_text() == "new"

    def test_line_endings_and_the_byte_order_mark_stay(self, file: Path) -> None:
        file.write_bytes(b"\xef\xbb\xbf" + CALL.encode())
        put(file, "a\r\nb\n")
        assert file.read_bytes() == b"\xef\xbb\xbfa\r\nb\n"

    @pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o4775, 0o222])
    def test_the_mode_stays(self, file: Path, mode: int) -> None:
        file.chmod(mode)
        put(file, "new")
        assert stat.S_IMODE(file.stat().st_mode) == mode

    def test_the_owner_stays(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        owners: list[tuple[int, int]] = []
        monkeypatch.setattr(os, "geteuid", lambda: 4321)
        monkeypatch.setattr(os, "fchown", lambda _, *owner: owners.append(owner))
        put(file, "new")
        assert owners == [(file.stat().st_uid, file.stat().st_gid)]

    def test_an_owner_that_cannot_be_kept_is_no_obstacle(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise PermissionError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "geteuid", lambda: 4321)
        monkeypatch.setattr(os, "fchown", refuse)
        put(file, "new")
        assert file.read_text() == "new"

    def test_extended_attributes_stay(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        kept: dict[str, bytes] = {}
        monkeypatch.setattr(os, "listxattr", lambda _: ["user.note"])
        monkeypatch.setattr(os, "getxattr", lambda _, name: f"of {name}".encode())
        monkeypatch.setattr(os, "setxattr", lambda _, name, value: kept.update({name: value}))
        put(file, "new")
        assert kept == {"user.note": b"of user.note"}

    def test_links_are_followed(self, file: Path, tmp_path: Path) -> None:
        folder = tmp_path / "links"
        folder.mkdir()
        (folder / "one.mlir").symlink_to("two.mlir")
        (folder / "two.mlir").symlink_to(file)
        put(folder / "one.mlir", "new")
        assert (folder / "one.mlir").is_symlink()
        assert (folder / "two.mlir").is_symlink()
        assert file.read_text() == "new"

    def test_a_name_of_any_length_will_do(self, tmp_path: Path) -> None:
        path = tmp_path / ("x" * 250 + ".mlir")
        path.write_text(CALL)
        put(path, "new")
        assert path.read_text() == "new"

    def test_a_file_that_nobody_may_write_is_left_alone(self, file: Path) -> None:
        file.chmod(0o444)
        with pytest.raises(FileError, match=r"cannot be written: it is read-only .*; it was not changed"):
            put(file, "new")
        assert file.read_text() == CALL

    def test_a_file_that_has_changed_is_left_alone(self, file: Path) -> None:
        old = read(str(file))
        assert old is not None
        file.write_text("changed")
        with pytest.raises(FileError, match="the file has changed since it was read"):
            replace(str(file), old, "new")
        assert file.read_text() == "changed"

    def test_the_same_change_by_somebody_else_is_fine(self, file: Path) -> None:
        old = read(str(file))
        assert old is not None
        file.write_text("new")
        replace(str(file), old, "new")
        assert file.read_text() == "new"

    def test_a_file_that_is_gone_stays_gone(self, file: Path) -> None:
        old = read(str(file))
        assert old is not None
        file.unlink()
        with pytest.raises(FileError, match="cannot be written: no such file"):
            replace(str(file), old, "new")
        assert not file.exists()

    @pytest.mark.parametrize("call", ["fsync", "fchmod", "replace"])
    def test_a_full_disk_leaves_the_file_alone(self, file: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, call, full)
        with pytest.raises(FileError, match="no space left on the device; it was not changed"):
            put(file, "new")
        assert file.read_text() == CALL

    def test_a_folder_where_no_file_may_be_made_is_said(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
        with pytest.raises(FileError, match="no permission to write to its folder"):
            replace(str(file), Text(CALL), "new")
        assert file.read_text() == CALL

    def test_a_folder_that_may_be_written_but_not_read_will_do(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(textfile, "_opened", lambda _: None)
        put(file, "new")
        assert file.read_text() == "new"

    def test_the_new_text_is_on_disk_before_it_takes_over(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        order: list[str] = []
        for name in ("fsync", "replace"):
            real = getattr(os, name)
            monkeypatch.setattr(os, name, lambda *args, n=name, r=real: (order.append(n), r(*args)))
        put(file, "new")
        assert order == ["fsync", "replace", "fsync"]

    def test_of_two_at_once_one_changes_the_file_and_the_other_says_so(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Both have read the old text and written their own before either may look again."""
        both_written = threading.Barrier(2)
        real = textfile._locked

        def locked(folder: str) -> object:
            both_written.wait(10)
            return real(folder)

        monkeypatch.setattr(textfile, "_locked", locked)
        old = Text(CALL)
        errors: list[str] = []

        def run(text: str) -> None:
            try:
                replace(str(file), old, text)
            except FileError as error:
                errors.append(str(error))

        threads = [threading.Thread(target=run, args=(text,)) for text in ("one", "two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert file.read_text() in ("one", "two")
        assert errors == ["the file has changed since it was read; it was not changed again"]


_INTERRUPTED = """
import os, signal, sys
from jitlint.files import textfile

step, path = int(sys.argv[1]), sys.argv[2]
left = step

def interrupt(real):
    def call(*args, **kwargs):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), getattr(signal, sys.argv[3]))
        return real(*args, **kwargs)
    return call

for name in ("open", "stat", "fsync", "fchmod", "replace", "unlink", "close", "access"):
    setattr(os, name, interrupt(getattr(os, name)))
old = textfile.read(path)
textfile.replace(path, old, "new")
"""


@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM"])
def test_interrupted_at_any_step_the_file_is_old_or_new(tmp_path: Path, signal_name: str) -> None:
    seen = set()
    for step in range(1, 14):
        folder = tmp_path / f"{step}"
        folder.mkdir()
        path = folder / "m.mlir"
        path.write_text(CALL)
        command = [sys.executable, "-c", _INTERRUPTED, str(step), str(path), signal_name]
        done = subprocess.run(command, capture_output=True, check=False)
        assert path.read_text() in (CALL, "new")
        assert [each.name for each in folder.iterdir()] == ["m.mlir"]
        seen.add((done.returncode != 0, path.read_text()))
    assert {(True, CALL), (True, "new")} <= seen


def test_a_signal_while_a_file_is_replaced_comes_when_it_is_done(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace
    during: list[str] = []

    def interrupted(source: str, target: str) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        real(source, target)
        during.append(file.read_text())

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        put(file, "new")
    assert during == ["new"]


class TestWhatIsNotReplaced:
    def test_a_file_with_several_names(self, file: Path) -> None:
        other = file.with_name("other.mlir")
        os.link(file, other)
        with pytest.raises(FileError, match="another name"):
            put(file, "new")
        assert file.read_text() == other.read_text() == CALL

    @pytest.mark.parametrize("path", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "link", "folder/0"])
    def test_what_another_program_has_opened(self, file: Path, path: str) -> None:
        (file.parent / "link").symlink_to("/dev/stdin")
        (file.parent / "folder").symlink_to("/dev/fd")
        program = (
            "import sys\nfrom jitlint.files import textfile\n"
            "textfile.replace(sys.argv[1], textfile.read(sys.argv[1]), 'new')"
        )
        with file.open() as opened:
            done = subprocess.run(
                [sys.executable, "-c", program, str(file.parent / path)], stdin=opened, capture_output=True, check=False
            )
        assert b"FileError: this names what another program has opened" in done.stderr
        assert file.read_text() == CALL

    def test_a_link_to_a_file_is_followed(self, file: Path) -> None:
        link = file.with_name("link.mlir")
        link.symlink_to(file.name)
        put(link, "new")
        assert (link.is_symlink(), file.read_text()) == (True, "new")

    def test_a_device_is_not_written_over(self) -> None:
        with pytest.raises(FileError, match="a device"):
            textfile.write("/dev/null", "text")
        assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


class TestWrite:
    def test_a_new_file_has_the_usual_mode(self, tmp_path: Path) -> None:
        textfile.write(str(tmp_path / "new"), "text\n")
        (tmp_path / "usual").touch()
        assert (tmp_path / "new").read_text() == "text\n"
        assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode

    def test_why_it_cannot_be_written_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="cannot be written: no such file"):
            textfile.write(str(tmp_path / "no/such"), "")
