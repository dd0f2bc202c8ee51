"""Plain texts that are remembered: each is that of its own operation."""

from __future__ import annotations

import pytest

from jitlint.proof.plain_text import Texts


def plain(*texts: str) -> list[tuple[str, list[str]]]:
    """The plain texts of some lines of one module, with their names; symbols are written in angle brackets."""
    whole = "\n".join(texts)
    made, start, found = Texts(whole, {}), 0, []
    for text in texts:
        each = made.plain([(start, start + len(text))], lambda name: f"<{name}>")
        found.append((each.text, each.names))
        start += len(text) + 1
    return found


def test_names_and_symbols_are_filled_in() -> None:
    assert plain("x.y @a(%b) @c", "x.y @d(%e) @f", "x.y @d(%e) @f") == [
        ("x.y <a>(%)<c>", ["%b"]),
        ("x.y <d>(%)<f>", ["%e"]),
        ("x.y <d>(%)<f>", ["%e"]),
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('x.y "%a"', 'x.y "%b"'),
        ('x.y "@a"', 'x.y "@b"'),
        ("x.y @a::@b", "x.y @c::@b"),
        ("x.y [@a, @a]", "x.y [@a, @b]"),
        ("x.y dense<[@a, @a]>", "x.y dense<[@a, @b]>"),
    ],
)
def test_what_differs_is_another_text(first: str, second: str) -> None:
    for texts in ((first, second), (second, first)):
        one, two = plain(*texts)
        assert one != two
        assert [one, two] == [*plain(texts[0]), *plain(texts[1])]


@pytest.mark.parametrize("second", ["x.y ^b // %c", "x.y ^a // %d", "x.y ^a loc(@b)"])
def test_what_is_not_remembered_is_read_again(second: str) -> None:
    first = "x.y ^a // %c"
    assert plain(first, second) == [*plain(first), *plain(second)]
