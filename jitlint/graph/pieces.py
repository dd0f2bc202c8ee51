"""Draw the pieces of a block: calls that values connect, what they become, and what keeps them apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jitlint.analysis.candidates import Candidate
from jitlint.analysis.components import Component, Tie
from jitlint.analysis.order.order import Detour, Edge
from jitlint.analysis.partition import Reason, Split
from jitlint.analysis.reasons import explain
from jitlint.analysis.storage.group_storage import Part
from jitlint.analysis.storage.slots import Conflict
from jitlint.analysis.stretches import Stretch
from jitlint.analysis.verdict import Verdict
from jitlint.graph.model import Box, Kind, Role
from jitlint.graph.sketch import Sketch
from jitlint.ir.calls import JitCall, UnreadableCall, Value

_LONGEST_WAY = 8
"""Steps of what is in the way that are drawn."""
_ENDS = 3
"""Calls of a group too large to draw that are drawn: the first, the second and the last."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """What is drawn or left out together: the calls of a component, or one call that no value joins to another.

    `fused_names` are the names of the wrappers of its groups.
    """

    calls: tuple[Candidate, ...]
    stretch: Stretch | None = None
    component: Component | None = None
    split: Split | None = None
    fused_names: dict[Part, str] | None = None
    unread: UnreadableCall | None = None

    @property
    def size(self) -> int:
        """How many calls it has."""
        return max(len(self.calls), 1)

    @property
    def start(self) -> int:
        """The offset where it begins."""
        return self.unread.start if self.unread is not None else self.calls[0].call.start

    @property
    def end(self) -> int:
        """The offset where its last call ends."""
        return self.unread.end if self.unread is not None else self.calls[-1].call.end

    def holds(self, first: int, last: int) -> bool:
        """Whether one of its calls has text between two offsets."""
        if self.unread is not None:
            return self.unread.start <= last and first < self.unread.end
        return any(call.call.start <= last and first < call.call.end for call in self.calls)


@dataclass(frozen=True, slots=True)
class Shape:
    """How a piece is drawn: the calls that have nodes of their own, and the runs for which one node stands each.

    What is in neither is left out.
    """

    calls: tuple[Candidate, ...]
    folds: tuple[tuple[Candidate, ...], ...] = ()

    @property
    def size(self) -> int:
        """How many nodes it takes."""
        return max(len(self.calls), 1)

    def left_out(self, piece: Piece) -> int:
        """How many calls of the piece are left out."""
        return len(piece.calls) - len(self.calls) - sum(map(len, self.folds))


def shape(piece: Piece, most: int) -> Shape:
    """How to draw a piece with at most `most` nodes: in full, or its large groups as first, second, …, last."""
    if piece.size <= most or piece.split is None:
        return Shape(piece.calls[:most])
    groups = [part.calls for part in piece.split.parts if part in (piece.fused_names or ())]
    folds = {calls[0].index: tuple(calls[_ENDS - 1 : -1]) for calls in groups if len(calls) > _ENDS + 1}
    folded = {call.index for fold in folds.values() for call in fold}
    calls = tuple(call for call in piece.calls if call.index not in folded)[:most]
    drawn = {call.index for call in calls}
    return Shape(calls, tuple(fold for first, fold in folds.items() if first in drawn))


def draw(piece: Piece, shape: Shape, sketch: Sketch, times: int = 1) -> None:
    """Draw a piece, once for all `times` pieces that are like it."""
    if piece.unread is not None:
        sketch.unreadable(piece.unread)
        return
    folds = {fold[0].index: fold for fold in shape.folds}
    inside = {call.index for call in shape.calls}
    for call in piece.calls:
        if call.index in folds:
            sketch.fold(folds[call.index])
        elif call.index in inside:
            sketch.call(call)
    if piece.component is not None:
        shown = inside | {call.index for fold in shape.folds for call in fold}
        _Ties(piece, sketch, shown).draw(piece.component, times)
    elif times > 1:
        sketch.like(piece.calls[0], times)
    _inputs(piece, sketch, inside)
    for call in shape.calls:
        for value, user in elsewhere(call, sketch):
            sketch.edge(sketch.call(call), sketch.elsewhere(user), Kind.APART, sketch.text_of(value))
    left_out = shape.left_out(piece)
    if left_out:
        hint = "not drawn; --limit draws more"
        more = sketch.note(f"m{shape.calls[-1].index}", Role.MORE, f"{left_out:,} more calls", hint)
        sketch.edge(sketch.call(shape.calls[-1]), more, Kind.READS)


def _inputs(piece: Piece, sketch: Sketch, inside: set[int]) -> None:
    """The values from outside whose buffers are written, and which calls read them besides."""
    made = {value for call in piece.calls for value in call.results}
    drawn: dict[Value, str] = {}
    for call, number, label in _written(piece):
        value = call.operands[number]
        # What comes back from an operation in the way has its arrow already.
        if call.index in inside and value not in made and not sketch.arrives(value, sketch.call(call)):
            key = drawn.setdefault(value, f"v{piece.calls[0].index}_{len(drawn)}")
            sketch.note(key, Role.INPUT, sketch.text_of(value))
            sketch.edge(key, sketch.call(call), Kind.WRITES, label)
    for call in piece.calls if drawn else ():
        for number, value in enumerate(call.operands):
            if call.index in inside and value in drawn and number not in call.mutated:
                sketch.edge(drawn[value], sketch.call(call), Kind.READS)


def _written(piece: Piece) -> Iterator[tuple[Candidate, int, str]]:
    """The operands that are written: the call, the operand's number, and in a group the slot that it opens."""
    grouped: set[int] = set()
    for part in piece.split.parts if piece.split is not None else ():
        if part.slots is not None and len(part.calls) > 1:
            grouped.update(call.index for call in part.calls)
            for number in part.slots.written:
                slot = part.slots.slots[number]
                yield part.calls[slot.member], slot.number, f"slot {number}"
    for call in piece.calls:
        if call.index not in grouped:
            yield from ((call, number, "") for number in call.mutated)


