"""`--diff`: a unified diff that `git apply` and `patch -p1` accept, in time linear in the text.

A fix knows its edits, so nothing is compared: each edit is widened to whole lines.
Lines end at a line feed only; a carriage return before it is part of the line, as both tools have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from jitlint.report.printable import escape
from jitlint.report.protocol import Edit
from jitlint.report.theme import Theme

CONTEXT = 3
"""Lines of context above and below a change."""
_NO_NEWLINE = "\\ No newline at end of file\n"
_PLAIN_NAME = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r"}


class Change(NamedTuple):
    """Whole lines of the text before, `[start, end)` in characters, and the lines that come in their place."""

    start: int
    end: int
    lines: list[str]


def unified_diff(before: str, after: str, path: str, edits: Sequence[Edit]) -> Iterator[str]:
    """The lines of a unified diff, each with its ending; none where the texts are equal.

    `edits` are sorted offsets of `before` that do not overlap and give `after`.
    """
    if before == after:
        return
    yield f"--- {_name('a', path)}\n"
    yield f"+++ {_name('b', path)}\n"
    line, delta, at = 1, 0, 0
    for hunk in _hunks(before, _widened(before, edits)):
        start = _back(before, hunk[0].start)
        line += before.count("\n", at, start)
        body, old, new = _body(before, hunk, start)
        yield f"@@ -{_range(line, old)} +{_range(line + delta, new)} @@\n"
        yield from body
        delta += new - old
        at = start


def paint(lines: Iterable[str], look: Theme) -> Iterator[str]:
    """The lines of a diff in colour, for a person: control characters are made visible, so no tool can apply it."""
    styles = {"-": look.removed, "+": look.added, "@": look.place, "\\": look.dim}
    for line in lines:
        style = look.strong if line.startswith(("--- ", "+++ ")) else styles.get(line[0], "")
        text = escape(line.rstrip("\n").removesuffix("\r").replace("\t", "    "))
        yield f"{style}{text}{look.reset}\n" if style else f"{text}\n"


def _name(side: str, path: str) -> str:
    """The name in a header: quoted as git does if it has control characters, ended by a tab if it has blanks."""
    name = f"{side}/{path.removeprefix('./').lstrip('/')}"
    plain = name.isascii() and name.isprintable() and not {'"', "\\"}.intersection(name)
    if plain:
        return f"{name}\t" if " " in name else name
    quoted = "".join(
        _PLAIN_NAME.get(char) or (char if " " <= char <= "~" else "".join(f"\\{byte:03o}" for byte in _bytes(char)))
        for char in name
    )
    return f'"{quoted}"'


def _bytes(char: str) -> bytes:
    return char.encode("utf-8", "surrogateescape")


def _range(line: int, size: int) -> str:
    """`line,size` of a hunk; of nothing, the line before it."""
    return f"{line - (size == 0)},{size}" if size != 1 else str(line)


def _hunks(before: str, changes: Iterable[Change]) -> Iterator[list[Change]]:
    """Changes whose context would touch or overlap, together."""
    hunk: list[Change] = []
    reach = 0
    for change in changes:
        if hunk and change.start > reach:
            yield hunk
            hunk = []
        hunk.append(change)
        reach = _forward(before, change.end, 2 * CONTEXT)
    if hunk:
        yield hunk


def _body(before: str, hunk: list[Change], start: int) -> tuple[list[str], int, int]:
    """The lines of a hunk, and how many of them are in the text before and in the text after."""
    body: list[str] = []
    old = new = 0
    at = start
    for change in [*hunk, None]:
        same = _lines(before[at : change.start if change else _forward(before, at, CONTEXT)])
        gone = _lines(before[change.start : change.end]) if change else []
        come = change.lines if change else []
        for sign, lines in ((" ", same), ("-", gone), ("+", come)):
            body += [_printed(sign, line) for line in lines]
        old += len(same) + len(gone)
        new += len(same) + len(come)
        at = change.end if change else at
    return body, old, new


def _printed(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n{_NO_NEWLINE}"


def _lines(text: str) -> list[str]:
    """The lines of `text` with their endings, cut at line feeds alone."""
    parts = text.split("\n")
    last = parts.pop()
    return [part + "\n" for part in parts] + ([last] if last else [])


def _back(text: str, start: int) -> int:
    """The start of the line `CONTEXT` lines above the line that starts at `start`."""
    for _ in range(CONTEXT):
        if start == 0:
            break
        start = text.rfind("\n", 0, start - 1) + 1
    return start


def _forward(text: str, end: int, lines: int) -> int:
    """The start of the line `lines` lines below the line that starts at `end`."""
    for _ in range(lines):
        at = text.find("\n", end)
        if at < 0:
            return len(text)
        end = at + 1
    return end


def _widened(before: str, edits: Sequence[Edit]) -> Iterator[Change]:
    """The edits as changes of whole lines; edits on the same line or on lines that touch become one change."""
    start = end = at = 0
    pieces: list[str] = []
    unfinished = False
    for first, last, text in edits:
        line = before.rfind("\n", 0, first) + 1
        if pieces and line > end:
            yield from _change(before, start, end, [*pieces, before[at:end]])
            pieces = []
        if not pieces:
            start = at = line
            unfinished = False
        for piece in (before[at:first], text):
            pieces.append(piece)
            unfinished = not piece.endswith("\n") if piece else unfinished
        at = last
        whole = not unfinished and (last == 0 or before[last - 1] == "\n")
        end = last if whole else _forward(before, last, 1)
    if pieces:
        yield from _change(before, start, end, [*pieces, before[at:end]])


def _change(before: str, start: int, end: int, pieces: list[str]) -> Iterator[Change]:
    """One change without the lines that it has in common with the text at its beginning and end, if any is left."""
    old, new = _lines(before[start:end]), _lines("".join(pieces))
    head, tail = _common(old, new)
    if head < max(len(old), len(new)):
        gone = old[head : len(old) - tail]
        start += sum(map(len, old[:head]))
        yield Change(start, start + sum(map(len, gone)), new[head : len(new) - tail])


def _common(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines the two have in common at their beginnings, and of the others at their ends."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail
