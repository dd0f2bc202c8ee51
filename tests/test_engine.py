"""The last look before a new text is handed out: nothing that does not check ever leaves `rewrite`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from jitlint import engine
from jitlint.errors import InternalError
from jitlint.fusion import fuse as fusing
from jitlint.fusion.fuse import Fused
from jitlint.fusion.plan import Plan
from jitlint.fusion.plans import Plans
from jitlint.options import Options
from tests.texts import CALLS_THE_OTHER, alias

Edit = tuple[int, int, str]

FUSABLE = (Path(__file__).parent / "cases" / "chain.mlir").read_text(encoding="utf-8")


def broken(monkeypatch: pytest.MonkeyPatch, spoil: Callable[[list[Edit]], list[Edit]]) -> None:
    """Let every fix make edits that `spoil` has been at."""
    fuse = fusing.fuse

    def spoilt(plans: Plans, wanted: Iterable[Plan]) -> Fused:
        fused = fuse(plans, wanted)
        return fused._replace(edits=spoil(fused.edits))

    monkeypatch.setattr(fusing, "fuse", spoilt)


def without_wrapper(edits: list[Edit]) -> list[Edit]:
    return [edit for edit in edits if "llvm.func" not in edit[2]]


def test_a_call_of_a_wrapper_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, without_wrapper)
    with pytest.raises(InternalError, match="would not be defined"):
        engine.rewrite(FUSABLE, "x.mlir", Options())


def test_without_the_defect_the_same_text_is_fixed() -> None:
    result = engine.rewrite(FUSABLE, "x.mlir", Options())
    assert result.changed
    assert "JIT001" in {finding.code for finding in result.fixed}


def test_a_use_before_its_definition_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def below(edits: list[Edit]) -> list[Edit]:
        """Put a user of the last operation's result where the fused call is."""
        return [
            (start, end, new.replace("(%arg0,", "(%late,") if "jit_call" in new else new) for start, end, new in edits
        ]

    broken(monkeypatch, below)
    late = FUSABLE.replace("    return", "    %late = stablehlo.negate %arg0 : tensor<f64>\n    return", 1)
    with pytest.raises(InternalError, match="%late would be used without a definition above"):
        engine.rewrite(late, "x.mlir", Options())


def test_a_group_that_needs_one_which_is_not_allowed_is_none() -> None:
    """`@a` calls `@b`, which the other calls go on naming if they stay: then no fused wrapper can call `@a`."""
    text, properties = CALLS_THE_OTHER, f"<output_operand_aliases = [{alias()}]>"
    for number, (callee, value) in enumerate([("a", "%x"), ("a", "%0"), ("b", "%y"), ("b", "%2")]):
        text += f"  %{number} = enzymexla.jit_call @{callee} ({value}) {properties} : (tensor<f64>) -> tensor<f64>\n"
    text += "  return %1, %3 : tensor<f64>, tensor<f64>\n}\n"
    first, second = engine.analyse(text, "x.mlir", Options()).findings
    assert {first.code, second.code} == {"JIT001"}
    left = engine.analyse(text, "x.mlir", Options(), lambda finding, _: finding.span != second.span)
    assert "JIT001" not in {finding.code for finding in left.findings if finding.span == first.span}
    assert "JIT304" in {finding.code for finding in left.findings}


def test_a_module_none_of_whose_calls_is_read() -> None:
    text = '#p = {fn = @w}\nllvm.func @w() {\n  llvm.return\n}\nfunc.func @main() {\n  "x.y"() : () -> ()\n'
    text += '  "enzymexla.jit_call"() <#p> : () -> ()\n  return\n}\n'
    assert [finding.code for finding in engine.rewrite(text, "test.mlir", Options()).findings] == ["JIT902"]
