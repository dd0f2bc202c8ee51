"""The attributes of operations in the generic form: what `<…>` and the dictionary behind the regions say.

An alias counts as what it stands for. What stands further in, in a dictionary that is a value, is no attribute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jitlint import lazy
from jitlint.ir.tree import Operation
from jitlint.syntax.grammar import parse_dictionary, without_comments
from jitlint.syntax.lexer import SyntaxProblem, tokens

_SPACE = r"[ \t\r\n]*+"
_PROPERTIES = lazy.pattern(rf"[^)]*+\){_SPACE}(?:\[[^\]]*+\]{_SPACE})?+<{_SPACE}(?P<dictionary>\{{)?+")
_ALIAS = lazy.pattern(rf"(#[\w$-]++){_SPACE}>")
_WHOLE_ALIAS = lazy.pattern(r"#[\w$-]++")


def alias_of_properties(operation: Operation) -> str | None:
    """What the alias that stands for all properties (`<#p>`) stands for; "" where there is none, None for one that
    cannot be resolved."""
    text = _own_text(operation)
    match = _PROPERTIES.match(text)
    if match is None or match["dictionary"]:
        return ""
    alias = _ALIAS.match(text, match.end())
    return resolved(operation, alias[1]) if alias else None


def resolved(operation: Operation, value: str) -> str | None:
    """An attribute's value, or what it stands for if it is an alias; None for an alias that is not known."""
    aliases = operation.block.region.unit.aliases
    for _ in range(len(aliases) + 1):
        if not _WHOLE_ALIAS.fullmatch(value):
            return value
        if value not in aliases:
            return None
        value = aliases[value]
    return None  # aliases that stand for one another


def generic_attributes(operation: Operation) -> Mapping[str, str] | None:
    """The attributes of an operation in the generic form, its properties among them, each with its value as written,
    aliases replaced; None where they cannot be read."""
    properties = alias_of_properties(operation)
    if properties is None:
        return None
    found: dict[str, str] = {}
    try:
        for text in (properties, *_dictionaries(operation)):
            for key, value in (parse_dictionary(text) if text else {}).items():
                known = resolved(operation, value)
                if known is None or key in found or "\\" in key:
                    return None
                found[key] = known
    except SyntaxProblem:
        return None
    return found


def _own_text(operation: Operation) -> str:
    """The text behind the results, without comments and without what the regions hold."""
    pieces, start = [], operation.operands_start
    for region in operation.regions:
        pieces.append(operation.text[start : region.start])
        start = region.end
    pieces.append(operation.text[start : operation.end])
    return without_comments("".join(pieces))


def _dictionaries(operation: Operation) -> Iterator[str]:
    """The dictionaries of properties and attributes: those in no brackets but `<…>`. Emptied regions are in `(…)`."""
    text = _own_text(operation)
    opened: list[str] = []
    begin = 0
    for token in tokens(text):
        if token.kind == "open":
            if token.text == "{" and opened in ([], ["<"]):
                begin = token.start
            opened.append(token.text)
        elif token.kind == "close" and opened:
            opened.pop()
            if token.text == "}" and opened in ([], ["<"]):
                yield text[begin : token.end]
        elif token.text == ":" and not opened:
            break
