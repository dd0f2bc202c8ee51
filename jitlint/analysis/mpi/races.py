"""JIT601 and JIT603: buffers of nonblocking MPI calls that are used too early, and requests that nobody waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from jitlint.analysis.blocks import BlockAnalysis, UnitAnalysis
from jitlint.analysis.candidates import Candidate
from jitlint.analysis.mpi.requests import Completions, Flow
from jitlint.analysis.mpi.traffic import Start, is_free, is_wait
from jitlint.analysis.reasons import called, operand_span, operation_span, told_apart, value_of
from jitlint.analysis.verdict import Verdict
from jitlint.findings import Note, Span
from jitlint.ir.calls import Value
from jitlint.ir.values import Uses
from jitlint.syntax.aliases import OutputOperandAlias

_RETURNS = frozenset({"return", "func.return", "stablehlo.return"})
_MOST_PLACES = 5
_FIXED = "fusing the calls fixes this: the buffer is complete when the one call returns (JIT001, `jitlint --fix`)"
_TESTED = "`{}` may leave the request open: let what uses the buffer depend on a call that waits for the request"
_WAIT = "pass the request to a wrapper that calls `MPI_Wait` or the like, or complete it in the same wrapper"


def exchanges(analysis: UnitAnalysis) -> Iterator[tuple[Candidate, Verdict]]:
    """What is wrong with the nonblocking MPI calls of a module, each with the JIT call that it is about."""
    if not analysis.exchanges:
        return
    for block in analysis.blocks:
        if block.is_sound:
            yield from _Exchanges(block, analysis).verdicts()


class _Exchanges:
    """The nonblocking operations of one block."""

    def __init__(self, block: BlockAnalysis, analysis: UnitAnalysis) -> None:
        self._block = block
        self._text = block.place.block.region.unit.text
        self._cut = block.place.block.cut
        self._flow = Flow(block, analysis.wrappers(block.place.symbols).traffics)
        self._calls = self._flow.calls

    def verdicts(self) -> Iterator[tuple[Candidate, Verdict]]:
        """All verdicts of the block."""
        for call in self._block.candidates:
            traffic = self._flow.traffic(call)
            if not (traffic.starts or traffic.lost) or self._is_doubtful(call):
                continue
            for name in traffic.lost:
                message = f"{called(call)} does not return the request of `{name}`, so nothing can wait for it"
                yield call, Verdict("JIT603", message, help=_WAIT)
            for start in traffic.starts:
                result = call.mutated.get(start.request)
                if result is not None:
                    for verdict in self._start(call, start, call.results[result]):
                        yield call, verdict

    @cached_property
    def _uses(self) -> Uses:
        assert self._block.uses is not None
        return self._block.uses

    def _is_doubtful(self, call: Candidate) -> bool:
        doubtful = self._uses.doubtful
        return bool(doubtful) and any(name in doubtful for name, _ in call.call.result_names)

    def _start(self, call: Candidate, start: Start, request: Value) -> Iterator[Verdict]:
        found = self._flow.completions(request)
        if not found.calls:
            if not found.escapes:
                shown = value_of(call, request) if call.call.result_names else "its result"
                message = f"nothing waits for the request of `{start.name}`, {shown} of {called(call)}"
                yield Verdict("JIT603", message, help=_WAIT)
            return
        waits = [done for done, name, whole in found.calls.values() if whole and is_wait(name)]
        if len(waits) > 1:
            yield _twice(call, request, sorted(waits, key=lambda done: done.index))
        if found.escapes:
            return
        names = [name for _, name, _ in found.calls.values() if not is_free(name)]
        tested = next((name for name in names if not is_wait(name)), None)
        for verdict in self._early(call, start, found) if names else ():
            if tested is None or any(self._are_one(call, done) for done in self._waits(found)):
                yield verdict
            else:  # to be one call with what starts it completes nothing
                yield verdict._replace(help=_TESTED.format(tested), fixable=False)

    def _waits(self, found: Completions) -> Iterator[Candidate]:
        """The calls that certainly wait for a request, and those to which a call that only tests it hands it on."""
        pending, seen = [found], set[int]()
        while pending:
            for done, name, whole in pending.pop().calls.values():
                if whole and is_wait(name):
                    yield done
                elif done.index not in seen:
                    seen.add(done.index)
                    handed_on = self._flow.traffic(done).completes.keys() & done.mutated.keys()
                    pending += [self._flow.completions(done.results[done.mutated[each]]) for each in handed_on]

    def _are_one(self, first: Candidate, second: Candidate) -> bool:
        part = self._block.part_of(first.index)
        return part is not None and part is self._block.part_of(second.index)

    def _early(self, call: Candidate, start: Start, found: Completions) -> Iterator[Verdict]:
        """The operations that use a buffer of `start` and do not depend on its completion."""
        known, depends = found.calls, self._flow.depends
        completions = [done for done, _, _ in known.values()]
        for parameter in start.received:
            result = call.mutated.get(parameter)
            if result is None:
                continue
            value = call.results[result]
            early = [
                index
                for index in self._users(value)
                if index not in known and index != call.index and not depends(index, completions)
            ]
            if early:
                yield self._used(call, value, start, completions, early)
            elif not self._flow.keeps(value, completions):
                yield self._given_away(call, value, start, "receives into", completions)
        for parameter in start.sent:
            values = [call.operands[parameter]]
            values += [call.results[call.mutated[parameter]]] if parameter in call.mutated else []
            for value in values:
                writers = [index for index in self._writers.get(value, ()) if index > call.index and index not in known]
                early = [index for index in writers if not depends(index, completions)]
                if early:
                    yield self._overwritten(call, value, start, completions, early)
            if not any(self._flow.keeps(value, completions) for value in values):
                yield self._given_away(call, values[0], start, "sends from", completions)

    def _users(self, value: Value) -> list[int]:
        """The operations of the block that use a value, those aside that only hand it out of the block."""
        shapes = self._cut.shapes
        found = [use.operation for use in self._uses.of.get(value, ()) if use.operation >= 0]
        if len(found) > 1:
            found = list(dict.fromkeys(found))
        return [index for index in found if shapes[index].name not in _RETURNS]

    @cached_property
    def _writers(self) -> dict[Value, list[int]]:
        """The JIT calls that write each value's buffer in place."""
        found: dict[Value, list[int]] = {}
        for call in self._block.candidates:
            for operand in call.mutated:
                found.setdefault(call.operands[operand], []).append(call.index)
        return found

    def _used(
        self, call: Candidate, value: Value, start: Start, completions: list[Candidate], early: list[int]
    ) -> Verdict:
        user, done = self._named(early[0], completions[0])
        message = (
            f"{user} uses {value_of(call, value)}, which `{start.name}` receives into, but does not depend on {done}"
        )
        return self._verdict(message, call, value, start, completions, early)

    def _overwritten(
        self, call: Candidate, value: Value, start: Start, completions: list[Candidate], early: list[int]
    ) -> Verdict:
        shown = value_of(call, value) if value in call.results else operand_text(call, value)
        user, done = self._named(early[0], completions[0])
        message = f"{user} overwrites {shown}, which `{start.name}` sends from, but does not depend on {done}"
        return self._verdict(message, call, value, start, completions, early)

    def _given_away(
        self, call: Candidate, value: Value, start: Start, does: str, completions: list[Candidate]
    ) -> Verdict:
        shown = value_of(call, value) if value in call.results else operand_text(call, value)
        message = (
            f"nothing needs {shown}, which `{start.name}` {does}, at or after {called(completions[0])}: "
            "XLA may give its memory to another value before then"
        )
        return self._verdict(message, call, value, start, completions, [], call.call.name_span)

    def _verdict(
        self,
        message: str,
        call: Candidate,
        value: Value,
        start: Start,
        completions: list[Candidate],
        early: list[int],
        place: Span | None = None,
    ) -> Verdict:
        notes = [Note(f"`{start.name}` is started here", call.call.name_span)]
        for done in completions[:_MOST_PLACES]:
            notes.append(Note("and completed here", done.call.name_span))  # noqa: PERF401 - one, nearly always
        for index in early[1:_MOST_PLACES]:
            notes.append(Note("used here as well", self._place(index)))  # noqa: PERF401
        fixed = self._fixed(call, completions, early)
        help_text = _FIXED if fixed else _handed_on(completions[0], call, value)
        where = place or self._place(early[0])
        return Verdict("JIT601", message, where, tuple(notes), (), help_text, None, fixable=fixed)

    def _fixed(self, call: Candidate, completions: list[Candidate], early: Iterable[int]) -> bool:
        """Whether start and completion will be one call that all these operations come after."""
        part_of = self._block.part_of
        part = part_of(call.index)
        if part is None or any(part_of(done.index) is not part for done in completions):
            return False
        last = max(done.index for done in completions)
        return all(index > last or part_of(index) is not part for index in early)

    def _named(self, index: int, done: Candidate) -> tuple[str, str]:
        """What a message calls an operation of the block and a completion that it does not depend on."""
        call = self._calls.get(index)
        if call is None:
            return f"`{self._cut.shapes[index].name}`", called(done)
        if call.index < done.index:
            user, completion = told_apart(call.call, done.call)
        else:
            completion, user = told_apart(done.call, call.call)
        return user, completion

    def _place(self, index: int) -> Span:
        call = self._calls.get(index)
        if call is not None:
            return call.call.name_span
        name = self._cut.shapes[index].name
        start = self._text.find(name, self._cut.starts[index], self._cut.ends[index])
        if start >= 0 and self._text[start - 1] == " ":  # it is not the name of a value, or in quotes
            return Span(start, start + len(name))
        return operation_span(self._block.place.block[index])


