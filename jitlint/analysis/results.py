"""Which operand's buffer each result of a call stands for, and what is wrong with how the call says it."""

from __future__ import annotations

from jitlint.analysis.verdict import Verdict
from jitlint.findings import Severity
from jitlint.syntax.aliases import OutputOperandAlias, read_aliases
from jitlint.syntax.calls import CallSyntax

_KEY = "output_operand_aliases"


def mutated_operands(syntax: CallSyntax) -> dict[int, int]:
    """For each operand that a result aliases, by its number, the number of the result; in the order of the operands."""
    aliases = read_aliases(syntax.entries.get(_KEY, "")) or ()
    pairs = {
        alias.operand_index: alias.output_tuple_indices[0] if alias.output_tuple_indices else 0 for alias in aliases
    }
    operands, results = len(syntax.operand_types), len(syntax.result_types)
    return {operand: pairs[operand] for operand in sorted(pairs) if 0 <= operand < operands and 0 <= pairs[operand] < results}


def alias_verdicts(syntax: CallSyntax) -> list[Verdict]:
    """What is wrong with a call's aliases: JIT401 for a result without one, JIT402 for one that does not fit."""
    aliases = read_aliases(syntax.entries.get(_KEY, ""))
    if aliases is None:
        return [Verdict("JIT402", "its `output_operand_aliases` is written in no known way")]
    verdicts = [verdict for alias in aliases for verdict in _wrong(alias, syntax)]
    seen: dict[int, int] = {}
    operands: dict[int, int] = {}
    for alias in aliases:
        result = alias.output_tuple_indices[0] if alias.output_tuple_indices else 0
        if result in seen:
            verdicts.append(Verdict("JIT402", f"result #{result} aliases two operands, {seen[result]} and {alias.operand_index}"))
        if alias.operand_index in operands:
            verdicts.append(
                Verdict("JIT402", f"results #{operands[alias.operand_index]} and #{result} alias one operand, {alias.operand_index}")
            )
        seen[result] = operands[alias.operand_index] = alias.operand_index
        operands[alias.operand_index] = result
    if not verdicts:
        verdicts += _unaliased(syntax, seen)
    return verdicts


def _unaliased(syntax: CallSyntax, aliased: dict[int, int]) -> list[Verdict]:
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


def _wrong(alias: OutputOperandAlias, syntax: CallSyntax) -> list[Verdict]:
    """What is wrong with one alias, by itself."""
    operands, results = len(syntax.operand_types), len(syntax.result_types)
    indices = alias.output_tuple_indices
    if alias.operand_tuple_indices:
        return [Verdict("JIT402", f"an alias goes into a tuple, operand_tuple_indices = {list(alias.operand_tuple_indices)}")]
    if len(indices) > 1:
        return [Verdict("JIT402", f"an alias goes into a nested tuple, output_tuple_indices = {list(indices)}")]
    if results == 1 and indices:
        return [Verdict("JIT402", f"a call with one result writes `output_tuple_indices = []`, not `{list(indices)}`")]
    if results > 1 and not indices:
        return [Verdict("JIT402", f"a call with {results} results must say which one aliases operand {alias.operand_index}")]
    result = indices[0] if indices else 0
    if not 0 <= result < results:
        return [Verdict("JIT402", f"an alias names result #{result} of a call with {count(results, 'result')}")]
    if not 0 <= alias.operand_index < operands:
        return [Verdict("JIT402", f"an alias names operand {alias.operand_index} of a call with {count(operands, 'operand')}")]
    had, has = syntax.operand_types[alias.operand_index], syntax.result_types[result]
    if _plain(had) != _plain(has):
        return [Verdict("JIT402", f"result #{result} is a `{has}` but aliases operand {alias.operand_index}, a `{had}`")]
    return []


def _plain(type_text: str) -> str:
    return "".join(type_text.split())


def count(number: int, noun: str) -> str:
    """A number of things, in words."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
