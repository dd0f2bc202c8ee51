"""`jitlint prove`: exit statuses, both places, and the formats of `check`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import jitlint as package
from tests.cli.conftest import Jitlint
from tests.cli.samples import FUSABLE

ROOT = Path(__file__).resolve().parents[1]
FIXED = package.fix(FUSABLE).source.text
WRONG = FUSABLE.replace("llvm.fadd", "llvm.fmul")


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in (("before", FUSABLE), ("fixed", FIXED), ("wrong", WRONG), ("broken", "func.func @f() {\n")):
        (tmp_path / f"{name}.mlir").write_text(text)


def test_the_samples_differ() -> None:
    assert len({FUSABLE, FIXED, WRONG}) == 3


def test_equal_modules(jitlint: Jitlint) -> None:
    ran = jitlint("prove", "before.mlir", "fixed.mlir")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Proved to compute the same: 1 function, ")
    assert "2 calls" in ran.out
    assert jitlint("prove", "before.mlir", "fixed.mlir", "-qq").out == ""


def test_modules_that_differ(jitlint: Jitlint) -> None:
    """The first difference, with an excerpt of both places."""
    ran = jitlint("prove", "before.mlir", "wrong.mlir", "--color", "never")
    assert ran.status == 1
    assert "JIT905 not-equal" in ran.out
    assert "before.mlir:" in ran.out
    assert "wrong.mlir:" in ran.out
    assert ran.out.count("| ^^^") == 2
    assert "here, in the other module" in ran.out


def test_a_module_that_cannot_be_read(jitlint: Jitlint) -> None:
    for names in (("before.mlir", "broken.mlir"), ("broken.mlir", "before.mlir")):
        ran = jitlint("prove", *names, "--output-format", "concise")
        assert ran.status == 2
        assert ran.out.startswith("broken.mlir:1:16: error: JIT901")
    ran = jitlint("prove", "before.mlir", "missing.mlir")
    assert ran.status == 2
    assert "missing.mlir" in ran.err


def test_standard_input(jitlint: Jitlint) -> None:
    assert jitlint("prove", "-", "fixed.mlir", stdin=FUSABLE).status == 0
    assert jitlint("prove", "before.mlir", "-", stdin=WRONG).status == 1
    both = jitlint("prove", "-", "-", stdin=FUSABLE)
    assert (both.status, both.out) == (2, "")
    assert "one of the modules and not both" in both.err


def test_a_device_has_no_end_and_is_not_read(jitlint: Jitlint) -> None:
    for command in (("prove", "before.mlir", os.devnull), ("graph", os.devnull)):
        ran = jitlint(*command)
        assert ran.status == 2
        assert "this is a device, not a file" in ran.err


def test_json(jitlint: Jitlint) -> None:
    ran = jitlint("prove", "before.mlir", "wrong.mlir", "--output-format", "json")
    first, second = json.loads(ran.out)["diagnostics"]
    assert (ran.status, first["code"], first["file"], second["file"]) == (1, "JIT905", "before.mlir", "wrong.mlir")
    assert first["range"]["start"]["line"] == second["range"]["start"]["line"]
    proved = json.loads(jitlint("prove", "before.mlir", "fixed.mlir", "--output-format", "json").out)
    assert proved["diagnostics"] == []
    assert proved["summary"]["proved"]["functions"] == 1
    assert proved["summary"]["proved"]["calls"] == 2


@pytest.mark.parametrize("name", ["full", "concise", "sarif", "github", "gitlab", "junit", "markdown"])
def test_every_format_names_both_files(jitlint: Jitlint, name: str) -> None:
    out = jitlint("prove", "before.mlir", "wrong.mlir", "--output-format", name).out
    assert "before.mlir" in out
    assert "wrong.mlir" in out
    assert "JIT905" in out


def test_what_the_pass_published_is_refused(jitlint: Jitlint) -> None:
    """It drops an inside result whose operand has no other use; the value whose buffer is overwritten is named."""
    names = [
        str(ROOT / "cases" / name) for name in ("irecv_wait.mlir", "irecv_wait.pass.mlir", "irecv_wait.sound.mlir")
    ]
    refused = jitlint("prove", names[0], names[1], "--output-format", "concise")
    assert refused.status == 1
    assert "the buffer of %" in refused.out
    assert "is overwritten, and no result stands for that" in refused.out
    assert jitlint("prove", names[0], names[2]).status == 0


def test_a_fix_in_the_form_of_the_pass_warns(jitlint: Jitlint, tmp_path: Path) -> None:
    (tmp_path / "exchange.mlir").write_text((ROOT / "cases/irecv_wait.mlir").read_text())
    ran = jitlint("--fix", "exchange.mlir", "--form", "pass", "--output-format", "concise")
    assert "not proved to compute the same: the buffer of %" in ran.out
    assert (tmp_path / "exchange.mlir").read_text() == (ROOT / "cases/irecv_wait.pass.mlir").read_text()


def test_pure_ops_of_the_configuration_count(jitlint: Jitlint, tmp_path: Path) -> None:
    text = FUSABLE.replace("  return", '  "my.op"() : () -> ()\n  return', 1)
    assert text != FUSABLE
    (tmp_path / "more.mlir").write_text(text)
    assert jitlint("prove", "more.mlir", "before.mlir").status == 1
    (tmp_path / "jitlint.toml").write_text('pure-ops = ["my.op"]\n')
    assert jitlint("prove", "more.mlir", "before.mlir").status == 0
