"""MLIR's tokens, as far as cutting a text into operations needs them.

The rules are MLIR's own: `->`, `=>`, `>=` and `<=` are no brackets; a string ends on its line; a line, and a comment
with it, ends at a line feed or a carriage return; `-` belongs to `%`, `#`, `!` and `^` names, not to bare or `@` names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from jitlint import lazy

STRING = r'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"'
COMMENT = r"//[^\n\r]*"
SSA_NAME = r"%(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)"
SYMBOL = rf"@(?:[A-Za-z_][A-Za-z0-9_$.]*|{STRING})"
BARE = r"[A-Za-z_][A-Za-z0-9_$.]*"

_SUFFIXED = r"(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)"

TOKEN = re.compile(
    rf"""
    (?P<space> [\ \t]+ )
  | (?P<newline> \r?\n | \r )
  | (?P<ssa> {SSA_NAME} )
  | (?P<bare> {BARE} )
  | (?P<comment> {COMMENT} )
  | (?P<string> {STRING} )
  | (?P<arrow> -> | => | >= | <= )
  | (?P<metadata> \{{-\# | \#-\}} )
  | (?P<open> [(\[{{<] )
  | (?P<close> [)\]}}>] )
  | (?P<symbol> {SYMBOL} )
  | (?P<block> \^{_SUFFIXED} )
  | (?P<hash> \#{_SUFFIXED} )
  | (?P<type> !{_SUFFIXED} )
  | (?P<number> [0-9][A-Za-z0-9_.]* )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
"""One match at every position: white space and comments are tokens too. A lone `"` is `other`: an unended string."""

_STRING = re.compile(STRING)
_ESCAPE = lazy.pattern(rb'\\(?:([nt"\\])|([0-9a-fA-F]{2}))')


def string_value(inside: str) -> str:
    """What the text between the quotes of a string stands for: MLIR's escapes undone.

    An escape is a byte of UTF-8, as the engine reads it: `"\\C3\\A9"` is `"é"`. A byte that belongs to no character
    becomes a lone surrogate, so that different strings stay different.
    """
    if "\\" not in inside:
        return inside
    return _ESCAPE.sub(_unescaped, inside.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")


def _unescaped(match: re.Match[bytes]) -> bytes:
    if match[2] is not None:
        return bytes([int(match[2], 16)])
    return {b"n": b"\n", b"t": b"\t"}.get(match[1], match[1])


def string_end(text: str, start: int, end: int) -> int:
    """The offset after the string that begins at `start`, or -1 where it does not end on its line.

    Three plain searches, as long as no escape is met: a constant of 50 MB costs 10 ms, and 150 by regular expression.
    """
    close = text.find('"', start + 1, end)
    if close >= 0 and text.find("\\", start, close) < 0 and text.find("\n", start, close) < 0:
        return close + 1
    match = _STRING.match(text, start, end)
    return match.end() if match is not None else -1


NAMES = re.compile(rf"{STRING}|{COMMENT}|({SSA_NAME})(#[0-9]+)?")
"""Finds the SSA names of a text: group 1 is the name, group 2 a result number. Strings and comments match bare."""

SSA = re.compile(SSA_NAME)

CLOSER = {"(": ")", "[": "]", "{": "}", "<": ">", "{-#": "#-}"}

_COMMENTS = lazy.pattern(rf"{STRING}|({COMMENT})")
SPLIT = "// -----"
"""What a line between two modules begins with: no other comment may come to stand at the beginning of a line."""
_SPLIT_LINE = lazy.pattern(rf"^{SPLIT}(?:[ \t]*\r?$|//[^\n]*$)", re.MULTILINE)


class Token(NamedTuple):
    """One token: its kind (a group name of `TOKEN`), its text and its place."""

    kind: str
    text: str
    start: int
    end: int
    first: bool
    """Whether it is the first token of its line (comments and white space aside)."""


class SyntaxProblem(Exception):
    """A text that cannot be read: what is wrong, where, and the place that it goes back to (what opened)."""

    def __init__(self, message: str, offset: int, opened: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.opened = opened


def tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of `text[start:end]` without white space and comments.

    Raises SyntaxProblem at a string that does not end on its line.
    """
    stop = len(text) if end is None else end
    first = start == 0 or text[start - 1] == "\n"
    match_at = TOKEN.match
    position = start
    while position < stop:
        match = match_at(text, position, stop)
        assert match is not None  # `.` matches what nothing else does
        kind = match.lastgroup
        position = match.end()
        if kind == "space" or kind == "comment":
            continue
        if kind == "newline":
            first = True
            continue
        word = match.group()
        if word == '"':
            raise SyntaxProblem("this string does not end on its line", match.start())
        assert kind is not None
        yield Token(kind, word, match.start(), position, first)
        first = False


def whole(digits: str) -> int:
    """The number that decimal digits stand for; of more than 18 of them, some number beyond any real count.

    (`int` refuses thousands of digits, and a text may hold them.)
    """
    return int(digits) if len(digits) <= 18 else 10**18


def comments(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The places of the comments of `text[start:end]`, from `//` to the end of the line."""
    for match in _COMMENTS.finditer(text, start, len(text) if end is None else end):
        if match.group(1) is not None:
            yield match.span(1)


def parts(text: str) -> list[tuple[int, int]]:
    """The places of the modules between `// -----` lines, each read on its own; one where there is no split."""
    bounds = [0]
    if "/" in text and SPLIT in text:  # one character is looked for ten times as fast as several
        for match in _SPLIT_LINE.finditer(text):
            bounds += [match.start(), match.end()]
    bounds.append(len(text))
    return list(zip(bounds[::2], bounds[1::2], strict=True))
