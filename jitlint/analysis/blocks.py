"""The analysis of one module: every block with JIT calls, and the stretches of it in which calls are joined."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from jitlint.analysis.candidates import (
    Candidate,
    Candidates,
    Kind,
    make_candidates,
    written_and_shared,
)
from jitlint.analysis.components import Component, components
from jitlint.analysis.effects.operations import Effect, Effects
from jitlint.analysis.partition import Member
from jitlint.analysis.plumbing import NAMES, NONE, CallMemory, PlumbingBetween, plumbing_between
from jitlint.analysis.storage.group_storage import GroupStorage, Part, Pattern
from jitlint.analysis.storage.metadata import size_in_bytes, writes_other_layouts
from jitlint.analysis.storage.slots import Slots
from jitlint.analysis.storage.twins import equal_constants
from jitlint.analysis.stretches import Stretch, overlapping
from jitlint.analysis.uses import CallUses, doubts
from jitlint.analysis.verdict import Verdict
from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.ir.calls import JitCall, Value
from jitlint.ir.program import CallBlock, call_blocks
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Block, Unit
from jitlint.ir.values import Uses
from jitlint.options import Options
from jitlint.syntax.functions import HeaderReader

_MOST_TRIES = 4
"""How often an analysis is made anew because calls still name what it counted on to be free."""


class BlockAnalysis:
    """What was found out about one block. Nothing may be changed in it unless it `is_sound`."""

    __slots__ = ("_call_uses", "_part_of", "_uses", "candidates", "place", "plumbing", "stretches")

    def __init__(
        self,
        place: CallBlock,
        candidates: list[Candidate],
        stretches: list[Stretch],
        plumbing: PlumbingBetween,
        call_uses: CallUses,
        uses: Uses | None,
    ) -> None:
        self.place = place
        self.plumbing = plumbing
        self.candidates = candidates
        self.stretches = stretches
        self._call_uses = call_uses
        self._uses = uses
        self._part_of: dict[int, Part] | None = None

    @property
    def is_sound(self) -> bool:
        """Whether the block is understood and stands in a function."""
        return is_sound(self.place)

    @property
    def uses(self) -> Uses | None:
        """The uses of its calls' results; None if it is not sound."""
        if self._uses is None and self.is_sound:
            self._uses = self._call_uses.of(self.place)
        return self._uses

    @property
    def is_alone(self) -> bool:
        """Whether no other block of the function has JIT calls."""
        return not self._call_uses.share(self.place)

    def part_of(self, index: int) -> Part | None:
        """The part of several calls that the operation at a place is in."""
        if self._part_of is None:
            groups = (part for stretch in self.stretches for part in stretch.groups)
            self._part_of = {call.index: part for part in groups for call in part.calls}
        return self._part_of.get(index)

    def obstacles(self, candidate: Candidate) -> tuple[Verdict, ...]:
        """What keeps one of its calls out of every group."""
        return candidate.obstacles or doubts(candidate.call, self.uses)


def is_sound(place: CallBlock) -> bool:
    """Whether a block is understood and stands in a function."""
    return not place.unsure and place.scope is not None


