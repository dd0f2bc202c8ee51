from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jitlint.cli import work as work_module
from jitlint.errors import InternalError
from tests.cli.conftest import Jitlint
from tests.cli.samples import BARRIER, BROKEN, CLEAN, FIRST_CALL, FUSABLE, UNDEFINED

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def diagnostics(out: str) -> list[dict[str, Any]]:
    return list(json.loads(out)["diagnostics"])


def codes(out: str) -> list[str]:
    return [each["code"] for each in diagnostics(out)]


class TestStatus:
    @pytest.mark.parametrize(
        ("text", "status"), [(CLEAN, 0), ("", 0), (BARRIER, 0), (FUSABLE, 1), (UNDEFINED, 1), (BROKEN, 2)]
    )
    def test_of_a_check(self, jitlint: Jitlint, text: str, status: int) -> None:
        Path("m.mlir").write_text(text)
        assert jitlint("m.mlir").status == status
        assert jitlint("check", "m.mlir").status == status
        assert jitlint().status == status
        assert Path("m.mlir").read_text() == text

    @pytest.mark.parametrize(("text", "status"), [(CLEAN, 0), (BARRIER, 0), (FUSABLE, 0), (UNDEFINED, 1), (BROKEN, 2)])
    def test_of_a_fix(self, jitlint: Jitlint, text: str, status: int) -> None:
        Path("m.mlir").write_text(text)
        assert jitlint("--fix", "m.mlir").status == status

    def test_zero_if_asked_for_but_not_where_the_work_is_undone(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        assert jitlint("--exit-zero", "m.mlir").status == 0
        Path("m.mlir").write_text(BROKEN)
        assert jitlint("--exit-zero", "m.mlir").status == 2

    def test_non_zero_on_fix_if_asked_for(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        assert jitlint("--fix", "--exit-non-zero-on-fix", "m.mlir").status == 1
        assert jitlint("--fix", "--exit-non-zero-on-fix", "m.mlir").status == 0

    def test_a_severity_of_the_configuration_counts(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(BARRIER)
        Path("jitlint.toml").write_text('severity = {JIT201 = "error"}')
        assert jitlint("m.mlir").status == 1
        Path("jitlint.toml").write_text('severity = {JIT201 = "off"}')
        assert jitlint("m.mlir").out == "All clear: no problems in 1 file.\n"

    @pytest.mark.parametrize("selection", [("--select", "JIT1"), ("--ignore", "JIT0,JIT3")])
    def test_what_is_not_selected_does_not_count(self, jitlint: Jitlint, selection: tuple[str, str]) -> None:
        Path("m.mlir").write_text(FUSABLE)
        assert jitlint(*selection, "m.mlir").status == 0

    def test_what_keeps_jitlint_from_its_work_counts_though_not_selected(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(BROKEN)
        assert jitlint("--select", "JIT1", "m.mlir").status == 2
        assert jitlint("--ignore", "JIT901", "m.mlir").status == 0


class TestUsage:
    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (["--fixx"], "unknown option `--fixx`; did you mean `--fix`?"),
            (["--exit-zer"], "unknown option `--exit-zer`; did you mean `--exit-zero`?"),
            (["chekc"], "no such command or file: `chekc`; did you mean `check`?"),
            (["fix", "m.mlir"], "no such command or file: `fix`; did you mean `jitlint --fix`?"),
            (["help"], "did you mean `jitlint --help`?"),
            (["rules"], "did you mean `jitlint explain`?"),
            (["version"], "did you mean `jitlint --version`?"),
            (["lint", "."], "did you mean `jitlint check`?"),
            (["explian", "JIT001"], "did you mean `explain`?"),
            (["xyzzy"], "no such command or file: `xyzzy`; `jitlint --help` lists the commands"),
            (["graph", "m.mlir", "n.mlir"], "unexpected argument `n.mlir`: `jitlint graph` takes one FILE"),
            (["server", "m.mlir"], "unexpected argument `m.mlir`: `jitlint server` takes no arguments"),
            (["--output-format", "jsn"], "unknown format `jsn`; did you mean `json`?"),
            (["--select", "JIT1O2"], "unknown rule `JIT1O2`; did you mean `JIT102`?"),
            (["--form", "sond"], 'must be "sound" or "pass"; did you mean `sound`?'),
            (["-j", "0"], "must be a positive integer, not `0`"),
            (["--color", "red"], "invalid choice: 'red'"),
            (["--config", "nosuch.toml"], "nosuch.toml: no such file"),
            (["--add-ignores", "--fix"], "--add-ignores"),
            (["--write-baseline"], "--baseline FILE"),
            (["--write-baseline", "--fix", "--baseline", "b"], "`--write-baseline` cannot be used with `--fix`"),
            (["-", "m.mlir"], "`-`, which is standard input, cannot be used with other paths"),
            (["--stdin-filename", "a.mlir", "m.mlir"], "`--stdin-filename` names standard input"),
            (["--add-ignores", "-"], "`--add-ignores` cannot be used with standard input"),
            (["--baseline", "nosuch.json", "m.mlir"], "nosuch.json: No such file"),
            (
                ["--output-format", "json", "--output-format", "sarif"],
                "two formats cannot both be written to standard output",
            ),
            (["--output-format", "json=a", "--output-format", "sarif=a"], "two formats cannot both be written to a"),
            (["--output-format", "json=a", "--output-file", "b"], "every format has a file of its own"),
            (["--output-file", "no/such/folder", "m.mlir"], "no/such/folder: the report cannot be written"),
        ],
    )
    def test_what_cannot_be_is_refused_with_a_hint(self, jitlint: Jitlint, args: list[str], words: str) -> None:
        Path("m.mlir").write_text(FUSABLE)
        ran = jitlint(*args)
        assert (ran.status, ran.out) == (2, "")
        assert words in ran.err
        assert ran.err.startswith("jitlint: error: ")

    def test_a_wrong_configuration_is_refused_though_no_file_has_a_call(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(CLEAN)
        Path("jitlint.toml").write_text('selct = ["ALL"]')
        ran = jitlint("m.mlir")
        assert ran.status == 2
        assert "jitlint.toml:1: unknown key `selct`; did you mean `select`?" in ran.err

    def test_a_folder_may_be_called_like_a_misspelt_command(self, jitlint: Jitlint) -> None:
        Path("chekc").mkdir()
        assert jitlint("chekc").out == "No files to check.\n"

    def test_names_in_an_error_do_not_act_on_the_terminal(self, jitlint: Jitlint) -> None:
        ran = jitlint("--config", "\x1b[31m.toml")
        assert ran.err == "jitlint: error: \\x1b[31m.toml: no such file\n"

    def test_the_overview_fits_a_screen(self, jitlint: Jitlint) -> None:
        out = jitlint("--help").out
        assert len(out.splitlines()) <= 25
        assert max(map(len, out.splitlines())) <= 80
        assert all(word in out for word in ("check", "explain", "graph", "config", "server", "completions"))

    def test_the_help_of_check_is_grouped_and_narrow(self, jitlint: Jitlint) -> None:
        out = jitlint("check", "--help").out
        assert max(map(len, out.splitlines())) <= 80
        for title in ("what to do:", "which rules and files:", "how to fuse:", "output:"):
            assert title in out


class TestFiles:
    def test_what_cannot_be_read_is_a_finding_and_the_others_are_checked(self, jitlint: Jitlint) -> None:
        Path("a.mlir").write_text(FUSABLE)
        Path("b.mlir").write_bytes(b"ML\xefR" + FUSABLE.encode())
        Path("c.mlir").write_bytes(FUSABLE.encode() + b"// \xff")
        Path("d.mlir").write_bytes(b"\xff" + CLEAN.encode())
        ran = jitlint("--output-format", "json", ".", "gone.mlir")
        assert ran.status == 2
        assert [(each["file"], each["code"]) for each in diagnostics(ran.out)] == [
            ("a.mlir", "JIT001"),
            ("b.mlir", "JIT903"),
            ("c.mlir", "JIT903"),
            ("gone.mlir", "JIT903"),
        ]
        assert json.loads(ran.out)["summary"]["files"] == 5

    def test_a_file_that_is_meant_to_be_unreadable_can_be_ignored(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_bytes(FUSABLE.encode() + b"// \xff")
        Path("jitlint.toml").write_text('per-file-ignores = {"m.mlir" = ["JIT903"]}')
        assert jitlint().status == 0

    def test_a_crash_is_a_finding_and_the_others_are_checked(
        self, jitlint: Jitlint, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = work_module.work_on

        def work_on(task: Any, text: Any) -> Any:
            if task.path == "a.mlir":
                raise errors.pop()
            return real(task, text)

        monkeypatch.setattr(work_module, "work_on", work_on)
        Path("a.mlir").write_text(FUSABLE)
        Path("b.mlir").write_text(FUSABLE)
        errors: list[BaseException] = [RecursionError("too deep"), MemoryError(), KeyError("x\x1b")]
        while errors:
            kind = type(errors[-1]).__name__
            ran = jitlint("--output-format", "concise", ".")
            assert ran.status == 2
            assert (
                f"a.mlir: error: JIT999 internal-error: jitlint failed on this file and did not change it: {kind}"
                in (ran.out)
            )
            assert "b.mlir:10:" in ran.out
            assert "\x1b" not in ran.out
            assert "Traceback" not in ran.out + ran.err

    def test_a_fix_that_does_not_check_is_not_written(self, jitlint: Jitlint, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise InternalError("a value is used before it is defined")

        monkeypatch.setattr("jitlint.engine.verify", refuse)
        Path("m.mlir").write_text(FUSABLE)
        ran = jitlint("--fix", "--output-format", "json", "m.mlir")
        assert ran.status == 2
        assert codes(ran.out) == ["JIT999", "JIT001"]
        assert "a value is used before it is defined" in ran.out
        assert Path("m.mlir").read_text() == FUSABLE

    def test_a_file_that_cannot_be_written_is_reported_with_what_it_holds(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        Path("m.mlir").chmod(0o444)
        ran = jitlint("--fix", "--output-format", "json", "m.mlir")
        assert ran.status == 2
        assert codes(ran.out) == ["JIT904", "JIT001"]
        assert json.loads(ran.out)["summary"]["fused_groups"] == 0
        assert Path("m.mlir").read_text() == FUSABLE

    def test_a_fix_is_not_advised_where_it_has_just_failed(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        Path("m.mlir").chmod(0o444)
        ran = jitlint("--fix", "m.mlir")
        assert "the file cannot be written: it is read-only (`chmod u+w` makes it writable)" in " ".join(
            ran.out.split()
        )
        assert "JIT001 fusable-group" in ran.out
        assert "jitlint --fix" not in ran.out
        assert "run `jitlint --fix m.mlir`" in jitlint("m.mlir").out

    def test_settings_are_those_of_each_files_folder(self, jitlint: Jitlint) -> None:
        for folder in ("a", "b"):
            Path(folder).mkdir()
            Path(folder, "m.mlir").write_text(FUSABLE)
        Path("a/jitlint.toml").write_text('ignore = ["JIT001"]')
        Path("b/jitlint.toml").write_text('fused-prefix = "joined_"')
        assert [each["file"] for each in diagnostics(jitlint("--output-format", "json").out)] == ["b/m.mlir"]
        jitlint("--fix")
        assert Path("a/m.mlir").read_text() == FUSABLE
        assert "@joined_double_double" in Path("b/m.mlir").read_text()

    def test_a_name_that_is_not_utf8_is_printed_all_the_same(self, jitlint: Jitlint) -> None:
        name = os.fsdecode(b"\xff.mlir")
        Path(name).write_text(FUSABLE)
        assert jitlint("--output-format", "concise").status == 1
        assert f"--- a/{name}" not in jitlint("--diff").out
        assert '--- "a/\\377.mlir"' in jitlint("--diff").out


class TestFix:
    def test_the_file_is_fixed_in_place_and_stays_so(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_bytes(b"\xef\xbb\xbf" + FUSABLE.replace("\n", "\r\n").encode())
        ran = jitlint("--fix", "m.mlir")
        assert (ran.status, ran.err) == (0, "")
        assert "Fused 2 calls into 1 in 1 file." in ran.out
        fixed = Path("m.mlir").read_bytes()
        assert fixed.startswith(b"\xef\xbb\xbfmodule {\r\n")
        assert fixed.count(b"\n") == fixed.count(b"\r\n")
        jitlint("--fix", "m.mlir")
        assert Path("m.mlir").read_bytes() == fixed

    def test_a_file_that_needs_no_fix_is_not_touched(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(BARRIER)
        before = Path("m.mlir").stat()
        jitlint("--fix", "m.mlir")
        after = Path("m.mlir").stat()
        assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)

    def test_a_difference_is_printed_and_nothing_written(self, jitlint: Jitlint, tmp_path: Path) -> None:
        Path("m.mlir").write_text(FUSABLE)
        Path("n.mlir").write_text(BARRIER)
        ran = jitlint("--diff")
        assert ran.status == 1
        assert ran.out.startswith("--- a/m.mlir\n+++ b/m.mlir\n@@ ")
        assert "n.mlir" not in ran.out
        assert "Would fuse 2 calls into 1 in 1 file." in ran.err
        assert Path("m.mlir").read_text() == FUSABLE
        assert jitlint("--diff", "--fix").out == ran.out

    def test_the_difference_is_what_a_fix_does(self, jitlint: Jitlint, tmp_path: Path) -> None:
        Path("m.mlir").write_text(FUSABLE)
        Path("m.diff").write_text(jitlint("--diff").out)
        jitlint("--fix")
        fixed = Path("m.mlir").read_text()
        Path("m.mlir").write_text(FUSABLE)
        assert os.system("git apply m.diff") == 0
        assert Path("m.mlir").read_text() == fixed

    def test_with_a_difference_the_findings_that_stay_have_their_places_in_the_file(self, jitlint: Jitlint) -> None:
        comment = "// jitlint: ignore[JIT403"
        Path("m.mlir").write_text(FUSABLE.replace("    return %1", f"    {comment}\n    return %1"))
        checked = jitlint("--output-format", "concise", "m.mlir").out.splitlines()
        ran = jitlint("--diff", "--output-format", "concise", "m.mlir")
        assert [line for line in ran.err.splitlines() if "JIT703" in line] == [checked[1]]
        assert checked[1].startswith("m.mlir:12:5: ")
        assert "m.mlir:10:10: would fix: JIT001" in ran.err
        assert "JIT702" not in ran.err
        assert "Would fuse 2 calls into 1 in 1 file.\nThat would leave no problems and 1 info in 1 file.\n" in ran.err

    def test_what_a_later_round_would_fix_does_not_stay(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE.replace(FIRST_CALL, f"{FIRST_CALL} // jitlint: ignore[JIT403]"))
        assert "JIT703" in jitlint("--output-format", "concise", "m.mlir").out
        ran = jitlint("--diff", "--output-format", "concise", "m.mlir")
        assert "That would leave no problems in 1 file." in ran.err

    def test_what_fusing_fixes_by_the_way_does_not_stay(self, jitlint: Jitlint) -> None:
        """The receive and its wait become one call; then nothing reads the buffer between them."""
        Path("m.mlir").write_text((EXAMPLES / "irecv_wait.mlir").read_text())
        assert codes(jitlint("--output-format", "json", "m.mlir").out) == ["JIT001", "JIT601"]
        ran = jitlint("--diff", "--output-format", "concise", "m.mlir")
        assert ran.err.count("JIT601") == ran.err.count("would fix: JIT601") == 1
        assert ran.err.endswith("That would leave no problems in 1 file.\n")

    def test_no_difference_is_status_zero(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(BARRIER)
        assert (jitlint("--diff").status, jitlint("--diff").out) == (0, "")


class TestStdin:
    def test_a_text_is_checked(self, jitlint: Jitlint) -> None:
        ran = jitlint("-", "--output-format", "concise", stdin=FUSABLE)
        assert ran.status == 1
        assert ran.out.startswith("<stdin>:10:")

    def test_it_may_have_a_name_and_that_names_settings(self, jitlint: Jitlint) -> None:
        Path("sub").mkdir()
        Path("sub/jitlint.toml").write_text('ignore = ["JIT001"]')
        assert jitlint("--stdin-filename", "sub/m.mlir", stdin=FUSABLE).status == 0
        ran = jitlint("-", "--stdin-filename", "m.mlir", "--output-format", "concise", stdin=FUSABLE)
        assert ran.out.startswith("m.mlir:10:")

    def test_the_fixed_text_goes_to_standard_output_and_reports_to_the_other(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        jitlint("--fix", "m.mlir")
        ran = jitlint("--fix", "-", stdin=FUSABLE)
        assert (ran.status, ran.out) == (0, Path("m.mlir").read_text())
        assert "Fused 2 calls into 1" in ran.err

    @pytest.mark.parametrize(
        ("data", "status"),
        [
            (CLEAN.encode(), 0),
            (b"", 0),
            (b"\xff\x00 no text", 0),
            (BARRIER.encode(), 0),
            (BROKEN.encode(), 2),
            (b"ML\xefR" + FUSABLE.encode(), 2),
            (FUSABLE.encode() + b"\xff", 2),
        ],
    )
    def test_what_cannot_be_fixed_comes_out_as_it_came_in(self, jitlint: Jitlint, data: bytes, status: int) -> None:
        ran = jitlint("--fix", "-", stdin=data)
        assert (ran.status, ran.out.encode("utf-8", "surrogateescape")) == (status, data)

    def test_the_byte_order_mark_and_line_endings_stay(self, jitlint: Jitlint) -> None:
        out = jitlint("--fix", "-", stdin=b"\xef\xbb\xbf" + FUSABLE.replace("\n", "\r\n").encode()).out
        assert out.startswith("\ufeffmodule {\r\n")
        assert out.count("\n") == out.count("\r\n")

    def test_a_difference_and_nothing_else(self, jitlint: Jitlint) -> None:
        ran = jitlint("--diff", "-", "--stdin-filename", "m.mlir", stdin=FUSABLE)
        assert ran.status == 1
        assert ran.out.startswith("--- a/m.mlir\n")

    def test_what_is_excluded_passes_through(self, jitlint: Jitlint) -> None:
        Path("jitlint.toml").write_text('exclude = ["m.mlir"]\nforce-exclude = true')
        ran = jitlint("--fix", "-", "--stdin-filename", "m.mlir", stdin=FUSABLE)
        assert (ran.status, ran.out) == (0, FUSABLE)


class TestOutput:
    def test_several_formats_in_one_run(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        options = ("--output-format", "json=a.json", "--output-format", "sarif:b.sarif", "--output-format", "concise")
        ran = jitlint(*options, "m.mlir")
        assert ran.out.startswith("m.mlir:10:")
        assert codes(Path("a.json").read_text()) == ["JIT001"]
        assert json.loads(Path("b.sarif").read_text())["version"] == "2.1.0"

    def test_sarif_carries_the_edits_of_a_fix(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        (result,) = json.loads(jitlint("--output-format", "sarif", "m.mlir").out)["runs"][0]["results"]
        (change,) = result["fixes"][0]["artifactChanges"]
        assert len(change["replacements"]) >= 2

    def test_a_report_may_go_to_a_file(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        ran = jitlint("--output-format", "json", "--output-file", "out.json", "m.mlir")
        assert (ran.status, ran.out) == (1, "")
        assert codes(Path("out.json").read_text()) == ["JIT001"]
        assert sorted(path.name for path in Path().iterdir()) == ["m.mlir", "out.json"]

    def test_a_report_is_written_though_there_is_nothing_to_say(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(CLEAN)
        jitlint("--output-format", "json=out.json", "m.mlir")
        assert json.loads(Path("out.json").read_text())["summary"]["files"] == 1

    def test_a_report_that_breaks_off_leaves_the_old_one(
        self, jitlint: Jitlint, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        Path("m.mlir").write_text(FUSABLE)
        Path("out.json").write_text("old")
        monkeypatch.setattr("jitlint.cli.session.Session.take", interrupted)
        assert jitlint("--output-format", "json=out.json", "m.mlir").status == 130
        assert sorted(path.name for path in Path().iterdir()) == ["m.mlir", "out.json"]
        assert Path("out.json").read_text() == "old"

    def test_quiet_leaves_findings_and_very_quiet_nothing(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        assert "Found" in jitlint("m.mlir").out
        assert "Found" not in jitlint("-q", "m.mlir").out
        assert "JIT001" in jitlint("-q", "m.mlir").out
        assert (jitlint("-qq", "m.mlir").out, jitlint("-qq", "m.mlir").status) == ("", 1)
        Path("m.mlir").write_text(CLEAN)
        assert jitlint("-q", "m.mlir").out == ""

    def test_statistics_count_by_rule(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        Path("n.mlir").write_text(FUSABLE)
        lines = jitlint("--statistics").out.splitlines()
        assert lines[0].split()[:3] == ["2", "JIT001", "fusable-group"]
        assert lines[-2].startswith("Found 2 problems")
        assert lines[2:] == ["[*] 2 findings can be fixed: run `jitlint --fix`."]

    @pytest.mark.parametrize("name", ["json", "sarif", "github", "gitlab", "junit", "markdown"])
    def test_statistics_do_not_stand_in_the_way_of_a_program(self, jitlint: Jitlint, name: str) -> None:
        Path("m.mlir").write_text(FUSABLE)
        ran = jitlint("--statistics", "--output-format", name, "m.mlir")
        assert ran.out == jitlint("--output-format", name, "m.mlir").out
        lines = ran.err.splitlines()
        assert lines[0].split()[:3] == ["1", "JIT001", "fusable-group"]
        assert lines[-2].startswith("Found 1 problem")
        assert jitlint("-qq", "--statistics", "--output-format", name, "m.mlir").out == ""

    def test_colour_is_for_terminals_unless_asked_for(self, jitlint: Jitlint, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("m.mlir").write_text(FUSABLE)
        assert "\x1b[" not in jitlint("m.mlir").out
        assert "\x1b[" in jitlint("--color", "always", "m.mlir").out
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b[" in jitlint("m.mlir").out
        assert "\x1b[" not in jitlint("--color", "never", "m.mlir").out
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b[" not in jitlint("m.mlir").out

    @pytest.mark.parametrize("number", [0, 1, 2])
    def test_the_short_way_says_what_the_reports_say(self, jitlint: Jitlint, number: int) -> None:
        """A run without a JIT call does not import the reports, and must not sound otherwise."""
        for index in range(number):
            Path(f"{index}.mlir").write_text(CLEAN)
        assert jitlint().out == jitlint("--statistics", "--add-ignores").out.splitlines(keepends=True)[0]


class TestAdoption:
    def test_ignores_are_added_for_everything(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        Path("n.mlir").write_text(BARRIER.replace("\n", "\r\n"))
        ran = jitlint("--add-ignores")
        assert ran.status == 0
        assert "Suppressed 2 findings in 2 files." in ran.out
        assert f"    // jitlint: ignore[JIT001]\n{FIRST_CALL}\n" in Path("m.mlir").read_text()
        assert Path("n.mlir").read_bytes().count(b"\r\n") == BARRIER.count("\n") + 1
        assert jitlint().out == "All clear: no problems in 2 files.\n"

    def test_ignores_are_added_for_what_is_selected(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        jitlint("--add-ignores", "--select", "JIT4")
        assert Path("m.mlir").read_text() == FUSABLE

    def test_ignores_are_not_added_to_a_file_that_may_not_be_written(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        Path("m.mlir").chmod(0o444)
        ran = jitlint("--add-ignores", "--output-format", "concise")
        assert ran.status == 2
        assert "JIT904" in ran.out
        assert Path("m.mlir").read_text() == FUSABLE

    def test_a_baseline_hides_what_is_known_and_nothing_new(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        ran = jitlint("--write-baseline", "--baseline", "known.json")
        assert (ran.status, ran.out) == (0, f"Wrote 1 finding to {Path('known.json').absolute()}.\n")
        assert jitlint("--baseline", "known.json").status == 0
        Path("m.mlir").write_text("// moved\n\n" + FUSABLE)
        assert jitlint("--baseline", "known.json").status == 0
        Path("n.mlir").write_text(FUSABLE)
        assert "n.mlir:10" in jitlint("--baseline", "known.json").out

    def test_what_a_baseline_hides_is_not_fixed(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(FUSABLE)
        jitlint("--write-baseline", "--baseline", "known.json")
        jitlint("--fix", "--baseline", "known.json")
        assert Path("m.mlir").read_text() == FUSABLE

    def test_a_baseline_of_the_configuration_counts_from_its_folder(
        self, jitlint: Jitlint, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("sub").mkdir()
        Path("sub/m.mlir").write_text(FUSABLE)
        Path("jitlint.toml").write_text('baseline = "known.json"')
        assert jitlint("--write-baseline").status == 0
        monkeypatch.chdir("sub")
        assert jitlint("m.mlir").status == 0

    def test_what_keeps_jitlint_from_its_work_is_in_no_baseline(self, jitlint: Jitlint) -> None:
        Path("m.mlir").write_text(BROKEN)
        Path("n.mlir").write_text(FUSABLE)
        ran = jitlint("--write-baseline", "--baseline", "known.json", "--output-format", "concise")
        assert ran.status == 2
        assert [line.split(": ")[2] for line in ran.out.splitlines()[:-1]] == ["JIT901 syntax-error"]
        ran = jitlint("--baseline", "known.json", "--output-format", "json")
        assert (ran.status, codes(ran.out)) == (2, ["JIT901"])
