"""Finds the plumbing between the JIT calls of a block: what only moves bytes, so that a fused wrapper can do it too.

Only tensors with at most one dimension that is not 1 are looked at: their bytes stand in one order whatever their
layout. What is copied must be the host's memory: an operation on tensors works within one memory, so a wrapper that
shows it of one value shows it of all that plumbing connects with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from jitlint import lazy
from jitlint.analysis.candidates import Kind
from jitlint.analysis.mpi.traffic import is_free, is_wait
from jitlint.analysis.storage.metadata import size_in_bytes
from jitlint.analysis.storage.moves import LARGEST, Piece, Plumbing, dimensions, is_flat
from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.ir.calls import JitCall, Value
from jitlint.ir.functions import Function
from jitlint.ir.tree import Block
from jitlint.syntax.lexer import COMMENT, SSA_NAME, whole

BARRIER = "stablehlo.optimization_barrier"
NAMES = frozenset(
    ["stablehlo.reshape", "stablehlo.broadcast_in_dim", "stablehlo.concatenate", "stablehlo.slice", BARRIER]
)
_VALUE = rf"{SSA_NAME}(?:#[0-9]++)?+"
_TYPE = r"(?:tensor<[0-9a-z]++>|![\w$-]++)"
_FORM = lazy.pattern(
    rf"(?P<name>stablehlo\.\w++)(?P<operands>{_VALUE}(?:,{_VALUE})*+)"
    rf"(?P<how>(?:,dims=\[[0-9,]*+\]|,dim=[0-9]++|\[[0-9:,]*+\])?+)"
    rf":(?:\((?P<of>{_TYPE}(?:,{_TYPE})*+)\)->(?P<to>{_TYPE})|(?P<same>{_TYPE}(?:,{_TYPE})*+))"
    r"(?:loc\([^()]*+\))?+"
)
"""The operations without white space and comments: neither separates anything in them."""
_COMMENT = lazy.pattern(COMMENT)
_OPERAND = lazy.pattern(rf"({SSA_NAME})(?:#([0-9]++))?+")
_RANGE = lazy.pattern(r"([0-9]++):([0-9]++)(?::([0-9]++))?+")


def read_plumbing(block: Block, index: int) -> Plumbing | None:
    """The operation at a place of a block, if it is one that only moves bytes of known number and order."""
    operation = block[index]
    match = _FORM.fullmatch("".join(_COMMENT.sub("", operation.text[operation.operands_start : operation.end]).split()))
    if match is None or match["name"] != operation.name or operation.name not in NAMES:
        return None
    operands = [(name, whole(number or "0")) for name, number in _OPERAND.findall(match["operands"])]
    types = _spelled(match["of"] or match["same"], block)
    results = _spelled(match["to"], block) if match["to"] else types
    if len(types) != len(operands) or sum(count for _, count in operation.results) != len(results):
        return None
    if (operation.name == BARRIER) != bool(match["same"]):
        return None
    sizes = [_size(type_text) for type_text in types]
    wanted = [_size(type_text) for type_text in results]
    if None in sizes or None in wanted:
        return None
    pieces = _pieces(operation.name, match["how"], types[0], [size or 0 for size in sizes], wanted[0] or 0)
    return None if pieces is None else Plumbing(operation, operands, types, results, pieces)


def _spelled(types: str, block: Block) -> list[str]:
    """Types that stand side by side, aliases as what they stand for."""
    aliases = block.region.unit.aliases
    return ["".join(aliases.get(each, each).split()) for each in types.split(",")]


def _pieces(name: str, how: str, first: str, sizes: list[int], wanted: int) -> tuple[Piece, ...] | None:
    """The pieces that the result is made of, () for a view; None where they are not certain."""
    if name == BARRIER:
        return ()
    if name == "stablehlo.concatenate":
        ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
        if ends[-1] != wanted or wanted > LARGEST or not how.startswith(",dim="):
            return None
        return tuple(Piece(number, 0, end - sizes[number], sizes[number]) for number, end in enumerate(ends))
    if len(sizes) != 1:
        return None
    if name == "stablehlo.slice":
        offset = _offset(how, first)
        if offset is None or offset + wanted > sizes[0] or wanted > LARGEST:
            return None
        return (Piece(0, offset, 0, wanted),)
    return () if sizes[0] == wanted else None


def _offset(how: str, type_text: str) -> int | None:
    """The byte where a slice of adjacent elements begins."""
    sizes, element = dimensions(type_text)
    ranges = _RANGE.findall(how)
    if len(ranges) != len(sizes):
        return None
    start = 0
    for (first, last, step), dimension in zip(ranges, sizes, strict=True):
        if step not in ("", "1"):
            return None
        if dimension > 1:
            start = whole(first)
        if whole(last) > dimension or whole(first) >= whole(last):
            return None
    size = size_in_bytes(f"tensor<{element}>")
    return None if size is None else start * size


def _size(type_text: str) -> int | None:
    """The bytes of a tensor that stand in one order; None for others, for one without elements, and for complex ones,
    whose places nothing here counts."""
    plain = is_flat(type_text) and "<" not in type_text.removeprefix("tensor<")
    return (size_in_bytes(type_text) or None) if plain else None


class PlumbingBetween(NamedTuple):
    """The plumbing between the calls of a block.

    `members` are the operations by their places, `makers` the calls (their places) that each value comes from through
    them. `refused` says why an operation that stands where plumbing would is not taken for it.
    """

    members: Mapping[int, Plumbing]
    makers: Mapping[Value, Sequence[int]]
    refused: Mapping[int, str]


NONE = PlumbingBetween({}, {}, {})

_STEPS_PER_OPERATION = 8
_STEPS = 10_000


class Call(NamedTuple):
    """What plumbing needs to know of a call: its place, its values, and for a use whether it shows host memory (True),
    says nothing (False), or why the value must not be copied."""

    place: int
    operands: Sequence[Value]
    results: Sequence[Value]
    shows: Callable[[int], bool | str]


class CallMemory:
    """What the calls of a module show of the memory that their operands are in; calls of one kind show the same."""

    def __init__(self, wrappers: Wrappers) -> None:
        self._wrappers = wrappers
        self._known: dict[tuple[int, int], bool | str] = {}

    def call(self, call: JitCall, kind: Kind) -> Call:
        """A call as the search for plumbing sees it."""
        return Call(call.index, call.operands, call.results, lambda number: self._shows(kind, number))

    def _shows(self, kind: Kind, number: int) -> bool | str:
        key = kind.serial, number
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._find(kind.wrapper.function, number)
        return known

    def _find(self, function: Function | None, number: int) -> bool | str:
        if function is None or number >= len(function.parameters):
            return False
        completed = self._wrappers.traffics.of(function).completes.get(number)
        if completed is not None and not (is_wait(completed) or is_free(completed)):
            return f"`{completed}` may leave requests open, and memory of the fused wrapper's own ends with it"
        host = self._wrappers.host_memory
        if kept := host.keeps(function, number):
            why = f"@{function.symbol} may keep it ({kept[-1].message})"
            return f"{why}, and memory of the fused wrapper's own ends with it"
        return host.shows(function, number)


def plumbing_between(block: Block, calls: Sequence[Call]) -> PlumbingBetween:
    """The plumbing on the ways from a call's result to a call's operand, where it may be taken into a wrapper."""
    shapes = block.cut.shapes
    definers = {
        name: index for index, shape in enumerate(shapes) if shape.name in NAMES for name, _ in block[index].results
    }
    if not definers:
        return NONE
    found = _backward(block, calls, definers)
    made = {value: call.place for call in calls for value in call.results}
    makers: dict[Value, list[int]] = {}
    steps = _STEPS_PER_OPERATION * (len(found) + len(calls)) + _STEPS
    members: dict[int, Plumbing] = {}
    for index in sorted(found):
        member = found[index]
        own: dict[int, None] = {}
        for value in member.operands:
            own.update(dict.fromkeys([made[value]] if value in made else makers.get(value, [])))
        steps -= len(own)
        if own:
            members[index] = member
            makers.update(dict.fromkeys(member.results, list(own) if steps > 0 else list(own)[:1]))
    refused = _refused(members.values(), calls)
    if refused:
        taken = [member for index, member in members.items() if index not in refused]
        kept = plumbing_makers(taken, made)
        members = {member.index: member for member in taken if any(value in kept for value in member.results)}
        makers = {value: own for value, own in makers.items() if value in kept}
    return PlumbingBetween(members, makers, refused)


def plumbing_makers(members: Sequence[Plumbing], made: Mapping[Value, int]) -> set[Value]:
    """The values that still come from a call."""
    reached: set[Value] = set()
    for member in members:
        if any(value in made or value in reached for value in member.operands):
            reached.update(member.results)
    return reached


def _backward(block: Block, calls: Sequence[Call], definers: Mapping[str, int]) -> dict[int, Plumbing]:
    """The plumbing that calls' operands come from, by place."""
    found: dict[int, Plumbing | None] = {}
    pending = [
        definers[name] for call in calls for name, _ in call.operands if definers.get(name, call.place) < call.place
    ]
    while pending:
        index = pending.pop()
        if index in found:
            continue
        member = found[index] = read_plumbing(block, index)
        if member is not None:
            pending += (definers[name] for name, _ in member.operands if definers.get(name, index) < index)
    return {index: member for index, member in found.items() if member is not None}


