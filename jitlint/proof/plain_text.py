"""The text of an operation with everything taken out that means nothing: names, locations, comments, white space.

What is left is compared as it stands. Two operations whose plain texts are equal, and whose names stand for equal
values, are the same operation; the reverse need not hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from jitlint import lazy
from jitlint.proof.terms import NotUnderstood
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.grammar import scan_group
from jitlint.syntax.lexer import BARE, COMMENT, SSA_NAME, STRING, SYMBOL

_PART = lazy.pattern(
    rf"({STRING})|((?:\s|{COMMENT})++)|({SSA_NAME}(?:#[0-9]+)?)|({SYMBOL})|(\^[\w$.-]++)"
    rf"|((?<![\w$.])loc\s*+(?=\())|([#!][A-Za-z_][\w$.-]*+)|([0-9]++\.[0-9]*+(?:[eE][+-]?[0-9]++)?(?![\w$.]))|([\w$.]++)|->"
)
_NAME = re.compile(rf"({SSA_NAME}(?:#[0-9]+)?|@{BARE})")
_VARIES = re.compile(r'["^]|//|::')
"""What a plain text is not remembered for: it means other things at other times, or hides names."""
_SYMBOL = "@\0"
"""What stands for a symbol in a text that is remembered."""
_MOST = 100_000
"""Texts that are remembered."""
_ONE_RESULT = re.compile(r"->\(([\w!.<>?]++)\)")
_LIST = re.compile(r"dense<(\[[^<>\"]*+)>")
_ELEMENT = re.compile(r"\([^()]*+\)|[^\[\],()]++")
_PREFIXED = frozenset(["func.call", "func.return", "builtin.module"])
"""Names that the printer leaves without their dialect's, at times."""
_TRUTHS = {
    text.format(said): text.format(meant)
    for text in ("arith.constant {}", "llvm.mlir.constant({}):i1")
    for said, meant in (("1:i1", "true"), ("-1:i1", "true"), ("0:i1", "false"))
}
"""Constants of one bit, which can be written in two ways."""
_LONG = 4096
"""Characters of a text that is not worth remembering."""
_TIGHT = frozenset("()[]{}<>,:=")
_ALIASES_DEEP = 40
"""Aliases that stand for one another, at the most."""
_LONGEST = 1_000_000
"""Characters that an alias may stand for, at the most."""


class Plain(NamedTuple):
    """A plain text, `%` in place of each name, and the names in their order."""

    text: str
    names: list[str]


