"""What the tests with real editors share: configurations from the page about editors, and a folder to work in."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
CHAIN = (ROOT / "docs" / "examples" / "chain.mlir").read_text(encoding="utf-8")
OFFERED = ["Fuse 2 calls into one", "Suppress JIT001 on this line"]
"""The quick fixes for the group in `CHAIN`."""


def configuration(language: str, start: str = "") -> str:
    """The block of code on the page that is in a language and starts with `start`."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (found,) = (block for block in blocks if block.startswith(start))
    assert isinstance(found, str)
    return found


def folder_with(tmp_path: Path, **files: str) -> dict[str, str]:
    """Write files (`init__el` is `init.el`), `chain.mlir` and a command `jitlint` below a folder.

    Gives an environment in which the command is found, and whose home is the folder.
    """
    for name, text in {"chain.mlir": CHAIN, "jitlint.toml": "", **files}.items():
        (tmp_path / name.replace("__", ".")).write_text(text, encoding="utf-8")
    command = tmp_path / "bin" / "jitlint"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m jitlint "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    path = os.pathsep.join((str(command.parent), os.environ["PATH"]))
    return {**os.environ, **home, "PATH": path, "PYTHONPATH": str(ROOT)}


def run(folder: Path, environment: dict[str, str], *command: str) -> None:
    """Run an editor to its end."""
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
