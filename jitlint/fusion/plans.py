"""The groups of one module that can be fused, as plans: what is reported of them, and how their wrappers are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby

from jitlint.analysis.blocks import BlockAnalysis, UnitAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.mpi.overlap import overlapped
from jitlint.analysis.mpi.races import exchanges
from jitlint.analysis.reasons import operation_span, told_apart
from jitlint.analysis.stretches import Stretch
from jitlint.analysis.verdict import Verdict
from jitlint.findings import Finding, Group, JitCall, Note
from jitlint.fusion.plan import Plan
from jitlint.fusion.verify import undefined_use
from jitlint.fusion.wrapper.fused_wrappers import FusedWrappers
from jitlint.ir.calls import Value
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Operation
from jitlint.ir.values import Occurrences
from jitlint.syntax.lexer import whole


class Plans:
    """The groups of a module that can be fused, by the place of their first calls."""

    def __init__(self, analysis: UnitAnalysis) -> None:
        self.analysis = analysis
        self.unit = analysis.unit
        self._wrappers: dict[SymbolTable, FusedWrappers] = {}
        self._names: dict[int, str] = {}
        self.stretches: list[tuple[BlockAnalysis, Stretch, list[Plan]]] = [
            (block, stretch, self._plans(block, stretch)) for block in analysis.blocks for stretch in block.stretches
        ]

    def __iter__(self) -> Iterator[Plan]:
        return (plan for _, _, plans in self.stretches for plan in plans)

    def wrappers(self, symbols: SymbolTable) -> FusedWrappers:
        """The fused wrappers of one symbol table, those that are there and those to be written."""
        found = self._wrappers.get(symbols)
        if found is None:
            found = FusedWrappers(symbols, self.analysis.wrappers(symbols), self.analysis.options)
            self._wrappers[symbols] = found
        return found

    def fused_name(self, plan: Plan) -> str:
        """The symbol of a plan's fused wrapper, without `@`."""
        name = self._names.get(plan.storage.serial)
        if name is None:
            name = self._names[plan.storage.serial] = self.wrappers(plan.block.place.symbols).name(plan)
        return name

    def finding(self, plan: Plan) -> Finding:
        """The finding (JIT001) that the calls of a plan can be one."""
        finding = plan.finding
        if finding is None:
            calls = tuple(map(jit_call, plan.calls))
            message = f"these {len(calls)} calls can be one call"
            group = Group(calls, self.fused_name(plan))
            notes = (*_notes(plan), *self._overlap(plan))
            finding = Finding("JIT001", message, calls[0].span, notes, (), group, fixable=True)
            plan.finding = finding
        return finding

    def _overlap(self, plan: Plan) -> Iterator[Note]:
        """What no longer runs while an exchange is under way."""
        if self.analysis.exchanges:
            traffics = self.analysis.wrappers(plan.block.place.symbols).traffics
            found = overlapped(plan.block.place.block, plan.part, traffics)
            yield from overlap_notes(found, "will no longer run while the exchange is under way")

    @cached_property
    def exchanges(self) -> tuple[tuple[Candidate, Verdict], ...]:
        """What is wrong with the module's MPI exchanges: said of it, and asked for what a fix fixes besides."""
        return tuple(exchanges(self.analysis))

    @property
    def all_wrappers(self) -> Iterable[FusedWrappers]:
        """The fused wrappers of every symbol table that was asked for."""
        return self._wrappers.values()

    def wanted(self, allowed: Callable[[Finding], bool]) -> list[Plan]:
        """The plans whose finding may be fixed."""
        return [plan for plan in self if allowed(self.finding(plan))]

    def unsound(self) -> Iterator[tuple[Finding, str, int]]:
        """The findings of the plans of blocks where a name is used without a definition, the name and the place; of all
        plans, where that is an alias."""
        early = self.unit.early_use()
        if early is not None:
            yield from ((self.finding(plan), *early) for plan in self)
        for block, stretches in groupby(self.stretches, lambda each: each[0]):
            plans = [plan for _, _, plans in stretches for plan in plans]
            found = undefined_use(block.place.block) if plans else None
            if found is not None:
                yield from ((self.finding(plan), *found) for plan in plans)

    def _plans(self, block: BlockAnalysis, stretch: Stretch) -> list[Plan]:
        counts = self._operand_uses(block) if self.analysis.options.form == "pass" else None
        return [Plan(block, stretch, part, counts) for part in stretch.groups]

    def _operand_uses(self, block: BlockAnalysis) -> Mapping[Value, int]:
        return self._uses_by_scope[block.place.scope.start] if block.place.scope is not None else {}

    @cached_property
    def _uses_by_scope(self) -> dict[int, dict[Value, int]]:
        """How often each operand of a call stands in its function besides its definition; for `form = "pass"`."""
        counts: dict[int, dict[Value, int]] = {}
        for block in self.analysis.blocks:
            scope = block.place.scope
            if scope is None or scope.start in counts:
                continue
            names = {
                name
                for other in self.analysis.blocks
                if other.place.scope is not None and other.place.scope.start == scope.start
                for candidate in other.candidates
                for name, _ in candidate.operands
            }
            occurrences = Occurrences(scope, names)
            own = counts[scope.start] = {}
            for name, numbers in occurrences.numbers.items():
                for number in numbers:
                    value = (name, whole(number[1:]) if number else 0)
                    own[value] = own.get(value, 0) + 1
                own[name, 0] = own.get((name, 0), 0) - 1
        return counts


def jit_call(candidate: Candidate) -> JitCall:
    """A call as reports name it."""
    return JitCall(candidate.call.symbol, candidate.call.name_span, candidate.call.callee_place)


def _notes(plan: Plan) -> tuple[Note, ...]:
    """Who came along, and why."""
    why = "is included: it stands between the others, though no value connects them"
    bystanders = plan.part.bystanders
    if not bystanders:
        return ()
    names = told_apart(*(call.call for call in plan.calls))
    name_of = dict(zip((call.index for call in plan.calls), names, strict=True))
    notes = [Note(f"{name_of[call.index]} {why}", call.call.name_span) for call in bystanders[:_MOST_NAMED]]
    if more := len(bystanders) - len(notes):
        notes.append(Note(f"and so {'does' if more == 1 else 'do'} {more} more", bystanders[-1].call.name_span))
    return tuple(notes)


def overlap_notes(found: Sequence[Operation], what: str) -> Iterator[Note]:
    """A note for each of a few operations that may run while an exchange is under way."""
    for number, operation in enumerate(found[:_MOST_NAMED]):
        more = f", nor will {len(found) - _MOST_NAMED} more" if number == _MOST_NAMED - 1 < len(found) - 1 else ""
        yield Note(f"`{operation.name}` {what}{more}", operation_span(operation))


_MOST_NAMED = 4
"""Bystanders, and operations that no longer overlap, that a report names."""
