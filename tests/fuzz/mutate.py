"""Ways to harm a module text, each from a random source: the same seed harms in the same way."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_TOKEN = re.compile(r'"[^"\n]*"|//[^\n]*|[%@#!^]?[\w$.-]+|->|\s+|.', re.DOTALL)

_CHARACTERS = '{}()[]<>"=,:;%@#!^/\\-\n\r\t \0\x1b0a_.$*é\u2028\ufeff'
_WORDS = (
    *(
        "%0",
        "%1",
        "%arg0",
        "%0#1",
        "%1:2 =",
        "%0, %1 =",
        "@double",
        "@w",
        '@"a b"',
        "#loc",
        "!t",
        "^bb0:",
        "^bb1(%0: t):",
    ),
    *("{", "}", "({", "}) : () -> ()", "<{", "}>", "(", ")", "->", "=", ",", ":", "loc(", "attributes {", "// -----\n"),
    *("// c\n", '"', "{-#", "#-}", "module {", "return", "call", "enzymexla.jit_call", '"enzymexla.jit_call"(', "x.y"),
    *(
        "stablehlo.return",
        "dense<",
        "tensor<f64>",
        "applies",
        "unwind",
        "else",
        "\r\n",
        "\r",
        "\0",
        "affine_map<",
        ">=",
    ),
)


def _tokens(text: str, source: random.Random) -> tuple[list[str], int]:
    """The tokens of a text and the index of one of them."""
    tokens = _TOKEN.findall(text) or [""]
    return tokens, source.randrange(len(tokens))


def _insert_character(text: str, source: random.Random) -> str:
    place = source.randrange(len(text) + 1)
    return text[:place] + source.choice(_CHARACTERS) + text[place:]


def _replace_character(text: str, source: random.Random) -> str:
    place = source.randrange(max(len(text), 1))
    return text[:place] + source.choice(_CHARACTERS) + text[place + 1 :]


def _remove_characters(text: str, source: random.Random) -> str:
    place = source.randrange(max(len(text), 1))
    return text[:place] + text[place + source.choice([1, 1, 1, 2, 5, 30, 300]) :]


def _remove_token(text: str, source: random.Random) -> str:
    tokens, place = _tokens(text, source)
    del tokens[place : place + source.choice([1, 1, 2, 4])]
    return "".join(tokens)


def _double_token(text: str, source: random.Random) -> str:
    tokens, place = _tokens(text, source)
    tokens.insert(place, tokens[place])
    return "".join(tokens)


def _swap_tokens(text: str, source: random.Random) -> str:
    tokens, place = _tokens(text, source)
    other = source.randrange(len(tokens))
    tokens[place], tokens[other] = tokens[other], tokens[place]
    return "".join(tokens)


def _replace_token(text: str, source: random.Random) -> str:
    tokens, place = _tokens(text, source)
    tokens[place] = source.choice(_WORDS)
    return "".join(tokens)


def _insert_word(text: str, source: random.Random) -> str:
    tokens, place = _tokens(text, source)
    tokens.insert(place, f" {source.choice(_WORDS)} ")
    return "".join(tokens)


def _rename(text: str, source: random.Random) -> str:
    """One use of a name becomes another name of the text."""
    names = list(re.finditer(r"%[\w$.-]+(?:#\d+)?", text))
    if not names:
        return text
    one, other = source.choice(names), source.choice(names)
    return text[: one.start()] + other.group() + text[one.end() :]


def _lines(change: Callable[[list[str], int, int], None]) -> Callable[[str, random.Random], str]:
    def mutate(text: str, source: random.Random) -> str:
        lines = text.splitlines(keepends=True) or [""]
        change(lines, source.randrange(len(lines)), source.randrange(len(lines)))
        return "".join(lines)

    return mutate


def _remove_line(lines: list[str], one: int, _other: int) -> None:
    del lines[one]


def _double_line(lines: list[str], one: int, other: int) -> None:
    lines.insert(other, lines[one])


def _swap_lines(lines: list[str], one: int, other: int) -> None:
    lines[one], lines[other] = lines[other], lines[one]


def _move_line(lines: list[str], one: int, other: int) -> None:
    lines.insert(other, lines.pop(one))


def _join_lines(lines: list[str], one: int, _other: int) -> None:
    lines[one] = lines[one].rstrip("\r\n") + " "


def _indent_away(lines: list[str], one: int, _other: int) -> None:
    lines[one] = lines[one].lstrip()


def _truncate(text: str, source: random.Random) -> str:
    return text[: source.randrange(len(text) + 1)]


MUTATIONS: Sequence[Callable[[str, random.Random], str]] = (
    _insert_character,
    _replace_character,
    _remove_characters,
    _remove_token,
    _double_token,
    _swap_tokens,
    _replace_token,
    _insert_word,
    _rename,
    _truncate,
    *map(_lines, (_remove_line, _double_line, _swap_lines, _move_line, _join_lines, _indent_away)),
)


def mutate(text: str, source: random.Random, at_most: int = 4) -> str:
    """A text harmed once to `at_most` times."""
    for _ in range(source.randint(1, at_most)):
        text = source.choice(MUTATIONS)(text, source)
    return text
