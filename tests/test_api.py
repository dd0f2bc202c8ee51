from __future__ import annotations

import subprocess
import sys

import pytest

import jitlint
from jitlint import engine
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
        ({"ignore": ["JIT1O2"]}, 'did you mean "JIT102"'),
        ({"form": "sond"}, 'did you mean "sound"'),
        ({"fom": "sound"}, 'no option "fom"; did you mean "form"'),
        ({"copies": "yes"}, "must be true or false"),
    ],
)
def test_what_there_is_not_is_refused(choices: dict[str, object], words: str) -> None:
    with pytest.raises(jitlint.ConfigError, match=words):
        jitlint.check(CLEAN, **choices)  # type: ignore[arg-type]


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
    with pytest.raises(jitlint.JitlintError, match='there is no rule "JIT4O3"; did you mean "JIT403"'):
        jitlint.rules.find("JIT4O3")


def test_importing_jitlint_imports_nothing_else() -> None:
    program = "import __future__, sys; old = set(sys.modules); import jitlint; print(sorted(set(sys.modules) - old))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['jitlint']\n"
