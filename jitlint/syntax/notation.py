"""Grammar rules in parsimonious' notation, read into parsimonious' expressions: one rule a line, no rule inside itself.

parsimonious reads its notation by a grammar, which it makes at its import: that and the reading are a third of what a
run over a small file takes. The rules here need little of the notation, which is read in a tenth of the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parsimonious.expressions import Expression

Scanner = Callable[[str, int], "int | None"]
"""A rule in code: the offset after what it stands for at a place of a text, None where that does not stand there."""

_RULE = re.compile(r"^(\w+)\s*=\s*(.+)$", re.MULTILINE)
_QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_WORD = re.compile(rf"\s*(?:~r(?P<pattern>{_QUOTED})|(?P<literal>{_QUOTED})|(?P<rule>\w+)|(?P<mark>[()/&?*+]))")
_REPEATED = {"?": (0, 1), "*": (0, float("inf")), "+": (1, float("inf"))}


def expressions(rules: str, scanners: Mapping[str, Scanner], start: str = "") -> Expression:
    """The expression of the rule `start`, or of the first one, with all that it refers to.

    Every rule must be more than the name of another one, since a name is part of what a rule is made into.
    """
    bodies = dict(_RULE.findall(rules))
    return _Builder(bodies, scanners).rule(start or next(iter(bodies)))


class _Builder:
    """Makes each rule once; rules refer to one another by their names."""

    def __init__(self, bodies: Mapping[str, str], scanners: Mapping[str, Scanner]) -> None:
        from parsimonious import expressions as library

        self._library: Any = library
        self._bodies = bodies
        self._made: dict[str, Any] = {
            name: library.expression(scanner, name, None) for name, scanner in scanners.items()
        }

    def rule(self, name: str) -> Any:
        """The expression of a rule. KeyError where there is none of that name."""
        made = self._made.get(name)
        if made is None:
            made = self._alternatives(_WORD.finditer(self._bodies[name]))
            made.name = name
            self._made[name] = made
        return made

    def _alternatives(self, words: Iterator[re.Match[str]]) -> Any:
        """Sequences with `/` between them, up to a closing bracket or the end."""
        sequences: list[list[Any]] = [[]]
        ahead = False
        for word in words:
            terms, mark = sequences[-1], word["mark"]
            if mark == ")":
                break
            if mark == "/":
                sequences.append([])
            elif mark == "&":
                ahead = True
            elif mark in _REPEATED:
                least, most = _REPEATED[mark]
                terms[-1] = self._library.Quantifier(terms[-1], min=least, max=most)
            else:
                term = self._alternatives(words) if mark else self._term(word)
                terms.append(self._library.Lookahead(term) if ahead else term)
                ahead = False
        found = [terms[0] if len(terms) == 1 else self._library.Sequence(*terms) for terms in sequences]
        return found[0] if len(found) == 1 else self._library.OneOf(*found)

    def _term(self, word: re.Match[str]) -> Any:
        """The expression of a word that is no mark."""
        if word["rule"]:
            return self.rule(word["rule"])
        if word["pattern"]:
            return self._library.Regex(word["pattern"][1:-1])
        return self._library.Literal(word["literal"][1:-1])
