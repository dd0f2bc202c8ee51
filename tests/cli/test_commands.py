from __future__ import annotations

import os
import sys
import tomllib
from argparse import Namespace
from importlib.metadata import version
from pathlib import Path

import pytest

import jitlint as package
from jitlint.cli import commands
from jitlint.cli.arguments import FORMATS, PARSERS, check_parser, graph_parser
from jitlint.cli.check_options import CheckOptions
from jitlint.cli.overview import SUMMARIES
from jitlint.config.keys import KEYS
from jitlint.graph.build import MOST_CALLS
from jitlint.report import FORMATS as REPORTS
from tests.cli.conftest import Jitlint
from tests.cli.samples import FUSABLE


def test_the_version_is_one_line(jitlint: Jitlint) -> None:
    for option in ("--version", "-V"):
        assert jitlint(option).out == f"jitlint {package.__version__}\n"


def test_versions_for_a_bug_report(jitlint: Jitlint) -> None:
    out = jitlint("--version", "--verbose").out
    lines = out.splitlines()
    assert lines[0] == f"jitlint {package.__version__}"
    assert lines[1].endswith(".".join(map(str, sys.version_info[:3])))
    for library in ("parsimonious", "pathspec", "rich"):
        assert f"{library} {version(library)}" in lines
    assert jitlint("-V", "-v").out == out


class TestExplain:
    def test_a_rule_by_its_code_or_name(self, jitlint: Jitlint) -> None:
        ran = jitlint("explain", "JIT403")
        assert ran.status == 0
        assert "value-overwritten" in ran.out
        assert jitlint("explain", "value-overwritten").out == ran.out

    def test_all_rules(self, jitlint: Jitlint) -> None:
        out = jitlint("explain").out
        assert all(code in out for code in ("JIT001", "JIT999"))

    def test_a_rule_that_there_is_not(self, jitlint: Jitlint) -> None:
        ran = jitlint("explain", "JIT4O3")
        assert (ran.status, ran.out) == (2, "")
        assert "did you mean `JIT403`?" in ran.err


class TestConfig:
    def test_every_value_with_where_it_comes_from(self, jitlint: Jitlint) -> None:
        Path("jitlint.toml").write_text('form = "pass"\nignore = ["JIT102"]\nper-file-ignores = {"a*" = ["JIT7"]}\n')
        Path("a.mlir").write_text("")
        out = jitlint("config", "a.mlir").out
        assert f'form = "pass"                             # {Path("jitlint.toml").absolute()}\n' in out
        assert 'group = "ssa"                             # default\n' in out
        assert "JIT102" in out.splitlines()[-1]
        assert "JIT701" in out.splitlines()[-1]
        assert "JIT701" not in jitlint("config").out

    def test_it_is_toml_that_says_the_same(self, jitlint: Jitlint) -> None:
        Path("jitlint.toml").write_text('severity = {"JIT102" = "error"}\npure-ops = ["a.b"]\ncopies = true\n')
        first = jitlint("config", ".").out
        table = tomllib.loads(first)
        assert set(table) == set(KEYS) - {"baseline"}
        assert (table["severity"], table["pure-ops"], table["copies"]) == ({"JIT102": "error"}, ["a.b"], True)

    def test_a_file_by_its_name(self, jitlint: Jitlint) -> None:
        Path("other.toml").write_text("copies = true")
        out = jitlint("config", "--config", "other.toml").out
        assert "copies = true                             # other.toml" in out
        assert jitlint("config", "--config", "nosuch.toml").status == 2


class TestOthers:
    def test_graph_is_handed_its_options(self, jitlint: Jitlint, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("m.mlir").write_text(FUSABLE)
        ran = jitlint("graph", "m.mlir")
        assert ran.status == 0
        assert "double" in ran.out
        assert graph_parser().parse_args(["m.mlir"]).limit == MOST_CALLS

    def test_the_language_server_needs_its_extra(self, jitlint: Jitlint, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "jitlint.server", None)
        ran = jitlint("server")
        assert ran.status == 2
        assert "install jitlint with the `lsp` extra" in ran.err

    @pytest.mark.parametrize("command", sorted(PARSERS))
    def test_every_command_has_help(self, jitlint: Jitlint, command: str) -> None:
        ran = jitlint(command, "--help")
        assert (ran.status, ran.err) == (0, "")
        assert max(map(len, ran.out.splitlines())) <= 80


def test_the_language_server_tells_a_person_what_it_waits_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jitlint.server.main", lambda: None)
    ours, theirs = os.openpty()
    with os.fdopen(ours, "rb", buffering=0), os.fdopen(theirs, encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        assert commands.server(Namespace()) == 0
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), "waits for an editor" in err) == ("", 1, True)
    with Path(os.devnull).open(encoding="utf-8") as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        assert commands.server(Namespace()) == 0
    assert capsys.readouterr() == ("", "")


def test_the_commands_are_those_of_the_overview() -> None:
    assert list(PARSERS) == list(SUMMARIES)


def test_the_formats_are_those_of_the_reports() -> None:
    assert FORMATS == REPORTS


def test_the_parser_and_the_options_agree() -> None:
    """The options have the defaults, so that paths alone need no parser."""
    parsed = CheckOptions()
    check_parser().read([], parsed)
    assert vars(parsed) == vars(CheckOptions())
    options = {action.dest for action in check_parser()._actions} - {"help"}
    assert options == set(CheckOptions.__annotations__) | {"paths"}
