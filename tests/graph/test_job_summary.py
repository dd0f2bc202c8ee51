"""The pictures in the summary of a job."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.cli import run
from jitlint.report import open_report
from jitlint.report.run_summary import Summary
from jitlint.result import Result
from jitlint.syntax.source import Source
from tests.graph.pictures import case, hostile


def summary(path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> str:
    path.write_text(text, encoding="utf-8")
    run(["check", "--output-format", "markdown", str(path)])
    return capsys.readouterr().out


def test_a_file_with_a_group_has_its_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = summary(tmp_path / "chain.mlir", case("chain"), capsys)
    picture = text[text.index("### Calls") :]
    assert f"<summary>{tmp_path}/chain.mlir</summary>\n\n" in picture
    assert "\\@main, lines 17 to 19: 3 JIT calls. One group can be one call.\n\n```mermaid\nflowchart TB\n" in picture
    assert picture.endswith("```\n\n</details>\n\n")


def test_a_file_without_findings_about_groups_has_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "### Calls" not in summary(tmp_path / "fused.mlir", case("irecv_wait.sound"), capsys)


def test_nothing_ends_the_fence_or_the_section_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = summary(tmp_path / "a<b>```.mlir", hostile(), capsys)
    picture = text[text.index("### Calls") :]
    assert picture.count("```mermaid\n") == 1
    assert [line for line in picture.splitlines() if line.startswith("```")] == ["```mermaid", "```"]
    assert picture.count("</details>") == 1
    assert "a&lt;b&gt;```.mlir</summary>" in picture


def test_pictures_end_before_the_summary_is_too_long() -> None:
    written: list[str] = []
    report = open_report("markdown", written.append, pictures=lambda _: "x" * 60_000)
    for number in range(20):
        report.file(f"{number}.mlir", Result(Source("", f"{number}.mlir"), ()))
    report.close(Summary(files=20))
    assert 100_000 < len("".join(written)) < 250_000
