"""JIT605: wrappers and calls that are declared free of effects and are known to have some."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.analysis.blocks import UnitAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.verdict import Verdict

_WHY = "XLA may drop the call, run it twice or move it"
_LIST = 'name the effects, as in `enzymexla.memory_effects = ["read", "write"]`, or leave the list out'
_FLAG = "remove `xla_side_effect_free` from the call"


def false_declarations(analysis: UnitAnalysis) -> Iterator[tuple[Candidate, Verdict]]:
    """Every false declaration of a module, with the first call that it is said of."""
    said: set[int] = set()
    for block in analysis.blocks:
        outside = analysis.wrappers(block.place.symbols).outside
        for call in block.candidates:
            function = call.kind.wrapper.function
            if not call.kind.effect_free or function is None or block.place.unsure:
                continue
            way = outside.way(function)
            if not way:
                continue
            if call.kind.metadata.effect_free:
                message = (
                    f"`xla_side_effect_free` says that this call of @{function.symbol} has no side effects, but it has"
                )
                yield call, Verdict("JIT605", f"{message}: {_WHY}", notes=way, help=_FLAG)
            elif function.operation.start not in said:
                said.add(function.operation.start)
                message = f"@{function.symbol} is declared free of side effects, but has some: {_WHY}"
                yield call, Verdict("JIT605", message, span=function.symbol_span, notes=way, help=_LIST)
