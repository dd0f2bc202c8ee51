"""From plans to edits: the fused calls, the values that are named anew, and the operations that move."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator

from jitlint import lazy
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.storage.moves import Plumbing
from jitlint.analysis.stretches import Stretch
from jitlint.fusion import whole_lines
from jitlint.fusion.call import CallFrame, frame
from jitlint.fusion.edits import Edit, Edits, Move, Piece
from jitlint.fusion.naming import FreshNames, Renaming
from jitlint.fusion.plan import Plan
from jitlint.fusion.schedule import Entry, Schedule
from jitlint.ir.tree import Block
from jitlint.syntax.lexer import SPLIT, SSA_NAME, comments
from jitlint.syntax.shapes import OPERATION

_OPERAND = lazy.pattern(rf"{SSA_NAME}(?:#[0-9]+)?")


class Rewriter:
    """Gathers the edits of one module. `symbol` gives the symbol of a plan's fused wrapper, with its `@`."""

    def __init__(self, text: str, symbol: Callable[[Plan], str]) -> None:
        self.text = text
        self.symbol = symbol
        self.edits = Edits()
        self._moving: list[tuple[int, int]] = []
        self._schedules: dict[Stretch, Schedule] = {}
        self._newline = "\r\n" if whole_lines.has_carriage_returns(text) else "\n"
        self._new_text: dict[int, str] = {}
        self._renamed: list[int] = []
        self._frames: dict[tuple[int, tuple[int, ...]], CallFrame] = {}
        self._names: dict[int, FreshNames] = {}

    def rewrite(self, stretch: Stretch, plans: list[Plan]) -> None:
        """Fuse the groups of one stretch, `plans`, by their first calls.

        All stretches must have been settled, and then all values named, before the first is rewritten.
        """
        if all(plan.is_unbroken for plan in plans):
            for plan in plans:
                self._in_place(plan, plan.calls[0].index)
            return
        order = self._schedules[stretch].in_order()
        for entry in order:
            if entry.group >= 0 and entry.slot >= 0:
                self._in_place(plans[entry.group], entry.slot)
            elif entry.group >= 0:
                self._remove(stretch.block, plans[entry.group].gone)
        self._float(stretch, plans, order)

    def name_values(self, plan: Plan) -> None:
        """Name the values of a group as the fused call does, wherever they are used."""
        uses = plan.block.uses
        assert uses is not None
        inside = {member.index for member in plan.gone}
        for value, new in plan.renamed().items():
            for use in uses.of.get(value, ()):
                if self.text[use.start : use.end] != new and use.operation not in inside:
                    self._replace([(use.start, use.end, new)])

    def settle(self, stretch: Stretch, plans: list[Plan]) -> bool:
        """Decide where the calls stand and what moves, and rename what would come to stand before a region that
        defines the same name further in. False, and nothing is decided, where such a name cannot be changed."""
        if not all(plan.is_unbroken for plan in plans):
            schedule = Schedule(stretch.graph)
            for number, plan in enumerate(plans):
                leaving, staying = ([member.index for member in some] for some in (plan.leaving, plan.staying))
                schedule.place(number, [call.index for call in plan.calls], leaving, staying)
            renaming = self._renaming(stretch.block, plans, schedule.in_order())
            if renaming is None:
                return False
            self._schedules[stretch] = schedule
            self._replace(renaming)
            moved = [entry.operations[0] for entry in schedule.moved if entry.group < 0]
            for index in moved:
                insort(self._moving, (stretch.block.cut.starts[index], stretch.block.cut.ends[index]))
        for plan in plans:
            if plan.results and not plan.name:
                plan.rename(self._fresh(plan).like("%fused"))
        return True

    def moves(self, offset: int) -> bool:
        """Whether what stands at `offset` moves, by what has been settled."""
        before = bisect_right(self._moving, (offset, len(self.text))) - 1
        return before >= 0 and offset < self._moving[before][1]

    def _renaming(self, block: Block, plans: list[Plan], order: list[Entry]) -> list[Edit] | None:
        """The edits that rename operations, or None; a group's name changes in its plan."""
        edits: list[Edit] = []
        conflicts = _conflicts(block, plans, order)
        names = {name for entry, name in conflicts if entry.group < 0}
        scope = plans[0].block.place.scope
        assert scope is not None  # nothing fuses outside a function
        renaming = Renaming(scope, names, self._fresh(plans[0])) if names else None
        groups = []
        for entry, name in conflicts:
            if entry.group >= 0:
                groups.append(plans[entry.group])
                continue
            assert renaming is not None
            own = renaming.edits(block[entry.operations[0]], name)
            if own is None:
                return None
            edits += own
        for plan in groups:
            plan.rename(self._fresh(plan).like(plan.name))
        return edits

    def _fresh(self, plan: Plan) -> FreshNames:
        """Free names in the function of a plan."""
        scope = plan.block.place.scope
        assert scope is not None  # nothing fuses outside a function
        names = self._names.get(scope.start)
        if names is None:
            names = self._names[scope.start] = FreshNames(scope)
        return names

    def _replace(self, edits: Iterable[Edit]) -> None:
        for start, end, new in edits:
            self.edits.replace(start, end, new)
            self._new_text[start] = new

    def _in_place(self, plan: Plan, index: int) -> None:
        """Put the fused call where one of the group's calls stands, and take the others away."""
        at = next(call for call in plan.calls if call.index == index)
        start, text = at.call.start, self._call_text(plan)
        if not plan.results and not whole_lines.begins_line(self.text, start):
            # Without results it would not be plain that an operation begins there, behind another on the line.
            text = self._newline + whole_lines.indent(self.text, start) + text
        self.edits.rewrite(start, at.call.end, text)
        self._remove(plan.block.place.block, (each for each in plan.gone if each is not at))

    def _remove(self, block: Block, members: Iterable[Candidate | Plumbing]) -> None:
        for member in members:
            shape, first, last = block.cut.shapes[member.index], *_span(block, member.index)
            if shape.kind == OPERATION and not shape.trail:  # it has its line for itself
                self.edits.rewrite(first - shape.lead, min(last + 1, len(self.text)))
                continue
            start, end, left = whole_lines.removal(self.text, first, last)
            if (
                whole_lines.begins_line(self.text, start)
                or whole_lines.ends_line(self.text, end)
                or self.text[end] in "%}"
            ):
                self.edits.rewrite(start, end, left)
            else:  # behind a JIT call an operation begins, behind another one that would be a guess
                self.edits.rewrite(start, end, self._newline + whole_lines.indent(self.text, start))

    def _call_text(self, plan: Plan) -> str:
        """The fused call, below the comments that stood inside the calls that it replaces."""
        text = self._frame(plan).text(plan.name, self._operands(plan), plan.calls[0])
        kept = [
            self.text[start:end].rstrip()
            for member in plan.part.members
            if isinstance(member, Plumbing) or not member.call.is_plain
            for start, end in comments(self.text, *_span(plan.block.place.block, member.index))
        ]
        if not kept:
            return text
        indent = whole_lines.indent(self.text, plan.calls[0].call.start)
        if not indent:
            kept = [f" {comment}" if comment.startswith(SPLIT) else comment for comment in kept]
        return (self._newline + indent).join([*kept, text])

    def _frame(self, plan: Plan) -> CallFrame:
        """The frame of the plan's fused call, made once for all groups of its pattern."""
        key = (plan.storage.serial, plan.results)
        found = self._frames.get(key)
        if found is None:
            found = self._frames[key] = frame(self.symbol(plan), plan.results, plan.calls, plan.slots)
        return found

    def _operands(self, plan: Plan) -> Iterator[str]:
        """The operand of each slot as it is to be written: as it stands, or as its value is named now."""
        block = plan.block.place.block
        texts = [
            self._named_texts(block, member.index) if isinstance(member, Plumbing) else self._operand_texts(member)
            for member in plan.part.members
        ]
        return (texts[slot.member][slot.number] for slot in plan.slots)

    def _operand_texts(self, candidate: Candidate) -> list[str]:
        call = candidate.call
        renamed = self._sorted_names()
        first = bisect_left(renamed, call.begin)
        if call.is_plain and (first == len(renamed) or renamed[first] >= call.end):  # they are as they stand
            return _OPERAND.findall(self.text, call.begin, self.text.find(")", call.begin, call.end))
        return self._named_texts(call.block, call.index)

    def _named_texts(self, block: Block, index: int) -> list[str]:
        """The values that an operation uses, by the names that they have in the end."""
        names = block[index].names_used
        return [self._new_text.get(match.start(), match.group()) for match in names]

    def _sorted_names(self) -> list[int]:
        """The places of the names that change, in text order; asked for when all are known."""
        if len(self._renamed) != len(self._new_text):
            self._renamed = sorted(self._new_text)
        return self._renamed

    def _float(self, stretch: Stretch, plans: list[Plan], order: list[Entry]) -> None:
        """Put what has no place of its own behind the entry before it; at the very front, before the first entry."""
        anchor: Entry | None = None
        floating: list[Entry] = []
        front: list[Entry] = []
        for entry in order:
            if entry.slot < 0:
                (floating if anchor is not None else front).append(entry)
                continue
            if floating and anchor is not None:
                self._put_behind(stretch.block, plans, anchor, floating)
            if front:
                self._put_before(stretch.block, plans, entry, front)
            anchor, floating, front = entry, [], []
        if floating and anchor is not None:
            self._put_behind(stretch.block, plans, anchor, floating)

    def _put_behind(self, block: Block, plans: list[Plan], anchor: Entry, entries: list[Entry]) -> None:
        start, end = block.cut.starts[anchor.slot], block.cut.ends[anchor.slot]
        space = whole_lines.indent(self.text, start)
        if whole_lines.ends_line(self.text, end):
            place = whole_lines.next_line(self.text, end)
            lead = "" if self.text[place - 1 : place] == "\n" else self._newline
            self.edits.rewrite(place, place, lead, *self._pieces(block, plans, entries, space))
        else:
            self.edits.rewrite(end, end, self._newline, *self._pieces(block, plans, entries, space), space)

    def _put_before(self, block: Block, plans: list[Plan], anchor: Entry, entries: list[Entry]) -> None:
        start = block.cut.starts[anchor.slot]
        space = whole_lines.indent(self.text, start)
        if whole_lines.begins_line(self.text, start):
            place = whole_lines.with_comments(self.text, start, _floor(block, anchor.slot))
            self.edits.rewrite(place, place, *self._pieces(block, plans, entries, space))
        else:
            self.edits.rewrite(start, start, self._newline, *self._pieces(block, plans, entries, space), space)

    def _pieces(self, block: Block, plans: list[Plan], entries: list[Entry], space: str) -> list[Piece]:
        """The entries' new lines. Takes moved operations away from where they stood."""
        pieces: list[Piece] = []
        for entry in entries:
            if entry.group >= 0:
                pieces.append(f"{space}{self._call_text(plans[entry.group])}{self._newline}")
                continue
            index = entry.operations[0]
            start, end = block.cut.starts[index], block.cut.ends[index]
            span = whole_lines.whole_lines(self.text, start, end, _floor(block, index))
            if span is not None:
                self.edits.rewrite(*span)
                pieces.append(Move(*span, tail="" if self.text[span[1] - 1] == "\n" else self._newline))
            else:
                self.edits.rewrite(*whole_lines.removal(self.text, start, end))
                pieces.append(Move(start, end, space, self._newline))
        return pieces


