"""Wrappers that a fix leaves over or lets a fused wrapper call, made private where the module would not lower else."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.analysis.blocks import UnitAnalysis
from jitlint.analysis.wrapper.lowering import Fate
from jitlint.fusion.edits import Edit
from jitlint.fusion.tidy.former import Former
from jitlint.ir.functions import Function


def made_private(analysis: UnitAnalysis, former: Former) -> Iterator[tuple[Edit, ...]]:
    """The edits that make functions private which JIT calls named before a fix began (`former`): those that no call
    names any more, and those that a wrapper calls."""
    for symbols, names in former.of(analysis):
        wrappers = analysis.wrappers(symbols)
        lowering = wrappers.lowering
        for name in sorted(names):
            function = wrappers.functions.get(name) if name in symbols.names else None
            if not isinstance(function, Function) or function.body is None:
                continue
            is_left = name not in analysis.named_in(symbols) and lowering.fate(function) is Fate.PRIVATE
            is_called = lowering.must_be_private(function) and lowering.is_called(name)
            if (is_left or is_called) and (edits := lowering.made_private(function)):
                yield edits
