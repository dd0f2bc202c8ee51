"""Colours that can be read on black and on white."""

from __future__ import annotations

import re

import pytest

from jitlint.report.theme import PLAIN, STYLES, theme

_LEVELS = (0, 95, 135, 175, 215, 255)


def luminance(number: int) -> float:
    """The relative luminance (WCAG 2) of a colour of the cube among the 256 of a terminal."""
    cube = number - 16
    levels = (_LEVELS[cube // 36], _LEVELS[cube // 6 % 6], _LEVELS[cube % 6])
    red, green, blue = (
        level / 255 / 12.92 if level <= 10 else ((level / 255 + 0.055) / 1.055) ** 2.4 for level in levels
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


@pytest.mark.parametrize("style", sorted({style for style in STYLES.values() if "38;5" in style}))
def test_a_colour_stands_out_from_black_and_from_white(style: str) -> None:
    number = int(re.fullmatch(r"(?:1;)?38;5;(\d+)", style)[1])  # type: ignore[index]
    assert (luminance(number) + 0.05) / 0.05 >= 3.8
    assert 1.05 / (luminance(number) + 0.05) >= 3.8


def test_without_colour_nothing_is_printed() -> None:
    assert set(PLAIN) == {""}
    assert theme(False) is PLAIN
    assert all(prefix.startswith("\x1b[") for prefix in theme(True))
