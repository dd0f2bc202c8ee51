"""Where an entry of a call's dictionaries stands, and an element of its list."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from jitlint.findings import Span
from jitlint.syntax.lexer import Token, tokens

WHOLE = -1
"""The number that stands for an entry as a whole."""


def entry_span(text: str, start: int, end: int, key: str, number: int = WHOLE) -> Span | None:
    """The place of element `number` of the list that the call at `text[start:end]` writes for `key`; that of the entry
    where it is no list, or `WHOLE`; None where the call does not write the key itself (but by an alias, say)."""
    spans = _spans(text[start:end], key)
    if spans is None:
        return None
    entry, elements = spans
    first, last = elements[number] if 0 <= number < len(elements) else entry
    return Span(start + first, start + last)


@lru_cache(maxsize=16)
def _spans(call: str, key: str) -> tuple[Span, tuple[Span, ...]] | None:
    """The place of an entry in the text of a call, and those of its list's elements. (One call may have a thousand
    faults in one list.)"""
    found, depth = list(tokens(call)), 0
    for place, token in enumerate(found):
        if depth and token.text == key and found[place - 1].text in ("{", "<", ","):
            value = found[place + 2 :] if found[place + 1].text == "=" else []
            end = _end(value) if value else token.end
            return Span(token.start, end), tuple(_elements(value)) if value and value[0].text == "[" else ()
        depth += (token.kind == "open") - (token.kind == "close")
    return None


def _elements(value: list[Token]) -> Iterator[Span]:
    """The elements of the list that `value` begins with."""
    depth, start, end = 0, -1, -1
    for token in value:
        depth -= token.kind == "close"
        if depth == 0 or (depth == 1 and token.text == ","):
            if start >= 0:
                yield Span(start, end)
            start = -1
            if token.kind == "close":
                return
        else:
            start, end = token.start if start < 0 else start, token.end
        depth += token.kind == "open"


def _end(value: list[Token]) -> int:
    """Where a value ends: before the comma or the bracket behind it."""
    depth, end = 0, value[0].end
    for token in value:
        if depth == 0 and (token.text == "," or token.kind == "close"):
            break
        depth += (token.kind == "open") - (token.kind == "close")
        end = token.end
    return end
