"""One obstacle, one finding: what is said of many calls for one reason is said once, with the other places after it.

A wrapper without a body keeps every call of it out of a group, an operation with side effects keeps many pairs of calls
apart, and a fix may leave fifty wrappers that nothing names. Each is one thing to look at. The first finding stays, and
its `also` holds the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from jitlint.findings import Finding
from jitlint.report.printable import count
from jitlint.result import Result
from jitlint.rules import RULES
from jitlint.syntax.source import Source

UNUSED_WRAPPER = "JIT702"
MOST_PLACES = 3
"""So many places are shown or named, the finding's own among them."""

_Key = tuple[object, ...]


def together(result: Result) -> Result:
    """The result with its findings gathered; the result itself where each has an obstacle of its own."""
    gathered: dict[_Key, list[Finding]] = {}
    for number, finding in enumerate(result.findings):
        gathered.setdefault(_obstacle(finding) or (number,), []).append(finding)
    if len(gathered) == len(result.findings):
        return result
    findings = (each[0] if len(each) == 1 else _joined(result.source, each) for each in gathered.values())
    return result._replace(findings=tuple(findings))


def _obstacle(finding: Finding) -> _Key | None:
    """What findings about one obstacle have in common; None for one that is about its own place."""
    notes = finding.notes
    if finding.code == UNUSED_WRAPPER:
        return (finding.code, finding.severity, finding.fixable)
    if finding.fixable or finding.span is None:
        return None
    at = notes[0].span if notes else None
    if finding.group is not None:
        return (finding.code, finding.severity, at, finding.help) if at is not None else None
    elsewhere = at is not None and not (at.start < finding.span.end and finding.span.start < at.end)
    if elsewhere or RULES[finding.code].about_symbol:
        return (finding.code, finding.severity, finding.message, finding.help, notes, finding.path)
    return None


def _joined(source: Source, findings: Sequence[Finding]) -> Finding:
    first = findings[0]
    if first.code == UNUSED_WRAPPER:
        names = [source.text[finding.span.start : finding.span.end] for finding in findings if finding.span]
        message = f"nothing in this file uses {_listed(names)}"
        return first._replace(message=message, also=tuple(findings[1:]))
    return first._replace(also=tuple(findings[1:]))


def _listed(names: Sequence[str]) -> str:
    left = len(names) - MOST_PLACES
    if left <= 1:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{', '.join(names[:MOST_PLACES])} and {left:,} more functions"


def more_calls(finding: Finding) -> str | None:
    """What a report adds that shows the first places of a finding about calls."""
    left = len(finding.also) + 1 - MOST_PLACES
    return f"and {count(left, 'more call')}" if left > 0 and finding.group is None else None


def and_more(source: Source, finding: Finding) -> str | None:
    """What a report adds that shows one place of a finding: how many more there are, and the lines of the first."""
    number = len(finding.also)
    if not number or finding.code == UNUSED_WRAPPER:
        return None
    many = count(number, "more call")
    if finding.group is not None:
        many = f"{count(number, 'more pair')} of calls"
    lines = list(islice(_lines(source, finding.also), MOST_PLACES))
    left = ", …" if number > len(lines) else ""
    return f"and {many} ({'line' if len(lines) + len(left) == 1 else 'lines'} {', '.join(lines)}{left})"


def with_more(source: Source, finding: Finding) -> str:
    """The message of a finding for a report that shows one place of it."""
    more = and_more(source, finding)
    return finding.message if more is None else f"{finding.message}, {more}"


def _lines(source: Source, findings: Iterable[Finding]) -> Iterator[str]:
    """The lines of findings, each line once where they follow one another."""
    last = 0
    for finding in findings:
        line = source.position(finding.span.start).line if finding.span is not None else last
        if line != last:
            yield str(line)
            last = line
