"""The ways to write the layouts of a call's operands: the engine reads all of them as the same ones.

What a spelling means to jitlint is said here as well: it reads no layout from some, and then the call stays alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

Layout = tuple[int, ...]
"""Dimensions from minor to major, as `operand_layouts` has them."""

LayoutSpelling = Literal[
    "plain", "tight", "results", "alias", "list", "type", "element", "comment", "spaced", "numbers", "bytes"
]
"""`alias`, `list`, `type` and `element` are what stands behind an alias; `results` writes the layouts of the results
too."""

SPELLINGS: tuple[LayoutSpelling, ...] = (
    *("plain", "tight", "results", "alias", "list", "type", "element", "comment", "spaced", "numbers", "bytes"),
)
_UNREAD = ("spaced", "numbers", "bytes")
_DOUBTED = (*_UNREAD, "type", "element")


def is_read(layouts: Sequence[Layout], spelling: LayoutSpelling) -> bool:
    """Whether jitlint reads the layouts of a call."""
    return spelling not in _UNREAD or not any(layouts)


def seems_unusual(layouts: Sequence[Layout], spelling: LayoutSpelling) -> bool:
    """Whether one of them is not the default, or could be for all that one sees without reading the whole call."""
    if any(list(layout) != sorted(layout, reverse=True) for layout in layouts):
        return True
    least = 1 if spelling == "element" else 2
    return spelling in _DOUBTED and any(len(layout) >= least for layout in layouts)


def layout_list(layouts: Sequence[Layout], spelling: LayoutSpelling, alias: Callable[[str], str]) -> str:
    """The list of layouts; `alias` gives the name for an attribute or a type."""
    written = [_layout(layout, spelling, alias) for layout in layouts]
    if spelling == "alias":
        written = [alias(layout) for layout in written]
    text = f"[{', '.join(written)}]"
    return alias(text) if spelling == "list" else text


def _layout(layout: Layout, spelling: LayoutSpelling, alias: Callable[[str], str]) -> str:
    rank = len(layout)
    order = str(list(layout)) if rank > 1 else "0" if rank else ""
    type_ = f"tensor<{rank}xindex>"
    if not rank:
        return f"dense<> : {type_}"
    if spelling == "tight":
        return f"dense<{order}>:{type_}".replace(" ", "")
    if spelling == "spaced":
        return f"dense< {order.replace('[', '[ ').replace(',', ' ,')} > : tensor< {rank} x index >"
    if spelling == "numbers":
        numbers = ", ".join(map(hex, layout))
        return f"dense<{f'[{numbers}]' if rank > 1 else numbers}> : {type_}"
    if spelling == "bytes":
        return f'dense<"0x{"".join(number.to_bytes(8, "little").hex() for number in layout).upper()}"> : {type_}'
    if spelling == "comment" and rank > 1:
        return f"dense<{order.replace(', ', ',  // then' + chr(10), 1)}> : {type_}"
    if spelling == "type":
        type_ = alias(type_)
    elif spelling == "element":
        type_ = f"tensor<{rank}x{alias('index')}>"
    return f"dense<{order}> : {type_}"
