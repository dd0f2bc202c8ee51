"""Which typed names are arguments of a block or a region: a list of them in brackets ends before `:` or a region.

The text says so only behind the list, however long that is; so a list is read once, for all the names in it.
"""

from __future__ import annotations

from collections.abc import Mapping

from jitlint import lazy
from jitlint.ir.effects import OPERATIONS
from jitlint.syntax.heads import GAP, opens_region
from jitlint.syntax.lexer import TOKEN, comments, string_end

_GAP = lazy.pattern(GAP)
_BLANKS = " \t\r\n"


class ArgumentLists:
    """Tells of names in one text whether they are arguments where they stand; `close` are the text's braces."""

    def __init__(self, text: str, close: Mapping[int, int]) -> None:
        self._text = text
        self._close = close
        self._known: dict[int, bool] = {}

    def hold(self, place: int, end: int) -> bool:
        """Whether the name at `text[place:end]`, which a type follows, is one in a list of arguments. A list that never
        ends may be one."""
        known = self._known.get(place)
        if known is None:
            if word_before(self._text, place) in ("(", ","):
                self._read(place, end)
            known = self._known.setdefault(place, False)
        return known

    def _read(self, place: int, end: int) -> None:
        """Read on from a name to the end of the list that it is in, and note what is found of all names on the way."""
        text, position, previous = self._text, end, ""
        levels = [[place]]
        """For each open bracket the names that it or a comma comes before, as long as nothing speaks against a list."""
        while levels:
            match = TOKEN.match(text, position)
            if match is None:
                for names in levels:
                    self._note(names, True)
                return
            kind, word, start, position = match.lastgroup, match.group(), position, match.end()
            if kind in ("space", "newline", "comment"):
                continue
            if kind == "ssa":
                if previous in (",", "("):
                    levels[-1].append(start)
                else:
                    self._note(levels[-1], False)  # an operand: no list of arguments goes on like that
                    self._known[start] = False
                    if len(levels) == 1:
                        return
            elif word == "{" and start in self._close:
                position = self._close[start] + 1
            elif word == '"':
                position = max(position, string_end(text, start, len(text)))
            elif kind == "open":
                levels.append([])
            elif kind == "close":
                self._note(levels.pop(), word != "}" and self._begins_a_body(position))
            previous = word

    def _begins_a_body(self, position: int) -> bool:
        """Whether a label's colon, or a region, stands behind a bracket."""
        text = self._text
        gap = _GAP.match(text, position)
        after = gap.end() if gap else position
        return text[after : after + 1] == ":" or (
            text[after : after + 1] == "{" and opens_region(text, after, len(text), OPERATIONS)
        )

    def _note(self, names: list[int], answer: bool) -> None:
        for name in names:
            self._known.setdefault(name, answer)
        names.clear()


def word_before(text: str, place: int) -> str:
    """The last character before `place` that is neither white space nor in a comment; "" where there is none."""
    while True:
        before = place - 1
        while before >= 0 and text[before] in _BLANKS:
            before -= 1
        if before < 0:
            return ""
        if "\n" not in text[before + 1 : place] and "\r" not in text[before + 1 : place]:
            return text[before]
        line = max(text.rfind("\n", 0, before), text.rfind("\r", 0, before)) + 1
        commented = next((start for start, end in comments(text, line, before + 1) if end > before), None)
        if commented is None:
            return text[before]
        place = commented
