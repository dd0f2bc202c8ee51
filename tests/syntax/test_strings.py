from __future__ import annotations

import re

import pytest

from jitlint.ir.values import _past_strings
from jitlint.syntax.braces import Braces
from jitlint.syntax.lexer import NAMES, STRING, string_end

TEXTS = [
    '"a" b',
    '"" b',
    '"a\\"b" c',
    '"a\\\\" c "',
    '"a\\\\\\"" c "',
    '"a',
    '"a\nb"',
    '"a\\\nb"',
    '"a b" "c\\',
    '%0 = "x.y"(%1) {a = "%2"} // "%3\n%4#1 "%5" \'%6 // %7 "%8"\n"%9',
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_string_ends_where_the_pattern_says(text: str) -> None:
    for start in (match.start() for match in re.finditer('"', text)):
        for end in range(start + 1, len(text) + 1):
            match = re.compile(STRING).match(text, start, end)
            assert string_end(text, start, end) == (match.end() if match else -1)


@pytest.mark.parametrize("text", TEXTS)
def test_names_are_found_past_strings_where_the_pattern_finds_them(text: str) -> None:
    found = [match.span() for match in _past_strings(text, 0, len(text)) if match[1] is not None]
    assert found == [match.span() for match in NAMES.finditer(text) if match[1] is not None]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('"enzymexla.jit_call"(%0) <{fn = @w}>', 1),
        ('"enzymexla.jit_call" // }\n  (%0) <{fn = @w}>', 1),
        ("foo.bar {}\n" * 10_000 + '"enzymexla.jit_call"\n(%0) <{fn = @w}>', 1),
        ('transform.match ops{["enzymexla.jit_call"]}', 0),
        ('foo.bar {name = "enzymexla.jit_call"}\n(%0)', 0),
        ('foo.bar "enzymexla.jit_call"', 0),
    ],
)
def test_a_string_names_a_call_where_operands_follow(text: str, calls: int) -> None:
    assert len(Braces(text, 0, len(text)).calls) == calls
