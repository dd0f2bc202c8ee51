"""Which operand's buffer each result of a call stands for, and what is wrong with how the call says it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jitlint.analysis.verdict import Verdict
from jitlint.findings import Severity
from jitlint.ir.calls import WHOLE
from jitlint.syntax.aliases import OutputOperandAlias, read_aliases
from jitlint.syntax.calls import CallSyntax

_KEY = "output_operand_aliases"
_HELP = "let every result name one operand of its own type, and no two results the same one"


def mutated_operands(syntax: CallSyntax) -> dict[int, int]:
    """For each operand that a result aliases, by its number, the number of the result; in the order of the operands."""
    aliases = read_aliases(syntax.entries.get(_KEY, "")) or ()
    pairs = {
        alias.operand_index: alias.output_tuple_indices[0] if alias.output_tuple_indices else 0 for alias in aliases
    }
    operands, results = len(syntax.operand_types), len(syntax.result_types)
    return {
        operand: pairs[operand]
        for operand in sorted(pairs)
        if 0 <= operand < operands and 0 <= pairs[operand] < results
    }


def alias_verdicts(syntax: CallSyntax) -> list[Verdict]:
    """What is wrong with a call's aliases: JIT401 for a result without one, JIT402 for one that does not fit.

    A fault that merely follows from a reported one is not reported.
    """
    aliases = read_aliases(syntax.entries.get(_KEY, ""))
    if aliases is None:
        return [
            Verdict("JIT402", f"its `{_KEY}` is written in an unknown way", help=_HELP, entry=(_KEY, WHOLE)),
        ]
    return (
        [verdict for number, alias in enumerate(aliases) for verdict in _wrong(number, alias, syntax)]
        or _conflicts(aliases)
        or _unaliased(syntax, {_result(alias) for alias in aliases})
    )


def _result(alias: OutputOperandAlias) -> int:
    return alias.output_tuple_indices[0] if alias.output_tuple_indices else 0


def _conflicts(aliases: Sequence[OutputOperandAlias]) -> list[Verdict]:
    """What is wrong with aliases together: a result with two operands, an operand with two results."""
    said: list[tuple[str, int]] = []
    operand_of: dict[int, int] = {}
    result_of: dict[int, int] = {}
    for number, alias in enumerate(aliases):
        result, operand = _result(alias), alias.operand_index
        if result in operand_of:
            said.append((f"result #{result} aliases two operands, {operand_of[result]} and {operand}", number))
        if operand in result_of:
            message = f"results #{result_of[operand]} and #{result} alias one operand, {operand}: one buffer"
            said.append((message, number))
        operand_of[result], result_of[operand] = operand, result
    return [Verdict("JIT402", message, help=_HELP, entry=(_KEY, number)) for message, number in said]


def _unaliased(syntax: CallSyntax, aliased: Collection[int]) -> list[Verdict]:
    current = syntax.spelling != "attributes"
    refused = "current engines reject the call" if current else "the engine returns a buffer that nobody wrote"
    return [
        Verdict(
            "JIT401",
            f"result #{result} aliases no operand: {refused}",
            help="pass a buffer for the result and alias it, or drop the result",
            severity=Severity.ERROR if current else None,
        )
        for result in range(len(syntax.result_types))
        if result not in aliased
    ]


def _wrong(number: int, alias: OutputOperandAlias, syntax: CallSyntax) -> list[Verdict]:
    """What is wrong with one alias, by itself."""
    said = _fault(alias, syntax)
    return [Verdict("JIT402", said, help=_HELP, entry=(_KEY, number))] if said else []


def _fault(alias: OutputOperandAlias, syntax: CallSyntax) -> str:
    operands, results = len(syntax.operand_types), len(syntax.result_types)
    indices, operand = alias.output_tuple_indices, alias.operand_index
    if alias.operand_tuple_indices:
        inner = list(alias.operand_tuple_indices)
        return f"an alias goes into a tuple, operand_tuple_indices = {inner}, and an operand is not a tuple"
    if len(indices) > 1:
        return f"an alias goes into a nested tuple, output_tuple_indices = {list(indices)}: there are no nested results"
    if not results:
        return f"an alias names a result for operand {operand}, and the call has no result"
    if results == 1 and indices:
        return f"a call with one result writes `output_tuple_indices = []`, not `{list(indices)}`"
    if results > 1 and not indices:
        return f"a call with {results} results must say which one aliases operand {operand}: `[0]`, `[1]`, …, not `[]`"
    result = _result(alias)
    if not 0 <= result < results:
        return f"an alias names result #{result} of a call with {count(results, 'result')}"
    if not 0 <= operand < operands:
        return f"an alias names operand {operand} of a call with {count(operands, 'operand')}"
    had, has = syntax.operand_types[operand], syntax.result_types[result]
    if _plain(had) != _plain(has):
        return f"result #{result} is a `{has}` but aliases operand {operand}, a `{had}`: they are one buffer"
    return ""


def _plain(type_text: str) -> str:
    return "".join(type_text.split())


def count(number: int, noun: str) -> str:
    """A number of things, in words."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
