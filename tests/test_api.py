from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import jitlint
from jitlint import engine
from jitlint.cli import run
from jitlint.findings import Severity
from tests.cli.samples import BARRIER, BROKEN, CLEAN, FUSABLE, UNDEFINED


def codes(result: jitlint.Result) -> list[str]:
    return [finding.code for finding in result.findings]


def test_check_reports_and_changes_nothing() -> None:
    result = jitlint.check(FUSABLE, path="m.mlir")
    assert codes(result) == ["JIT001"]
    assert (result.source.text, result.source.path, result.changed) == (FUSABLE, "m.mlir", False)


def test_fix_gives_the_text_before_and_after() -> None:
    result = jitlint.fix(FUSABLE, path="m.mlir")
    assert result.changed
    assert result.before is not None
    assert result.before.text == FUSABLE
    assert [finding.code for finding in result.fixed] == ["JIT001"]
    assert "@__enzyme_fused_double_double" in result.source.text
    again = jitlint.fix(result.source.text)
    assert not again.changed
    assert again.source.text == result.source.text


def test_a_text_without_a_call_is_clean() -> None:
    assert jitlint.check(CLEAN).findings == ()
    result = jitlint.fix(CLEAN + "}}}}")
    assert (result.changed, result.source.text) == (False, CLEAN + "}}}}")


def test_a_text_that_cannot_be_read_is_a_finding() -> None:
    assert codes(jitlint.check(BROKEN)) == ["JIT901"]
    assert not jitlint.fix(BROKEN).changed


def test_rules_can_be_chosen() -> None:
    assert codes(jitlint.check(BARRIER, select=["JIT1"])) == []
    assert codes(jitlint.check(BARRIER, select=["side-effect-between"])) == ["JIT201"]
    assert codes(jitlint.check(BARRIER, ignore=["JIT2"])) == []
    assert not jitlint.fix(FUSABLE, ignore=["JIT001"]).changed


def test_severities_can_be_chosen() -> None:
    (finding,) = jitlint.check(BARRIER, severity={"JIT201": "error"}).findings
    assert finding.severity is Severity.ERROR
    assert jitlint.check(BARRIER, severity={"JIT201": "off"}).findings == ()


def test_options_reach_the_engine() -> None:
    assert "@joined_double_double" in jitlint.fix(FUSABLE, fused_prefix="joined_").source.text


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"ignore": ["JIT1O2"]}, "did you mean `JIT102`"),
        ({"form": "sond"}, "did you mean `sound`"),
        ({"fom": "sound"}, "unknown argument `fom`; did you mean `form`"),
        ({"copies": "yes"}, "argument `copies`: must be true or false"),
        ({"extend_select": "JIT1"}, "argument `extend_select`: must be a list of strings"),
        ({"extend_selct": ["JIT1"]}, "did you mean `extend_select`"),
    ],
)
def test_what_there_is_not_is_refused(choices: dict[str, object], words: str) -> None:
    with pytest.raises(jitlint.ConfigError, match=words):
        jitlint.check(CLEAN, **choices)  # type: ignore[arg-type]


@pytest.mark.parametrize(("arguments", "name"), [((b"module {}",), "text"), ((None,), "text"), (("", 3), "path")])
def test_an_argument_of_a_wrong_type_is_named(arguments: tuple[object, ...], name: str) -> None:
    given = dict(zip(("text", "path"), arguments, strict=False))
    with pytest.raises(TypeError, match=f"argument `{name}` must be a str, not"):
        jitlint.check(**given)  # type: ignore[arg-type]


def test_every_finding_has_a_severity_and_a_name() -> None:
    for text in (FUSABLE, BARRIER, BROKEN, UNDEFINED):
        for finding in jitlint.check(text).findings:
            rule = jitlint.rules.find(finding.code)
            assert (finding.severity, finding.name) == (rule.severity, rule.name)


