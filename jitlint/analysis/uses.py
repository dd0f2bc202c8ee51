"""The uses of the results of a module's JIT calls.

They are found for a block when first asked for: many blocks hold no two calls that could fuse."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from jitlint.analysis.storage.moves import Plumbing
from jitlint.analysis.verdict import Verdict
from jitlint.ir.calls import JitCall
from jitlint.ir.program import CallBlock
from jitlint.ir.values import Occurrences, Uses


class CallUses:
    """Finds the uses of the calls' results, and of those of the plumbing between them (by the places of the blocks). A
    function is looked through once for the names of all its blocks."""

    def __init__(self, places: Sequence[CallBlock], plumbing: Mapping[int, Sequence[Plumbing]]) -> None:
        self._plumbing = plumbing
        self._starts = sorted(place.start for place in places)
        self._places: dict[int, list[CallBlock]] = {}
        for place in places:
            if place.scope is not None:
                self._places.setdefault(place.scope.start, []).append(place)
        self._occurrences: dict[int, Occurrences] = {}

    def share(self, place: CallBlock) -> bool:
        """Whether another block in the same function, however deep in it, has JIT calls."""
        scope = place.scope
        return scope is not None and bisect_left(self._starts, scope.end) - bisect_left(self._starts, scope.start) > 1

    def of(self, place: CallBlock) -> Uses:
        """The uses of the results of a block's calls. The block must be in a function."""
        assert place.scope is not None
        scope = place.scope
        occurrences = self._occurrences.get(scope.start)
        if occurrences is None:
            together = self._places[scope.start]
            names = {name for each in together for defined in self._defined(each) for name, _ in defined.result_names}
            occurrences = self._occurrences[scope.start] = Occurrences(scope, names)
        return Uses(place.block, self._defined(place), occurrences)

    def _defined(self, place: CallBlock) -> Sequence[JitCall | Plumbing]:
        """The operations of a block whose uses are asked for."""
        plumbing = self._plumbing.get(place.start)
        return [*place.calls, *plumbing] if plumbing else place.calls


def doubts(call: JitCall, uses: Uses | None) -> tuple[Verdict, ...]:
    """Why a call is kept out of every group for the names of its results."""
    if uses is None or not uses.doubtful:
        return ()
    return tuple(
        Verdict("JIT902", f"this call is not analysed: {uses.doubtful[name]}")
        for name, _ in call.result_names
        if name in uses.doubtful
    )
