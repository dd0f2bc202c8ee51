"""Completions, pressed with real Tabs in real shells, which `.ci/run` installs."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jitlint.cli.arguments import PARSERS
from jitlint.cli.completion import SHELLS, VALUES, script

INSTALLED = [shell for shell in SHELLS if shutil.which(shell)]
START = {
    "bash": (["bash", "--noprofile", "--norc", "-i"], "PS1='READY> '; bind 'set bell-style none'; . ./script\n"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "PS1='READY> '; unsetopt beep; autoload -Uz compinit; compinit -u -d ./dump; . ./script\n",
    ),
    "fish": (
        ["fish", "--no-config", "--interactive"],
        "function fish_prompt; echo -n 'READY> '; end; set fish_greeting; source ./script\n",
    ),
}
PATIENCE = 30.0
"""Seconds after which a shell that says nothing has failed."""


class Shell:
    """A shell on a terminal of its own, in a folder with some files and a `jitlint` that prints its arguments."""

    def __init__(self, name: str, folder: Path) -> None:
        (folder / "script").write_text(script(name))
        (folder / "bin").mkdir()
        command = folder / "bin/jitlint"
        command.write_text('#!/bin/sh\nprintf "GOT"; for word; do printf "[%s]" "$word"; done; echo END\n')
        command.chmod(0o755)
        argv, setup = START[name]
        environment = {
            "PATH": f"{folder}/bin:{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder / "bin"),
            "XDG_DATA_HOME": str(folder / "bin"),
            "TERM": "xterm",
            "LC_ALL": "C.UTF-8",
        }
        self.process, self._terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(argv[0], argv, environment)
        self._seen = ""
        self.send(setup + "jitlint started\n")
        self.until(r"GOT\[started\]END")
        self.until("READY> ")

    def send(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def until(self, pattern: str) -> str:
        """What the terminal shows up to `pattern`, which is taken away."""
        end = time.monotonic() + PATIENCE
        while (found := re.search(pattern, self._seen)) is None:
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"{pattern!r} did not come: {self._seen!r}")
        shown, self._seen = self._seen[: found.end()], self._seen[found.end() :]
        return shown

    def _read(self, patience: float) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], max(patience, 0))
        if ready:
            piece = os.read(self._terminal, 65536).decode(errors="replace")
            self._seen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()=>][0-9A-Z]?|\x1b\].*?\x07", "", piece)
        return bool(ready)

    def settled(self) -> None:
        """Waits until the shell has done what the keys asked for."""
        while self._read(0.5):
            pass

    def completed(self, typed: str) -> list[str]:
        """The words of a command line after a Tab behind `typed`, and Return."""
        self.send(f"{typed}\t\n")  # a shell reads one key after the other: nothing needs to be waited for
        words = re.findall(r"\[(.*?)\]", self.until(r"GOT(\[.*?\])*END").rpartition("GOT")[2])
        self.until("READY> ")
        return words

    def offered(self, typed: str) -> str:
        """What a shell lists for two Tabs."""
        self.send(f"{typed}\t\t")
        self.settled()
        shown = self._seen
        self._seen = ""
        self.send("\x03")
        self.until("READY> ")
        return shown

    def close(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self._terminal)


@pytest.fixture(scope="module", params=INSTALLED)
def shell(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    folder = tmp_path_factory.mktemp("shell")
    (folder / "my folder").mkdir()
    (folder / "my folder/deep.mlir").touch()
    (folder / "chain.mlir").touch()
    opened = Shell(request.param, folder)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("jitlint exp", ["explain"]),
        ("jitlint explain JIT40", ["explain", "JIT40"]),
        ("jitlint explain JIT403", ["explain", "JIT403"]),
        ("jitlint --exit-non", ["--exit-non-zero-on-fix"]),
        ("jitlint check --exit-z", ["check", "--exit-zero"]),
        ("jitlint --vers", ["--version"]),
        ("jitlint --form so", ["--form", "sound"]),
        ("jitlint --form=so", ["--form=sound"]),
        ("jitlint --output-format sar", ["--output-format", "sarif"]),
        ("jitlint --select JIT001,JIT70", ["--select", "JIT001,JIT70"]),
        ("jitlint --select JIT001,JIT705", ["--select", "JIT001,JIT705"]),
        ("jitlint --select AL", ["--select", "ALL"]),
        ("jitlint --ignore=JIT001,AL", ["--ignore=JIT001,ALL"]),
        ("jitlint --fix cha", ["--fix", "chain.mlir"]),
        ("jitlint cha", ["chain.mlir"]),
        ("jitlint --config cha", ["--config", "chain.mlir"]),
        ("jitlint -- cha", ["--", "chain.mlir"]),
        ("jitlint graph --html cha", ["graph", "--html", "chain.mlir"]),
        ("jitlint graph --format merm", ["graph", "--format", "mermaid"]),
        ("jitlint completions zs", ["completions", "zsh"]),
    ],
)
def test_a_tab_completes(shell: Shell, typed: str, words: list[str]) -> None:
    assert shell.completed(typed) == words


def test_a_folder_is_quoted(shell: Shell) -> None:
    (word,) = shell.completed("jitlint my")
    assert word.removesuffix("/") == "my folder"  # zsh takes the slash away again on Return


def test_a_folder_with_a_blank_is_gone_into(shell: Shell) -> None:
    assert shell.completed("jitlint my\tde") == ["my folder/deep.mlir"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("jitlint ", ["check", "explain", "graph", "config", "chain.mlir"]),
        ("jitlint --select JIT40", ["JIT401", "JIT402", "JIT403"]),
        ("jitlint --output-format ", ["full", "sarif", "junit"]),
        ("jitlint graph --", ["--html", "--block", "--group"]),
    ],
)
def test_two_tabs_list_what_there_is(shell: Shell, typed: str, offered: list[str]) -> None:
    shown = shell.offered(typed)
    assert [word for word in offered if word not in shown] == []


def test_everything_that_takes_a_value_is_known() -> None:
    """`script` would raise for a word of the help that has no values."""
    assert {shell: script(shell).count("exit-non-zero-on-fix") > 0 for shell in SHELLS} == dict.fromkeys(SHELLS, True)
    assert len(PARSERS) >= 6
    assert VALUES["FORM"].words
