"""The attribute-dictionary spelling of JIT calls, as the property dictionary that the current engine reads.

`@f (%a) {output_operand_aliases = […]} : …` becomes `@f (%a) <output_operand_aliases = […]> : …`; attributes that are
no properties of the operation stay in a `{…}` behind it. Everything else stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter

_LISTS = ("operand_layouts", "output_operand_aliases", "arg_attrs", "res_attrs")
PROPERTIES = frozenset(("fn", "backend_config", "xla_side_effect_free", *_LISTS))
"""The inherent attributes of `enzymexla.jit_call`, as engine 0.0.16 declares them."""

DROPPED = frozenset({"result_layouts"})
"""What older engines declared as well; the current one derives it from the operands and does not read it."""

_TOKEN = re.compile(r'"(?:\\.|[^"\\\r\n])*"|//[^\r\n]*|->|=>|>=|<=|enzymexla\.jit_call\b|.', re.DOTALL)
_OPEN, _CLOSE = "([{<", ")]}>"
_CALL = "enzymexla.jit_call"


def _blank(token: str) -> bool:
    return token.isspace() or token.startswith("//")


def _skip_blanks(tokens: list[str], at: int) -> int:
    while at < len(tokens) and _blank(tokens[at]):
        at += 1
    return at


def _closing(tokens: list[str], at: int) -> int:
    """The index of the bracket that closes the one at `at`; the end of the text if none does."""
    depth = 0
    for index in range(at, len(tokens)):
        if tokens[index] in _OPEN:
            depth += 1
        elif tokens[index] in _CLOSE:
            depth -= 1
            if depth == 0:
                return index
    return len(tokens)


def _entries(tokens: list[str]) -> list[str]:
    """The entries of a dictionary's inside, comments left out."""
    entries, depth = [""], 0
    for token in tokens:
        depth += (token in _OPEN) - (token in _CLOSE)
        if token == "," and depth == 0:
            entries.append("")
        elif not token.startswith("//"):
            entries[-1] += token
    return [entry.strip() for entry in entries if entry.strip()]


def _key(entry: str) -> str:
    return entry.split("=", 1)[0].strip().strip('"')


def _dictionary(tokens: list[str]) -> str | None:
    """The new text of a `{…}` that holds properties, None where it holds none."""
    entries = _entries(tokens)
    properties = [entry for entry in entries if _key(entry) in PROPERTIES]
    others = [entry for entry in entries if _key(entry) not in PROPERTIES | DROPPED]
    if not properties and len(others) == len(entries):
        return None
    text = f"<{', '.join(properties)}>" if properties else ""
    return text + (f" {{{', '.join(others)}}}" if others else "")


def for_engine(text: str) -> str:
    """`text` with the attribute dictionaries of its JIT calls in the spelling that the engine reads."""
    tokens, done, at = _TOKEN.findall(text), [], 0
    while at < len(tokens):
        start, at = at, at + 1
        if tokens[start] != _CALL:
            done.append(tokens[start])
            continue
        while at < len(tokens) and tokens[at] != "(":
            at += 1
        at = _skip_blanks(tokens, _closing(tokens, at) + 1)
        done += tokens[start:at]
        if at < len(tokens) and tokens[at] == "{":
            end = _closing(tokens, at)
            new = _dictionary(tokens[at + 1 : end])
            done += tokens[at : end + 1] if new is None else [new]
            at = end + 1
    return "".join(done)


def count_calls(text: str) -> int:
    """How many JIT calls `text` holds, comments left out."""
    return sum(token in (_CALL, f'"{_CALL}"') for token in _TOKEN.findall(text))


def comments(text: str) -> Counter[str]:
    """The comments of `text`, and how often each is there."""
    return Counter(token.rstrip() for token in _TOKEN.findall(text) if token.startswith("//"))
