"""What runs while an exchange is under way, and no longer will when start and completion are one call."""

from __future__ import annotations

from jitlint.analysis.candidates import is_unbroken
from jitlint.analysis.mpi.traffic import Traffics
from jitlint.analysis.storage.group_storage import Part
from jitlint.ir.tree import Block, Operation

_IDLE = frozenset(
    [
        *("arith.constant", "stablehlo.constant", "stablehlo.tuple", "stablehlo.get_tuple_element"),
        *("stablehlo.reshape", "stablehlo.broadcast_in_dim", "stablehlo.concatenate", "stablehlo.slice"),
        "stablehlo.optimization_barrier",
    ]
)
"""Operations that take no time to speak of."""

_MOST = 2_000
"""Operations between start and completion that are looked at."""


def overlapped(block: Block, part: Part, traffics: Traffics) -> list[Operation]:
    """The operations between the first start and the last completion of a group that do not depend on its calls."""
    if is_unbroken(part.members):
        return []
    does = [traffics.of_call(call.kind.wrapper.function, len(call.operands)) for call in part.calls]
    starts = [call.index for call, traffic in zip(part.calls, does, strict=True) if traffic.starts]
    ends = [call.index for call, traffic in zip(part.calls, does, strict=True) if traffic.completes]
    if not starts or not ends:
        return []
    inside = {member.index for member in part.members}
    depending = {name for member in part.members for name, _ in member.results}
    found = []
    for index in range(starts[0] + 1, min(ends[-1], starts[0] + _MOST)):
        name = block.cut.shapes[index].name
        if index in inside:
            continue
        operation = block[index]
        if any(match[1] in depending for match in operation.names_used):
            depending.update(result for result, _ in operation.results)
        elif name not in _IDLE:
            found.append(operation)
    return found
