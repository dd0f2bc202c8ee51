"""Names: what is a use, and what makes a name one to leave alone."""

from __future__ import annotations

import pytest

from jitlint.engine import analyse, rewrite
from jitlint.options import Options
from tests.texts import T, call, module, swap

GROUP = f"    {call('%0', 'double', '%arg0')}\n    {call('%1', 'negate', '%0')}\n"
END = f"    return %1 : {T}"


def codes(text: str) -> list[str]:
    return [finding.code for finding in analyse(text, "x.mlir", Options()).findings]


@pytest.mark.parametrize(
    "between",
    [
        pytest.param(f"    %1 = stablehlo.negate %arg0 : {T}\n", id="operation"),
        pytest.param(f'    x.y {{ "x.z"() : () -> ()  %7, %1, %8 = "x.w"() : () -> ({T}, {T}, {T}) }}\n', id="list"),
        pytest.param(f'    x.y (%7: {T}, %1: {T}) {{\n      "x.z"() : () -> ()\n    }}\n', id="region argument"),
        pytest.param(
            f'    "x.y"() ({{\n    ^bb0(%7: {T}, %1: {T}):\n      "x.z"() : () -> ()\n    }}) : () -> ()\n',
            id="block argument",
        ),
        pytest.param(
            f'    "x.y"() ({{\n      %1 : 2 = "x.z"() : () -> ({T}, {T})\n    }}) : () -> ()\n', id="spaced count"
        ),
        pytest.param(
            f'    "x.y"() ({{\n    ^bb0({"%7: t, " * 3000}%1: {T}, {"%7: t, " * 3000}%8: t):\n'
            '      "x.z"() : () -> ()\n    }) : () -> ()\n',
            id="one of many block arguments",
        ),
        pytest.param(
            f'    "x.y"() ({{\n    ^bb0( // its argument\n    // or so\n    %1: {T}):\n      "x.z"() : () -> ()\n'
            "    }) : () -> ()\n",
            id="block argument behind a comment",
        ),
        pytest.param(f'    "x.y"(%1#1) : ({T}) -> ()\n', id="no such result"),
        pytest.param(f'    "x.y"(%1 #0) : ({T}) -> ()\n', id="number apart"),
        pytest.param(f'    "x.y"(%1#{"9" * 5000}) : ({T}) -> ()\n', id="number of 5000 digits"),
    ],
)
def test_a_name_in_doubt_is_left_alone(between: str) -> None:
    text = module(GROUP + between + END)
    assert "JIT001" not in codes(text)
    assert not rewrite(text, "x.mlir", Options()).changed


@pytest.mark.parametrize(
    "between",
    [
        pytest.param(f"    x.y (%7 = %1, %8 = %1) : {T}\n", id="value of an argument"),
        pytest.param("    x.y iter(%7 = %c,\n      %8 = %1, %9 = %c)\n", id="value of an argument on the next line"),
        pytest.param(f"    x.y (%c : {T}, %1 : {T}) {{attr}} : {T}\n", id="typed operand before attributes"),
        pytest.param(f"    cf.cond_br %c, ^bb1(%1 : {T}), ^bb1(%1 : {T})\n  ^bb1(%7: {T}):\n", id="successor"),
        pytest.param(f"    %7:2, %8 = x.y %1, %1, %c : {T}\n", id="operands in a list"),
        pytest.param(
            f"    %7 = stablehlo.add %arg0, %1 : {T}\n" + f"    %8 = stablehlo.add %arg0, %c : {T}\n" * 500,
            id="last operand, with a type, of an operation that much follows",
        ),
        pytest.param(
            f"    x.y %c, %1 : {', '.join(['tensor<128x1024x4096xbf16>'] * 780)}\n", id="types of 20,000 letters"
        ),
        pytest.param(f"    x.y (%c : t, %1 : t, {'%c : t, ' * 3000}%c : t) {{attr}}\n", id="long list of operands"),
        pytest.param("    x.y (%c : t, (%1 : t, {x.z (%c : t):}, %c : t), %c : t) -> t\n", id="lists in a list"),
    ],
)
def test_a_use_is_no_definition(between: str) -> None:
    assert "JIT001" in codes(module(GROUP + between + END))


def test_a_call_with_more_results_than_anything_has_is_read_in_no_time() -> None:
    text = module(GROUP.replace("%1 =", f"%1:{'9' * 30} =") + END)
    assert "JIT902" in codes(text)


def test_results_are_told_apart_by_their_numbers_in_other_blocks_too() -> None:
    body = (
        f"    cf.br ^bb2\n  ^bb1:\n    return %3#1 : {T}\n  ^bb2:\n"
        f"    {call('%0', 'double', '%arg0')}\n    {swap('%3:2', '%0', '%arg0')}\n    cf.br ^bb1"
    )
    fixed = rewrite(module(body), "x.mlir", Options()).source.text
    assert f"return %0#1 : {T}" in fixed
