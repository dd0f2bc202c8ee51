"""JIT701 and JIT705: calls and aliases that do nothing."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.analysis.blocks import BlockAnalysis, UnitAnalysis
from jitlint.analysis.candidates import Candidate, Kind
from jitlint.analysis.verdict import Verdict
from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.findings import Note, Severity


def leftovers(analysis: UnitAnalysis) -> Iterator[tuple[Candidate, Verdict]]:
    """What does nothing in a module, each with the call that it is about."""
    for block in analysis.blocks:
        wrappers = analysis.wrappers(block.place.symbols)
        ineffective = _Ineffective(wrappers)
        for call in block.candidates:
            if call.kind.effect_free and _unused(call, block):
                function = call.kind.wrapper.function
                if function is None or not wrappers.outside.way(function):  # else the declaration is wrong: JIT605
                    yield call, _dead(call)
            elif call.mutated:
                for verdict in ineffective.of(call.kind):
                    yield call, verdict


def _unused(call: Candidate, block: BlockAnalysis) -> bool:
    """Whether nothing uses a result of the call, for certain."""
    if not call.call.result_names:
        return True
    uses = block.uses
    if uses is None or any(name in uses.doubtful for name, _ in call.call.result_names):
        return False
    return not any(uses.of.get(result) for result in call.results)


def _dead(call: Candidate) -> Verdict:
    on_call = call.kind.metadata.effect_free
    said = "`xla_side_effect_free`" if on_call else "the empty `enzymexla.memory_effects` of its wrapper"
    what = "none of its results is used" if call.results else "it has no result"
    return Verdict(
        "JIT701",
        f"this call does nothing: {said} says that it has no side effects, and {what}",
        help="remove the call, use its result, or declare its effects",
    )


class _Ineffective:
    """The aliases of operands that a wrapper never writes; calls of one kind are looked at once."""

    def __init__(self, wrappers: Wrappers) -> None:
        self._wrappers = wrappers
        self._by_kind: dict[int, list[Verdict]] = {}

    def of(self, kind: Kind) -> list[Verdict]:
        """The verdicts about a kind of call."""
        found = self._by_kind.get(kind.serial)
        if found is None:
            found = self._by_kind[kind.serial] = self._find(kind)
        return found

    def _find(self, kind: Kind) -> list[Verdict]:
        function = kind.wrapper.function
        if function is None or function.body is None or len(function.parameters) != len(kind.syntax.operand_types):
            return []
        if any(verdict.code in ("JIT401", "JIT402") for verdict in kind.verdicts):
            return []
        unwritten = [operand for operand in kind.mutated if operand not in self._wrappers.may_write(kind.wrapper)]
        # A buffer that passes through a wrapper which calls MPI is there for the order's sake.
        if not unwritten or "MPI_" in function.operation.own_text():
            return []
        return [
            Verdict(
                "JIT705",
                f"result #{kind.mutated[operand]} aliases operand {operand}, which @{function.symbol} never writes",
                notes=(Note(f"parameter {operand} of @{function.symbol}", function.parameter_span(operand)),),
                help="use the operand itself and drop the result, unless it is there to keep an order",
                severity=Severity.INFO,
            )
            for operand in unwritten
        ]
