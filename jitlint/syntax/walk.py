"""Read operations token by token: the careful road of cutting, for every line that is not plainly one operation."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jitlint import lazy
from jitlint.syntax.cutting import CutBlock, Cutting
from jitlint.syntax.heads import RESULT_NAMES, Head, alias_at, colon_after, head_at, label_mark, opens_region
from jitlint.syntax.lexer import CLOSER, TOKEN, SyntaxProblem, string_end
from jitlint.syntax.shapes import COMPLEX, Shape

GOES_ON_AFTER = (",", "=", "->")
"""What no operation ends in, so that it goes on, on the next line if need be."""
_NOT_A_LABEL_AFTER = frozenset({",", "to", "unwind"})
_NOT_A_LABEL_BEHIND = lazy.pattern(r"(?<![\w$.])(?:to|unwind)\Z|,\Z")
_LONGEST_WORD = len(" unwind")

_ENDS_A_TYPE = re.compile(r"[>)]|!.++|index|none|b?f[0-9]\w*+|[su]?i[0-9]++")


class Walker:
    """Walks the tokens of one region at its own depth; regions and dictionaries are jumped over by their braces.

    `last_end` is where the last token ended (0 before the first), `continued` whether a line was met that goes on
    with an operation that began before. With `one_line`, the text is one line whose first operation may lie before it.
    """

    def __init__(
        self,
        text: str,
        close: Mapping[int, int],
        operations: frozenset[str],
        cutting: Cutting,
        end: int,
        *,
        one_line: bool = False,
    ) -> None:
        self.text = text
        self.close = close
        self.operations = operations
        self.cutting = cutting
        self.end = end
        self.last_end = 0
        self.continued = False
        self.one_line = one_line
        self._generic = (-1, False)
        self._no_results = 0
        self._typed = False

    def walk_line(self, position: int) -> int:
        """Read from `position` to the first line start at region depth; returns its offset, or the end.

        Raises SyntaxProblem where brackets do not match or a string does not end on its line.
        """
        text, end, match_at = self.text, self.end, TOKEN.match
        stack: list[tuple[str, int]] = []
        fresh, previous = True, ""
        while position < end:
            start = position
            if text[position] == '"' and (closed := string_end(text, position, end)) >= 0:
                kind, word, position = "string", '""', closed  # what it holds matters to nobody, and may be long
            else:
                match = match_at(text, position, end)
                assert match is not None
                kind, word, position = match.lastgroup or "", match.group(), match.end()
            if kind == "space" or kind == "comment":
                continue
            if kind == "newline":
                if not stack and (fresh or previous not in GOES_ON_AFTER):
                    return position
                continue
            if not stack and (fresh or kind in _MAY_BEGIN):
                beginning = self._begin(kind, word, start, fresh, previous)
                if beginning:
                    position, previous = beginning
                    fresh = previous == ":"
                    self.last_end = position
                    continue
            position = self._inside(kind, word, start, position, stack, previous)
            fresh, previous, self.last_end = False, word, position
            if not stack:
                self._typed = self._typed or word == ":"
                self._extend(position)
        self._check_closed(stack)
        return end

    def _begin(self, kind: str | None, word: str, start: int, fresh: bool, previous: str) -> tuple[int, str] | None:
        """Begin an operation, an alias definition or a block here, if one begins: where to go on, and the last word."""
        if kind == "block":
            return self._label(start, previous)
        if fresh and kind in ("hash", "type") and alias_at(self.text, start, self.end):
            return self._open(Head(start, "alias", start + len(word)))
        if fresh and kind == "metadata" and word == "{-#":
            close = self.close.get(start)
            if close is None:
                raise SyntaxProblem("this `{-#` is never closed", start, start)
            return self._open(Head(start, "metadata", close + 1))
        if kind == "ssa" and previous in (",", "->", "unsigned", _OWN_NAME) and not fresh:
            return None
        head = self._head(kind, start) if kind in _MAY_BEGIN else None
        if head is None or not (fresh or self._begins_inside(kind, word, head, previous)):
            if fresh:
                self.continued = True
                if not self.one_line and not self.cutting.blocks[-1].shapes:
                    self.cutting.problems.append((start, "expected an operation"))
            return None
        return self._open(head)

    def _head(self, kind: str | None, start: int) -> Head | None:
        """The operation that begins here, if one does; a list of names that are no results is looked through once."""
        if kind == "ssa" and start < self._no_results:
            return None
        head = head_at(self.text, start, self.end)
        if head is None and kind == "ssa":
            names = RESULT_NAMES.match(self.text, start, self.end)
            self._no_results = names.end() if names else start
        return head

    def _begins_inside(self, kind: str | None, word: str, head: Head, previous: str) -> bool:
        """Whether an operation begins at a candidate inside a line; notes the candidates that cannot be decided."""
        block = self.cutting.blocks[-1]
        if previous == "applies" or (previous == _OWN_NAME and (kind != "bare" or "." not in word)):
            return False
        if kind != "ssa" and (head.name in _ALWAYS_WITH_RESULTS or previous in GOES_ON_AFTER):
            return False
        if kind == "ssa" or (block.shapes and self._is_over(head, previous)):
            return True
        if kind == "string" and "." not in head.name and block.shapes and not self._in_table(block.shapes[-1].name):
            return False  # no dialect has an operation of that name, and nobody thinks the one before free of effects
        self.cutting.problems.append((head.start, f"`{head.name}` may or may not begin an operation here"))
        return False

    def _is_over(self, head: Head, previous: str) -> bool:
        """Whether the last operation is over before a candidate: by its grammar, or because it and the candidate are
        of the table, and it has its types. (Nothing follows those but a location or the keyword of a clause.)"""
        if self._grammar_is_known(previous):
            return True
        before = self.cutting.blocks[-1].shapes[-1].name
        known = self._in_table(before) and self._in_table(head.name)
        return self._typed and known and _ENDS_A_TYPE.fullmatch(previous) is not None

    def _in_table(self, name: str) -> bool:
        return name in self.operations or name in _SHORT_NAMES

    def _grammar_is_known(self, previous: str) -> bool:
        """Whether the last operation is over by its grammar: a JIT call, one in the generic form, or a function or
        module behind its body."""
        block = self.cutting.blocks[-1]
        shape, start = block.shapes[-1], block.starts[-1]
        if shape.is_jit_call:
            return True
        if shape.name in _END_WITH_REGION:
            return previous == "{"
        if self._generic[0] != start:
            head = head_at(self.text, start, self.end)
            self._generic = start, head is not None and self.text[head.end - 1] == '"'
        return self._generic[1] and previous not in ("->", ":", "loc")

    def _open(self, head: Head) -> tuple[int, str]:
        self._typed = False
        self.cutting.blocks[-1].add(head.start, Shape(COMPLEX, head.name), head.end)
        return head.end, _OWN_NAME

    def _extend(self, position: int) -> None:
        block = self.cutting.blocks[-1]
        if block.ends:
            block.extend(position)

    def _label(self, start: int, previous: str) -> tuple[int, str] | None:
        """Begin a block if the block name at `start` is a label."""
        if previous in _NOT_A_LABEL_AFTER or (not previous and self._names_a_block_next()):
            return None
        mark, place = label_mark(self.text, start, self.end)
        arguments = None
        if mark == "(":
            closed = self._skip_group(place)
            arguments, place = (place, closed), colon_after(self.text, closed, self.end) - 1
            mark = ":" if place >= 0 else ""
        if mark != ":":
            return None
        name_end = start + 1
        while name_end < self.end and self.text[name_end] not in ":( \t\r\n/":
            name_end += 1
        self.cutting.blocks.append(CutBlock((start, name_end), arguments))
        return place + 1, ":"

    def _names_a_block_next(self) -> bool:
        """Whether the operation before the line goes on with the name of a block."""
        ends = self.cutting.blocks[-1].ends
        return (
            bool(ends) and _NOT_A_LABEL_BEHIND.search(self.text, max(0, ends[-1] - _LONGEST_WORD), ends[-1]) is not None
        )

    def _skip_group(self, start: int) -> int:
        """The offset after the bracket that closes the one at `start`."""
        stack: list[tuple[str, int]] = []
        position = start
        while position < self.end:
            match = TOKEN.match(self.text, position, self.end)
            assert match is not None
            kind, word, begin = match.lastgroup, match.group(), position
            position = match.end()
            if kind not in ("space", "comment", "newline"):
                position = self._inside(kind, word, begin, position, stack, "[")
                if not stack:
                    return position
        self._check_closed(stack)
        return self.end

    def _inside(
        self, kind: str | None, word: str, start: int, position: int, stack: list[tuple[str, int]], previous: str
    ) -> int:
        """Take one token that begins nothing; returns where to go on."""
        if word == "{" or word == "{-#":
            return self._brace(start, stack, previous)
        if kind == "open":
            stack.append((word, start))
        elif kind == "close":
            self._close(word, start, stack)
        elif word == '"':
            raise SyntaxProblem("this string does not end on its line", start)
        return position

    def _brace(self, start: int, stack: list[tuple[str, int]], previous: str) -> int:
        """Jump over a region or a dictionary, and note the region."""
        close = self.close.get(start)
        if close is None or close >= self.end:
            raise SyntaxProblem("this `{` is never closed", start, start)
        block = self.cutting.blocks[-1]
        in_parentheses = all(bracket == "(" for bracket, _ in stack)
        if (
            block.shapes
            and in_parentheses
            and previous != "attributes"
            and opens_region(self.text, start, close + 1, self.operations)
        ):
            block.regions.setdefault(len(block.shapes) - 1, []).append((start, close + 1))
        return close + 1

    def _close(self, word: str, start: int, stack: list[tuple[str, int]]) -> None:
        if word == ">":
            if stack and stack[-1][0] == "<":
                stack.pop()
            else:
                self.cutting.problems.append((start, "this `>` closes nothing"))
            return
        while stack and stack[-1][0] == "<":
            self.cutting.problems.append((stack.pop()[1], "this `<` is never closed"))
        if not stack or CLOSER[stack[-1][0]] != word:
            raise SyntaxProblem(f"this `{word}` closes nothing", start, stack[-1][1] if stack else None)
        stack.pop()

    def _check_closed(self, stack: list[tuple[str, int]]) -> None:
        for bracket, start in reversed(stack):
            if bracket != "<":
                raise SyntaxProblem(f"this `{bracket}` is never closed", start, start)
            self.cutting.problems.append((start, "this `<` is never closed"))


_OWN_NAME = "\0name"
"""Stands for an operation's own name as the word before: no text is equal to it."""

_ALWAYS_WITH_RESULTS = frozenset({"constant", "unrealized_conversion_cast"})
"""Plain words that begin an operation only behind a result list: `llvm.mlir.global external constant @x` is one."""

_SHORT_NAMES = frozenset({"return", "call"})
"""Operations of the table that are written without their dialect, and begin nothing else."""

_END_WITH_REGION = frozenset({"module", "builtin.module", "func.func", "llvm.func"})

_MAY_BEGIN = frozenset({"ssa", "string", "bare", "block", "hash", "type", "metadata"})
