"""Reasons in words: why two calls of a component stay apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from operator import attrgetter

from jitlint.analysis.candidates import Candidate
from jitlint.analysis.components import Tie
from jitlint.analysis.order.order import Detour, Edge
from jitlint.analysis.partition import Reason
from jitlint.analysis.storage.group_storage import MixedLayouts
from jitlint.analysis.storage.moves import LARGEST, Plumbing
from jitlint.analysis.storage.slots import Conflict
from jitlint.analysis.stretches import Stretch
from jitlint.analysis.verdict import Verdict
from jitlint.findings import Note, Span
from jitlint.ir.calls import JitCall, Value
from jitlint.ir.tree import Operation
from jitlint.ir.values import Uses

COPIES_HELP = (
    "`jitlint --fix --copies` fuses them, with a copy of the old value inside the fused wrapper; "
    "only for buffers in host memory"
)


def explain(tie: Tie, reason: Reason, stretch: Stretch, uses: Uses, *, copies: bool) -> Verdict | None:
    """The verdict about a tie that did not join; None where one of its calls fuses with none, which its own verdict
    says."""
    if isinstance(reason, Candidate):
        return None
    if isinstance(reason, Verdict):
        return reason
    if isinstance(reason, Detour):
        return _detour(tie, reason, stretch)
    if isinstance(reason, MixedLayouts):
        return _mixed_layouts(tie, reason)
    return _conflict(tie, reason, uses, copies=copies)


def called(candidate: Candidate) -> str:
    """A call, in a sentence."""
    return f"@{short(candidate.call.symbol)}"


def told_apart(*calls: JitCall) -> list[str]:
    """The words for each of several calls. Calls of one wrapper are numbered from 1 on, as reports number the calls of
    a group."""
    names = [f"@{short(call.symbol)}" for call in calls]
    several = {name for name, number in Counter(names).items() if number > 1}
    return [f"{name} ({number})" if name in several else name for number, name in enumerate(names, 1)]


def _names(tie: Tie, others: Iterable[Candidate]) -> dict[int, str]:
    """The words for the calls in a message about a tie, by their places in the block. The two calls of the tie are
    numbered first, as in reports; the others follow in text order."""
    calls = {tie.maker.index: tie.maker, tie.user.index: tie.user}
    calls |= {call.index: call for call in sorted(others, key=attrgetter("index")) if call.index not in calls}
    return dict(zip(calls, told_apart(*(call.call for call in calls.values())), strict=True))


def short(symbol: str) -> str:
    """A symbol, cut where it is too long for a sentence."""
    return symbol if len(symbol) <= 60 else f"{symbol[:48]}…{symbol[-8:]}"


def shown(value: Value, results: int) -> str:
    """A value as the text writes it."""
    return f"{value[0]}#{value[1]}" if results > 1 else value[0]


def value_of(candidate: Candidate, value: Value) -> str:
    """A result of a call, as the text writes it."""
    return shown(value, len(candidate.call.results) if len(candidate.call.result_names) == 1 else 1)


def operation_span(operation: Operation) -> Span:
    """The place of an operation's name."""
    text = operation.text
    start = text.find(operation.name, operation.operands_start, operation.end)
    if start < 0:
        return Span(operation.start, operation.end)
    end = start + len(operation.name)
    return Span(start - 1, end + 1) if text[start - 1] == '"' else Span(start, end)


def operand_span(candidate: Candidate, number: int) -> Span:
    """The place of one operand of a call."""
    start, end = candidate.call.places.operands[number]
    return Span(candidate.call.begin + start, candidate.call.begin + end)


def _detour(tie: Tie, detour: Detour, stretch: Stretch) -> Verdict:
    graph = stretch.graph
    ends = {node + graph.first for edge in detour.path for node in edge}
    names = _names(tie, (call for index in ends if (call := stretch.call_at(index)) is not None))
    pair = f"{names[tie.maker.index]} and {names[tie.user.index]} cannot be one call"
    path = tuple(_steps(detour.path, stretch, names))
    for edge in detour.path:
        if graph.value_between(*edge) is not None or edge[0] not in graph.before[edge[1]]:
            continue
        node = edge[0] if edge != detour.path[0] else edge[1]
        effect = graph.effects[node]
        if effect is None:
            continue
        between = stretch.block[node + graph.first]
        name = _named(between, names)
        notes = [Note(f"{name} stands between them", operation_span(between))]
        if effect.cause is not between and effect.cause.start != between.start:
            notes.append(
                Note(f"it holds or calls `{effect.cause.name}`, which {effect.reason}", operation_span(effect.cause))
            )
        reason = effect.reason.replace("is a JIT call with", "has")
        if effect.known:
            return Verdict("JIT201", f"{pair}: {name} stands between them and {reason}", notes=tuple(notes), path=path)
        unknown = effect.cause.name
        return Verdict(
            "JIT202",
            f"{pair}: {name} stands between them and {reason}",
            notes=tuple(notes),
            path=path,
            help=f'if `{unknown}` has no side effects, say so in the configuration: pure-ops = ["{unknown}"]',
        )
    way = [stretch.block[edge[1] + graph.first] for edge in detour.path[:-1][:3]]
    through = ", ".join(dict.fromkeys(_named(operation, names) for operation in way))
    leaving = graph.value_between(*detour.path[0]) or "a value"
    return Verdict(
        "JIT102",
        f"{pair}: {leaving} leaves the group and comes back through {through}",
        notes=tuple(
            Note(f"{_named(operation, names)} needs the first and is needed by the second", operation_span(operation))
            for operation in way[:1]
        ),
        path=path,
    )


