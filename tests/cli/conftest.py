from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from jitlint.cli import run


@dataclass(frozen=True)
class Ran:
    """What a command line printed, and its exit status."""

    status: int
    out: str
    err: str


Jitlint = Callable[..., Ran]


@pytest.fixture
def jitlint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Jitlint:
    """Runs a command line in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def jitlint(*args: str, stdin: str | bytes = b"") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        capsysbinary.readouterr()
        try:
            status = run(list(args))
        except SystemExit as left:  # argparse
            assert isinstance(left.code, int)
            status = left.code
        captured = capsysbinary.readouterr()
        return Ran(status, captured.out.decode("utf-8", "surrogateescape"), captured.err.decode())

    return jitlint
