"""Operations on their lines: what belongs to an operation when it moves or goes, and where new lines are put."""

from __future__ import annotations

from jitlint import lazy
from jitlint.syntax.lexer import SPLIT

_INDENT = lazy.pattern(r"[ \t]*+")
_REST = lazy.pattern(r"[ \t]*+(//[^\n\r]*+)?+(?:\r?\n|\Z)")
_ONLY_COMMENT = lazy.pattern(r"[ \t]*+//[^\n\r]*+\r?\n?")


def line_start(text: str, offset: int) -> int:
    """The offset of the first character of the line."""
    return text.rfind("\n", 0, offset) + 1


def indent(text: str, offset: int) -> str:
    """The white space that the line of `offset` begins with."""
    match = _INDENT.match(text, line_start(text, offset), offset)
    return match.group() if match else ""


def begins_line(text: str, start: int) -> bool:
    """Whether only white space stands before `start` on its line."""
    return not text[line_start(text, start) : start].strip()


def ends_line(text: str, end: int) -> bool:
    """Whether only white space and a comment stand behind `end` on its line."""
    return _REST.match(text, end) is not None


def comment_behind(text: str, end: int) -> str:
    """The comment behind `end` on its line, or ""."""
    match = _REST.match(text, end)
    return (match.group(1) or "") if match else ""


def next_line(text: str, end: int) -> int:
    """The offset of the line after that of `end`, or the end of the text."""
    newline = text.find("\n", end)
    return len(text) if newline < 0 else newline + 1


def with_comments(text: str, start: int, floor: int) -> int:
    """The start of the lines of comment that stand right above the line of `start`, not before `floor`."""
    first = line_start(text, start)
    while first > floor:
        above = text.rfind("\n", 0, first - 1) + 1
        if above < floor or not _ONLY_COMMENT.fullmatch(text, above, first):
            break
        first = above
    return first


def whole_lines(text: str, start: int, end: int, floor: int) -> tuple[int, int] | None:
    """The lines of an operation with the comments that belong to it; None where it shares a line with another."""
    if not begins_line(text, start) or not ends_line(text, end):
        return None
    return with_comments(text, start, floor), next_line(text, end)


def removal(text: str, start: int, end: int) -> tuple[int, int, str]:
    """What to take away to remove an operation, and what to put there instead, which is nearly always nothing.

    Its lines are taken if they hold nothing else, else its text and a space.
    """
    if begins_line(text, start) and ends_line(text, end) and not comment_behind(text, end):
        return line_start(text, start), next_line(text, end), ""
    while end < len(text) and text[end] in " \t":
        end += 1
    return start, end, " " if line_start(text, start) == start and text.startswith(SPLIT, end) else ""


def has_carriage_returns(text: str) -> bool:
    """Whether the lines of a text end in CRLF, by the first of them."""
    newline = text.find("\n")
    return newline > 0 and text[newline - 1] == "\r"
