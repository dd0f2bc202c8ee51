"""`jitlint graph` as it is called."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from jitlint.cli import run
from tests.graph.pictures import case, different_chains

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "chain.mlir"
    path.write_text(case("chain"), encoding="utf-8")
    return path


def test_prints_mermaid_unless_told_otherwise(file: Path, capsys: Capture) -> None:
    assert run(["graph", str(file)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("flowchart TB\n")
    assert err == ""
    assert run(["graph", str(file), "--format", "dot"]) == 0
    assert capsys.readouterr().out.startswith("digraph jitlint {\n")


def test_writes_to_a_file(file: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "chain.mmd"
    assert run(["graph", str(file), "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8").startswith("flowchart TB\n")
    assert capsys.readouterr().out == ""


def test_reads_standard_input(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    assert run(["graph", "-"]) == 0
    assert "accumulate" in capsys.readouterr().out


def test_says_what_is_not_drawn_and_how_to_see_it(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "many.mlir"
    path.write_text(different_chains(1000), encoding="utf-8")
    assert run(["graph", str(path)]) == 0
    out, err = capsys.readouterr()
    assert len(out) < 50_000, "Mermaid takes no more"
    assert err == (
        "jitlint: 1,940 of 2,000 JIT calls are not drawn: --limit N draws more, --line N what belongs to a line, "
        "--block N one block of those that --list shows\n"
    )
    assert run(["graph", str(path), "--list"]) == 0
    assert capsys.readouterr().out == "block      lines  calls  groups  where\n    1  6003-8002  2,000   1,000  @main\n"


def test_the_configuration_is_in_force(file: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "jitlint.toml").write_text('fused-prefix = "one_"\n')
    assert run(["graph", str(file)]) == 0
    assert "@one_double" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--line", "1"], "no JIT call stands on line 1, nor around it; the nearest is on line 17"),
        (["--block", "3"], "no block 3; the only one is 1"),
        (["--config", "none.toml"], "none.toml: no such file"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_line(file: Path, capsys: Capture, options: list[str], said: str) -> None:
    assert run(["graph", str(file), *options]) == 2
    assert capsys.readouterr().err == f"jitlint: error: {said}\n"


def test_a_file_that_is_not_there(capsys: Capture) -> None:
    assert run(["graph", "none.mlir"]) == 2
    assert capsys.readouterr().err == "jitlint: error: none.mlir: no such file\n"


def test_broken_text_is_told_with_its_place(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "broken.mlir"
    path.write_text(case("chain") + "// -----\nfunc.func @f() { enzymexla.jit_call @f (\n", encoding="utf-8")
    assert run(["graph", str(path)]) == 2
    out, err = capsys.readouterr()
    assert "accumulate" in out, "the other part of the file is drawn"
    assert f"{path}:24:" in err


def test_without_graphviz_an_svg_is_refused_and_a_page_is_not(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["graph", str(file), "--format", "svg"]) == 2
    assert "install Graphviz" in capsys.readouterr().err
    assert run(["graph", str(file), "--html"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
