from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import jitlint
from jitlint.errors import ConfigError
from jitlint.findings import Finding, Span
from jitlint.fingerprint import fingerprint
from jitlint.suppress.baseline import Recorder, load, new_findings
from jitlint.syntax.source import Source
from tests.cli.samples import BARRIER, FUSABLE, UNDEFINED


def known(tmp_path: Path, text: str) -> dict[str, int]:
    result = jitlint.check(text)
    path = tmp_path / "baseline.json"
    recorder = Recorder(str(path))
    recorder.add(str(tmp_path / "sub/m.mlir"), result.source, result.findings)
    path.write_text(recorder.text())
    return dict(load(str(path)).known(str(tmp_path / "sub/m.mlir")))


@pytest.mark.parametrize("text", [FUSABLE, BARRIER, UNDEFINED])
def test_what_is_in_the_baseline_is_not_new(tmp_path: Path, text: str) -> None:
    result = jitlint.check(text)
    assert result.findings
    assert new_findings(result.source, result.findings, known(tmp_path, text)) == []


@pytest.mark.parametrize(
    "moved",
    [
        "// a line more\n\n" + BARRIER,
        BARRIER.replace("    %1 = ", "    %c = stablehlo.constant dense<1> : tensor<i32>\n    %1 = "),
        BARRIER.replace("%2", "%7").replace("%0", "%5"),
        BARRIER.replace("    %", "        %"),
        BARRIER.replace("\n", "\r\n"),
    ],
    ids=["lines above", "lines between", "renumbered", "indented", "line endings"],
)
def test_a_finding_is_known_again_when_the_text_moves(tmp_path: Path, moved: str) -> None:
    result = jitlint.check(moved)
    assert result.findings
    assert new_findings(result.source, result.findings, known(tmp_path, BARRIER)) == []


def test_a_wrong_entry_is_known_by_the_line_of_its_call() -> None:
    finding = Finding("JIT402", "m", Span(9, 14), call=Span(0, 4))
    before = Finding("JIT402", "m", Span(0, 4))
    source = Source("CALL a\n  entry\n")
    assert fingerprint(source, finding) == fingerprint(source, before)
    assert fingerprint(Source("CALL b\n  entry\n"), finding) != fingerprint(source, before)


def test_another_finding_is_new(tmp_path: Path) -> None:
    result = jitlint.check(BARRIER.replace("@log", "@print").replace("stablehlo.custom_call", "other.call"))
    assert [finding.code for finding in new_findings(result.source, result.findings, known(tmp_path, BARRIER))] == [
        finding.code for finding in result.findings
    ]


def test_findings_that_are_alike_are_counted() -> None:
    source = Source("call\ncall\ncall\n")
    findings = [Finding("JIT102", "the same on line 7", Span(at, at + 4)) for at in (0, 5, 10)]
    name = fingerprint(source, findings[0])
    assert new_findings(source, findings, {name: 2}) == findings[2:]
    assert new_findings(source, findings, {name: 4}) == []


def test_what_keeps_jitlint_from_its_work_is_never_known(tmp_path: Path) -> None:
    source, finding = Source("x"), Finding("JIT901", "unbalanced", Span(0, 1))
    recorder = Recorder(str(tmp_path / "b.json"))
    recorder.add("m.mlir", source, [finding])
    assert json.loads(recorder.text())["files"] == {}
    assert new_findings(source, [finding], {fingerprint(source, finding): 1}) == [finding]


def test_paths_are_those_from_the_folder_of_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = jitlint.check(FUSABLE)
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    recorder = Recorder("../b.json")
    recorder.add("deep/m.mlir", result.source, result.findings)
    assert list(json.loads(recorder.text())["files"]) == ["sub/deep/m.mlir"]


def test_the_file_is_stable_and_sorted(tmp_path: Path) -> None:
    texts = []
    for names in (("a", "b"), ("b", "a")):
        recorder = Recorder(str(tmp_path / "b.json"))
        for name in names:
            result = jitlint.check(UNDEFINED)
            recorder.add(str(tmp_path / name), result.source, result.findings)
        texts.append(recorder.text())
    assert texts[0] == texts[1]
    assert texts[0].endswith("}\n")


@pytest.mark.parametrize(
    "content",
    [
        *("", "{}", "[]", '{"version": 2, "files": {}}', '{"version": 1, "files": {"a": [{}]}}', "[" * 100_000),
        '{"version": 1, "files": {"a": [{"fingerprint": "x", "count": 1e999}]}}',
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "b.json").write_text(content)
    with pytest.raises(ConfigError, match=r"b\.json: not a jitlint baseline"):
        load(str(tmp_path / "b.json"))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A device or a pipe would never come to an end."""
    for path in (str(tmp_path), os.devnull):
        with pytest.raises(ConfigError, match="not a jitlint baseline: it is no file"):
            load(path)


def test_one_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--write-baseline"):
        load(str(tmp_path / "b.json"))
