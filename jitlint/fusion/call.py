"""The text of a fused call, in the spelling of the group's first call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jitlint.analysis.candidates import Candidate
from jitlint.analysis.storage.metadata import show_layout
from jitlint.analysis.storage.slots import FinalSlot
from jitlint.syntax.aliases import OutputOperandAlias
from jitlint.syntax.calls import CallSyntax
from jitlint.syntax.lexer import tokens

_PLAIN_LOCATION = re.compile(r"(?<![\w$.])loc\(#loc[0-9]*+\)\Z")


class CallFrame(NamedTuple):
    """What the fused calls of groups of one pattern have in common: the text before and after their operands, and how
    many results they have."""

    before: str
    after: str
    results: int

    def text(self, name: str, operands: Iterable[str], first: Candidate) -> str:
        """A fused call: `name` before the `=`, its operands, and the location of the group's first call."""
        count = f":{self.results}" if self.results > 1 else ""
        left = f"{name}{count} = " if self.results else ""
        return f"{left}{self.before}{', '.join(operands)}{self.after}{_location(first)}"


def frame(symbol: str, results: Sequence[int], calls: Sequence[Candidate], slots: Sequence[FinalSlot]) -> CallFrame:
    """The frame of a fused call. `symbol` is its wrapper's (with `@`), `results` the slots that its results alias."""
    model = next((call for call in calls if call.kind.syntax.entries), calls[0]).kind.syntax
    first = calls[0].kind.syntax
    operand_types = ", ".join(slot.operand_type for slot in slots)
    result_types = [slots[index].operand_type for index in results]
    outcome = result_types[0] if len(result_types) == 1 else f"({', '.join(result_types)})"
    entries = _entries(results, calls, slots)
    if first.spelling == "generic":
        before, said = '"enzymexla.jit_call"(', _generic(entries, symbol, first)
    else:
        before, said = f"enzymexla.jit_call {symbol} (", _custom(entries, model)
    return CallFrame(before, f"){said} : ({operand_types}) -> {outcome}", len(results))


def _entries(results: Sequence[int], calls: Sequence[Candidate], slots: Sequence[FinalSlot]) -> dict[str, str]:
    """The properties of the fused call, by name."""
    entries: dict[str, str] = {}
    layouts = [slot.layout for slot in slots if slot.layout is not None]
    with_layouts = [call for call in calls if call.kind.metadata.has_layouts]
    if len(layouts) < len(slots):
        with_layouts = []  # XLA chooses one, so that those written are of types that have but one
    if with_layouts:
        entries["operand_layouts"] = f"[{', '.join(map(show_layout, layouts))}]"
    if results:
        several = len(results) > 1
        aliases = [OutputOperandAlias((number,) if several else (), slot, ()) for number, slot in enumerate(results)]
        entries["output_operand_aliases"] = f"[{', '.join(map(str, aliases))}]"
    with_results = [call for call in with_layouts if call.results]
    if results and with_results and all(call.kind.metadata.has_result_layouts for call in with_results):
        of_results = ", ".join(show_layout(layouts[slot]) for slot in results)
        entries["result_layouts"] = f"[{of_results}]"
    if all(call.kind.effect_free for call in calls):
        entries["xla_side_effect_free"] = ""
    return entries


def _custom(entries: dict[str, str], model: CallSyntax) -> str:
    if not entries:
        return ""
    text = _joined(entries)
    if model.spelling == "attributes":
        return f" {{{text}}}"
    return f" <{{{text}}}>" if model.braced else f" <{text}>"


def _generic(entries: dict[str, str], symbol: str, first: CallSyntax) -> str:
    entries["fn"] = symbol
    if "backend_config" in first.entries:
        entries["backend_config"] = first.entries["backend_config"]
    text = _joined(entries)
    return f" <{{{text}}}>" if first.properties or not first.attributes else f" {{{text}}}"


def _joined(entries: dict[str, str]) -> str:
    return ", ".join(f"{key} = {entries[key]}" if entries[key] else key for key in sorted(entries))


def _location(call: Candidate) -> str:
    """The location of a call as it stands, with the space before it."""
    if not call.kind.syntax.location:
        return ""
    text, length = call.call.block.region.unit.text, call.kind.syntax.location
    if length > 0 and text.startswith("loc", call.call.end - length):
        return " " + text[call.call.end - length : call.call.end]
    if match := _PLAIN_LOCATION.search(text, max(call.call.start, call.call.end - 40), call.call.end):
        return " " + match.group()
    depth, place = 0, -1
    for token in tokens(text, call.call.start, call.call.end):
        if depth == 0 and token.kind == "bare" and token.text == "loc":
            place = token.start
        depth += (token.kind == "open") - (token.kind == "close")
    return " " + text[place : call.call.end]