def _refused(members: Iterable[Plumbing], calls: Sequence[Call]) -> dict[int, str]:
    """Of operations that copy, those whose memory no call shows to be the host's, and those whose copy must outlast the
    call."""
    group, place = _Groups(), _Groups()
    some = list(members)
    for member in some:
        for value in (*member.operands, *member.results):
            group.join(member.operands[0], value)
        if not member.pieces:
            for operand, result in zip(member.operands, member.results, strict=True):
                place.join(operand, result)
    shown: set[Value] = set()
    forbidden: dict[Value, str] = {}
    for call in calls:
        for number, value in enumerate(call.operands):
            if value in group:
                said = call.shows(number)
                if said is True:
                    shown.add(group.leader(value))
                elif said:
                    forbidden.setdefault(place.leader(value), str(said))
    refused = {}
    for member in some:
        copy = member.results[0]
        if not member.pieces:
            continue
        if place.leader(copy) in forbidden:
            refused[member.index] = forbidden[place.leader(copy)]
        elif group.leader(copy) not in shown:
            refused[member.index] = "no wrapper shows that the memory is the host's"
    return refused


class _Groups:
    """Values that are in one memory, or in one place of it."""

    def __init__(self) -> None:
        self._leader: dict[Value, Value] = {}

    def __contains__(self, value: Value) -> bool:
        return value in self._leader

    def leader(self, value: Value) -> Value:
        """One value for all that are together."""
        leader = self._leader
        leader.setdefault(value, value)
        while leader[value] != value:
            leader[value] = leader[leader[value]]
            value = leader[value]
        return value

    def join(self, one: Value, other: Value) -> None:
        """Note that two values are together."""
        self._leader[self.leader(other)] = self.leader(one)