def test_results_are_no_tuples_and_their_types_are_public() -> None:
    """What can be unpacked or indexed breaks who does so when a field is added."""
    result = jitlint.fix(FUSABLE)
    (finding,) = result.fixed
    assert finding.group is not None
    values = [result, finding, finding.span, finding.group, finding.group.calls[0], result.edits[0]]
    cycle = jitlint.check(jitlint.rules.find("JIT102").INVALID[0]).findings[0]
    for value in [*values, cycle.path[0], result.source, result.proof]:
        assert not isinstance(value, tuple)
        assert type(value) is getattr(jitlint, type(value).__name__)


def test_a_fix_carries_its_proof() -> None:
    result = jitlint.fix(FUSABLE)
    assert result.proof is not None
    assert (result.proof.functions, result.proof.calls, result.proof.difference) == (1, 2, None)
    assert jitlint.check(FUSABLE).proof is None
    assert jitlint.fix(result.source.text).proof is None


def test_edits_lead_from_the_text_before_to_the_new_one() -> None:
    result = jitlint.fix(FUSABLE)
    text = FUSABLE
    for edit in reversed(result.edits):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert text == result.source.text


class TestFiles:
    def test_a_file_is_checked_under_its_configuration(self, tmp_path: Path) -> None:
        (tmp_path / "below").mkdir()
        file = tmp_path / "below/m.mlir"
        file.write_text(FUSABLE)
        assert codes(jitlint.check_file(file)) == ["JIT001"]
        (tmp_path / "jitlint.toml").write_text('severity = {JIT001 = "error"}\nper-file-ignores = {"o*" = ["JIT001"]}')
        (finding,) = jitlint.check_file(str(file)).findings
        assert finding.severity is jitlint.Severity.ERROR
        assert jitlint.check_file(file, ignore=["JIT001"]).findings == ()
        other = tmp_path / "o.mlir"
        other.write_text(FUSABLE)
        assert jitlint.check_file(other).findings == ()

    def test_a_baseline_counts(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("m.mlir").write_text(FUSABLE)
        Path("jitlint.toml").write_text('baseline = "known.json"')
        assert run(["--write-baseline", "-q"]) == 0
        assert jitlint.check_file("m.mlir").findings == ()
        assert not jitlint.fix_file("m.mlir").changed

    def test_a_file_is_fixed_in_place(self, tmp_path: Path) -> None:
        file = tmp_path / "m.mlir"
        file.write_bytes(FUSABLE.replace("\n", "\r\n").encode("utf-8-sig"))
        result = jitlint.fix_file(file)
        assert result.changed
        assert file.read_bytes().decode("utf-8-sig") == result.source.text
        assert file.read_bytes().startswith(b"\xef\xbb\xbf")
        assert not jitlint.fix_file(file).changed

    def test_what_cannot_be_read_is_an_exception(self, tmp_path: Path) -> None:
        with pytest.raises(jitlint.FileError, match="no such file"):
            jitlint.check_file(tmp_path / "none.mlir")
        (tmp_path / "m.mlir").write_text(CLEAN)
        (tmp_path / "jitlint.toml").write_text("fom = 1")
        with pytest.raises(jitlint.ConfigError, match="fom"):
            jitlint.fix_file(tmp_path / "m.mlir")


def test_a_defect_is_an_exception_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise jitlint.InternalError("the new text does not check")

    monkeypatch.setattr(engine, "verify", refuse)
    with pytest.raises(jitlint.JitlintError, match="does not check"):
        jitlint.fix(FUSABLE)


def test_errors_keep_their_severity() -> None:
    assert codes(jitlint.check(UNDEFINED)) == ["JIT301"]


def test_what_is_public_is_there_and_nothing_else() -> None:
    for name in jitlint.__all__:
        assert getattr(jitlint, name) is not None
        assert name in dir(jitlint)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = jitlint.nonsense  # type: ignore[attr-defined]


def test_the_rules_are_there_after_importing_jitlint() -> None:
    program = "import jitlint; print(jitlint.rules.find('JIT403').name)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "value-overwritten\n"
    with pytest.raises(jitlint.JitlintError, match="unknown rule `JIT4O3`; did you mean `JIT403`"):
        jitlint.rules.find("JIT4O3")


def test_importing_jitlint_imports_nothing_else() -> None:
    program = "import __future__, sys; old = set(sys.modules); import jitlint; print(sorted(set(sys.modules) - old))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['jitlint']\n"
