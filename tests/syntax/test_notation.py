"""What is read of the notation means what it means to parsimonious."""

from __future__ import annotations

import pytest
from parsimonious.exceptions import ParseError
from parsimonious.grammar import Grammar
from parsimonious.nodes import Node

from jitlint.syntax import aliases, calls, functions
from jitlint.syntax.grammar import COMMON, scan_group, scan_type, scan_value
from jitlint.syntax.notation import expressions

SCANNERS = {"value": scan_value, "type": scan_type, "group": scan_group}
CALL = (
    "enzymexla.jit_call @m::@w (%a, %b#1) <output_operand_aliases = [#a], x> {y = {z = [1, 2]}} "
    ": (tensor<f64>, !t) -> (tensor<5xf64>, i1) loc(#loc)"
)
TEXTS = {
    calls._GRAMMAR: [CALL, CALL.replace("(%a, %b#1)", "()"), CALL.replace("@m", '@"a b"'), CALL[:-3], CALL + ")", ""],
    functions._GRAMMAR: ["llvm.func internal @(%: !llvm.ptr {llvm.noalias}, ...) -> i1 attributes {a} {}", "func @()"],
    functions._GENERIC: ['"llvm.func"() <{a = 1, b}> ({ }) : () -> ()', '"func.func"() ({}) {a} : () -> () loc("x")'],
    functions._FUNCTION_TYPE: ["!llvm.func<void (ptr, ...)>", "(tensor<f64>, i1) -> ()", "() -> tensor<f64>", "()"],
    aliases._GRAMMAR: ["[]", "[#stablehlo.output_operand_alias<operand_index = 0, output_tuple_indices = [1, -2]>]"],
}


def shape(node: Node) -> object:
    return node.expr_name, node.start, node.end, [shape(child) for child in node.children]


@pytest.mark.parametrize(("rules", "text"), [(rules, text) for rules, texts in TEXTS.items() for text in texts])
def test_it_reads_what_the_library_reads(rules: str, text: str) -> None:
    theirs = Grammar(rules, **Grammar(COMMON, **SCANNERS))
    ours = expressions(rules + COMMON, SCANNERS)
    try:
        tree = theirs.parse(text)
    except ParseError as error:
        with pytest.raises(ParseError) as caught:
            ours.parse(text)
        assert caught.value.pos == error.pos
    else:
        assert shape(ours.parse(text)) == shape(tree)
