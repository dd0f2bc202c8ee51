"""Which files a run checks, and under which configuration: `--show-files`, `-v`, `--config KEY=VALUE`, `--isolated`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Jitlint
from tests.cli.samples import BARRIER, CLEAN, FUSABLE
from tests.cli.test_advice import shell


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with files of every kind that a search meets."""
    for folder in (".git", ".hidden", "build", "old", "sub"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.mlir").write_text(FUSABLE)
    (tmp_path / "clean.mlir").write_text(CLEAN)
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / ".gitignore").write_text("build\n")
    (tmp_path / "jitlint.toml").write_text('exclude = ["old"]\n')
    (tmp_path / "gone.mlir").symlink_to("nowhere")
    return tmp_path


class TestShowFiles:
    def test_it_prints_what_would_be_checked(self, jitlint: Jitlint, tree: Path) -> None:
        ran = jitlint("--show-files")
        assert (ran.status, ran.out, ran.err) == (0, "clean.mlir\nsub/m.mlir\n", "")

    def test_it_opens_nothing(self, jitlint: Jitlint, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("jitlint.files.search.scan", None)
        assert jitlint("--show-files", "--isolated").out.splitlines() == ["clean.mlir", "old/m.mlir", "sub/m.mlir"]

    def test_a_file_is_there_or_it_is_said(self, jitlint: Jitlint, tree: Path) -> None:
        ran = jitlint("--show-files", "clean.mlir", "none.mlir")
        assert (ran.status, ran.out) == (2, "clean.mlir\n")
        assert ran.err == "jitlint: error: none.mlir: no such file\n"


class TestVerbose:
    def test_what_becomes_of_every_file(self, jitlint: Jitlint, tree: Path) -> None:
        ran = jitlint("--verbose")
        assert sorted(ran.err.splitlines()) == [
            "jitlint: .git: skipped: a hidden folder",
            "jitlint: .hidden: skipped: a hidden folder",
            "jitlint: build: skipped: a .gitignore names it",
            "jitlint: clean.mlir: nothing to check: it has no JIT call",
            "jitlint: gone.mlir: skipped: not a file, and no link to one",
            "jitlint: old: skipped: `exclude` names it",
            f"jitlint: sub/m.mlir: checked under {tree}/jitlint.toml",
        ]
        assert ran.out == jitlint().out

    def test_a_named_file_may_be_skipped(self, jitlint: Jitlint, tree: Path) -> None:
        ran = jitlint("-v", "--force-exclude", "old/m.mlir")
        assert (ran.out, ran.err) == ("No files to check.\n", "jitlint: old/m.mlir: skipped: `exclude` names it\n")

    def test_standard_input(self, jitlint: Jitlint, tree: Path) -> None:
        assert jitlint("-v", "-", stdin=FUSABLE).err == f"jitlint: <stdin>: checked under {tree}/jitlint.toml\n"

    def test_no_configuration(self, jitlint: Jitlint, tree: Path) -> None:
        err = jitlint("-v", "--isolated", "sub").err
        assert err == "jitlint: sub/m.mlir: checked without a configuration file\n"


class TestConfig:
    def test_a_key_with_its_value(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(BARRIER)
        assert jitlint("--config", 'severity = {JIT201 = "error"}', "m.mlir").status == 1
        assert jitlint("--config=ignore=['JIT2']", "m.mlir").out == "All clear: no problems in 1 file.\n"

    def test_it_wins_over_files_and_options_win_over_it(self, jitlint: Jitlint) -> None:
        Path("jitlint.toml").write_text('form = "pass"\ncopies = true\n')
        Path("other.toml").write_text('group = "adjacent"\n')
        keys = ("--config", 'form = "sound"', "--config", "other.toml", "--config", "prune-wrappers = true")
        out = jitlint("config", *keys).out.splitlines()
        assert 'form = "sound"                            # command line' in out
        assert 'group = "adjacent"                        # other.toml' in out
        assert "copies = false                            # default" in out
        Path("m.mlir").write_text(FUSABLE)
        assert jitlint("--config", "ignore = ['ALL']", "m.mlir").status == 0
        assert jitlint("--config", "ignore = ['ALL']", "--ignore", "JIT102", "m.mlir").status == 1

    def test_a_file_with_such_a_name_is_a_file(self, jitlint: Jitlint) -> None:
        Path("copies=true").write_text('form = "pass"\n')
        out = jitlint("config", "--config", "copies=true").out
        assert 'form = "pass"' in out
        assert "copies = false" in out

    def test_patterns_are_relative_to_the_current_folder(self, jitlint: Jitlint) -> None:
        Path("sub").mkdir()
        Path("sub/m.mlir").write_text(FUSABLE)
        assert jitlint("--config", 'per-file-ignores = {"sub/m.mlir" = ["JIT001"]}').status == 0

    def test_no_file_is_in_force_if_isolated(self, jitlint: Jitlint) -> None:
        Path("jitlint.toml").write_text("this is no TOML")
        Path("m.mlir").write_text(FUSABLE)
        assert jitlint("m.mlir").status == 2
        assert jitlint("--isolated", "m.mlir").status == 1
        assert jitlint("--isolated", "--config", 'ignore = ["JIT001"]', "m.mlir").status == 0
        assert "# default" in jitlint("config", "--isolated").out

    def test_advice_repeats_it(self, jitlint: Jitlint) -> None:
        Path("jitlint.toml").write_text('ignore = ["ALL"]')
        Path("m.mlir").write_text(FUSABLE)
        out = jitlint("--isolated", "--config", 'fused-prefix = "x_"', "m.mlir").out
        command = "jitlint --fix --config 'fused-prefix = \"x_\"' --isolated m.mlir"
        assert f"`{command}`" in out
        assert shell(command).returncode == 0
        assert "@x_double" in Path("m.mlir").read_text()

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["form=pass"], "`form=pass` is neither a file nor TOML"),
            (["form=pass"], "strings need quotes: 'form = \"pass\"'"),
            (["fom=1"], "unknown key `fom` of `--config`; did you mean `form`?"),
            (['form = "pss"'], 'key `form` of `--config`: must be "sound" or "pass"'),
            (["a.toml", "b.toml"], "only one configuration file can be used, not both a.toml and b.toml"),
            (["exclude=" + "[" * 5000 + "]" * 5000], "nested too deep"),
        ],
    )
    def test_what_cannot_be_taken_is_said(self, jitlint: Jitlint, words: list[str], said: str) -> None:
        options = [option for word in words for option in ("--config", word)]
        for command in ([], ["graph", "m.mlir"], ["config"]):
            ran = jitlint(*command, *options)
            assert (ran.status, ran.out) == (2, "")
            assert said in ran.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--isolated", "--config", "a.toml"], "`--isolated` cannot be used with `--config a.toml`"),
        (["-v", "-q"], "`--verbose` cannot be used with `--quiet`"),
        (["--show-files", "--fix"], "`--show-files` cannot be used with `--fix`"),
        (["--watch", "--add-ignores"], "`--watch` cannot be used with `--add-ignores`"),
        (["--watch", "-"], "`--watch` cannot be used with standard input"),
        (["--show-files", "--stdin-filename", "m.mlir"], "`--show-files` cannot be used with standard input"),
    ],
)
def test_what_cannot_go_together(jitlint: Jitlint, args: list[str], said: str) -> None:
    ran = jitlint(*args)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
