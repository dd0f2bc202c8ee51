from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

import pytest

from jitlint.config.discovery import Configs
from jitlint.config.settings import given_layer
from jitlint.files.search import NEEDLE, Found, find, scan


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(*names: str, text: str = "x") -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def names(*paths: str, **given: object) -> list[str]:
    layer = given_layer({name.replace("_", "-"): value for name, value in given.items()}) if given else None
    return [each.path for each in find(paths or (".",), Configs(layer))]


def test_a_folder_is_searched_for_mlir_files() -> None:
    write("b.mlir", "a/x.mlir", "a/deep/er/y.mlir", "a/z.txt", "mlir", "a/c.mlir.bak")
    assert names() == ["a/deep/er/y.mlir", "a/x.mlir", "b.mlir"]
    assert names("a") == ["a/deep/er/y.mlir", "a/x.mlir"]
    assert names("./a/") == ["a/deep/er/y.mlir", "a/x.mlir"]
    assert names(str(Path("a").absolute())) == [str(Path(name).absolute()) for name in ("a/deep/er/y.mlir", "a/x.mlir")]


def test_a_folder_may_be_called_like_a_file() -> None:
    write("x.mlir/y.mlir")
    assert names() == ["x.mlir/y.mlir"]
    assert names("x.mlir") == ["x.mlir/y.mlir"]


def test_each_file_comes_once_and_in_order() -> None:
    write("b.mlir", "a.mlir")
    assert names("b.mlir", ".", "./b.mlir", "a.mlir") == ["a.mlir", "b.mlir"]


def test_hidden_folders_are_left_out_unless_named() -> None:
    write(".hidden/x.mlir", ".git/y.mlir", "a/.venv/z.mlir")
    assert names() == []
    assert names(".hidden") == [".hidden/x.mlir"]


def test_a_named_file_is_taken_whatever_it_is_called() -> None:
    write("module.txt")
    assert names("module.txt") == ["module.txt"]


class TestGitignore:
    def test_what_it_names_is_left_out(self) -> None:
        write("a.mlir", "build/b.mlir", "keep/c.mlir", "d.gen.mlir")
        write(".gitignore", text="build/\n*.gen.mlir\n")
        assert names() == ["a.mlir", "keep/c.mlir"]

    def test_the_nearest_that_names_a_file_wins(self) -> None:
        write("a.mlir", "sub/a.mlir", "sub/deep/a.mlir")
        write(".gitignore", text="a.mlir\n")
        write("sub/.gitignore", text="!a.mlir\n")
        write("sub/deep/.gitignore", text="/a.mlir\n")
        assert names() == ["sub/a.mlir"]

    def test_those_above_count_up_to_the_root_of_the_repository(self) -> None:
        write("a.mlir", "repo/sub/b.mlir", "repo/sub/c.mlir")
        write(".gitignore", text="b.mlir\n")
        write("repo/.gitignore", text="c.mlir\n")
        Path("repo/.git").mkdir()
        assert names("repo/sub") == ["repo/sub/b.mlir"]

    def test_without_a_repository_those_above_do_not_count(self) -> None:
        write("sub/b.mlir")
        write(".gitignore", text="b.mlir\n")
        assert names("sub") == ["sub/b.mlir"]

    def test_a_folder_that_is_named_is_searched_all_the_same(self) -> None:
        write("build/x.mlir", "build/deep/y.mlir")
        write(".gitignore", text="build/\n")
        Path(".git").mkdir()
        assert names("build") == ["build/deep/y.mlir", "build/x.mlir"]
        assert names("build/deep") == ["build/deep/y.mlir"]
        assert names() == []

    def test_a_file_that_is_named_is_checked_all_the_same(self) -> None:
        write("x.mlir")
        write(".gitignore", text="*\n")
        assert names("x.mlir") == ["x.mlir"]

    def test_it_agrees_with_git(self) -> None:
        files = [
            *("a.mlir", "b/a.mlir", "b/c/a.mlir", "docs/x.mlir", "docs/y/x.mlir", "out/x.mlir", "out/keep/x.mlir"),
            *("b/tmp1.mlir", "b/tmpx.mlir", "sp ace.mlir", "#hash.mlir", "b/!bang.mlir"),
        ]
        write(*files)
        write(".gitignore", text="/a.mlir\nout/*\n!out/keep\ndocs/**/x.mlir\ntmp[0-9].mlir\n\\#hash.mlir\n")
        write("b/.gitignore", text="c/\n\\!bang.mlir\nsp*\n")
        subprocess.run(["git", "init", "-q"], check=True)
        asked = subprocess.run(["git", "check-ignore", *files], check=False, capture_output=True, text=True)
        ignored = {line.strip('"') for line in asked.stdout.splitlines()}
        assert names() == sorted(set(files) - ignored)

    @pytest.mark.parametrize("content", [b"\xff\xfe\n*.mlir\n", b"\0\n", b"[z-a]\n"])
    def test_what_is_no_pattern_does_no_harm(self, content: bytes) -> None:
        write("a.mlir")
        Path(".gitignore").write_bytes(content)
        assert names() == ([] if b"*.mlir" in content else ["a.mlir"])

    def test_a_folder_of_that_name_does_no_harm(self) -> None:
        write("a.mlir")
        Path(".gitignore").mkdir()
        assert names() == ["a.mlir"]


