"""One obstacle is one finding, and stands for all places of which the same is so."""

from __future__ import annotations

import json
from collections.abc import Callable

from jitlint.checker import Checker
from jitlint.config.settings import given_layer, settle
from jitlint.report.together import together
from jitlint.result import Result

Render = Callable[..., str]

ALIAS = "{output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,"
ALIAS += " operand_tuple_indices = []>]} : (tensor<f64>) -> tensor<f64>"


def calls_of_a_declaration(number: int) -> Result:
    """Each call of a function without a body is kept out of a group."""
    lines = [f"    %{n + 1} = enzymexla.jit_call @outside (%{n}) {ALIAS}" for n in range(number)]
    text = "\n".join(
        [
            "module {",
            "  llvm.func @outside(!llvm.ptr)",
            "  func.func @main(%0: tensor<f64>) -> tensor<f64> {",
            *lines,
            f"    return %{number} : tensor<f64>",
            "  }",
            "}",
            "",
        ]
    ).replace("(%0: t", "(%0: t")
    return Checker().check(text.replace("%0:", "%x:").replace("(%0)", "(%x)"), "m.mlir")


def unused_wrappers(number: int) -> Result:
    body = "(%arg0: !llvm.ptr) {\n    llvm.return\n  }"
    functions = "\n".join(f"  llvm.func private @w{n}{body}" for n in range(number))
    text = f"module {{\n{functions}\n  func.func @main(%x: tensor<f64>) {{\n    // jit_call\n    return\n  }}\n}}\n"
    called = text.replace("    // jit_call\n", "    enzymexla.jit_call @none (%x) : (tensor<f64>) -> ()\n")
    return Checker(settle(None, given_layer({"select": ["JIT702"]}))).check(called, "m.mlir")


def test_three_hundred_calls_of_one_declaration_are_one_finding(render: Render) -> None:
    result = calls_of_a_declaration(300)
    codes = [finding.code for finding in result.findings]
    assert len(codes) > 290
    assert set(codes) == {"JIT303"}
    one = together(result)
    assert len(one.findings) == 1
    printed = render("full", one)
    assert printed.count("JIT303") == 1
    assert f"and {len(codes) - 3} more calls" in printed
    assert printed.count("^^^") >= 3
    assert f"and {len(codes) - 1} more calls (lines" in render("concise", one)


def test_programs_are_given_every_place(render: Render) -> None:
    result = calls_of_a_declaration(20)
    one = together(result)
    lines = {result.source.position(finding.span.start).line for finding in result.findings if finding.span}
    (entry,) = json.loads(render("json", one))["diagnostics"]
    told = [entry, *entry["also"]]
    assert {place["range"]["start"]["line"] for place in told} == lines
    assert len(told) == len(result.findings)
    (run,) = json.loads(render("sarif", one))["runs"]
    (sarif,) = run["results"]
    places = [*sarif["locations"], *sarif["relatedLocations"]]
    assert lines <= {place["physicalLocation"]["region"]["startLine"] for place in places}


def test_unused_wrappers_are_one_line(render: Render) -> None:
    result = unused_wrappers(50)
    assert len(result.findings) == 50
    lines = render("full", together(result), width=200, show_summary=False).splitlines()
    assert lines[1:] == [""]
    assert "nothing in this file uses @w0, @w1, @w2 and 47 more functions; `jitlint --fix --prune-wrappers" in lines[0]
    (entry,) = json.loads(render("json", together(result)))["diagnostics"]
    assert len(entry["also"]) == 49


def test_different_obstacles_stay_apart(render: Render) -> None:
    two = calls_of_a_declaration(3).source.text.replace("  func.func", "  llvm.func @other(!llvm.ptr)\n  func.func")
    two = two.replace("%3 = enzymexla.jit_call @outside", "%3 = enzymexla.jit_call @other")
    one = together(Checker().check(two, "m.mlir"))
    assert sorted(finding.message.partition(" ")[0] for finding in one.findings) == ["@other", "@outside"]
