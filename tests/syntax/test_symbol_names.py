"""What a symbol reference stands for, and how a name is written."""

from __future__ import annotations

import pytest

from jitlint.fusion.wrapper.names import reference
from jitlint.syntax.calls import symbol_name

NAMES = [
    ("@f", "f"),
    ('@"a b"', "a b"),
    (r'@"a\22b"', 'a"b'),
    (r'@"a\"b\\\t"', 'a"b\\\t'),
    (r'@"\C3\A9"', "é"),
    ('@"é"', "é"),
    (r'@"\FFx"', "\udcffx"),
]


@pytest.mark.parametrize(("symbol", "name"), NAMES)
def test_a_reference_stands_for_its_name(symbol: str, name: str) -> None:
    assert symbol_name(symbol) == name
    assert symbol_name(reference(name)) == name


def test_bytes_that_are_no_characters_stay_different() -> None:
    assert symbol_name(r'@"\C3"') != symbol_name('@"Ã"')
