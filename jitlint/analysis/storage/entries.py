"""Where an entry of a call's dictionaries stands, and an element of its list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from jitlint.findings import Span
from jitlint.syntax.lexer import Token, tokens

WHOLE = -1
"""The number that stands for an entry as a whole."""


def entry_span(text: str, start: int, end: int, key: str, number: int = WHOLE) -> Span | None:
    """The place of element `number` of the list that the call at `text[start:end]` writes for `key`; that of the entry
    where it is no list, or `WHOLE`; None where the call does not write the key itself (but by an alias, say)."""
    spans = _entries(text[start:end]).get(key)
    if spans is None:
        return None
    entry, elements = spans
    first, last = elements[number] if 0 <= number < len(elements) else entry
    return Span(start + first, start + last)


@lru_cache(maxsize=16)
def _entries(call: str) -> Mapping[str, tuple[Span, tuple[Span, ...]]]:
    """The place of each entry in the text of a call, and those of its list's elements. (One call may have a thousand
    faults.) The first entry of a name counts."""
    found, depth = list(tokens(call)), 0
    entries: dict[str, tuple[Span, tuple[Span, ...]]] = {}
    for place, token in enumerate(found):
        if depth and found[place - 1].text in ("{", "<", ",") and token.text not in entries and token.kind != "open":
            has_value = place + 1 < len(found) and found[place + 1].text == "="
            end = _end(found, place + 2) if has_value else token.end
            entries[token.text] = Span(token.start, end), tuple(_elements(found, place + 2) if has_value else ())
        depth += (token.kind == "open") - (token.kind == "close")
    return entries


def _elements(found: Sequence[Token], place: int) -> Iterator[Span]:
    """The elements of the list that begins at a place; none where it is no list."""
    if place >= len(found) or found[place].text != "[":
        return
    depth, start, end = 0, -1, -1
    for token in map(found.__getitem__, range(place, len(found))):
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


def _end(found: Sequence[Token], place: int) -> int:
    """Where the value that begins at a place ends: before the comma or the bracket behind it."""
    depth, end = 0, found[place - 1].end
    for token in map(found.__getitem__, range(place, len(found))):
        if depth == 0 and (token.text == "," or token.kind == "close"):
            break
        depth += (token.kind == "open") - (token.kind == "close")
        end = token.end
    return end
