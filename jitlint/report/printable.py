"""Text for a screen: control characters made visible, widths in terminal cells, wrapping, shortening.

Everything that comes from a checked file or from a file name goes through `escape` before it is printed for a
person: a terminal escape, a carriage return or a bidirectional override in it must not act on the terminal.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from jitlint import lazy

# C0 and C1 controls, DEL, the marks that reorder or hide text, line and paragraph separators, lone surrogates
# (a file name that is not UTF-8 reaches Python with these) and noncharacters.
_CONTROL = lazy.pattern(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_NOT_ASCII = lazy.pattern("[^\x20-\x7e]")
_COMMAND = "`jitlint "
_WORD = lazy.pattern(r"`jitlint [^`]*`\S*|\S+")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _visible(match: re.Match[str]) -> str:
    char = match.group()
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def escape(text: str, ascii_only: bool = False) -> str:
    """`text` on one line with nothing in it that acts on a terminal: `\\x1b` for an escape character.

    With `ascii_only` every other character is spelled out too, for outputs that cannot encode it.
    """
    if text.isascii() and text.isprintable():
        return text
    return (_NOT_ASCII if ascii_only else _CONTROL).sub(_visible, text)


@lru_cache(maxsize=4096)
def char_width(char: str) -> int:
    """The terminal cells of one printable character: 0 for a combining mark, 2 for a wide one."""
    if char.isascii() or char == "…":
        return 1  # nearly every report holds the ellipsis, its own: it is not worth the import of rich
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    from rich.cells import get_character_cell_size

    return get_character_cell_size(char)


def width_of(text: str) -> int:
    """The terminal cells of `text`, which must be escaped."""
    return len(text) if text.isascii() else sum(map(char_width, text))


def shorten(token: str, width: int, ellipsis: str) -> str:
    """`token` cut in the middle to at most `width` cells; names differ at their ends, so both stay."""
    if width_of(token) <= width:
        return token
    keep = max(width - width_of(ellipsis), 2)
    head, tail = keep - keep // 2, keep // 2
    if token.isascii():
        return token[:head] + ellipsis + token[-tail:]
    return _prefix(token, head) + ellipsis + _prefix(token[::-1], tail)[::-1]


def _prefix(text: str, width: int) -> str:
    used = 0
    for index, char in enumerate(text):
        used += char_width(char)
        if used > width:
            return text[:index]
    return text


def wrap(text: str, width: int, ellipsis: str) -> list[str]:
    """`text` in lines of at most `width` cells, broken at blanks; a longer word is shortened in its middle.

    A command to paste stays whole: the terminal may break its line, where a line feed would end it.
    """
    if len(text) <= width and text.isascii():
        return [text]
    return _wrap_plain(text, width) or _wrap(text, width, ellipsis)


def _wrap_plain(text: str, width: int) -> list[str] | None:
    """The lines of a text of single cells, between single blanks, without a word that is too long; else None."""
    if not text.isascii() or "  " in text or text != text.strip() or _COMMAND in text:
        return None
    lines, start = [], 0
    while len(text) - start > width:
        blank = text.rfind(" ", start, start + width + 1)
        if blank <= start:
            return None
        lines.append(text[start:blank])
        start = blank + 1
    return [*lines, text[start:]]


def _wrap(text: str, width: int, ellipsis: str) -> list[str]:
    lines: list[str] = []
    line, used = "", 0
    for match in _WORD.finditer(text):
        word = match.group()
        word = word if word.startswith(_COMMAND) else shorten(word, width, ellipsis)
        size = width_of(word)
        if line and used + 1 + size > width:
            lines.append(line)
            line, used = word, size
        else:
            line, used = (f"{line} {word}", used + 1 + size) if line else (word, size)
    lines.append(line)
    return lines


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 call", "2 calls"."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"