def elsewhere(call: Candidate, sketch: Sketch) -> Iterator[tuple[Value, JitCall]]:
    """The results of a call that calls in other blocks use, and those calls."""
    block = sketch.block
    regions = block.place.block.cut.regions
    for value in call.results if block.uses is not None else ():
        assert block.uses is not None
        for use in block.uses.of.get(value, ()):
            if use.operation >= 0 and use.operation not in regions:
                continue
            user = sketch.analysis.call_around(use.start)
            if user is not None and user.block is not block.place.block:
                yield value, user


class _Ties:
    """What joins the calls of one component, and what keeps some of them apart."""

    def __init__(self, piece: Piece, sketch: Sketch, inside: set[int]) -> None:
        assert piece.split is not None and piece.stretch is not None
        self.split = piece.split
        self.stretch = piece.stretch
        self.sketch = sketch
        self.inside = inside
        self.names = piece.fused_names or {}

    def draw(self, component: Component, times: int) -> None:
        """Draw the boxes and the ties."""
        for part in self.split.parts:
            nodes = tuple(dict.fromkeys(self.sketch.call(call) for call in part.calls if call.index in self.inside))
            if part in self.names and nodes:
                box = Box(f"g{part.first.index}", self.names[part], nodes, len(part.calls), times)
                self.sketch.boxes.append(box)
        for tie in component.ties:
            if tie.maker.index in self.inside and tie.user.index in self.inside:
                self._tie(tie)

    def _tie(self, tie: Tie) -> None:
        maker, user = self.sketch.call(tie.maker), self.sketch.call(tie.user)
        label = self.sketch.text_of(tie.value) if tie.value is not None else "side by side"
        reason = self.split.left.get(tie)
        if reason is None:
            self.sketch.edge(maker, user, Kind.WRITES if tie.operand in tie.user.mutated else Kind.READS, label)
            return
        if not self._apart(tie, reason):
            self.sketch.edge(maker, user, Kind.APART, label)

    def _apart(self, tie: Tie, reason: Reason) -> bool:
        """Draw why a tie does not join; whether what is drawn shows the tie itself too."""
        uses = self.sketch.block.uses
        assert uses is not None
        copies = self.sketch.analysis.options.copies
        verdict = explain(tie, reason, self.stretch, uses, copies=copies)
        if verdict is None:
            return False  # a call that is kept out says so itself
        if isinstance(reason, Detour):
            self._way(reason, verdict)
            return False
        if isinstance(reason, Conflict) and reason.kind in ("overwritten", "twice"):
            return self._overwritten(tie, reason, verdict)
        return self._unfit(tie, verdict)

    def _unfit(self, tie: Tie, verdict: Verdict) -> bool:
        key = f"r{tie.maker.index}_{tie.user.index}_{verdict.code}"
        title = self.sketch.text_of(tie.value) if tie.value is not None else "do not fit"
        self.sketch.note(key, Role.LOST, title, verdict.message, verdict.code)
        self.sketch.edge(self.sketch.call(tie.maker), key, Kind.APART)
        self.sketch.edge(key, self.sketch.call(tie.user), Kind.APART)
        return True

    def _overwritten(self, tie: Tie, conflict: Conflict, verdict: Verdict) -> bool:
        """The value between the call that makes it, the one that overwrites it and those that still need it."""
        sketch, by, value = self.sketch, conflict.by, conflict.value
        assert isinstance(by, Candidate)
        key = f"r{by.index}_{value[0]}_{value[1]}"
        sketch.note(key, Role.LOST, sketch.text_of(value), verdict.message, verdict.code)
        maker = sketch.maker(value)
        if maker is not None:
            sketch.edge(maker, key, Kind.APART)
        sketch.edge(key, sketch.call(by), Kind.WAY, "overwrites it")
        if conflict.kind == "twice":
            sketch.edge(key, sketch.call(by), Kind.WAY, "and takes it again")
        elif isinstance(conflict.reader, Candidate):
            sketch.edge(key, sketch.call(conflict.reader), Kind.WAY, "needs it after")
        else:
            self._outside(key, by, value)
        return tie.value == value and sketch.joined(key, sketch.call(tie.user))

    def _outside(self, key: str, by: Candidate, value: Value) -> None:
        """Who outside the group needs a value, once it is overwritten."""
        uses = self.sketch.block.uses
        assert uses is not None
        others = [use for use in uses.of.get(value, ()) if not by.call.start <= use.start < by.call.end]
        later = [use for use in others if use.start >= by.call.end] or others
        for use in later[:1]:
            if use.operation >= 0:
                user = self.sketch.operation(self.sketch.block.place.block[use.operation], Role.USER)
            else:
                title = f"line {self.sketch.line(use.start):,}"
                user = self.sketch.note(f"u{use.start}", Role.USER, title, "in another block")
            self.sketch.edge(key, user, Kind.WAY, "needs it after")

    def _way(self, detour: Detour, verdict: Verdict) -> None:
        """The steps from a call through other operations back to a call."""
        path = detour.path
        if len(path) > _LONGEST_WAY:
            half = _LONGEST_WAY // 2
            self._steps(path[:half], verdict)
            self._steps(path[-half:], verdict)
            self._gap(path[half - 1][1], path[-half][0], len(path) - 2 * half)
        else:
            self._steps(path, verdict)

    def _gap(self, source: int, target: int, steps: int) -> None:
        key = self.sketch.note(f"w{source}_{target}", Role.STEP, f"{steps:,} more steps")
        self.sketch.edge(self._node(source), key, Kind.WAY)
        self.sketch.edge(key, self._node(target), Kind.WAY)

    def _steps(self, path: Sequence[Edge], verdict: Verdict) -> None:
        graph = self.stretch.graph
        own = verdict.code if verdict.code == "JIT102" else ""  # else the effects on the way are what counts
        for source, target in path:
            value = graph.value_between(source, target)
            effects = value is None and source in graph.before[target]
            if not effects:
                first, second = (self._node(each, Role.STEP, own) for each in (source, target))
                self.sketch.edge(first, second, Kind.WAY, value or "…")
                continue
            first, second = (self._node(each, Role.EFFECT, verdict.code) for each in (source, target))
            self.sketch.edge(first, second, Kind.EFFECTS, "side effects")

    def _node(self, node: int, role: Role = Role.STEP, code: str = "") -> str:
        graph = self.stretch.graph
        operation = self.stretch.block[node + graph.first]
        effect = graph.effects[node] if role is Role.EFFECT else None
        detail = "in the way"
        if effect is not None:
            detail = f"in the way: it {effect.reason}"
            if effect.cause is not operation and effect.cause.name != operation.name:
                detail = f"in the way: it holds or calls {effect.cause.name}, which {effect.reason}"
        return self.sketch.operation(operation, role, code, detail)
