"""`jitlint prove`: whether two modules compute the same, in the formats of `check`."""

from __future__ import annotations

import os
from argparse import Namespace

from jitlint.cli.graph import source_of
from jitlint.cli.inputs import configs_of
from jitlint.cli.output import Stream, reports, standard_output, targets
from jitlint.config.settings import Settings
from jitlint.errors import UsageError
from jitlint.findings import Finding, Note, Span
from jitlint.proof.answer import Difference, Proof
from jitlint.proof.compare import Unreadable, prove
from jitlint.report import Tally
from jitlint.report.printable import escape
from jitlint.result import Result
from jitlint.syntax.source import Source

NOT_EQUAL = "JIT905"


def run(args: Namespace) -> int:
    """Prove what the options ask for; gives the exit status: 0 equal, 1 not shown equal, 2 a text cannot be read.

    Raises JitlintError where a file cannot be read at all, or both are to be standard input.
    """
    if args.before == args.after == "-":
        raise UsageError("`-` is standard input, which can be one of the modules and not both")
    before, after = source_of(args.before), source_of(args.after)
    folder = os.getcwd() if args.before == "-" else os.path.dirname(os.path.abspath(args.before))
    settings = configs_of(args).of(folder) or Settings()
    try:
        proof = prove(before.text, after.text, settings.options.pure_ops)
    except Unreadable as error:
        _report(args, [_unreadable((before, after)[error.is_second], error)])
        return 2
    _report(args, _results(before, after, proof))
    return int(not proof.is_equal)


def _results(before: Source, after: Source, proof: Proof) -> list[Result]:
    """What there is to say about each of the two texts; what was proved is said with the second."""
    if proof.difference is None:
        return [Result(before, ()), Result(after, (), proof=proof)]
    message, first, second = proof.difference
    said = Finding(NOT_EQUAL, f"not shown to compute the same: {message}", first, _elsewhere(after, proof.difference))
    there = (Finding(NOT_EQUAL, "here, in the other module", second),) if second is not None else ()
    if first is None and there:
        return [Result(before, ()), Result(after, (said._replace(span=second, notes=()),))]
    return [Result(before, (said,)), Result(after, there)]


def _elsewhere(after: Source, difference: Difference) -> tuple[Note, ...]:
    if difference.after is None:
        return (Note("there is nothing like it in the other module"),) if difference.before is not None else ()
    line = after.position(difference.after.start).line
    return (Note(f"in the other module: {escape(after.path)}, line {line}"),)


def _unreadable(source: Source, error: Unreadable) -> Result:
    span = Span(error.problem.offset, error.problem.offset + 1)
    return Result(source, (Finding("JIT901", error.problem.message, span),))


def _report(args: Namespace, results: list[Result]) -> None:
    stream: Stream = standard_output()
    tally = Tally()
    with reports(targets(args.output_format or (), args.output_file), stream, args.color, quiet=args.quiet) as opened:
        for result in results:
            tally.add(result)
            for report in opened:
                report.file(result.source.path, result)
        for report in opened:
            report.close(tally.summary())
    stream.flush()
