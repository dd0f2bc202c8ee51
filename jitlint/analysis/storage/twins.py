"""Equal constants under several names: where they are only read, one buffer does for all."""

from __future__ import annotations

from collections.abc import Iterable

from jitlint.ir.calls import JitCall, Value
from jitlint.ir.tree import Block
from jitlint.syntax.heads import RESULTS, results_in

_CONSTANT = "stablehlo.constant"


def equal_constants(block: Block, calls: Iterable[JitCall]) -> dict[Value, Value]:
    """The constants of a block that calls take and that repeat one further up, each with the first."""
    text, cut = block.region.unit.text, block.cut
    constants = [index for index, shape in enumerate(cut.shapes) if shape.name == _CONSTANT]
    if len(constants) < 2:
        return {}
    taken = {name for call in calls for name, _ in call.operands}
    firsts: dict[str, Value] = {}
    twins: dict[Value, Value] = {}
    for index in constants:
        start, end = cut.starts[index], cut.ends[index]
        results = RESULTS.match(text, start, end)
        if results is None or index in cut.regions:
            continue
        ((name, _), *_) = results_in(results.group())
        if name in taken:
            first = firsts.setdefault(text[results.end() : end].strip(), (name, 0))
            if first != (name, 0):
                twins[name, 0] = first
    return twins
