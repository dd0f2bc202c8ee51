"""Symbols that reach themselves: a function that calls itself, directly or by way of others that call it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


class Rings:
    """Finds the rings of one symbol table, by Tarjan's algorithm, each symbol looked at once.

    `references(symbol)` are the symbols that what a symbol names names in turn.
    """

    def __init__(self, references: Callable[[str], Iterable[str]]) -> None:
        self._references = references
        self._places: dict[str, int] = {}
        self.found: dict[str, str] = {}
        """For each symbol in a ring, as far as `of` was asked for it or for one that leads to it: the least symbol of
        its ring."""

    def of(self, symbol: str) -> str | None:
        """The least symbol of the ring that a symbol is in; None if nothing leads from it back to it."""
        if symbol not in self._places:
            self._explore(symbol)
        return self.found.get(symbol)

    def _explore(self, start: str) -> None:
        places, lowest = self._places, dict[str, int]()
        ways: list[tuple[str, Iterator[str]]] = []
        open_: dict[str, None] = {}
        loops = set[str]()

        def enter(symbol: str) -> None:
            lowest[symbol] = places[symbol] = len(places)
            open_[symbol] = None
            ways.append((symbol, iter(self._references(symbol))))

        enter(start)
        while ways:
            symbol, others = ways[-1]
            other = next(others, None)
            if other is None:
                ways.pop()
                if ways:
                    lowest[ways[-1][0]] = min(lowest[ways[-1][0]], lowest[symbol])
                if lowest[symbol] == places[symbol]:
                    self._close(symbol, open_, loops)
            elif other not in places:
                enter(other)
            elif other in open_:
                lowest[symbol] = min(lowest[symbol], places[other])
                if other == symbol:
                    loops.add(symbol)

    def _close(self, first: str, open_: dict[str, None], loops: set[str]) -> None:
        """Take the symbols that lead to one another, `first` and those behind it, off the open ones."""
        members = [open_.popitem()[0]]
        while members[-1] != first:
            members.append(open_.popitem()[0])
        if len(members) > 1 or first in loops:
            self.found.update(dict.fromkeys(members, min(members)))