class Texts:
    """Makes plain texts of one module. `aliases` are those that the module defines."""

    def __init__(self, text: str, aliases: Mapping[str, str]) -> None:
        self.text = text
        self._aliases = aliases
        self._plain_aliases: dict[str, str] = {}
        self._seen: dict[str, list[str]] = {}

    def plain(
        self,
        spans: list[tuple[int, int]],
        symbol: Callable[[str], str] = lambda name: name,
        labels: Mapping[str, str] | None = None,
        own: str | None = None,
    ) -> Plain:
        """The plain text of some stretches of the module's text, put together; `own` stands for another text.

        `symbol` tells what to write for a symbol, `labels` for a block's name.
        """
        text = self.text if own is None else own
        if sum(end - start for start, end in spans) > _LONG:
            return self._read(text, spans, symbol, labels)
        parts = _NAME.split("\0".join([text[start:end] for start, end in spans]))
        named = parts[1::2]
        parts[1::2] = ["\1" if name[0] == "%" else "\2" for name in named]
        key = "".join(parts)
        seen = self._seen.get(key)
        if seen is None:
            if _VARIES.search(key) or len(self._seen) >= _MOST:
                return self._read(text, spans, symbol, labels)
            seen = self._seen[key] = self._read(text, spans, lambda _: _SYMBOL, labels).text.split(_SYMBOL)
        if len(seen) == 1:
            return Plain(seen[0], [name for name in named if name[0] == "%"])
        symbols = [symbol(name[1:]) for name in named if name[0] == "@"]
        if len(symbols) != len(seen) - 1:  # one of them is in a location
            return self._read(text, spans, symbol, labels)
        pieces = [each for pair in zip(seen, [*symbols, ""], strict=True) for each in pair]
        return Plain("".join(pieces), [name for name in named if name[0] == "%"])

    def _read(
        self, text: str, spans: list[tuple[int, int]], symbol: Callable[[str], str], labels: Mapping[str, str] | None
    ) -> Plain:
        """The plain text, read token by token."""
        pieces: list[str] = []
        names: list[str] = []
        gap = False
        for start, end in spans:
            if pieces:
                pieces.append("\n")  # what is left out stood here: an empty pair of braces is not the one before it
            position = start
            while position < end:
                if text[position] == '"' and (stop := _long_string(text, position, end)):
                    pieces.append(f'"\n{_digest(text[position:stop])}"')  # which is no string that a module can have
                    position, gap = stop, False
                    continue
                match = _PART.match(text, position, end)
                kind = match.lastindex if match else None
                word = match[0] if match else text[position]
                position += len(word)
                if kind == 2:
                    gap = True
                    continue
                if kind == 3:
                    names.append(word)
                    word = "%"
                elif kind == 4:
                    word = symbol(symbol_name(word)) if text[position : position + 2] != "::" else word
                elif kind == 5:
                    word = labels.get(word, word) if labels is not None else word
                elif kind == 6:
                    after = scan_group(text, position)
                    if after is None or after > end:
                        raise NotUnderstood("a location that does not end")
                    if any(part.lastindex == 3 for part in _PART.finditer(text, position, after)):
                        raise NotUnderstood("a location that names a value")
                    position = after
                    continue
                elif kind == 7 and word in self._aliases:
                    word = self._alias(word)
                elif kind is not None and word in _PREFIXED:
                    word = word.partition(".")[2]
                elif kind == 8:
                    word = repr(float(word))  # MLIR reads every number as an `f64`, too, whatever its type
                if gap and pieces and pieces[-1][-1:] not in _TIGHT and word[0] not in _TIGHT and word != "->":
                    pieces.append(" ")
                pieces.append(word)
                gap = False
            gap = True
        return Plain(_as_printed("".join(pieces)), names)

    def _alias(self, name: str) -> str:
        """The plain text that an alias stands for, with the aliases in it resolved."""
        known = self._plain_aliases.get(name)
        if known is None:
            text = self._aliases[name]
            for _ in range(_ALIASES_DEEP):
                found = [match[0] for match in _PART.finditer(text) if match.lastindex == 7]
                used = [each for each in found if each in self._aliases]
                if not used:
                    break
                if len(text) + sum(len(self._aliases[each]) for each in used) > _LONGEST:
                    raise NotUnderstood(f"the alias {name} stands for too much")
                text = _PART.sub(lambda m: self._aliases.get(m[0], m[0]) if m.lastindex == 7 else m[0], text)
            else:
                raise NotUnderstood(f"the alias {name} stands for itself")
            known = self._plain_aliases[name] = self.plain([(0, len(text))], own=text).text
        return known


def _digest(text: str) -> str:
    import hashlib  # takes 2 ms, and hardly any string is that long

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _long_string(text: str, start: int, end: int) -> int:
    """Where a long and plain string ends, such as a large constant; 0 where there is none. What stands for it in a
    plain text is its hash: nobody reads a million digits."""
    after = text.find('"', start + 1, end) + 1
    plain = after - start > _LONG and text.find("\\", start, after) < 0 and text.find("\n", start, after) < 0
    return after if plain else 0


def _as_printed(text: str) -> str:
    """A text with those parts as the printer has them that it writes otherwise than they may be written."""
    text = text.replace("{addr_space=0:i32}", "") if text.startswith("llvm.mlir.global") else _TRUTHS.get(text, text)
    text = _ONE_RESULT.sub(r"->\1", text) if "->(" in text else text
    return _LIST.sub(_splat, text) if "dense<[" in text else text


def _splat(match: re.Match[str]) -> str:
    """A list of elements that are all the same, as that one element."""
    elements = set(_ELEMENT.findall(match[1]))
    return f"dense<{elements.pop()}>" if len(elements) == 1 else match[0]