def _span(block: Block, index: int) -> tuple[int, int]:
    """Where an operation stands."""
    return block.cut.starts[index], block.cut.ends[index]


def _floor(block: Block, index: int) -> int:
    """Where the operation before ends, or the block begins: comments above that are not this operation's."""
    if index:
        return whole_lines.next_line(block.region.unit.text, block.cut.ends[index - 1])
    return whole_lines.next_line(block.region.unit.text, block.cut.label[1] if block.cut.label else block.region.start)


def _conflicts(block: Block, plans: list[Plan], order: list[Entry]) -> list[tuple[Entry, str]]:
    """The names that come to stand before an operation whose regions define the same name, each with its entry.

    A region may define a name that is defined further out, but only behind it.
    """
    found: dict[tuple[Entry, str], None] = {}
    above: dict[str, tuple[int, Entry]] = {}
    lowest = -1
    for entry in order:
        index = entry.operations[0]
        if entry.group < 0 and index < lowest and index in block.cut.regions:
            for match in block[index].names_used:
                place, other = above.get(match[1], (-1, entry))
                if place > index:
                    found[other, match[1]] = None
        place = index if entry.group < 0 else _named_at(plans[entry.group])
        names = [name for name, _ in block[index].results] if entry.group < 0 else [plans[entry.group].name]
        above.update((name, (place, entry)) for name in names)
        lowest = max(lowest, place)
    return list(found)


def _named_at(plan: Plan) -> int:
    """The index of the call that the fused call's name is from."""
    return next((call.index for call in plan.calls if call.call.result_names), plan.calls[0].index)
