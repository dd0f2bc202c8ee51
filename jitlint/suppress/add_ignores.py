"""`--add-ignores`: suppressions for everything that is found, so that an old tree can adopt jitlint."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jitlint.config.selection import FAILURES
from jitlint.findings import Finding
from jitlint.suppress.suppressions import UNUSED, Suppression, Suppressions
from jitlint.syntax.source import Source

_INDENT = re.compile(r"[ \t]*")


def with_ignores(source: Source, findings: Iterable[Finding]) -> tuple[str, list[Finding]]:
    """The text with a suppression for each of `findings`, and those that got one."""
    edits, hidden = insertions(source, findings)
    pieces: list[str] = []
    position = 0
    for at, _, new in edits:
        pieces += (source.text[position:at], new)
        position = at
    return "".join((*pieces, source.text[position:])), hidden


def insertions(source: Source, findings: Iterable[Finding]) -> tuple[list[tuple[int, int, str]], list[Finding]]:
    """The insertions (start, end, text) that put a suppression of each of `findings` into the text, in its order, and
    those that get one.

    A comment stands on the line before what it is about, as far to the right. A list that is there already is made
    longer. What keeps jitlint from its work and what is about suppressions gets none.
    """
    wanted: dict[int, set[str]] = {}
    hidden = []
    for finding in findings:
        if finding.span is None or finding.code in FAILURES or finding.code == UNUSED:
            continue
        place = finding.call or finding.span
        wanted.setdefault(source.position(place.start).line, set()).add(finding.code)
        hidden.append(finding)
    lists = {each.line: each.codes[-1].span.end for each in Suppressions(source).all if _is_list(each) and each.codes}
    ending = "\r\n" if source.text.find("\r\n") == source.text.find("\n") - 1 >= 0 else "\n"
    edits = (_insertion(source, line, sorted(codes), lists.get(line), ending) for line, codes in wanted.items())
    return sorted((at, at, new) for at, new in edits), hidden


def _is_list(each: Suppression) -> bool:
    return not each.problem and not each.whole_file


def _insertion(source: Source, line: int, codes: list[str], end_of_list: int | None, ending: str) -> tuple[int, str]:
    """Where to insert, and what: more words of a list, or a comment of its own."""
    if end_of_list is not None:
        return end_of_list, "".join(f", {code}" for code in codes)
    start = source.line_starts[line - 1]
    indent = _INDENT.match(source.text, start)
    return start, f"{indent.group() if indent else ''}// jitlint: ignore[{', '.join(codes)}]{ending}"
