"""The fused wrappers of one symbol table: those that the module has already, and those that are to be written."""

from __future__ import annotations

from functools import cached_property

from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.fusion import whole_lines
from jitlint.fusion.edits import Edits
from jitlint.fusion.plan import Plan
from jitlint.fusion.tidy.equality import without_name
from jitlint.fusion.wrapper.body import FusedWrapper, WrapperWriter
from jitlint.fusion.wrapper.names import fused_symbol, reference
from jitlint.fusion.wrapper.signature import BoundWrapper, Copy
from jitlint.ir.functions import FUNCTIONS
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Operation
from jitlint.options import Options


class _Fused:
    """One fused wrapper: its name, its text, the wrappers of its group (none if it is there already), and whether a
    fused call names it."""

    def __init__(self, name: str, text: FusedWrapper, wrappers: list[Operation]) -> None:
        self.name = name
        self.text = text
        self.wrappers = wrappers
        self.used = False


class FusedWrappers:
    """Finds or makes the fused wrapper of each plan; equal ones are one, whatever they are made of is called."""

    def __init__(self, symbols: SymbolTable, wrappers: Wrappers, options: Options) -> None:
        self._symbols = symbols
        self._prefix = options.fused_prefix
        self._writer = WrapperWriter(options.form, wrappers.cloning)
        self._by_slots: dict[int, _Fused] = {}
        self._by_text: dict[FusedWrapper, _Fused] = {}
        self._names: set[str] = set()

    def name(self, plan: Plan) -> str:
        """The symbol of the plan's fused wrapper, without `@`."""
        return self._get(plan).name

    def reference(self, plan: Plan) -> str:
        """The symbol as the fused call writes it; from now on the wrapper is needed."""
        fused = self._get(plan)
        fused.used = True
        return reference(fused.name)

    def write(self, edits: Edits) -> None:
        """Put each new wrapper that is needed before the first wrapper of the first group that asked for it, or as far
        below that as the aliases that it uses stand."""
        places: dict[int, tuple[Operation, list[tuple[FusedWrapper, str]]]] = {}
        for fused in self._by_text.values():
            if fused.used and fused.wrappers:
                operation = self._before(fused)
                places.setdefault(operation.start, (operation, []))[1].append((fused.text, fused.name))
        for start, (operation, together) in places.items():
            self._put(edits, operation, start, together)

    def _put(self, edits: Edits, operation: Operation, start: int, written: list[tuple[FusedWrapper, str]]) -> None:
        text = operation.text
        space = whole_lines.indent(text, start)
        new = "".join(f"{wrapper.text(reference(name), space)}\n{space}" for wrapper, name in written)
        if whole_lines.begins_line(text, start):
            floor = whole_lines.next_line(text, operation.block[operation.index - 1].end) if operation.index else 0
            start = whole_lines.with_comments(text, start, max(floor, operation.block.region.start))
            new = space + new.removesuffix(space)
        edits.rewrite(start, start, new.replace("\n", "\r\n") if whole_lines.has_carriage_returns(text) else new)

    def _get(self, plan: Plan) -> _Fused:
        """Groups of one pattern share their slots, and so their wrapper."""
        fused = self._by_slots.get(plan.storage.serial)
        if fused is None:
            fused = self._by_slots[plan.storage.serial] = self._make(plan)
        return fused

    def _make(self, plan: Plan) -> _Fused:
        members: list[BoundWrapper] = []
        for call, binding in zip(plan.calls, plan.storage.bindings, strict=True):
            function = call.kind.wrapper.function
            assert function is not None  # a call without one is in no group
            members.append((function, binding))
        copies = [
            Copy(copy.member, copy.source, copy.target, copy.size, copy.source_offset, copy.target_offset)
            for copy in plan.storage.copies
        ]
        text = self._writer.write(members, len(plan.slots), copies, plan.storage.scratch)
        fused = self._by_text.get(text)
        if fused is None:
            fused = self._by_text[text] = self._named(text, [function.symbol for function, _ in members])
        return fused

    def _named(self, text: FusedWrapper, wrappers: list[str]) -> _Fused:
        there = self._there.get(without_name(text.text("@fused"))) if self._there else None
        if there is not None:
            return _Fused(there, text, [])
        name = fused_symbol(self._prefix, wrappers, self._is_taken)
        self._names.add(name)
        return _Fused(name, text, [found for each in wrappers if (found := self._symbols.lookup(each)) is not None])

    def _before(self, fused: _Fused) -> Operation:
        """The first wrapper of the group that stands below every alias that the fused one uses: the one that uses the
        last alias does."""
        unit = self._symbols.region.unit
        last = unit.last_alias(fused.text.text("@fused")) if unit.aliases else -1
        return next((each for each in fused.wrappers if each.start > last), fused.wrappers[0])

    def _is_taken(self, name: str) -> bool:
        return name in self._names or name in self._symbols.names

    @cached_property
    def _there(self) -> dict[str, str]:
        """The names of the fused wrappers that the module has already, by their texts without a name."""
        found: dict[str, str] = {}
        for name in self._symbols.names:
            if name.startswith(self._prefix):
                operation = self._symbols.lookup(name)
                if operation is not None and operation.name in FUNCTIONS:
                    found.setdefault(without_name(operation.own_text()), name)
        return found
