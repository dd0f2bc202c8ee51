"""What a call's properties and attributes say besides its aliases: layouts, effects, and what keeps it out of
groups."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from jitlint import lazy
from jitlint.analysis.storage.slots import Layout
from jitlint.analysis.verdict import Verdict
from jitlint.ir.calls import OWN_ENTRIES, WHOLE, own_entries, says_free
from jitlint.syntax.calls import CallSyntax
from jitlint.syntax.heads import GAP
from jitlint.syntax.lexer import COMMENT, STRING, whole

_EMPTY_ONLY = ("backend_config", "arg_attrs", "res_attrs")
_EMPTY_VALUES = frozenset({'""', "{}", "[]"})
_LAYOUT = re.compile(r"dense<(?:\[([0-9,\s]*+)\]|([0-9]*+))>\s*+:\s*+tensor<([0-9]++)xindex>")
_LAYOUT_LIST = lazy.pattern(rf"\s*+\[\s*+(?:{_LAYOUT.pattern}\s*+(?:,\s*+{_LAYOUT.pattern}\s*+)*+)?+\]\s*+")
_SHAPED = re.compile(r"(?:tensor|memref|vector)<(?:((?:[0-9?]++x)*+))([^,>]++)")
_STATIC = lazy.pattern(r"tensor<((?:[0-9]++x)*+)(complex<)?+(?:f|bf|i|ui|si)([0-9]++)(?(2)>)>")

_LAYOUT_MODES = ("layout_mode", "minor_to_major")
"""Other ways to say how XLA lays values out."""

_INDICES = lazy.pattern(rf"tensor{GAP}<{GAP}([0-9]++){GAP}x{GAP}(?:index\b|!)|![\w$.-]++{GAP}={GAP}index\b")
"""The type of a layout, however it is written, or an alias of its elements."""
_SILENT = lazy.pattern(rf"{STRING}|{COMMENT}")


class Metadata(NamedTuple):
    """`layouts` has the layout of each operand, minor to major; None where XLA chooses it: the call writes no
    `operand_layouts`, and the operand's rank is 2 or more, or not known. `has_layouts` and `has_result_layouts` tell
    whether they are written."""

    layouts: tuple[Layout | None, ...]
    has_layouts: bool
    has_result_layouts: bool
    effect_free: bool
    verdicts: tuple[Verdict, ...]

    @property
    def fixes_a_layout(self) -> bool:
        """Whether the call writes a layout where there is more than one."""
        return self.has_layouts and any(layout is None or len(layout) > 1 for layout in self.layouts)

    @property
    def leaves_a_layout(self) -> bool:
        """Whether XLA chooses a layout of the call."""
        return not self.has_layouts and None in self.layouts


def writes_other_layouts(text: str, start: int, end: int) -> bool:
    """Whether something between two offsets may write a layout of two dimensions or more that is not the default, the
    last dimension being the minor one. Attributes behind aliases count where they are defined."""
    if any(text.find(word, start, end) >= 0 for word in _LAYOUT_MODES):
        return True
    if not _seem_other(text, start, end):
        return False
    # A string or a comment lays nothing out. Few texts come this far: most are spared that all of them are taken out.
    bare = _SILENT.sub(lambda match: " " if match[0].startswith("//") else '""', text[start:end])
    return _seem_other(bare, 0, len(bare))


def _seem_other(text: str, start: int, end: int) -> bool:
    read: set[int] = set()
    for match in _LAYOUT.finditer(text, start, end):
        dimensions = [int(each) for each in match[1].split(",") if each.strip()] if match[1] else []
        if dimensions != list(range(len(dimensions)))[::-1]:
            return True
        read.add(match.end())
    if text.count("index", start, end) == text.count("_index", start, end):
        return False  # `operand_index` is all there is, as nearly always
    return any(
        match.end() + 1 not in read and (match[1] is None or _begins_attribute(text, match, start))
        for match in _INDICES.finditer(text, start, end)
    )


def _begins_attribute(text: str, match: re.Match[str], start: int) -> bool:
    """Whether a type of two indices or more may be that of an attribute, or stand for it, and not that of a value:
    `dense<"0x…">`, `dense<[0x0, 0x1]>` and what has a comment in it are layouts too."""
    before = text[max(start, match.start() - 200) : match.start()].rstrip()
    line = before[before.rfind("\n") + 1 :]
    bare = before.removesuffix(":").rstrip()
    return whole(match[1]) > 1 and ("//" in line or (bare.endswith((">", "=")) and not before.endswith("->")))


def read_metadata(syntax: CallSyntax) -> Metadata:
    """The metadata of a call."""
    entries, beside = own_entries(syntax)
    verdicts = [_alone(key) for key in (*beside, *entries) if key in beside or key not in (*OWN_ENTRIES, *_EMPTY_ONLY)]
    verdicts += [_alone(key) for key in _EMPTY_ONLY if key in entries and not _empty(entries[key])]
    layouts = tuple(only_layout(operand) for operand in syntax.operand_types)
    if "operand_layouts" in entries:
        written = read_layouts(entries["operand_layouts"])
        if written is None or len(written) != len(layouts):
            message = "its `operand_layouts` do not fit its operands"
            verdicts.append(Verdict("JIT501", message, entry=("operand_layouts", WHOLE)))
        else:
            layouts = written
    if "result_layouts" in entries:
        verdicts += _result_layouts(syntax, entries["result_layouts"])
    return Metadata(
        layouts=layouts,
        has_layouts="operand_layouts" in entries,
        has_result_layouts="result_layouts" in entries,
        effect_free=says_free(syntax),
        verdicts=tuple(verdicts),
    )


def _alone(key: str) -> Verdict:
    message = f"its `{key}` cannot be merged with another call's"
    return Verdict("JIT501", message, entry=(key, WHOLE))


def _empty(value: str) -> bool:
    """Whether a property is empty: no text, no entries, or a list of nothing but empty dictionaries."""
    bare = "".join(value.split())
    return bare in _EMPTY_VALUES or re.fullmatch(r"\[(?:\{\},?)*+\]", bare) is not None


def _result_layouts(syntax: CallSyntax, text: str) -> list[Verdict]:
    written = read_layouts(text)
    if written is None or len(written) != len(syntax.result_types):
        return [Verdict("JIT501", "its `result_layouts` do not fit its results", entry=("result_layouts", WHOLE))]
    from jitlint.analysis.storage.results import mutated_operands

    operand_layouts = read_layouts(syntax.entries.get("operand_layouts", ""))
    for operand, result in mutated_operands(syntax).items():
        had = operand_layouts[operand] if operand_layouts else only_layout(syntax.operand_types[operand])
        if written[result] != had:
            message = f"the layout of result #{result} is not known to be that of operand {operand}, its buffer"
            return [Verdict("JIT501", message, entry=("result_layouts", result))]
    return []


_LARGEST = 1 << 63
"""No buffer has this many bytes."""


@lru_cache(maxsize=4096)
def read_layouts(text: str) -> tuple[Layout, ...] | None:
    """The layouts of a list of index tensors; None where the text is no such list."""
    if not _LAYOUT_LIST.fullmatch(text):
        return None
    layouts = []
    for several, one, rank in _LAYOUT.findall(text):
        numbers = tuple(whole(number) for number in (several or one).replace(" ", "").split(",") if number)
        if sorted(numbers) != list(range(len(numbers))) or whole(rank) != len(numbers):
            return None
        layouts.append(numbers)
    return tuple(layouts)


def show_layout(layout: Layout) -> str:
    """A layout as the printer writes it: `dense<[1, 0]> : tensor<2xindex>`."""
    numbers = ", ".join(map(str, layout))
    value = f"[{numbers}]" if len(layout) > 1 else numbers
    return f"dense<{value}> : tensor<{len(layout)}xindex>"


@lru_cache(maxsize=4096)
def only_layout(type_text: str) -> Layout | None:
    """The layout of a tensor type that has but one: of rank 0 or 1. None for any other type."""
    match = _SHAPED.match(type_text)
    if match is None or "*" in type_text:
        return None
    rank = (match.group(1) or "").count("x")
    return tuple(range(rank)) if rank < 2 else None


@lru_cache(maxsize=4096)
def size_in_bytes(type_text: str) -> int | None:
    """The number of bytes of a static tensor type of whole-byte elements; None for any other type."""
    match = _STATIC.fullmatch("".join(type_text.split()))
    if match is None or whole(match.group(3)) % 8:
        return None
    size = whole(match.group(3)) // 8 * (2 if match.group(2) else 1)
    for dimension in match.group(1).split("x")[:-1]:
        size *= whole(dimension)
    return size if size < _LARGEST else None
