"""Fuse the groups of one module: which plans there are, the symbol of each one's wrapper, and all edits together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from itertools import groupby

from jitlint.analysis.blocks import BlockAnalysis, Stretch, UnitAnalysis
from jitlint.analysis.candidates import Candidate, name_span
from jitlint.analysis.explain import called
from jitlint.findings import Finding, Group, JitCall, Note
from jitlint.fusion.plan import Plan
from jitlint.fusion.rewrite import Rewriter
from jitlint.fusion.verify import undefined_use
from jitlint.fusion.wrapper.fused_wrappers import FusedWrappers
from jitlint.ir.calls import Value
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.values import Occurrences
from jitlint.syntax.lexer import whole


class Fusion:
    """The groups of a module that can be fused, as plans by the place of their first calls.

    `done` are the findings of the plans that the last `edits` fused.
    """

    def __init__(self, analysis: UnitAnalysis) -> None:
        self.analysis = analysis
        self.unit = analysis.unit
        self.done: list[Finding] = []
        self._fused: list[Plan] = []
        self._wrappers: dict[int, FusedWrappers] = {}
        self._names: dict[int, str] = {}
        self.stretches: list[tuple[BlockAnalysis, Stretch, list[Plan]]] = [
            (block, stretch, self._plans(block, stretch)) for block in analysis.blocks for stretch in block.stretches
        ]

    @property
    def plans(self) -> list[Plan]:
        """All plans."""
        return [plan for _, _, plans in self.stretches for plan in plans]

    def wrappers(self, symbols: SymbolTable) -> FusedWrappers:
        """The fused wrappers of one symbol table, those that are there and those to be written."""
        found = self._wrappers.get(id(symbols))
        if found is None:
            found = FusedWrappers(symbols, self.analysis.wrappers(symbols), self.analysis.options)
            self._wrappers[id(symbols)] = found
        return found

    def fused_name(self, plan: Plan) -> str:
        """The symbol of a plan's fused wrapper, without `@`."""
        name = self._names.get(id(plan.storage))
        if name is None:
            name = self._names[id(plan.storage)] = self.wrappers(plan.block.place.symbols).name(plan)
        return name

    def finding(self, plan: Plan) -> Finding:
        """The finding (JIT001) that the calls of a plan can be one."""
        finding = plan.finding
        if finding is None:
            calls = tuple(map(jit_call, plan.calls))
            message = f"these {len(calls)} calls can be one call"
            group = Group(calls, self.fused_name(plan))
            finding = Finding("JIT001", message, calls[0].span, _notes(plan), (), group, fixable=True)
            plan.finding = finding
        return finding

    def wanted(self, allowed: Callable[[Finding], bool]) -> list[Plan]:
        """The plans whose finding may be fixed."""
        return [plan for plan in self.plans if allowed(self.finding(plan))]

    def edits(self, wanted: list[Plan]) -> list[tuple[int, int, str]]:
        """The edits that fuse these plans, in text order."""
        self._fused = []
        if not wanted:
            return []
        chosen = set(map(id, wanted))
        rewriter = Rewriter(self.unit.text, lambda plan: self.wrappers(plan.block.place.symbols).reference(plan))
        self.done = []
        work: list[tuple[Stretch, list[Plan]]] = []
        # Outer blocks first: inside an operation that moves, nothing is fused this time.
        for block, stretch, plans in sorted(self.stretches, key=_outer_first):
            own = [plan for plan in plans if id(plan) in chosen]
            if own and not rewriter.moves(block.place.block.region.start) and rewriter.settle(stretch, own):
                work.append((stretch, own))
        for _, plans in work:
            for one in plans:
                rewriter.name_values(one)
        for stretch, plans in work:
            rewriter.rewrite(stretch, plans)
            self.done += [self.finding(one) for one in plans]
            self._fused += plans
        for wrappers in self._wrappers.values():
            wrappers.write(rewriter.edits)
        return rewriter.edits.flat(self.unit.text)

    def not_freed(self) -> Collection[str]:
        """`UnitAnalysis.not_freed` of the plans that the last `edits` fused."""
        return self.analysis.not_freed(plan.part for plan in self._fused)

    def unsound(self) -> Iterator[tuple[Finding, str, int]]:
        """The findings of the plans of blocks where a name is used without a definition, the name and the place; of all
        plans, where that is an alias."""
        early = self.unit.early_use()
        if early is not None:
            yield from ((self.finding(plan), *early) for plan in self.plans)
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
    return JitCall(candidate.call.symbol, name_span(candidate.call))


def _notes(plan: Plan) -> tuple[Note, ...]:
    """Who came along, and why."""
    why = "is included: it stands between the others, though no value connects them"
    bystanders = plan.part.bystanders
    notes = [Note(f"{called(call)} {why}", name_span(call.call)) for call in bystanders[:_MOST_NAMED]]
    if more := len(bystanders) - len(notes):
        notes.append(Note(f"and so {'does' if more == 1 else 'do'} {more} more", name_span(bystanders[-1].call)))
    return tuple(notes)


_MOST_NAMED = 4
"""Bystanders that a report names."""


def _outer_first(work: tuple[BlockAnalysis, Stretch, list[Plan]]) -> tuple[int, int]:
    _, stretch, _ = work
    return stretch.block.region.start, stretch.first