class UnitAnalysis:
    """The analysis of one module text. Raises SyntaxProblem where its brackets do not match.

    Whether a wrapper can be left over may hang on whether calls still name another one, and that on what is fused. So
    calls are taken to name only `staying` in the end, until the groups show which others they do name.
    """

    def __init__(self, unit: Unit, options: Options, staying: Collection[str] = ()) -> None:
        self.unit = unit
        self.options = options
        self._places = sorted(call_blocks(unit), key=lambda place: place.start)
        self.headers = HeaderReader(unit.aliases)
        self._callees: dict[SymbolTable, Counter[str]] = {}
        for place in self._places:
            named = self._callees.setdefault(place.symbols, Counter())
            for callee, times in Counter(call.callee for call in place.calls).items():
                named.update(dict.fromkeys(callee[:1], times))
        self._analyse_with(frozenset(staying))
        for again in range(_MOST_TRIES):
            groups = (part for block in self.blocks for stretch in block.stretches for part in stretch.groups)
            if not (staying := self.not_freed(groups)):
                break
            self._analyse_with(staying if again < _MOST_TRIES - 1 else self.named)

    def _analyse_with(self, staying: Collection[str]) -> None:
        self._staying = staying
        self._patterns: dict[Pattern, Slots | None] = {}
        self._tables: dict[SymbolTable, tuple[Candidates, Effects]] = {}
        self._kinds: list[list[Kind]] = []
        self._call_effects = _CallEffects(self._places, self._kinds)
        self._kinds += [self._kinds_of(place) for place in self._places]
        self.blocks = list(self._analyse())

    @property
    def counts_on_freed(self) -> bool:
        """Whether a verdict counts on calls that name a wrapper to be gone in the end."""
        return any(candidates.wrappers.freed for candidates, _ in self._tables.values())

    def not_freed(self, fused: Iterable[Part]) -> Collection[str]:
        """The `staying` that an analysis needs which holds when these groups alone are fused; empty where this one
        does: then no call is left that names what a verdict counts on to be free."""
        all_wrappers = [candidates.wrappers for candidates, _ in self._tables.values()]
        freed = {name for wrappers in all_wrappers for name in wrappers.freed}
        if not freed:
            return ()
        gone = {call.call.start for part in fused for call in part.calls}
        calls = (call for place in self._places for call in place.calls)
        named = {name for call in calls if call.start not in gone for name in call.callee[:1]} & freed
        if not named:
            return ()
        return named.union(self._staying, *(wrappers.lowering.staying_with(named) for wrappers in all_wrappers))

    def wrappers(self, symbols: SymbolTable) -> Wrappers:
        """What is known of the wrappers of one symbol table."""
        return self._of(symbols)[0].wrappers

    @property
    def named(self) -> set[str]:
        """The first symbol of every callee."""
        return set().union(*self._callees.values())

    @property
    def tables(self) -> list[SymbolTable]:
        """The symbol tables of its calls, by their first calls: an order that fusing keeps, since no function moves."""
        return list(dict.fromkeys(place.symbols for place in self._places))

    def named_in(self, symbols: SymbolTable) -> Collection[str]:
        """The first symbols of the callees of one table."""
        return self._callees[symbols]

    @property
    def defined(self) -> set[str]:
        """The symbols that the modules with calls define."""
        return {name for symbols in self.tables for name in symbols.names}

    @property
    def undefined(self) -> set[str]:
        """The wrappers that calls name and their modules do not define."""
        return {name for candidates, _ in self._tables.values() for name in candidates.undefined}

    @cached_property
    def exchanges(self) -> bool:
        """Whether the module may call MPI."""
        return self.unit.text.find("MPI_", self.unit.start, self.unit.end) >= 0

    def call_around(self, offset: int) -> JitCall | None:
        """The JIT call whose text `offset` lies in."""
        starts, calls = self._by_start
        before = bisect_right(starts, offset) - 1
        return calls[before] if before >= 0 and offset < calls[before].end else None

    @cached_property
    def _by_start(self) -> tuple[list[int], list[JitCall]]:
        """Where all the calls begin, in order, and the calls."""
        calls = [call for place in self._places for call in place.calls]
        calls.sort(key=lambda call: call.start)
        return [call.start for call in calls], calls

    def _of(self, symbols: SymbolTable) -> tuple[Candidates, Effects]:
        tables = self._tables.get(symbols)
        if tables is None:
            wrappers = Wrappers(
                symbols.lookup,
                self.headers,
                symbols.repeated,
                self._callees[symbols],
                lambda: symbols.names,
                self._staying,
                symbols.holder,
            )
            tables = (
                Candidates(wrappers),
                Effects(symbols, self.options.pure_ops, self._call_effects),
            )
            self._tables[symbols] = tables
        return tables

    def _kinds_of(self, place: CallBlock) -> list[Kind]:
        of_module, _ = self._of(place.symbols)
        return list(map(of_module.kind, place.calls))

    def _analyse(self) -> Iterator[BlockAnalysis]:
        self._plumbing = dict(self._find_plumbing())
        call_uses = CallUses(
            self._places, {start: list(found.members.values()) for start, found in self._plumbing.items()}
        )
        for place, kinds in zip(self._places, self._kinds, strict=True):
            plumbing = self._plumbing.get(place.start, NONE)
            uses = call_uses.of(place) if is_sound(place) and self._may_join(place, plumbing) else None
            if uses is not None and plumbing.members:
                doubtful = {*uses.doubtful, *(name for name, _ in written_and_shared(place.calls, kinds, uses))}
                plumbing = _without(plumbing, doubtful)
            candidates = make_candidates(place.calls, kinds, uses, is_unsettled=self._is_unsettled)
            stretches = self._stretches(place, candidates, plumbing, uses) if uses is not None else []
            yield BlockAnalysis(place, candidates, stretches, plumbing, call_uses, uses)

    def _find_plumbing(self) -> Iterator[tuple[int, PlumbingBetween]]:
        """The plumbing of the blocks that have some, by their places."""
        text = self.unit.text
        if not any(text.find(name, self.unit.start, self.unit.end) >= 0 for name in NAMES):
            return
        for place, kinds in zip(self._places, self._kinds, strict=True):
            if is_sound(place) and len(kinds) > 1:
                memory = CallMemory(self.wrappers(place.symbols))
                found = plumbing_between(place.block, list(map(memory.call, place.calls, kinds)))
                if found.members or found.refused:
                    yield place.start, found

    def _may_join(self, place: CallBlock, plumbing: PlumbingBetween) -> bool:
        """Whether any two calls of a block are to be tried together."""
        if self.options.group == "adjacent" or plumbing.makers:
            return len(place.calls) > 1
        made: set[Value] = set()
        for call in place.calls:
            if not made.isdisjoint(call.operands):
                return True
            made.update(call.results)
        return False

    @cached_property
    def _is_unsettled(self) -> bool:
        """Whether the module leaves some layouts to XLA, and writes others that are not the default."""
        kinds = {kind.serial: kind for kinds in self._kinds for kind in kinds}.values()
        leaves = any(kind.metadata.leaves_a_layout for kind in kinds)
        return leaves and writes_other_layouts(self.unit.text, self.unit.start, self.unit.end)

    def side_by_side(self, place: CallBlock, first: Candidate, second: Candidate) -> bool:
        """Whether nothing with effects stands between two calls of a block, so that `adjacent` tries them together."""
        _, effects = self._of(place.symbols)
        return all(effects.of(place.block, index) is None for index in range(first.index + 1, second.index))

    def _components(self, place: CallBlock, candidates: list[Candidate], plumbing: PlumbingBetween) -> list[Component]:
        beside = (
            (lambda first, second: self.side_by_side(place, first, second))
            if self.options.group == "adjacent"
            else None
        )
        return components(candidates, beside, plumbing.makers)

    def _stretches(
        self,
        place: CallBlock,
        candidates: list[Candidate],
        plumbing: PlumbingBetween,
        uses: Uses,
    ) -> list[Stretch]:
        _, effects = self._of(place.symbols)
        counts = {value: len(places) for value, places in uses.of.items()}
        sizes = _Sizes() if self.options.copies else None
        group_storage = GroupStorage(
            counts, sizes, self.wrappers(place.symbols), self._patterns, equal_constants(place.block, place.calls)
        )
        members: list[Member] = [*candidates, *plumbing.members.values()]
        if plumbing.members:
            members.sort(key=lambda member: member.index)
        indices = [member.index for member in members]
        stretches = []
        for together in overlapping(self._components(place, candidates, plumbing)):
            first, last = together[0].calls[0].index, max(component.calls[-1].index for component in together)
            inside = members[bisect_left(indices, first) : bisect_right(indices, last)]
            stretch = Stretch(place.block, inside, first, last, effects)
            stretch.split(together, group_storage)
            if self.options.keep_overlap and self.exchanges:
                stretch.keep_overlap(self.wrappers(place.symbols).traffics)
            stretches.append(stretch)
        return stretches


