"""Texts that are made to hurt: deep, long, unended. Each ends in an answer that a person can read."""

from __future__ import annotations

import pytest

from jitlint.engine import rewrite
from jitlint.options import Options
from tests.texts import ADD_TO, DOUBLE, NEGATE, T, alias, call, chain, module, swap
from tests.whole import WHOLE

A, B = call("%0", "double", "%arg0"), call("%1", "negate", "%0")
GROUP = f"    {A}\n    {B}\n"
END = f"    return %1 : {T}"
DEEP, NESTED = (100_000, 10_000) if WHOLE else (20_000, 2_000)
OPEN, CLOSE = '"x.y"() ({\n', "}) : () -> ()\n"


def body(text: str) -> str:
    """A function with `text` before a group."""
    return module(text + GROUP + END, wrappers=DOUBLE + NEGATE + ADD_TO)


def outcome(text: str) -> set[str]:
    """The codes before a fix, those that need no words aside, and "fixed" if it changed anything."""
    result = rewrite(text, "x.mlir", Options())
    found = {finding.code for finding in (*result.findings, *result.fixed)} - {"JIT702", "JIT001"}
    return found | ({"fixed"} if result.changed else set())


FIXED: dict[str, str] = {
    "brackets": body(f'    "x.y"() {{a = {"[" * 100_000}{"]" * 100_000}}} : () -> ()\n'),
    "regions": body(OPEN * NESTED + CLOSE * NESTED),
    "regions on one line": body('"x.y"() ({ ' * NESTED + "}) : () -> () " * NESTED + "\n"),
    "regions around a group": body(OPEN * 3_000 + GROUP + CLOSE * 3_000),
    "regions with the same names": body(OPEN * 500 + (GROUP + CLOSE) * 500),
    "modules": "module {\n" * 2_000 + chain() + "}\n" * 2_000,
    "locations": f"{chain()}#loc = loc({'callsite(' * DEEP}unknown{')' * DEEP})\n",
    "a location of a call": body("").replace(f"{T}\n", f"{T} loc({'a(' * DEEP}{')' * DEEP})\n", 1),
    "a long line": body(f'    %c = stablehlo.constant dense<"0x{"0" * 5_000_000}"> : {T}\n'),
    "a long list": body(f"    x.y {'%arg0, ' * 100_000}%arg0 : t\n"),
    "a list over many lines": body("    x.y " + "%arg0, // %1\n" * 10_000 + "%arg0 : t\n"),
    "many results": body(f'    %r:{"9" * 5} = "x.y"() : () -> ()\n'),
    "a long name": body("").replace("%0", f"%{'a' * 200_000}"),
    "a long symbol": body("").replace("@double", f'@"{"a" * 1_000_000}"'),
    "many labels": body(
        "".join(f"  ^bb{number}:\n    cf.br ^bb{number + 1}\n" for number in range(4_000)) + "  ^bbx:\n"
    ),
    "escapes": body(f'    x.y "{chr(92) * 200_000}"\n'),
    "numbers of a type": body("").replace(T, f"tensor<{'9' * 5_000}xf64>"),
    "numbers of an allocation": body("").replace(
        "    llvm.return", f"    %c = llvm.mlir.constant({'9' * 5_000} : i64) : i64\n    llvm.return", 1
    ),
    "names in the way": body(f'    {", ".join(f"%fused_{n}, %v1_{n}" for n in range(50_000))} = "x.y"() : () -> ()\n'),
}

LEFT_ALONE: dict[str, tuple[str, str]] = {
    "brackets of a call": (body("").replace("(%arg0) <", f"{'(' * DEEP}%arg0{')' * DEEP} <"), "JIT902"),
    "angle brackets": (body(f"    x.y {'<' * DEEP}\n"), "JIT902"),
    "candidates": (body(f"    x.y {'z.w ' * DEEP}\n"), "JIT902"),
    "NUL bytes": (body("\0" * DEEP), "JIT902"),
    "calls in no operation": (body(f"    x.y <{'enzymexla.jit_call ' * DEEP}\n"), "JIT902"),
    "braces that only open": ("{" * DEEP + chain(), "JIT901"),
    "braces that only close": (chain() + "}" * DEEP, "JIT901"),
    "parentheses": (body("    x.y (\n" * DEEP), "JIT901"),
    "a string": (body(f'    x.y "{chr(92)}"{"a" * DEEP}\n'), "JIT901"),
    "labels": (body(f"    x.y {'^a(' * DEEP}\n"), "JIT901"),
    "metadata": (chain() + "{-# " * DEEP, "JIT901"),
    "operands": (body("").replace("(%arg0) <", f"({'%arg0, ' * DEEP * 2}%arg0) <"), "JIT902"),
    "results of a call": (body("").replace("%1 =", f"%1:{'9' * 5_000} ="), "JIT902"),
    "aliases of aliases": (
        "".join(f"#a{n} = [#a{n + 1}, #a{n + 1}]\n" for n in range(100)) + chain().replace(f"[{alias()}]", "#a0"),
        "JIT902",
    ),
    "numbers of an alias": (body("").replace("operand_index = 0", f"operand_index = {'9' * 5_000}"), "JIT402"),
    "numbers of a layout": (
        body("").replace("<output_op", f"<operand_layouts = [dense<{'9' * 5_000}> : tensor<1xindex>], output_op"),
        "JIT501",
    ),
}


@pytest.mark.parametrize("name", FIXED)
def test_it_is_fixed_all_the_same(name: str) -> None:
    found = outcome(FIXED[name])
    assert "fixed" in found
    assert not found & {"JIT901", "JIT902"}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_it_is_left_alone_for_a_reason(name: str) -> None:
    text, code = LEFT_ALONE[name]
    found = outcome(text)
    assert code in found
    assert "fixed" not in found


def test_a_file_that_ends_anywhere_has_an_answer() -> None:
    text = module(f'    {swap("%0:2", "%arg0", "%arg0")}\n    {call("%1", "negate", "%0#1")}\n{END} loc("a")')
    for end in range(len(text)):
        found = outcome(text[:end])
        assert "fixed" not in found or "JIT901" not in found
