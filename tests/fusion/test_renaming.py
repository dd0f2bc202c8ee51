"""Names of values when calls and operations move past regions: a name that is defined further in may come first."""

from __future__ import annotations

import re

import pytest

from jitlint.engine import rewrite
from jitlint.options import Options
from tests.oddities import MOVED
from tests.texts import T, call, module


def fixed(text: str, options: Options | None = None) -> str:
    return rewrite(text, "x.mlir", options or Options()).source.text


@pytest.mark.parametrize("name", MOVED)
def test_a_name_that_a_region_defines_is_not_defined_above_it(name: str) -> None:
    text = fixed(MOVED[name])
    assert "@__enzyme_fused_swap_add_to" in text
    main = text[text.index("@main") :]
    region = main.index('"stablehlo.if"')
    above = set(re.findall(r"(%[\w]+)(?::2)? =", main[:region]))
    assert not above & set(re.findall(r"(%[\w]+)(?::2)? =", main[region : main.index("}) :")]))


def test_what_was_not_in_the_way_keeps_its_name() -> None:
    text = fixed(MOVED["a name that begins like another"])
    assert "%33, %v3_0 = stablehlo.optimization_barrier" in text
    assert f"%6 = stablehlo.add %5, %33 : {T}" in text


def test_two_groups_without_names_get_two() -> None:
    calls = [call("%0", name, "%arg0").removeprefix("%0 = ") for name in ("double", "negate")]
    barrier = '    "x.y"() : () -> ()\n'
    body = "".join(f"    {line}\n" for line in calls) + barrier + "".join(f"    {line}\n" for line in calls)
    text = fixed(module(body + f"    return %arg0 : {T}"), Options(group="adjacent"))
    assert "%fused_0:2 = " in text
    assert "%fused_1:2 = " in text


def test_a_name_that_cannot_be_changed_keeps_the_calls_apart() -> None:
    text = MOVED["a definition moves above a region with its name"]
    again = f'    "x.isolated"() ({{\n      %3 = "x.z"() : () -> {T}\n    }}) : () -> ()\n    return'
    assert not rewrite(text.replace("    return", again, 1), "x.mlir", Options()).changed


def test_an_operation_between_two_others_on_its_line_leaves_them_apart() -> None:
    first, second = call("%0", "double", "%arg0"), call("%1", "negate", "%0")
    line = f"    %c = stablehlo.negate %arg0 : {T} {first} stablehlo.custom_call @x(%c) : ({T}) -> ()\n"
    text = fixed(
        module(f"{line}    {second}\n    return %1 : {T}"), Options(pure_ops=frozenset({"stablehlo.custom_call"}))
    )
    assert "fused" in text
    assert not rewrite(text, "x.mlir", Options()).changed
    assert "JIT902" not in {finding.code for finding in rewrite(text, "x.mlir", Options()).findings}
