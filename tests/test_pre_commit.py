"""The hooks through the real pre-commit, against a copy of the working tree."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.samples import BARRIER, CLEAN, FIRST_CALL, FUSABLE

ROOT = Path(__file__).parents[1]


def git(folder: Path, *args: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *identity, *args], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as it is, as a repository of its own that pre-commit can clone."""
    copy = tmp_path_factory.mktemp("hooks")
    shutil.copytree(ROOT / "jitlint", copy / "jitlint", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, copy / name)
    (copy / "README.md").write_text("jitlint\n")
    git(copy, "init", "-q")
    git(copy, "add", "-A")
    git(copy, "commit", "-q", "-m", "tree")
    return copy


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps the environment of the hooks, built once for all tests."""
    return tmp_path_factory.mktemp("home")


class Repository:
    """A repository that uses the hooks."""

    def __init__(self, folder: Path, hooks: Path, home: Path, hook: str) -> None:
        self.folder = folder
        self._environment = os.environ | {"PRE_COMMIT_HOME": str(home), "PRE_COMMIT_COLOR": "never"}
        revision = git(hooks, "rev-parse", "HEAD").strip()
        config = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": [{"id": hook}]}]}
        git(folder, "init", "-q")
        (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "start")

    def stage(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name}.mlir").write_text(text)
        git(self.folder, "add", "-A")

    def run(self) -> tuple[int, str]:
        command = [sys.executable, "-m", "pre_commit", "run"]
        done = subprocess.run(
            command, cwd=self.folder, env=self._environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def text(self, name: str) -> str:
        return (self.folder / f"{name}.mlir").read_text()


@pytest.fixture
def check(tmp_path: Path, hooks: Path, home: Path) -> Repository:
    return Repository(tmp_path, hooks, home, "jitlint")


@pytest.fixture
def fix(tmp_path: Path, hooks: Path, home: Path) -> Repository:
    return Repository(tmp_path, hooks, home, "jitlint-fix")


class TestCheck:
    def test_a_warning_fails_the_hook_and_nothing_changes(self, check: Repository) -> None:
        check.stage(m=FUSABLE, n=CLEAN)
        status, out = check.run()
        assert status == 1
        assert "m.mlir:10:" in out
        assert "run `jitlint --fix --force-exclude m.mlir`" in out
        assert check.text("m") == FUSABLE

    def test_infos_and_clean_files_pass(self, check: Repository) -> None:
        check.stage(m=BARRIER, n=CLEAN)
        assert check.run()[0] == 0

    def test_other_files_are_not_looked_at(self, check: Repository) -> None:
        (check.folder / "m.txt").write_text(FUSABLE)
        git(check.folder, "add", "-A")
        status, out = check.run()
        assert status == 0
        assert "Skipped" in out

    def test_what_the_configuration_excludes_is_not_looked_at(self, check: Repository) -> None:
        (check.folder / "jitlint.toml").write_text('exclude = ["m.mlir"]')
        check.stage(m=FUSABLE)
        assert check.run()[0] == 0

    def test_only_what_is_staged_counts(self, check: Repository) -> None:
        check.stage(m=CLEAN)
        (check.folder / "m.mlir").write_text(FUSABLE)
        assert check.run()[0] == 0
        assert check.text("m") == FUSABLE


class TestFix:
    def test_it_fixes_and_fails_once(self, fix: Repository) -> None:
        fix.stage(m=FUSABLE, n=CLEAN)
        status, out = fix.run()
        assert status == 1
        assert "files were modified by this hook" in out
        assert "@__enzyme_fused_double_double" in fix.text("m")
        git(fix.folder, "add", "-A")
        assert fix.run()[0] == 0

    def test_a_file_that_is_staged_partly_keeps_both_parts(self, fix: Repository) -> None:
        """The fix is of what is staged; what is not comes back on top of it."""
        fix.stage(m=FUSABLE + "\n" * 20 + "// the end\n")
        staged = fix.text("m")
        (fix.folder / "m.mlir").write_text(staged.replace("// the end", "// more to come"))
        status, _ = fix.run()
        assert status == 1
        assert "@__enzyme_fused_double_double" in fix.text("m")
        assert "// more to come" in fix.text("m")
        assert git(fix.folder, "show", ":m.mlir") == staged

    def test_where_a_fix_and_unstaged_changes_meet_the_changes_stay(self, fix: Repository) -> None:
        fix.stage(m=FUSABLE)
        mine = FUSABLE.replace(FIRST_CALL, f"{FIRST_CALL} // mine")
        (fix.folder / "m.mlir").write_text(mine)
        status, out = fix.run()
        assert status == 1
        assert "Stashed changes conflicted with hook auto-fixes" in out
        assert fix.text("m") == mine
        assert git(fix.folder, "show", ":m.mlir") == FUSABLE
