"""Who uses a value: names are looked up in the text of one function, and only the names that matter.

A name belongs to the region of the block that defines it, from the definition on; regions further in see it too. MLIR
forbids a second definition where the first is visible, so what stands after the definition and inside the region is a
use. Whatever might be a second definition, or a use before the definition, makes the name *doubtful*: it is left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from jitlint.ir.argument_lists import ArgumentLists, word_before
from jitlint.ir.tree import Block, Operation
from jitlint.syntax.heads import GAP, RESULT_NAMES, RESULTS
from jitlint.syntax.lexer import COMMENT, NAMES, SSA, SSA_NAME, string_end, whole

_DEFINES = re.compile(rf"(?:{GAP}:{GAP}[0-9]++)?+{GAP}=(?!=)")
_COUNT = re.compile(rf"{GAP}:{GAP}[0-9]")
_LISTED = re.compile(rf"(?:{GAP}:{GAP}[0-9]++)?+{GAP},")
_ARGUMENT = re.compile(rf"{GAP}[:=]")
_TYPED = re.compile(rf"{GAP}:(?!{GAP}[0-9])")
_NUMBER_APART = re.compile(rf"{GAP}#[0-9]")
_EQUALS = re.compile(rf"{GAP}=(?!=)")

_NAME_OR_STRING = re.compile(rf'"|{COMMENT}|({SSA_NAME})(#[0-9]+)?')
_NUMBER = re.compile(r"#[0-9]+")
_IN_NAMES = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789$._-")
_USED = re.compile(r"[)\]}>]|, ?[A-Za-z0-9\[({<\"@#!^]")
"""Nearly all that stands behind a name that is no definition, so that nothing else has to be ruled out."""

_PIECE = 1 << 15
"""Characters in which names are looked for together."""


class Use(NamedTuple):
    """One use of a value: its place, with the `#n` if there is one, and the operation of the defining block that it
    stands in or inside of (-1 if it stands in another block)."""

    start: int
    end: int
    operation: int


class Definition(Protocol):
    """What defines names: a JIT call, or any operation."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it ends: from here on its names are visible."""

    @property
    def result_names(self) -> tuple[tuple[str, int], ...]:
        """The names, each with the number of values that it stands for."""


class Occurrences:
    """Every place in one operation's text where one of some names stands."""

    def __init__(self, scope: Operation, names: Iterable[str]) -> None:
        self.places: dict[str, list[int]] = {name: [] for name in names}
        self.numbers: dict[str, list[str | None]] = {name: [] for name in self.places}
        self._text = scope.text
        self._no_results: list[tuple[int, int]] = []
        position = scope.start
        while position < scope.end:
            stop = scope.text.find("\n", position + _PIECE, scope.end) + 1 or scope.end
            piece = scope.text[position:stop]
            if '"' in piece or ("/" in piece and "//" in piece):
                self._look_closely(position, stop)
            else:
                self._look(piece, position)
            position = stop

    def _look(self, piece: str, offset: int) -> None:
        """Find the names in a piece without strings and comments. Names are found in their order, and so is a place for
        each: that of the next text that is the whole name."""
        places, numbers, find = self.places, self.numbers, piece.find
        end = 0
        for name in filter(places.__contains__, SSA.findall(piece)):
            place = find(name, end)
            end = place + len(name)
            after = piece[end : end + 1]
            if after in _IN_NAMES:
                place = _whole_name(name, piece, place)
                end = place + len(name)
                after = piece[end : end + 1]
            number = _NUMBER.match(piece, end) if after == "#" else None
            places[name].append(offset + place)
            numbers[name].append(number[0] if number else None)

    def _look_closely(self, start: int, stop: int) -> None:
        """Find the names in a piece with strings or comments."""
        places, numbers, text = self.places, self.numbers, self._text
        is_long = stop - start > 2 * _PIECE
        for match in _past_strings(text, start, stop) if is_long else NAMES.finditer(text, start, stop):
            name = match[1]
            if name in places:
                places[name].append(match.start())
                numbers[name].append(match[2])

    def begins_results(self, place: int) -> bool:
        """Whether the names listed from `place` on stand before an `=`. A list without one is looked through once."""
        before = bisect_right(self._no_results, (place, len(self._text))) - 1
        if before >= 0 and place < self._no_results[before][1]:
            return False
        names = RESULT_NAMES.match(self._text, place)
        if names is None or _EQUALS.match(self._text, names.end()):
            return names is not None
        insort(self._no_results, names.span())
        return False