class TestExclude:
    def test_patterns_count_from_the_folder_of_the_configuration(self) -> None:
        write("a.mlir", "sub/third_party/b.mlir", "third_party/c.mlir", "sub/d.gen.mlir")
        write("jitlint.toml", text='exclude = ["/third_party/", "*.gen.mlir"]')
        assert names() == ["a.mlir", "sub/third_party/b.mlir"]
        assert names("sub") == ["sub/third_party/b.mlir"]

    def test_on_the_command_line_they_count_from_here(self) -> None:
        write("sub/x.mlir", "x.mlir")
        write("sub/jitlint.toml", text="copies = true")
        assert names(exclude=["/sub/"]) == ["x.mlir"]

    def test_a_named_file_is_excluded_only_by_force(self) -> None:
        write("a.mlir")
        write("jitlint.toml", text='exclude = ["a.mlir"]')
        assert names("a.mlir") == ["a.mlir"]
        assert names("a.mlir", force_exclude=True) == []


class TestLinks:
    def test_a_link_to_a_file_is_checked(self) -> None:
        write("real/a.txt")
        Path("link.mlir").symlink_to("real/a.txt")
        assert names() == ["link.mlir"]

    def test_links_to_folders_are_not_followed_so_no_circle_matters(self) -> None:
        write("a/x.mlir")
        Path("a/loop").symlink_to("..", target_is_directory=True)
        Path("a/self.mlir").symlink_to("self.mlir")
        assert names() == ["a/x.mlir"]

    def test_a_named_link_to_a_folder_is_searched(self) -> None:
        write("a/x.mlir")
        Path("b").symlink_to("a", target_is_directory=True)
        assert names("b") == ["b/x.mlir"]

    def test_a_link_to_nothing_is_left_out_unless_named(self) -> None:
        Path(".#x.mlir").symlink_to("me@host:1")
        assert names() == []
        (found,) = find([".#x.mlir"], Configs())
        assert found.problem == "no such file"


class TestWhatIsNoFile:
    def test_a_pipe_is_left_out_of_a_search_and_refused_by_name(self) -> None:
        os.mkfifo("pipe.mlir")
        assert names() == []
        (found,) = find(["pipe.mlir"], Configs())
        assert found.problem == "this is a pipe, not a file; `-` reads standard input"

    def test_a_socket_and_a_device_are_refused(self) -> None:
        with socket.socket(socket.AF_UNIX) as unix:
            unix.bind("s.mlir")
            assert [each.problem for each in find(["s.mlir"], Configs())] == [
                "this is a socket, not a file; `-` reads standard input"
            ]
        assert "a device" in (find(["/dev/null"], Configs())[0].problem or "")

    def test_what_is_not_there_is_said_and_the_others_are_found(self) -> None:
        write("a.mlir")
        found = find(["nosuch.mlir", "a.mlir", "nul\0.mlir"], Configs())
        assert [(each.path, bool(each.problem)) for each in found] == [
            ("a.mlir", False),
            ("nosuch.mlir", True),
            ("nul\0.mlir", True),
        ]

    def test_a_folder_that_cannot_be_searched_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        write("a/x.mlir", "b/y.mlir")
        real = os.scandir

        def scandir(path: str) -> object:
            if path.endswith("/b"):
                raise PermissionError(13, "Permission denied")
            return real(path)

        monkeypatch.setattr(os, "scandir", scandir)
        found = find(["."], Configs())
        assert [each.path for each in found] == ["a/x.mlir", "b/"]
        assert found[1].problem == "this folder cannot be searched: no permission to read it"


class TestScan:
    def test_it_tells_whether_there_is_a_call(self) -> None:
        write("a.mlir", text="enzymexla.jit_call")
        write("b.mlir", text="enzymexla.other")
        assert (scan("a.mlir").has_call, scan("a.mlir").size) == (True, 18)
        assert not scan("b.mlir").has_call

    def test_an_empty_file_has_none(self) -> None:
        write("a.mlir", text="")
        assert not scan("a.mlir").has_call

    @pytest.mark.parametrize("step", [1 << 16, (1 << 16) + (1 << 22)])
    @pytest.mark.parametrize("shift", range(-len(NEEDLE), 1))
    def test_a_call_across_two_reads_is_found(self, step: int, shift: int) -> None:
        Path("a.mlir").write_bytes(b"." * (step + shift) + NEEDLE + b"...")
        assert scan("a.mlir").has_call

    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
    @pytest.mark.parametrize("shift", [-40, -13, -8, -7, -1, 0])
    def test_a_call_in_a_wide_encoding_is_found(self, encoding: str, shift: int) -> None:
        Path("a.mlir").write_bytes(b"." * ((1 << 16) + shift) + NEEDLE.decode().encode(encoding) + b"...")
        assert scan("a.mlir").has_call
        Path("a.mlir").write_bytes(b"." * (1 << 16) + "jit_cal".encode(encoding))
        assert not scan("a.mlir").has_call

    def test_no_more_is_read_than_need_be(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("a.mlir").write_bytes(NEEDLE + b"." * 10_000_000)
        sizes: list[int] = []
        real = os.read

        def read(handle: int, size: int) -> bytes:
            sizes.append(size)
            return real(handle, size)

        monkeypatch.setattr(os, "read", read)
        assert scan("a.mlir").has_call
        assert sum(sizes) <= 1 << 16

    def test_a_file_that_vanishes_is_said(self) -> None:
        found: Found = scan("gone.mlir")
        assert found.problem == "no such file"
