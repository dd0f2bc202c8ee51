"""The text of a fused call, in the spelling of the group's first call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from jitlint.analysis.candidates import Candidate
from jitlint.analysis.metadata import show_layout
from jitlint.analysis.storage import FinalSlot
from jitlint.syntax.aliases import OutputOperandAlias
from jitlint.syntax.calls import CallSyntax
from jitlint.syntax.lexer import tokens

_PLAIN_LOCATION = re.compile(r"(?<![\w$.])loc\(#loc[0-9]*+\)\Z")


@dataclass(frozen=True, slots=True)
class FusedCall:
    """What a fused call says: its wrapper's symbol (with `@`), the text of each slot's operand, and the slots that its
    results alias, in order."""

    symbol: str
    name: str
    operands: tuple[str, ...]
    results: tuple[int, ...]


def write_call(fused: FusedCall, calls: Sequence[Candidate], slots: Sequence[FinalSlot]) -> str:
    """The text of the fused call, from its results to its location."""
    model = next((call for call in calls if call.kind.syntax.entries), calls[0]).kind.syntax
    first = calls[0].kind.syntax
    operands = ", ".join(fused.operands)
    operand_types = ", ".join(slot.operand_type for slot in slots)
    result_types = [slots[index].operand_type for index in fused.results]
    outcome = result_types[0] if len(result_types) == 1 else f"({', '.join(result_types)})"
    count = f":{len(fused.results)}" if len(fused.results) > 1 else ""
    left = f"{fused.name}{count} = " if fused.results else ""
    entries = _entries(fused, calls, slots)
    location = _location(calls[0])
    if first.spelling == "generic":
        name = f'"enzymexla.jit_call"({operands}){_generic(entries, fused.symbol, first)}'
    else:
        name = f"enzymexla.jit_call {fused.symbol} ({operands}){_custom(entries, model)}"
    return f"{left}{name} : ({operand_types}) -> {outcome}{location}"


def _entries(fused: FusedCall, calls: Sequence[Candidate], slots: Sequence[FinalSlot]) -> dict[str, str]:
    """The properties of the fused call, by name."""
    entries: dict[str, str] = {}
    layouts = [slot.layout for slot in slots]
    with_layouts = [call for call in calls if call.kind.metadata.has_layouts]
    if with_layouts:
        entries["operand_layouts"] = f"[{', '.join(show_layout(layout or ()) for layout in layouts)}]"
    if fused.results:
        several = len(fused.results) > 1
        aliases = [
            OutputOperandAlias((number,) if several else (), slot, ()) for number, slot in enumerate(fused.results)
        ]
        entries["output_operand_aliases"] = f"[{', '.join(map(str, aliases))}]"
    with_results = [call for call in with_layouts if call.results]
    if fused.results and with_results and all(call.kind.metadata.has_result_layouts for call in with_results):
        of_results = ", ".join(show_layout(layouts[slot] or ()) for slot in fused.results)
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
