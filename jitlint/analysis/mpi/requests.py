"""Where an MPI request goes from the call that makes it: through operations that pass it on, to those that complete it.

Only the operations between are looked at, and only when a request goes into something that is no JIT call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from jitlint.analysis.blocks import BlockAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.mpi.traffic import Traffic, Traffics
from jitlint.ir import effects
from jitlint.ir.calls import Value
from jitlint.ir.values import Use
from jitlint.syntax.heads import RESULTS, results_in
from jitlint.syntax.lexer import NAMES

_WHOLE = frozenset(
    [
        "stablehlo.broadcast_in_dim",
        "stablehlo.concatenate",
        "stablehlo.reshape",
        "stablehlo.transpose",
    ]
)
"""Operations whose result holds all of every operand: a request that goes in comes out."""

_VIEWS = _WHOLE | {
    "stablehlo.bitcast_convert",
    "stablehlo.convert",
    "stablehlo.get_tuple_element",
    "stablehlo.optimization_barrier",
    "stablehlo.slice",
    "stablehlo.tuple",
    "tensor.cast",
}
"""Operations whose result may be the memory of their first operand."""

_TIMES = 20
"""How often the text of a block may be looked through for dependences, before nothing more is claimed."""

_MOST_COMPLETIONS = 64


class Completions:
    """The JIT calls that complete a request, by their places in the block, each with the MPI function and whether the
    request certainly arrives there. `escapes` tells that it also goes where it cannot be followed."""

    def __init__(self, escapes: bool = False) -> None:
        self.calls: dict[int, tuple[Candidate, str, bool]] = {}
        self.escapes = escapes

    def add(self, call: Candidate, function: str, whole: bool) -> None:
        """Note a completion; of one that is reached on several ways, the surest counts."""
        known = self.calls.get(call.index)
        self.calls[call.index] = call, function, whole or (known is not None and known[2])
        if len(self.calls) > _MOST_COMPLETIONS:
            self.escapes = True
            del self.calls[call.index]

    def merge(self, other: Completions, whole: bool) -> None:
        """Add what is reached from a value that this one goes into."""
        self.escapes |= other.escapes
        for call, function, arrives in other.calls.values():
            self.add(call, function, whole and arrives)


_UNKNOWN = Completions(escapes=True)
"""Of a value that is used in making itself: such a text is wrong, and nothing is claimed about it."""


class Flow:
    """The ways of values in one block. What is reached from a value is found once; following dependences has a budget
    of text to look through, and when it is used up, nothing is claimed. `calls` are the JIT calls by their places."""

    def __init__(self, analysis: BlockAnalysis, traffics: Traffics) -> None:
        self._analysis = analysis
        self._block = analysis.place.block
        self._traffics = traffics
        self.calls = {candidate.index: candidate for candidate in analysis.candidates}
        start, end = self._block.bounds
        self._left = _TIMES * (end - start + 10_000)
        self._reached: dict[Value, Completions] = {}

    def traffic(self, call: Candidate) -> Traffic:
        """What a call does with requests."""
        return self._traffics.of_call(call.kind.wrapper.function, len(call.operands))

    def completions(self, request: Value) -> Completions:
        """Where a request, a result of a JIT call, is completed."""
        found = Completions()
        for index in self._users(request):
            call = self.calls.get(index)
            if call is None:
                break
            self._into_call(call, request, found)
        else:
            return found  # nothing but JIT calls use it
        pending, opened = [request], {request}
        while pending:
            value = pending[-1]
            goes_into = [] if value in self._reached else self._goes_into(value)
            unknown = {result for result, _ in goes_into if result not in self._reached} - opened
            if unknown:
                opened |= unknown
                pending += unknown
                continue
            pending.pop()
            if value not in self._reached:
                self._reached[value] = self._gathered(value, goes_into)
        return self._reached[request]

    def _goes_into(self, value: Value) -> list[tuple[Value, bool]]:
        """The values that an operation makes of a value, and whether each holds all of it."""
        shapes = self._block.cut.shapes
        return [
            (result, shapes[index].name in _WHOLE)
            for index in self._users(value)
            if index not in self.calls
            for result in self._carried(index) or ()
        ]

    def _gathered(self, value: Value, goes_into: Iterable[tuple[Value, bool]]) -> Completions:
        found = Completions()
        for result, whole in goes_into:
            found.merge(self._reached.get(result, _UNKNOWN), whole)
        for index in self._users(value):
            if index in self.calls:
                self._into_call(self.calls[index], value, found)
            elif self._carried(index) is None:
                found.escapes = True
        return found

    def depends(self, user: int, completions: Iterable[Candidate]) -> bool:
        """Whether an operation uses, through whatever lies between, a result of one of these calls; True where there
        were too many steps to tell."""
        for call in completions:
            if call.results:
                break
        else:
            return False  # they hand nothing on
        names = {name for call in completions for name, _ in call.call.result_names}
        if not names:
            return False
        first = min(call.index for call in completions if call.call.result_names)
        pending, seen = ([user] if first < user else []), {user}
        while pending:
            index = pending.pop()
            self._left -= self._block.cut.ends[index] - self._block.cut.starts[index]
            if self._left < 0:
                return True
            for name in self._block[index].names:
                if name in names:
                    return True
                before = self._definitions.get(name, -1)
                if before > first and before not in seen:
                    seen.add(before)
                    pending.append(before)
        return False

    def keeps(self, value: Value, completions: Sequence[Candidate]) -> bool:
        """Whether the memory of a value lasts until these calls have run, or that cannot be told: because one of them
        or something behind them needs it, because it leaves the block, or because it is no memory of its own.

        That a user stands below them in the text keeps nothing (measured: XLA gave the memory away all the same).
        """
        done = {call.index for call in completions}
        users = self._users(value)
        if any(self._outlasts(index, done) for index in users) or not self._is_temporary(value):
            return True
        block = self._block
        pending, seen = list(users), {value}
        while pending:
            index = pending.pop()
            if self._outlasts(index, done) or self.depends(index, completions):
                return True
            if block.cut.shapes[index].name in _VIEWS:
                more = [(name, 0) for name, _ in block[index].results if (name, 0) not in seen]
                seen.update(more)
                pending += (user for result in more for user in self._users(result))
        return False

    def _outlasts(self, user: int, done: set[int]) -> bool:
        """Whether a use keeps a value: by one of these calls, by what leaves the block, or where it cannot be told."""
        return user < 0 or user in done or user == len(self._block) - 1 or user in self._block.cut.regions

    def _is_temporary(self, value: Value) -> bool:
        """Whether a value is computed in the block: memory of arguments and of constants is not given away."""
        if value in self._made_by_calls:
            return True
        seen: set[int] = set()
        index = self._definitions.get(value[0], -1)
        while index >= 0 and index not in seen and self._block.cut.shapes[index].name in _VIEWS:
            seen.add(index)
            names = self._block[index].names
            index = self._definitions.get(names[0], -1) if names else -1
        return index >= 0 and index not in seen and "constant" not in self._block.cut.shapes[index].name

    @cached_property
    def _made_by_calls(self) -> frozenset[Value]:
        return frozenset(value for call in self.calls.values() for value in call.results)

    def _into_call(self, call: Candidate, value: Value, found: Completions) -> None:
        completes = self.traffic(call).completes
        for position, operand in enumerate(call.operands):
            if operand == value:
                completed = completes.get(position)
                if completed is None:
                    found.escapes = True
                else:
                    found.add(call, completed, True)

    def _users(self, value: Value) -> Sequence[int]:
        """The operations of the block that use a value, -1 for one elsewhere."""
        uses = self._uses_of.get(value)
        if uses is not None:
            return [use[2] for use in uses]
        if len(self._block.region.blocks) > 1:
            return [-1]
        return self._users_by_name.get(value[0], ())

    @cached_property
    def _uses_of(self) -> Mapping[Value, Sequence[Use]]:
        uses = self._analysis.uses
        return uses.of if uses is not None else {}

    def _carried(self, index: int) -> list[Value] | None:
        """The results that an operation passes its operands on in; None where it may do something else with them."""
        if index < 0 or index in self._block.cut.regions:
            return None
        operation = self._block[index]
        if effects.declared(operation.name) != effects.NONE or not operation.results:
            return None
        return [(name, 0) for name, _ in operation.results]

    @cached_property
    def _definitions(self) -> dict[str, int]:
        """The operation that defines each name."""
        text, cut = self._block.region.unit.text, self._block.cut
        found: dict[str, int] = {}
        for index, start in enumerate(cut.starts):
            if text[start] != "%":
                continue
            end = text.find(" ", start)
            if text.startswith("= ", end + 1):  # one name, as nearly always: without an expression, a fifth of the time
                found[text[start:end].partition(":")[0]] = index
            elif results := RESULTS.match(text, start, cut.ends[index]):
                found.update((name, index) for name, _ in results_in(results.group()))
        return found

    @cached_property
    def _users_by_name(self) -> dict[str, list[int]]:
        """The operations that use each name, in them or in a region of theirs."""
        text, cut = self._block.region.unit.text, self._block.cut
        found: dict[str, list[int]] = {}
        for index, start in enumerate(cut.starts):
            end = cut.ends[index]
            results = RESULTS.match(text, start, end) if text[start] == "%" else None
            for match in NAMES.finditer(text, results.end() if results else start, end):
                if match[1] is not None:
                    users = found.setdefault(match[1], [])
                    if not users or users[-1] != index:
                        users.append(index)
        return found
