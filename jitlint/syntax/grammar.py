"""Grammar rules that the header of a function and an attribute dictionary share, and the reader of dictionaries.

Types and attribute values may hold anything in brackets, as deep as it likes. They are matched by a scanner that keeps
its brackets on a list of its own, so that the grammar's recursion does not grow with the text.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from jitlint import lazy
from jitlint.syntax.lexer import CLOSER, COMMENT, STRING, TOKEN, SyntaxProblem
from jitlint.syntax.notation import expressions

if TYPE_CHECKING:
    from parsimonious.expressions import Expression
    from parsimonious.nodes import Node

COMMON = r"""
dictionary = "{" _ entries "}"
entries    = (entry (comma entry)*)?
entry      = key _ ("=" _ value _)?
key        = ~r'[A-Za-z_][A-Za-z0-9_$.]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
location   = "loc" _ &"(" group
comma      = "," _
_          = ~r"[ \t\r\n]*"
"""
"""Rules in parsimonious' notation. `value`, `type` and `group` are the scanners below.

A rule takes the white space behind what it stands for, unless the end of that matters.
"""

_BLANKED = lazy.pattern(rf"{STRING}|({COMMENT})")
_SPACE = frozenset({"space", "newline", "comment"})


def grammar(rules: str, start: str = "") -> Expression:
    """The expression of a rule of `rules`, the first one or `start`, on top of the common rules."""
    return expressions(rules + COMMON, {"value": scan_value, "type": scan_type, "group": scan_group}, start)


def scan_value(text: str, start: int) -> int | None:
    """The offset after the attribute value at `start`: it ends before a comma or a bracket that closes more than it."""
    opened: list[str] = []
    position = end = start
    while match := TOKEN.match(text, position):
        position, kind, word = match.end(), match.lastgroup, match.group()
        if kind == "open":
            opened.append(CLOSER[word])
        elif kind == "close" and opened:
            if opened.pop() != word:
                return None
        elif word == '"' or kind == "metadata":
            return None
        elif not opened and (kind == "close" or word == ","):
            break
        if kind not in _SPACE:
            end = position
    return end if end > start and not opened else None


def scan_group(text: str, start: int) -> int | None:
    """The offset after the bracket that closes the one at `start`."""
    opened: list[str] = []
    position = start
    while match := TOKEN.match(text, position):
        position, word = match.end(), match.group()
        if match.lastgroup == "open":
            opened.append(CLOSER[word])
        elif (match.lastgroup == "close" and (not opened or opened.pop() != word)) or word == '"':
            return None
        if not opened:
            return position if position > start and match.lastgroup == "close" else None
    return None


_TYPE_NAME = re.compile(r"!?[A-Za-z_][A-Za-z0-9_$.]*")
_OPENING = re.compile(r"[ \t\r\n]*+<")
_GAP_AT_BRACKET = re.compile(r"(?<=[<(\[{])\s++|\s++(?=[<>)\]},])|[\t\r\n]|\s(?=\s)")
_TYPE_ARROW = re.compile(r"\s*->\s*")


def scan_type(text: str, start: int) -> int | None:
    """The offset after the type at `start`: a name with what `<…>` follows it, or a function type."""
    position: int | None = start
    while position is not None and text[position : position + 1] == "(":
        position = scan_group(text, position)
        arrow = _TYPE_ARROW.match(text, position) if position is not None else None
        if arrow is None:
            return None
        position = arrow.end()
        if text[position : position + 1] == "(":
            after = scan_group(text, position)
            if after is None or _TYPE_ARROW.match(text, after) is None:
                return after
    name = _TYPE_NAME.match(text, position) if position is not None else None
    if name is None:
        return None
    opening = _OPENING.match(text, name.end())
    if opening is None or (opening.end() > name.end() + 1 and name[0].startswith("!")):
        return name.end()  # what is in a dialect's own brackets follows its name without a gap
    return scan_group(text, opening.end() - 1)


def plain_type(text: str) -> str:
    """A type without white space that makes no difference: equal types are to be equal texts."""
    if _GAP_AT_BRACKET.search(text) is None or '"' in text:
        return text
    return _GAP_AT_BRACKET.sub("", " ".join(text.split()))


def without_comments(text: str) -> str:
    """`text` with blanks in place of its comments, so that every offset still holds."""
    if "//" not in text:
        return text
    return _BLANKED.sub(lambda match: " " * len(match[0]) if match[1] is not None else match[0], text)


@cache
def _dictionary_grammar() -> Expression:
    return grammar("whole = _ dictionary _\n")


def parse_dictionary(text: str) -> dict[str, str]:
    """The entries of `{…}` in order, each key with its value as written ("" for a unit attribute).

    Raises SyntaxProblem, with an offset into `text`, where it is no dictionary or names a key twice.
    """
    return entries(parse(_dictionary_grammar(), without_comments(text)))


def parse(rules: Expression, text: str) -> Node:
    """The tree of `text`; raises SyntaxProblem with the offset that the grammar got to."""
    from parsimonious.exceptions import ParseError

    try:
        return rules.parse(text)
    except ParseError as error:
        shown = " ".join(text[error.pos : error.pos + 30].split())
        message = f"unexpected `{shown}`" if shown else "more is expected here"
        raise SyntaxProblem(message, error.pos) from None


def entries(tree: Node | None) -> dict[str, str]:
    """The entries of the first dictionary under `tree`; raises SyntaxProblem where a key stands twice."""
    found: dict[str, str] = {}
    for entry in every(first(tree, "dictionary"), "entry"):
        key = entry.children[0].text.strip('"')
        if key in found:
            raise SyntaxProblem(f"`{key}` is given twice in one dictionary", entry.start)
        value = first(entry, "value")
        found[key] = value.text if value is not None else ""
    return found


def every(tree: Node | None, rule: str) -> list[Node]:
    """The outermost nodes of `rule` at or under `tree`, in text order."""
    found: list[Node] = []
    pending = [tree] if tree is not None else []
    while pending:
        node = pending.pop()
        if node.expr.name == rule:
            found.append(node)
        elif node.children:
            pending.extend(reversed(node.children))
    return found


def first(tree: Node | None, rule: str) -> Node | None:
    """The first node of `rule` at or under `tree`, or None."""
    pending = [tree] if tree is not None else []
    while pending:
        node = pending.pop()
        if node.expr.name == rule:
            return node
        if node.children:
            pending.extend(reversed(node.children))
    return None