def _handed_on(done: Candidate, call: Candidate, value: Value) -> str:
    """The change to make: the call that waits takes the buffer too, and hands it on."""
    is_result = value in call.results
    type_text = (
        call.kind.syntax.result_types[call.results.index(value)]
        if is_result
        else call.operand_types[call.operands.index(value)]
    )
    buffer = value_of(call, value) if is_result else operand_text(call, value)
    aliases = {result: operand for operand, result in done.mutated.items()}
    aliases[len(done.results)] = len(done.operands)
    several = len(aliases) > 1
    written = ", ".join(
        str(OutputOperandAlias((result,) if several else (), operand, ()))
        for result, operand in sorted(aliases.items())
    )
    operands = ", ".join([*(operand_text(done, operand) for operand in done.operands), buffer])
    types = ", ".join([*done.operand_types, type_text])
    results = ", ".join([*done.kind.syntax.result_types, type_text])
    outcome = f"({results})" if several else results
    left = f"%complete:{len(aliases)}" if several else "%complete"
    new = f"%complete#{len(done.results)}" if several else "%complete"
    return (
        f"let {called(done)} hand the buffer on: add a parameter `!llvm.ptr` to it, write "
        f"`{left} = enzymexla.jit_call {called(done)} ({operands}) <output_operand_aliases = [{written}]> : "
        f"({types}) -> {outcome}`, and use {new} instead of {buffer} from there on; or start and wait in one wrapper"
    )


def _twice(call: Candidate, request: Value, waits: list[Candidate]) -> Verdict:
    message = f"the request {value_of(call, request)} of {called(call)} is waited for twice: the first wait frees it"
    notes = (
        Note("the request is made here", call.call.name_span),
        Note("waited for here", waits[0].call.name_span),
    )
    help_text = "wait once, or let the first wait return its request as a result and wait for that"
    return Verdict("JIT603", message, span=waits[1].call.name_span, notes=notes, help=help_text)


def operand_text(call: Candidate, value: Value) -> str:
    """An operand as the call writes it."""
    span = operand_span(call, call.operands.index(value))
    return call.call.block.region.unit.text[span.start : span.end]
