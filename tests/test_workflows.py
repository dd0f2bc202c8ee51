"""The workflows that the documentation shows, and the action, before zizmor, which looks for what is unsafe in them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]


def test_workflows_and_the_action_pass_zizmor(tmp_path: Path) -> None:
    page = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    blocks = [block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "runs-on" in block]
    assert len(blocks) == 3
    folder = tmp_path / ".github/workflows"
    folder.mkdir(parents=True)
    for number, block in enumerate(blocks):
        assert "jobs" in yaml.safe_load(block)
        (folder / f"{number}.yml").write_text(block, encoding="utf-8")
    shutil.copy(ROOT / "action.yml", tmp_path)
    zizmor = Path(sys.executable).parent / "zizmor"
    done = subprocess.run([zizmor, "--offline", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "No findings to report" in done.stdout


def test_hooks_run_in_one_process() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {hook["id"]: hook["require_serial"] for hook in hooks} == {"jitlint": True, "jitlint-fix": True}