def _named(operation: Operation, names: Mapping[int, str]) -> str:
    """What a message calls an operation; `names` are those of its calls."""
    if operation.shape.is_jit_call:
        return names.get(operation.index, "a JIT call")
    return f"`{operation.name}`"


def _steps(path: tuple[Edge, ...], stretch: Stretch, names: Mapping[int, str]) -> list[Note]:
    """The path as steps: what leaves, each operation on the way, and where it comes back. `names` are those of its
    calls."""
    graph, notes = stretch.graph, []
    for number, (source, target) in enumerate(path):
        maker, user = stretch.block[source + graph.first], stretch.block[target + graph.first]
        value = graph.value_between(source, target)
        name = _named(user, names)
        if number == 0:
            first = _named(maker, names)
            text = f"{value} of {first}" if value else first
            notes.append(Note(text, operation_span(maker)))
        if value is not None:
            text = f"{_operand(user, value)} of {name}" if number == len(path) - 1 else f"{name} uses {value}"
        elif source in graph.before[target]:
            text = f"{name} must run after it (side effects)"
        else:
            text = f"… {name}, which depends on it"
        notes.append(Note(text, operation_span(user)))
    return notes


def _operand(operation: Operation, name: str) -> str:
    for number, match in enumerate(operation.names_used):
        if match.group() == name:
            return f"operand {number}"
    return "an operand"


def _mixed_layouts(tie: Tie, mixed: MixedLayouts) -> Verdict:
    fixing, leaving = mixed
    names = _names(tie, mixed)
    writes, leaves = names[fixing.index], names[leaving.index]
    place = fixing.call.entry_span("operand_layouts") or fixing.call.name_span
    written = Note(f"{writes} has `operand_layouts`", place)
    chosen = Note(f"{leaves} has none", leaving.call.name_span)
    return Verdict(
        "JIT501",
        f"{writes} writes `operand_layouts`, and {leaves} leaves the layout of an operand of rank 2 or more to XLA, "
        "which may choose any",
        span=place,
        notes=(written, chosen) if fixing.index < leaving.index else (chosen, written),
        help="write `operand_layouts` at both calls, or at neither",
    )


def _conflict(tie: Tie, conflict: Conflict, uses: Uses, *, copies: bool) -> Verdict:
    by, value = conflict.by, conflict.value
    if isinstance(by, Plumbing):
        return _no_room(by, conflict)
    assert isinstance(by, Candidate)
    reader = conflict.reader
    names = _names(tie, [call for call in (by, reader) if isinstance(call, Candidate)])
    name_of_by = names[by.index]
    if conflict.kind == "scratch":
        message = (
            f"{name_of_by} writes {shown(value, value[1] + 1)}, which inside one call would stand in memory of the "
            "wrapper's own or in another shape, and what it writes is needed outside"
        )
        return Verdict("JIT403", message, notes=(Note("written here", operand_span(by, by.operands.index(value))),))
    several = (value[0], 0 if value[1] else 1) in uses.of
    name = f"{value[0]}#{value[1]}" if several else value[0]
    if conflict.kind in ("type", "layout"):
        code = "JIT304" if conflict.kind == "type" else "JIT501"
        what = "pointer type" if conflict.kind == "type" else "layout"
        entry = by.call.entry_span("operand_layouts", conflict.operand) if code == "JIT501" else None
        return Verdict(
            code,
            f"{name_of_by} takes {name} with the {what} `{conflict.has}`, "
            f"another call of the group with `{conflict.had}`",
            span=entry,
            notes=(Note("here", operand_span(by, conflict.operand)),),
        )
    written = (number for number, operand in enumerate(by.operands) if operand == value and number in by.mutated)
    place = next(written, -1)  # the value itself may come to it through plumbing, in another shape
    overwritten = Note(f"{name_of_by} overwrites {name} here", operand_span(by, place))
    help_text = None if copies else COPIES_HELP
    if conflict.kind == "twice":
        other = next((n for n, operand in enumerate(by.operands) if operand == value and n != place), place)
        return Verdict(
            "JIT403",
            f"{name_of_by} is passed {name} twice, once to overwrite it: "
            "inside one call both operands would be the same buffer",
            notes=(overwritten, Note(f"and is passed it again as operand {other}", operand_span(by, other))),
            help=help_text,
        )
    if isinstance(reader, Candidate):
        number = reader.operands.index(value)
        needed = Note(f"{names[reader.index]} needs it here", operand_span(reader, number))
    else:
        needed = _outside_use(by, value, uses)
    return Verdict(
        "JIT403",
        f"{name_of_by} overwrites {name}, which is still needed after it",
        notes=(overwritten, needed),
        help=help_text,
    )


def _no_room(by: Plumbing, conflict: Conflict) -> Verdict:
    """Why plumbing cannot be taken into a wrapper."""
    if conflict.kind == "stack":
        why = f"the copies inside the wrapper would take more than {LARGEST} bytes of stack memory together"
    else:
        why = f"a `{conflict.had}` is passed for {shown(conflict.value, conflict.value[1] + 1)}, and no plain pointer"
    return Verdict("JIT304", f"`{by.name}` cannot be taken into one wrapper with its neighbours: {why}")


def _outside_use(by: Candidate, value: Value, uses: Uses) -> Note:
    places = [use for use in uses.of.get(value, ()) if not by.call.start <= use.start < by.call.end]
    later = [use for use in places if use.start >= by.call.end] or places
    if not later:
        return Note("and it is needed elsewhere", by.call.name_span)
    return Note("it is needed here", Span(later[0].start, later[0].end))