def _past_strings(text: str, start: int, stop: int) -> Iterator[re.Match[str]]:
    """What `NAMES` finds in a piece with a long line, where a string may be long too and is not looked through."""
    while match := _NAME_OR_STRING.search(text, start, stop):
        start = match.end()
        if match[0] == '"':
            start = max(start, string_end(text, match.start(), stop))
        else:
            yield match


def _whole_name(name: str, piece: str, place: int) -> int:
    """The first place from `place` on where `name` is not the beginning of a longer one."""
    while piece[place + len(name) : place + len(name) + 1] in _IN_NAMES and SSA.match(piece, place)[0] != name:  # type: ignore[index]
        place = piece.find(name, place + 1)
    return place


class Uses:
    """The uses of the results of one block's JIT calls.

    `of[value]` lists the uses of a value in text order; `doubtful` maps the names that are left alone to a reason;
    `elsewhere` tells whether any use stands in another block.
    """

    def __init__(self, block: Block, definitions: Iterable[Definition], occurrences: Occurrences) -> None:
        self.block = block
        self.of: dict[tuple[str, int], list[Use]] = {}
        self.doubtful: dict[str, str] = {}
        self.elsewhere = False
        self._text = block.region.unit.text
        self._first, self._last = block.region.start, block.region.end
        self._start, self._end = block.bounds
        self._starts = block.cut.starts
        self._occurrences = occurrences
        self._arguments = ArgumentLists(self._text, block.region.unit.braces.close)
        for definition in definitions:
            for name, count in definition.result_names:
                self._find(definition, name, count)

    def _find(self, definition: Definition, name: str, count: int) -> None:
        if (name, 0) in self.of:
            self.doubtful[name] = f"{name} is defined twice"
        places, numbers = self._occurrences.places[name], self._occurrences.numbers[name]
        for number in range(min(count, len(places) + 1)):
            self.of[name, number] = []
        index, last = 0, len(places)
        if places and (places[0] < definition.start or places[-1] >= self._last):
            last = bisect_left(places, self._last)
            index = bisect_left(places, self._first)
            while index < last and places[index] < definition.start and name not in self.doubtful:
                index = self._before(name, places, index)
        while index < last and places[index] < definition.end:
            index += 1
        while index < last and name not in self.doubtful:
            self._after(name, count, places[index], numbers[index])
            index += 1

    def _after(self, name: str, count: int, place: int, number: str | None) -> None:
        """A name after its definition is a use, or in doubt."""
        text, end = self._text, place + len(name) + (len(number) if number else 0)
        which = whole(number[1:]) if number else 0
        if which >= count or not _USED.match(text, end):
            reason = self._doubt(name, count, place, end, which, number)
            if reason is not None:
                self.doubtful[name] = reason
                return
        inside = bisect_right(self._starts, place) - 1
        if place >= self._end:
            inside, self.elsewhere = -1, True
        self.of.setdefault((name, which), []).append(Use(place, end, inside))

    def _doubt(self, name: str, count: int, place: int, end: int, which: int, number: str | None) -> str | None:
        """Why a name after its definition is perhaps no use of it."""
        text = self._text
        if self._defines(place, end):
            return f"{name} is defined twice"
        if which >= count or _COUNT.match(text, end) or (number is None and _NUMBER_APART.match(text, end)):
            return f"{text[place : end + 4].split()[0]} is not a value of {name}"
        return None

    def _defines(self, place: int, end: int) -> bool:
        """Whether a name after its definition looks like one that is defined again."""
        text = self._text
        if _DEFINES.match(text, end):
            return True
        if _LISTED.match(text, end) and self._occurrences.begins_results(place):
            return word_before(text, place) not in (
                "(",
                "[",
                "=",
                "<",
            )  # what `%y = …` behind a use in brackets defines is an argument
        return bool(_TYPED.match(text, end)) and self._arguments.hold(place, end)

    def _before(self, name: str, places: Sequence[int], index: int) -> int:
        """A name before its definition belongs to a region further in that defines it itself, or is in doubt.

        Returns the index of the next place to look at.
        """
        place = places[index]
        end = place + len(name)
        chunk = self.block.region.nested_around(place)
        if chunk is not None:
            if not _ARGUMENT.match(self._text, end) and RESULTS.match(self._text, place) is None:
                self.doubtful[name] = f"{name} is used in a region before it is defined"
            return bisect_left(places, chunk[1])
        if place >= self._start or _ARGUMENT.match(self._text, end):
            self.doubtful[name] = f"{name} is used before it is defined"
        else:
            number = self._occurrences.numbers[name][index]
            which = whole(number[1:]) if number else 0
            self.of.setdefault((name, which), []).append(Use(place, end + len(number or ""), -1))
            self.elsewhere = True
        return index + 1
