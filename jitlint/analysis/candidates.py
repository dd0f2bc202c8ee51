"""Each JIT call with what fusing asks of it: its wrapper, its aliases, its layouts, and what keeps it out.

What is the same for all calls of one shape and one wrapper is found once (`Kind`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from jitlint.analysis.storage.metadata import Metadata, read_metadata
from jitlint.analysis.storage.results import alias_verdicts, count, mutated_operands
from jitlint.analysis.verdict import Verdict
from jitlint.analysis.wrapper.wrappers import Wrapper, Wrappers
from jitlint.findings import Note, Span
from jitlint.ir.calls import JitCall
from jitlint.syntax.calls import CallSyntax


class Kind(NamedTuple):
    """What all calls of one shape to one wrapper share.

    `mutated` maps the number of an operand to that of the result that aliases it. `verdicts` is all that is wrong
    with or special about such a call, and each keeps it out of every group; but for those of `undeclared`, by operand,
    where nobody else can see what the call writes there.
    """

    syntax: CallSyntax
    wrapper: Wrapper
    parameter_types: tuple[str, ...]
    mutated: Mapping[int, int]
    metadata: Metadata
    effect_free: bool
    verdicts: tuple[Verdict, ...]
    undeclared: Mapping[int, Verdict]


class Candidate:
    """A JIT call as a member of groups to be; `index` is its place in its block. It is never changed.

    `obstacles` is everything that keeps it out of every group.
    """

    __slots__ = (
        *("call", "index", "kind", "layouts", "mutated", "obstacles"),
        *("operand_types", "operands", "parameter_types", "results"),
    )

    def __init__(self, call: JitCall, kind: Kind, doubts: tuple[Verdict, ...] = ()) -> None:
        self.call = call
        self.kind = kind
        self.index = call.index
        self.operands = call.operands
        self.results = call.results
        self.mutated = kind.mutated
        self.operand_types = call.syntax.operand_types
        self.parameter_types = kind.parameter_types
        self.layouts = kind.metadata.layouts
        self.obstacles = (*kind.verdicts, *doubts) if doubts else kind.verdicts

    def with_doubts(self, doubts: tuple[Verdict, ...]) -> Candidate:
        """The candidate that its call is where its results' names are in doubt."""
        return Candidate(self.call, self.kind, doubts) if doubts else self


_OfSyntax = tuple[dict[int, int], Metadata, list[Verdict]]
"""What a call says whatever its wrapper is: which result each operand becomes, its metadata, its wrong aliases."""


class Candidates:
    """Makes candidates of the calls of one module."""

    def __init__(self, wrappers: Wrappers) -> None:
        self.wrappers = wrappers
        self._kinds: dict[tuple[int, tuple[str, ...]], Kind] = {}
        self._of_syntax: dict[int, _OfSyntax] = {}

    def make(self, call: JitCall) -> Candidate:
        """The candidate for a call."""
        return Candidate(call, self.kind(call))

    @property
    def undefined(self) -> set[str]:
        """The wrappers that calls name and the module does not define."""
        kinds = self._kinds.values()
        return {kind.wrapper.name for kind in kinds if any(verdict.code == "JIT301" for verdict in kind.verdicts)}

    def kind(self, call: JitCall) -> Kind:
        """What the call shares with all others of its shape and wrapper."""
        key = (id(call.syntax), call.callee)
        kind = self._kinds.get(key)
        if kind is None:
            kind = self._kinds[key] = self._make_kind(call)
        return kind

    def _make_kind(self, call: JitCall) -> Kind:
        syntax = call.syntax
        wrapper = self.wrappers.get(call.callee)
        read = self._of_syntax.get(id(syntax))
        if read is None:
            read = mutated_operands(syntax), read_metadata(syntax), alias_verdicts(syntax)
            self._of_syntax[id(syntax)] = read
        mutated, metadata, aliases = read
        declared = mutated.keys() if not aliases else range(len(syntax.operand_types))
        against = self._against_parameters(wrapper, syntax)
        fits = wrapper.function is not None and not against
        undeclared = self.wrappers.undeclared_writes(wrapper, declared) if fits else {}
        contradicted = self.wrappers.contradicted(wrapper, declared) if fits else []
        return Kind(
            syntax=syntax,
            wrapper=wrapper,
            parameter_types=wrapper.parameter_types,
            mutated=mutated,
            metadata=metadata,
            effect_free=metadata.effect_free or wrapper.effect_free,
            verdicts=(
                *wrapper.verdicts,
                *against,
                *undeclared.values(),
                *contradicted,
                *aliases,
                *metadata.verdicts,
            ),
            undeclared=undeclared,
        )

    def _against_parameters(self, wrapper: Wrapper, syntax: CallSyntax) -> list[Verdict]:
        """JIT305 where a call does not pass what its wrapper takes."""
        if wrapper.function is None:
            return []
        operands, parameters = len(syntax.operand_types), len(wrapper.function.parameters)
        if operands == parameters or wrapper.function.header.variadic:
            return []
        here = Note(f"@{wrapper.name} is defined here", wrapper.function.symbol_span)
        message = (
            f"the call passes {count(operands, 'operand')}, and its wrapper takes {count(parameters, 'parameter')}"
        )
        return [Verdict("JIT305", message, notes=(here,))]


class Placed(Protocol):
    """What has a place among the operations of a block."""

    @property
    def index(self) -> int:
        """That place."""


def is_unbroken(calls: Sequence[Placed]) -> bool:
    """Whether nothing stands between operations of one block, which are in text order."""
    return calls[-1].index - calls[0].index == len(calls) - 1


_PLAIN = re.compile(r"enzymexla\.jit_call[ \t]++@[\w$.]++(?=[ (])")
"""A name and a callee as they nearly always stand."""


def name_span(call: JitCall) -> Span:
    """The place of a call's name and callee, where findings about it point."""
    place = call.name_place
    if place is None:
        place = call.name_place = Span(*_name_place(call))
    return place


def _name_place(call: JitCall) -> tuple[int, int]:
    text = call.block.region.unit.text
    start = text.index("enzymexla.jit_call", call.start)
    if plain := _PLAIN.match(text, start, call.end):
        return plain.span()
    if text[start - 1 : start] == '"':
        return start - 1, start + len("enzymexla.jit_call") + 1
    at = text.find("@", start, call.end)
    if at < 0:
        return start, start + len("enzymexla.jit_call")
    end = at
    while end < call.end and text[end] not in " (\t\r\n":
        if text[end] == '"':
            end = _string_end(text, end)
            continue
        end += 1
    return start, end


def _string_end(text: str, start: int) -> int:
    position = start + 1
    while text[position] != '"':
        position += 2 if text[position] == "\\" else 1
    return position + 1
