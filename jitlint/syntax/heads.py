"""How an operation, a block label and a region begin: patterns that look ahead in the text without a token list.

Every repetition is possessive, so that no pattern ever goes back: the time is linear in what it looks at.
"""

from __future__ import annotations

import re

from jitlint import lazy
from jitlint.syntax.lexer import BARE, COMMENT, SSA_NAME, STRING, string_value

GAP = r"(?>[ \t\r\n]++|//[^\n\r]*+)*+"
"""White space and comments."""

_RESULT = rf"{SSA_NAME}(?:{GAP}:{GAP}[0-9]++)?+"
_RESULTS = rf"{_RESULT}(?:{GAP},{GAP}{_RESULT})*+"
RESULT_LIST = rf"{_RESULTS}{GAP}=(?!=)"

PLAIN_WORDS = frozenset({"return", "call", "call_indirect", "constant", "module", "func", "unrealized_conversion_cast"})
"""Operations that the printer may write without their dialect."""

HEAD = re.compile(
    rf"(?P<results>{RESULT_LIST}{GAP})?+(?:(?P<generic>{STRING})(?={GAP}\()|(?P<bare>{BARE})(?P<after>{GAP}(?:==|[=,}}]|\Z))?+)"
)
RESULTS = re.compile(RESULT_LIST)
RESULT_NAMES = lazy.pattern(_RESULTS)
RESULT = re.compile(rf"({SSA_NAME})(?:{GAP}:{GAP}([0-9]++))?+")
ENDS_IN_RESULTS = re.compile(rf"{SSA_NAME}[ \t]*+(?::[ \t]*+(?:[0-9]++)?+)?+[ \t]*+[,=]?+\Z")
"""A line up to its last token, if that is one of a list of results, or of operands."""
ALIAS = lazy.pattern(rf"[#!][\w$.-]++{GAP}=(?!=)")
_LABEL = lazy.pattern(rf"\^[\w$.-]++{GAP}(?P<mark>[:(])?+")
_COLON = re.compile(rf"{GAP}:")
_AHEAD = re.compile(GAP)
_NAME = re.compile(r"[A-Za-z_][\w$.-]*+", re.ASCII)
_COMMENT = re.compile(COMMENT)


def results_in(text: str) -> list[tuple[str, str]]:
    """The names in a list of results, each with the number behind its colon, or ""; names in comments are none."""
    return RESULT.findall(_COMMENT.sub(" ", text) if "//" in text else text)


class Head:
    """The beginning of an operation: where it starts, its name, and where the name ends."""

    __slots__ = ("end", "name", "start")

    def __init__(self, start: int, name: str, end: int) -> None:
        self.start = start
        self.name = name
        self.end = end


def head_at(text: str, start: int, end: int) -> Head | None:
    """The operation that begins at `start`, if one does: a result list, `dialect.op`, `"name"(` or a plain word."""
    match = HEAD.match(text, start, end)
    if match is None:
        return None
    generic = match.group("generic")
    if generic is not None:
        return Head(start, generic[1:-1], match.end("generic")) if _is_name(generic) else None
    bare = match.group("bare")
    if match.group("results") is None:
        after = match.group("after")
        if "." in bare:
            if after and after[-1] in "=,":
                return None
        elif bare not in PLAIN_WORDS or (after and after[-1] in "=,"):
            return None
    return Head(start, bare, match.end("bare"))


def _is_name(string: str) -> bool:
    """Whether a string may be the name of an operation: it can be written with escapes."""
    return _NAME.fullmatch(string_value(string[1:-1])) is not None


def alias_at(text: str, start: int, end: int) -> bool:
    """Whether a definition of an attribute or type alias begins here."""
    return ALIAS.match(text, start, end) is not None


def label_mark(text: str, start: int, end: int) -> tuple[str, int]:
    """What follows the block name at `start`: ":" or "(" and its offset, or "" and the offset after the name."""
    match = _LABEL.match(text, start, end)
    if match is None or match.group("mark") is None:
        return "", match.end() if match else start
    return match.group("mark"), match.start("mark")


def colon_after(text: str, start: int, end: int) -> int:
    """The offset after the colon that comes next, or -1."""
    match = _COLON.match(text, start, end)
    return match.end() if match else -1


def opens_region(text: str, brace: int, end: int, is_operation: frozenset[str] | set[str]) -> bool:
    """Whether the `{` at `brace` opens a region rather than a dictionary, by what follows it.

    A lone `{ x.y }` is a region if `x.y` is in `is_operation`.
    """
    gap = _AHEAD.match(text, brace + 1, end)
    start = gap.end() if gap else brace + 1
    if start >= end:
        return False
    first = text[start]
    if first == "^":
        return True
    if first == "%":
        return RESULTS.match(text, start, end) is not None
    match = HEAD.match(text, start, end)
    if match is None:
        return False
    bare = match.group("bare")
    if bare is None:
        return _is_name(match.group("generic"))
    after = match.group("after")
    last = after[-1] if after else ""
    if last in ("=", ","):
        return False
    if "." not in bare:
        return bare in PLAIN_WORDS and (last != "}" or bare == "return")
    return last != "}" or bare in is_operation
