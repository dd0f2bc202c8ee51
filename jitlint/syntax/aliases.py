"""Read `output_operand_aliases`: which result stands for the buffer of which operand."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from jitlint.syntax.grammar import every, grammar
from jitlint.syntax.lexer import whole

if TYPE_CHECKING:
    from parsimonious.expressions import Expression
    from parsimonious.nodes import Node

_GRAMMAR = r"""
list    = _ "[" _ (alias (comma alias)*)? "]" _
alias   = "#stablehlo.output_operand_alias" _ "<" _ (field (comma field)*)? ">" _
field   = (lists _ "=" _ numbers) / ("operand_index" _ "=" _ number)
lists   = "output_tuple_indices" / "operand_tuple_indices"
numbers = "[" _ (number (comma number)*)? "]" _
number  = ~r"-?[0-9]+[ \t\r\n]*"
"""


class OutputOperandAlias(NamedTuple):
    """One alias as written: the indices of the result in the output tuple, the operand, the indices inside it."""

    output_tuple_indices: tuple[int, ...]
    operand_index: int
    operand_tuple_indices: tuple[int, ...]

    def __str__(self) -> str:
        outputs = ", ".join(map(str, self.output_tuple_indices))
        inner = ", ".join(map(str, self.operand_tuple_indices))
        return (
            f"#stablehlo.output_operand_alias<output_tuple_indices = [{outputs}], "
            f"operand_index = {self.operand_index}, operand_tuple_indices = [{inner}]>"
        )


@cache
def _grammar() -> Expression:
    return grammar(_GRAMMAR)


@lru_cache(maxsize=4096)
def read_aliases(text: str) -> tuple[OutputOperandAlias, ...] | None:
    """The aliases of an `output_operand_aliases` value; () for "", None where it is written in an unknown way."""
    from parsimonious.exceptions import ParseError

    if not text:
        return ()
    try:
        tree = _grammar().parse(text)
    except ParseError:
        return None
    return tuple(_alias(node) for node in every(tree, "alias"))


def _alias(node: Node) -> OutputOperandAlias:
    fields = {field.text.partition("=")[0].strip(): _numbers(field) for field in every(node, "field")}
    return OutputOperandAlias(
        fields.get("output_tuple_indices", ()),
        fields.get("operand_index", (0,))[0],
        fields.get("operand_tuple_indices", ()),
    )


def _numbers(field: Node) -> tuple[int, ...]:
    texts = [number.text.rstrip() for number in every(field, "number")]
    return tuple(-whole(text[1:]) if text.startswith("-") else whole(text) for text in texts)
