"""Which brace closes which, and where the JIT calls stand: one pass over a module, before anything is cut.

Everything later jumps over a region in one step, so that what holds no JIT call is never looked at again.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from jitlint.syntax.heads import GAP
from jitlint.syntax.lexer import COMMENT, STRING, SyntaxProblem, string_end

JIT_CALL = "enzymexla.jit_call"
_QUOTED_CALL = f'"{JIT_CALL}"'

_PIECE = 1 << 16
"""Characters that are looked at together, to the end of a line: no string or comment goes on to the next."""
_BRACE = re.compile(r"[{}]")
_SCAN = re.compile(r'[{}"/]')
"""One set of characters, which `re` looks for more than twice as fast as for alternatives that begin with them."""
_HIDING = re.compile(rf'{STRING}|{COMMENT}|"')
_COMMENT = re.compile(COMMENT)
_CALL = re.compile(rf"{re.escape(JIT_CALL)}(?![\w$.])")
"""Without a look behind, so that it begins with fixed characters: thirty times as fast."""
_OPERANDS = re.compile(rf"{GAP}\(")
"""What follows the name of an operation in the generic form: any other string is a value."""
_BEFORE_NAME = re.compile(r"[\w$.]")


class Braces:
    """The braces of `text[start:end]`: `close` maps the offset of each `{` to that of its `}`.

    `calls` holds the offsets of the names of JIT calls in code (not in comments; of the strings, only the whole name),
    in text order. Raises SyntaxProblem where braces do not match or a string does not end on its line.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self.close: dict[int, int] = {}
        hidden, quoted = self._match(text, start, end)
        named = [match.start() for match in _CALL.finditer(text, start, end)]
        named = [
            offset
            for offset in named
            if offset == start or text[offset - 1] == " " or not _BEFORE_NAME.match(text, offset - 1)
        ]
        if hidden:
            named = _outside(named, hidden)
        self.calls = sorted(named + quoted) if quoted else named

    def _match(self, text: str, start: int, end: int) -> tuple[list[tuple[int, int]], list[int]]:
        """Match the braces; returns the comments and strings that name a JIT call, and the strings that are one."""
        opened: list[int] = []
        hidden: list[tuple[int, int]] = []
        quoted: list[int] = []
        position = start
        while position < end:
            stop = text.find("\n", position + _PIECE, end) + 1 or end
            if _hides_something(text, position, stop):
                self._look_closely(text, position, stop, opened, hidden, quoted)
            elif _holds(text, position, stop, "{}"):
                for brace in _BRACE.finditer(text, position, stop):
                    self._brace(brace.start(), brace[0], opened)
            position = stop
        if opened:
            raise SyntaxProblem("this `{` is never closed", opened[-1], opened[-1])
        return hidden, quoted

    def _brace(self, place: int, brace: str, opened: list[int]) -> None:
        if brace == "{":
            opened.append(place)
        elif opened:
            self.close[opened.pop()] = place
        else:
            raise SyntaxProblem("this `}` closes nothing", place)

    def _look_closely(
        self, text: str, start: int, end: int, opened: list[int], hidden: list[tuple[int, int]], quoted: list[int]
    ) -> None:
        """Match the braces of a piece that has some, or JIT calls, in strings or comments."""
        position = start
        while match := _SCAN.search(text, position, end):
            begin, position = match.span()
            character = match[0]
            if character in "{}":
                self._brace(begin, character, opened)
                continue
            if character == '"':
                position = string_end(text, begin, end)
                if position < 0:
                    raise SyntaxProblem("this string does not end on its line", begin)
                if text.startswith(_QUOTED_CALL, begin) and _OPERANDS.match(text, position):
                    quoted.append(begin)
            elif comment := _COMMENT.match(text, begin, end):
                position = comment.end()
            if text.find(JIT_CALL, begin, position) >= 0:
                hidden.append((begin, position))

    def holds_call(self, start: int, end: int) -> bool:
        """Whether a JIT call stands in `[start, end)`."""
        return self.count_calls(start, end) > 0

    def count_calls(self, start: int, end: int) -> int:
        """How many JIT calls stand in `[start, end)`."""
        return bisect_left(self.calls, end) - bisect_left(self.calls, start)

    def calls_in(self, start: int, end: int) -> list[int]:
        """The offsets of the JIT calls in `[start, end)`."""
        return self.calls[bisect_left(self.calls, start) : bisect_left(self.calls, end)]


def _holds(text: str, start: int, stop: int, characters: str) -> bool:
    """Whether one of a few characters stands in a piece; `find` looks for each ten times as fast as `re` for all."""
    return any(text.find(character, start, stop) >= 0 for character in characters)


def _hides_something(text: str, start: int, stop: int) -> bool:
    """Whether a brace or a JIT call of a piece may stand in a string or a comment, or a string does not end."""
    if not _holds(text, start, stop, '"/'):
        return False
    if stop - start > 2 * _PIECE:
        return True  # a long line, with a long string perhaps, which is not to be copied
    found = _HIDING.findall(text, start, stop)
    inside = "".join(found)
    return "{" in inside or "}" in inside or JIT_CALL in inside or '"' in found


def _outside(offsets: list[int], hidden: list[tuple[int, int]]) -> list[int]:
    """The offsets that lie in none of the spans; both are in text order."""
    starts = [start for start, _ in hidden]
    kept = []
    for offset in offsets:
        before = bisect_left(starts, offset) - 1
        if before < 0 or offset >= hidden[before][1]:
            kept.append(offset)
    return kept
