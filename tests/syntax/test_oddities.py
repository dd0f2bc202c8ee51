"""Every way to write a module with a group is read, fixed, and left alone by a second fix."""

from __future__ import annotations

import pytest

from jitlint.engine import analyse, rewrite
from jitlint.options import Options
from jitlint.syntax.lexer import parts
from tests.oddities import OLD, PARTS, READ
from tests.texts import WRAPPERS, T, call, chain, module

ALL = {**READ, **OLD}


def codes(text: str) -> set[str]:
    return {finding.code for finding in analyse(text, "x.mlir", Options()).findings}


@pytest.mark.parametrize("name", ALL)
def test_it_is_read_and_fixed_for_good(name: str) -> None:
    text = ALL[name]
    assert codes(text) <= {"JIT001", "JIT702", "JIT701", "JIT705"}
    result = rewrite(text, "x.mlir", Options())
    assert result.changed
    assert "@__enzyme_fused_" in result.source.text or '@"__enzyme_fused_' in result.source.text
    assert codes(result.source.text) <= {"JIT702", "JIT701", "JIT705"}
    assert not rewrite(result.source.text, "x.mlir", Options()).changed


@pytest.mark.parametrize("name", ALL)
def test_every_comment_and_line_ending_stays(name: str) -> None:
    text, fixed = ALL[name], rewrite(ALL[name], "x.mlir", Options()).source.text
    comments = [line.partition("//")[2].strip() for line in text.splitlines() if "//" in line and '"' not in line]
    assert all(comment in fixed for comment in comments)
    assert ("\r\n" in text) == ("\r\n" in fixed)
    assert "\r\n" not in text or fixed.count("\n") == fixed.count("\r\n")
    assert text.endswith("\n") == fixed.endswith("\n")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("attributes", "(%arg0) {output_operand_aliases"),
        ("plain", "(%arg0) <output_operand_aliases"),
        ("braced properties", "(%arg0) <{output_operand_aliases"),
        ("generic", '"enzymexla.jit_call"(%arg0) <{backend_config = "", fn = @__enzyme_fused_double_negate'),
        ("generic with everything in braces", '"enzymexla.jit_call"(%arg0) {backend_config = "", fn = @__enz'),
    ],
)
def test_the_fused_call_keeps_the_spelling(name: str, written: str) -> None:
    assert written in rewrite(ALL[name], "x.mlir", Options()).source.text


def test_parts_are_modules_of_their_own() -> None:
    assert len(parts(PARTS)) == 3
    assert PARTS.count("\n// ------\n") == 1
    fixed = rewrite(PARTS, "x.mlir", Options()).source.text
    assert fixed.count("llvm.func @__enzyme_fused_double_negate(") == 3


def test_a_broken_part_does_not_keep_the_others_from_being_fixed() -> None:
    text = f"{chain()}// -----\n{chain()}}}\n// -----\n{chain()}"
    result = rewrite(text, "x.mlir", Options())
    assert result.source.text.count("llvm.func @__enzyme_fused_double_negate(") == 2
    assert [finding.code for finding in result.findings if finding.code == "JIT901"] == ["JIT901"]


def test_nested_modules_have_symbols_of_their_own() -> None:
    outer = module(
        f"    {call('%0', 'double', '%arg0')}\n    {call('%1', 'double', '%0')}\n    return %1 : {T}", wrappers=""
    )
    text = f"module {{\n{WRAPPERS}  module {{\n  func.func private @double()\n  }}\n{outer}}}\n"
    assert "JIT301" in codes(text)


@pytest.mark.parametrize(
    "between",
    [
        "x.y %0 z.w %0",
        "x.y z.w",
        "x.y {a = 1} z.w",
        "x.y <",
        "x.y -> z.w enzymexla.jit_call @double (%arg0) : () -> ()",
        "(%0)",
    ],
)
def test_what_cannot_be_cut_with_certainty_is_left_alone(between: str) -> None:
    text = module(
        f"    {between}\n    {call('%0', 'double', '%arg0')}\n    {call('%1', 'negate', '%0')}\n    return %1 : {T}"
    )
    if between == "(%0)":
        text = text.replace(f" {{\n    {between}", f" {{ {between}")
    assert "JIT902" in codes(text)
    assert not rewrite(text, "x.mlir", Options()).changed


def test_a_doubt_about_the_module_is_one_about_its_symbols() -> None:
    text = chain().replace("  func.func @main", "  x.y z.w\n  func.func @main")
    text = text.replace("@negate (", "@elsewhere (")
    assert codes(text) == {"JIT902"}
