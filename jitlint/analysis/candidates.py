"""Each JIT call with what fusing asks of it: its wrapper, its aliases, its layouts, and what keeps it out.

What is the same for all calls of one shape and one wrapper is found once (`Kind`).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from jitlint.analysis.storage.metadata import Metadata, read_metadata
from jitlint.analysis.storage.results import alias_verdicts, count, mutated_operands
from jitlint.analysis.storage.storage import Storage
from jitlint.analysis.uses import doubts
from jitlint.analysis.verdict import Verdict
from jitlint.analysis.wrapper.wrappers import Wrapper, Wrappers
from jitlint.findings import Note
from jitlint.ir.calls import WHOLE, JitCall, Value
from jitlint.ir.values import Uses
from jitlint.syntax.calls import CallSyntax

_SERIALS = itertools.count()
_UNSETTLED = Verdict(
    "JIT501",
    "this module leaves layouts to XLA and writes others that are not the default: XLA may choose "
    "other layouts for a fused call",
    help="write `operand_layouts` at every call",
    entry=("operand_layouts", WHOLE),
)
"""XLA lays out what is left to it by what is around it, also by calls that it drops (measured: other results). Where
nothing in a module writes another layout than the default, there is nothing to choose."""


class Kind(NamedTuple):
    """What all calls of one shape to one wrapper share.

    `mutated` maps the number of an operand to that of the result that aliases it. `verdicts` is all that is wrong with
    or special about such a call, and each keeps it out of every group. `undeclared` holds those about undeclared
    writes, by operand: they do not keep it out where nothing else can see what the call writes there. No two have the
    same `serial`: it stands for the kind in keys.
    """

    syntax: CallSyntax
    wrapper: Wrapper
    parameter_types: tuple[str, ...]
    mutated: Mapping[int, int]
    metadata: Metadata
    effect_free: bool
    verdicts: tuple[Verdict, ...]
    undeclared: Mapping[int, Verdict]
    serial: int


class Candidate:
    """A JIT call that may become a member of a group; `index` is its place in its block.

    It is complete when it is made, and never changed: `obstacles` is everything that keeps it out of every group.
    """

    __slots__ = (
        *("call", "index", "kind", "layouts", "mutated", "obstacles"),
        *("operand_types", "operands", "parameter_types", "results"),
    )

    def __init__(self, call: JitCall, kind: Kind, obstacles: tuple[Verdict, ...]) -> None:
        self.call = call
        self.kind = kind
        self.index = call.index
        self.operands = call.operands
        self.results = call.results
        self.mutated = kind.mutated
        self.operand_types = call.syntax.operand_types
        self.parameter_types = kind.parameter_types
        self.layouts = kind.metadata.layouts
        self.obstacles = obstacles


_OfSyntax = tuple[dict[int, int], Metadata, list[Verdict]]
"""What a call says whatever its wrapper is: which result each operand becomes, its metadata, its wrong aliases."""


class Candidates:
    """What is asked of the calls of one module, found once for each kind."""

    def __init__(self, wrappers: Wrappers) -> None:
        self.wrappers = wrappers
        self._kinds: dict[tuple[int, tuple[str, ...]], Kind] = {}
        self._of_syntax: dict[int, _OfSyntax] = {}

    @property
    def undefined(self) -> set[str]:
        """The wrappers that calls name and the module does not define."""
        kinds = self._kinds.values()
        return {kind.wrapper.name for kind in kinds if any(verdict.code == "JIT301" for verdict in kind.verdicts)}

    def kind(self, call: JitCall) -> Kind:
        """What the call shares with all others of its shape and wrapper."""
        key = (call.syntax.serial, call.callee)
        kind = self._kinds.get(key)
        if kind is None:
            kind = self._kinds[key] = self._make_kind(call)
        return kind

    def _make_kind(self, call: JitCall) -> Kind:
        syntax = call.syntax
        wrapper = self.wrappers.get(call.callee)
        read = self._of_syntax.get(syntax.serial)
        if read is None:
            read = mutated_operands(syntax), read_metadata(syntax), alias_verdicts(syntax)
            self._of_syntax[syntax.serial] = read
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
            serial=next(_SERIALS),
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


def make_candidates(
    calls: Sequence[JitCall], kinds: Sequence[Kind], uses: Uses | None, *, is_unsettled: bool = False
) -> list[Candidate]:
    """The candidates of one block's calls. `uses` are those of their results; None where no two are tried together.
    `is_unsettled`: the module leaves some layouts to XLA, and writes others that are not the default."""
    if uses is None:
        return [Candidate(call, kind, kind.verdicts) for call, kind in zip(calls, kinds, strict=True)]
    found: list[Candidate] = []
    made: set[Value] = set()
    shared = written_and_shared(calls, kinds, uses)
    for call, kind in zip(calls, kinds, strict=True):
        obstacles = kind.verdicts
        if shared:
            obstacles = (*obstacles, *_shares(call, shared))
        if kind.undeclared and _is_unseen(call, kind, made, uses):
            written = list(kind.undeclared.values())
            obstacles = tuple(obstacle for obstacle in obstacles if obstacle not in written)
        if uses.doubtful:
            obstacles = (*obstacles, *doubts(call, uses))
        if is_unsettled and (kind.metadata.leaves_a_layout or kind.metadata.fixes_a_layout):
            obstacles = (*obstacles, _UNSETTLED)
        candidate = Candidate(call, kind, obstacles)
        # One that has an obstacle already may have no wrapper whose parameters could be looked at.
        if not obstacles and len(set(call.operands)) < len(call.operands) and (torn := _torn(candidate)) is not None:
            candidate = Candidate(call, kind, (torn,))
        found.append(candidate)
        made.update(call.results)
    return found


def _is_unseen(call: JitCall, kind: Kind, made: set[Value], uses: Uses) -> bool:
    """Whether a call's undeclared writes go to values of other calls of the block (`made`) that nothing else uses.

    With the call that made the value in the group, such a write goes to a slot that the group writes anyway and that
    keeps its result, so nothing can see the difference (measured on the engine: the same results).
    """
    values = [call.operands[operand] for operand in kind.undeclared]
    return all(value in made and len(uses.of.get(value, ())) == 1 for value in values)


def written_and_shared(calls: Sequence[JitCall], kinds: Sequence[Kind], uses: Uses) -> dict[Value, JitCall]:
    """The values of a block's calls that another call writes undeclared and that are used elsewhere as well, each with
    a call that writes it."""
    if not any(kind.undeclared for kind in kinds):
        return {}
    made = {value for call in calls for value in call.results}
    return {
        call.operands[operand]: call
        for call, kind in zip(calls, kinds, strict=True)
        for operand in kind.undeclared
        if call.operands[operand] in made and len(uses.of.get(call.operands[operand], ())) > 1
    }


def _shares(call: JitCall, shared: Mapping[Value, JitCall]) -> list[Verdict]:
    """JIT403 for a call that uses a value which another call writes undeclared. Fused with the call that makes the
    value, this use would disappear, and the write would wrongly count as one that nothing else sees."""
    return [
        Verdict(
            "JIT403",
            f"a call of @{shared[value].symbol} writes a value that it uses too, and no result says so",
            notes=(Note("it is written here", shared[value].name_span),),
        )
        for value in dict.fromkeys(call.operands)
        if value in shared and shared[value] is not call
    ]


def _torn(call: Candidate) -> Verdict | None:
    """The verdict about a call that passes one value with two layouts or two pointer types: a slot has one of each, so
    the call could not even be a group of its own."""
    conflict = Storage({}).push(call)
    if conflict is None:
        return None
    places = f"operands {call.operands.index(conflict.value)} and {conflict.operand}"
    code, what = ("JIT304", "pointer types") if conflict.kind == "type" else ("JIT501", "layouts")
    message = f"@{call.call.symbol} passes one value as {places} with two {what}, `{conflict.had}` and `{conflict.has}`"
    return Verdict(code, message, entry=("operand_layouts", conflict.operand) if code == "JIT501" else None)


def is_unbroken(calls: Sequence[Placed]) -> bool:
    """Whether nothing stands between operations of one block, which are in text order."""
    return calls[-1].index - calls[0].index == len(calls) - 1