def _without(plumbing: PlumbingBetween, doubtful: Collection[str]) -> PlumbingBetween:
    """No plumbing at all where the name of a value that some makes or uses is in doubt."""
    members = plumbing.members.values()
    named = {name for member in members for name, _ in (*member.results, *member.operands)}
    return plumbing if named.isdisjoint(doubtful) else NONE


class _CallEffects:
    """The effects of the JIT calls of a module. (Not a method of its analysis, which a cycle would keep alive.)"""

    def __init__(self, places: Sequence[CallBlock], kinds: Sequence[Sequence[Kind]]) -> None:
        self._places = places
        self._of_places = kinds

    def __call__(self, block: Block, index: int) -> Effect | None:
        kind = self._kinds.get(block.cut.starts[index])
        if kind is None:
            return Effect(False, block[index], "is a JIT call that could not be read")
        if kind.effect_free:
            return None
        return Effect(True, block[index], "is a JIT call with side effects")

    @cached_property
    def _kinds(self) -> dict[int, Kind]:
        """The kind of the call that begins at each place. Where calls stand side by side, nobody asks."""
        together = zip(self._places, self._of_places, strict=True)
        return {call.start: kind for place, kinds in together for call, kind in zip(place.calls, kinds, strict=True)}


class _Sizes(dict[str, "int | None"]):
    """The bytes of tensor types, found when asked for."""

    def get(self, key: str, default: int | None = None) -> int | None:  # type: ignore[override]
        return size_in_bytes(key)
