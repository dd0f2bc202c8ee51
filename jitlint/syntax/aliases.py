"""Read `output_operand_aliases`: which result stands for the buffer of which operand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parsimonious.grammar import Grammar

_GRAMMAR = r"""
list    = _ "[" _ (alias (_ "," _ alias)*)? _ "]" _
alias   = "#stablehlo.output_operand_alias" _ "<" _ (field (_ "," _ field)*)? _ ">"
field   = name _ "=" _ (indices / number)
name    = "output_tuple_indices" / "operand_index" / "operand_tuple_indices"
indices = "[" _ (number (_ "," _ number)*)? _ "]"
number  = ~r"-?[0-9]+"
_       = ~r"\s*"
"""


@dataclass(frozen=True, slots=True)
class OutputOperandAlias:
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
def _grammar() -> Grammar:
    from parsimonious.grammar import Grammar

    return Grammar(_GRAMMAR)


@cache
def read_aliases(text: str) -> tuple[OutputOperandAlias, ...] | None:
    """The aliases of an `output_operand_aliases` value; () for "", None where it is written in no known way."""
    from parsimonious.exceptions import ParseError

    if not text:
        return ()
    try:
        tree = _grammar().parse(text)
    except ParseError:
        return None
    aliases, pending = [], [tree]
    while pending:
        node = pending.pop()
        if node.expr_name == "alias":
            fields = {name: value for field in _named(node, "field") for name, value in [_field(field)]}
            aliases.append(
                OutputOperandAlias(
                    fields.get("output_tuple_indices", ()),
                    fields.get("operand_index", (0,))[0],
                    fields.get("operand_tuple_indices", ()),
                )
            )
        else:
            pending.extend(reversed(node.children))
    return tuple(aliases)


def _named(node, rule):  # type: ignore[no-untyped-def]  # parsimonious has no types
    return [node] if node.expr_name == rule else [found for child in node.children for found in _named(child, rule)]


def _field(node) -> tuple[str, tuple[int, ...]]:  # type: ignore[no-untyped-def]
    numbers = tuple(int(number.text) for number in _named(node, "number"))
    return node.children[0].text, numbers
