"""The picture of a block while it is drawn: every node and edge once, however often it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from jitlint.analysis.blocks import BlockAnalysis, UnitAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.reasons import shown, value_of
from jitlint.graph.model import Box, Edge, Kind, Node, Role
from jitlint.ir.calls import JitCall, UnreadableCall, Value
from jitlint.ir.tree import Operation
from jitlint.syntax.source import Source

_RANK = {Role.USER: 1, Role.STEP: 2, Role.EFFECT: 3}
"""Of two things that an operation is, the picture shows the higher one."""


@dataclass(slots=True)
class _Draft:
    role: Role
    title: str
    line: int | None
    details: dict[str, None] = field(default_factory=dict)
    codes: dict[str, None] = field(default_factory=dict)


class Sketch:
    """Gathers the nodes, edges and boxes of one block."""

    def __init__(self, analysis: UnitAnalysis, block: BlockAnalysis, source: Source) -> None:
        self.analysis = analysis
        self.block = block
        self.boxes: list[Box] = []
        self._source = source
        self._prefix = analysis.options.fused_prefix
        self._nodes: dict[str, _Draft] = {}
        self._edges: dict[Edge, None] = {}
        self._ends: dict[str, set[tuple[str, str]]] = {}
        self._folded: dict[int, str] = {}
        self._folds: set[str] = set()
        self._calls = {candidate.index: candidate for candidate in block.candidates}
        self._makers = {value: candidate for candidate in block.candidates for value in candidate.results}

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes, in the order in which they were first asked for."""
        return tuple(
            Node(key, draft.role, draft.title, draft.line, tuple(draft.details), tuple(draft.codes))
            for key, draft in self._nodes.items()
        )

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges, in the order in which they were first asked for."""
        return tuple(self._edges)

    def line(self, offset: int) -> int:
        """The line of an offset."""
        return self._source.position(offset).line

    def edge(self, source: str, target: str, kind: Kind, label: str = "") -> None:
        """Draw an arrow, unless it is there; at a node that stands for several calls one arrow of a kind is enough."""
        if source == target or (self._folds & {source, target} and self.joined(source, target)):
            return
        self._edges.setdefault(Edge(source, target, kind, label))
        self._ends.setdefault(target, set()).add((source, label))

    def joined(self, source: str, target: str) -> bool:
        """Whether an arrow is drawn from one node to another."""
        return any(key == source for key, _ in self._ends.get(target, ()))

    def arrives(self, value: Value, target: str) -> bool:
        """Whether an arrow is drawn that brings a value to a node."""
        text = self.text_of(value)
        return any(label == text for _, label in self._ends.get(target, ()))

    def call(self, candidate: Candidate) -> str:
        """The key of a call's node, which may be one that stands for several calls."""
        if candidate.index in self._folded:
            return self._folded[candidate.index]
        key = f"c{candidate.index}"
        if key not in self._nodes:
            name = candidate.call.symbol
            role = Role.FUSED if name.startswith(self._prefix) else Role.CALL
            obstacles = self.block.obstacles(candidate)
            draft = self._put(key, Role.KEPT_OUT if obstacles else role, name, candidate.call.start)
            for verdict in obstacles:
                draft.details.setdefault(verdict.message)
                draft.codes.setdefault(verdict.code)
        return key

    def fold(self, calls: Sequence[Candidate]) -> str:
        """The key of a node that stands for several calls, whatever is asked about one of them from now on."""
        lines = f"lines {self.line(calls[0].call.start):,} to {self.line(calls[-1].call.start):,}"
        key = self.note(f"m{calls[0].index}", Role.MORE, f"… {len(calls):,} more calls …", lines)
        self._folded |= {call.index: key for call in calls}
        self._folds.add(key)
        return key

    def like(self, candidate: Candidate, times: int) -> None:
        """Say at a call's node how many calls it stands for."""
        self._nodes[self.call(candidate)].details.setdefault(f"and {times - 1:,} more like it")

    def unreadable(self, call: UnreadableCall) -> str:
        """The key of the node of a call that could not be read."""
        key = f"c{call.index}"
        draft = self._put(key, Role.KEPT_OUT, "enzymexla.jit_call", call.start)
        draft.details.setdefault(call.reason)
        draft.codes.setdefault("JIT902")
        return key

    def elsewhere(self, call: JitCall) -> str:
        """The key of the node of a call in another block."""
        key = f"e{call.start}"
        draft = self._put(key, Role.ELSEWHERE, call.symbol, call.start)
        draft.details.setdefault("stands in another block")
        draft.codes.setdefault("JIT101")
        return key

    def operation(self, operation: Operation, role: Role, code: str = "", detail: str = "") -> str:
        """The key of the node of an operation of the block, which may be one of its calls."""
        candidate = self._calls.get(operation.index)
        if candidate is not None:
            return self.call(candidate)
        key = f"o{operation.index}"
        draft = self._put(key, role, operation.name, operation.start)
        draft.role = max(draft.role, role, key=lambda each: _RANK.get(each, 0))
        if code:
            draft.codes.setdefault(code)
        if detail:
            draft.details.setdefault(detail)
        return key

    def note(self, key: str, role: Role, title: str, detail: str = "", code: str = "") -> str:
        """The key of a node that is no operation."""
        draft = self._put(key, role, title, None)
        if detail:
            draft.details.setdefault(detail)
        if code:
            draft.codes.setdefault(code)
        return key

    def maker(self, value: Value) -> str | None:
        """The key of the call that makes a value; None if no call of the block does."""
        maker = self._makers.get(value)
        return None if maker is None else self.call(maker)

    def text_of(self, value: Value) -> str:
        """A value as the text writes it."""
        maker = self._makers.get(value)
        return value_of(maker, value) if maker is not None else shown(value, value[1] + 1)

    def _put(self, key: str, role: Role, title: str, start: int | None) -> _Draft:
        draft = self._nodes.get(key)
        if draft is None:
            line = None if start is None else self.line(start)
            draft = self._nodes[key] = _Draft(role, title, line)
        return draft
