"""The GitHub Action's steps, run as a runner runs them: by bash, with its variables."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.samples import BARRIER, BROKEN, FUSABLE

ROOT = Path(__file__).parents[1]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())


def check(tmp_path: Path, **inputs: str) -> tuple[int, str, dict[str, str], str]:
    """Runs the check; gives its status, what it printed, the outputs and the summary."""
    given = {name: spec["default"] for name, spec in ACTION["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in inputs.items()}
    (step,) = [step for step in ACTION["runs"]["steps"] if step.get("id") == "check"]
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: given[match[1]], value)
        for name, value in step["env"].items()
    }
    runner = tmp_path / "runner"
    (runner / "jitlint/bin").mkdir(parents=True)
    command = runner / "jitlint/bin/jitlint"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m jitlint "$@"\n')
    command.chmod(0o755)
    for name in ("summary", "output"):
        (runner / name).touch()
    environment |= {
        "RUNNER_TEMP": str(runner),
        "GITHUB_STEP_SUMMARY": str(runner / "summary"),
        "GITHUB_OUTPUT": str(runner / "output"),
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    outputs = dict(line.split("=", 1) for line in (runner / "output").read_text().splitlines())
    return done.returncode, done.stdout, outputs, (runner / "summary").read_text()


@pytest.mark.parametrize(("text", "status"), [(BARRIER, 0), (FUSABLE, 1), (BROKEN, 2)])
def test_findings_are_annotations_and_in_the_summary(tmp_path: Path, text: str, status: int) -> None:
    (tmp_path / "m.mlir").write_text(text)
    returned, out, outputs, summary = check(tmp_path)
    assert (returned, outputs) == (status, {"exit-status": str(status)})
    assert re.match(r"::(notice|warning|error) .*file=m\.mlir", out)
    assert summary.startswith("## jitlint\n")


def test_a_run_may_pass_with_findings_but_not_with_its_work_undone(tmp_path: Path) -> None:
    for name, text, status in (("a", FUSABLE, 0), ("b", BROKEN, 2)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "m.mlir").write_text(text)
        assert check(folder, fail="false", summary="false")[::3] == (status, "")


def test_paths_options_and_sarif_are_handed_on(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.mlir").write_text(FUSABLE)
    status, out, *_ = check(tmp_path, paths="a.mlir b.mlir", args="--select JIT001 -q", sarif_file="out.sarif")
    assert status == 1
    assert "c.mlir" not in out
    results = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["JIT001", "JIT001"]


def test_a_path_may_hold_blanks(tmp_path: Path) -> None:
    names = ["my dir/a.mlir", "it's/b.mlir", "c.mlir", "left out.mlir"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(FUSABLE)
    for paths in ('"my dir" "it\'s" c.mlir', 'my\\ dir\n"it\'s/b.mlir"\nc.mlir\n'):
        status, out, *_ = check(tmp_path / ".", paths=paths)
        assert status == 1
        assert re.findall("file=([^,]*)", out) == ["c.mlir", "it's/b.mlir", "my dir/a.mlir"]
        shutil.rmtree(tmp_path / "runner")


def test_no_input_is_read_as_code(tmp_path: Path) -> None:
    """What a workflow passes on reaches the shell in variables, never in the text of the script."""
    assert not any("${{" in step["run"] for step in ACTION["runs"]["steps"])
    status, *_ = check(tmp_path, paths="$(touch${IFS}made)", args="`touch made` ; touch made")
    assert status == 2
    assert not (tmp_path / "made").exists()
