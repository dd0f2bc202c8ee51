"""Findings made by hand over real modules, as the analysis would make them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jitlint.findings import Finding, Group, JitCall, Note, Span
from jitlint.report import Tally, open_report
from jitlint.result import Result
from jitlint.syntax.source import Source

DATA = Path(__file__).parent / "data"


def source(name: str) -> Source:
    return Source((DATA / name).read_text(encoding="utf-8"), name)


def span(where: Source, text: str, after: str = "") -> Span:
    """The first `text` after the first `after`."""
    start = where.text.index(text, where.text.index(after))
    return Span(start, start + len(text))


def operation(where: Source, text: str) -> Span:
    """From `text`, which begins an operation, to the end of its line."""
    start = where.text.index(text)
    return Span(start, where.text.index("\n", start))


def call(where: Source, callee: str, place: Span) -> JitCall:
    """The call of `@callee` at a place."""
    start = where.text.index(f"@{callee}", place.start)
    return JitCall(callee, place, (start, start + len(callee) + 1))


def _irecv() -> Result:
    text = source("irecv_wait.mlir")
    names = ("enzymexla_wrapper_MPI_Irecv_MPI_INT", "enzymexla_wrapper_MPI_Wait")
    starts = ("%1:2 = ", f"enzymexla.jit_call @{names[1]}")
    calls = tuple(call(text, name, operation(text, start)) for name, start in zip(names, starts, strict=True))
    group = Group(calls, "__enzyme_fused_" + "_".join(names))
    return Result(text, (Finding("JIT001", "these 2 calls can be one call", calls[0].span, group=group, fixable=True),))


def _cycle() -> Result:
    text = source("cycle_through_pure.mlir")
    first, negate, last = (operation(text, start) for start in ("%0 = enzymexla", "%1 = stable", "%2 = enzymexla"))
    path = (
        Note("result #0 of @double", first),
        Note("stablehlo.negate", negate),
        Note("operand 0 of @accumulate", last),
    )
    return Result(
        text,
        (
            Finding(
                "JIT102",
                "one call would need its own result: a value leaves the group and comes back",
                last,
                path=path,
                group=Group((call(text, "double", first), call(text, "accumulate", last))),
                help="these calls can be one if stablehlo.negate takes another value",
            ),
        ),
    )


def _barrier() -> Result:
    text = source("barrier_between.mlir")
    first, log, last = (operation(text, start) for start in ("%0 = enzymexla", "%1 = stable", "%2 = enzymexla"))
    return Result(
        text,
        (
            Finding(
                "JIT201",
                "stablehlo.custom_call has side effects and stands between the calls",
                log,
                notes=(Note("has_side_effect = true", log),),
                group=Group((call(text, "double", first), call(text, "double", last))),
                help="mark the custom call as free of effects if its order does not matter",
            ),
        ),
    )


def _overwritten() -> Result:
    text = source("overwritten_result.mlir")
    first, last = (operation(text, start) for start in ("%0 = enzymexla", "%1 = enzymexla"))
    return Result(
        text,
        (
            Finding(
                "JIT403",
                "%0 is needed after a call of the group has overwritten it",
                last,
                notes=(Note("overwrites %0", last), Note("%0 is read here", span(text, "%0", "return %0"))),
                group=Group((call(text, "double", first), call(text, "double", last))),
                help="--copies keeps the value by a copy inside the fused wrapper, for host memory",
            ),
        ),
    )


def _thousand() -> Result:
    rest = "{output_operand_aliases = [#alias]} : (tensor<f64>) -> tensor<f64>"
    lines = [f"  %{n + 1} = enzymexla.jit_call @w{n % 7} (%{n}) {rest}\n" for n in range(1000)]
    text = Source("module {\n" + "".join(lines) + "}\n", "my folder/many.mlir")
    calls, start = [], len("module {\n")
    for n, line in enumerate(lines):
        calls.append(call(text, f"w{n % 7}", Span(start + 2, start + len(line) - 1)))
        start += len(line)
    group = Group(tuple(calls), "__enzyme_fused_w0_w1_w2_0a1b2c3d")
    message = "these 1,000 calls can be one call"
    return Result(text, (Finding("JIT001", message, calls[0].span, group=group, fixable=True),))


def _hostile() -> Result:
    line = '\t%0 = "x"(%日本語, %e\u0301) {name = "\x1b[31mred\x1b[0m \u202eevil"} ' + "x" * 600 + ' loc("here")'
    text = Source(f"module {{\n{line}\n}}\n", "weird\x1b[2J.mlir")
    notes = (Note("after \x07 wide characters", span(text, "%e\u0301")), Note("far away", span(text, 'loc("here")')))
    return Result(text, (Finding("JIT402", "the operand\r\nis bad \x1b[2J", span(text, "%日本語"), notes),))


def _unreadable() -> Result:
    return Result(Source("", "gone.mlir"), (Finding("JIT903", "no permission to read this file", None),))


def _fixed() -> Result:
    before = _irecv()
    ignored = Finding("JIT703", "this suppression hides nothing", Span(0, 6))
    return Result(Source("module {\n}\n", "irecv_wait.mlir"), (), before.source, (*before.findings, ignored))


BUILDERS: dict[str, Callable[[], Result]] = {
    "fusable": _irecv,
    "cycle": _cycle,
    "barrier": _barrier,
    "overwritten": _overwritten,
    "thousand": _thousand,
    "hostile": _hostile,
    "unreadable": _unreadable,
    "fixed": _fixed,
}


@pytest.fixture
def results() -> dict[str, Result]:
    """One result for each kind of finding, by a word for it."""
    return {name: build() for name, build in BUILDERS.items()}


@pytest.fixture
def render() -> Callable[..., str]:
    """Prints results in a format and gives back the whole text."""

    def printed(format_name: str, *shown: Result, **settings: object) -> str:
        pieces: list[str] = []
        report = open_report(format_name, pieces.append, **settings)  # type: ignore[arg-type]
        tally = Tally()
        for result in shown:
            report.file(result.source.path, result)
            tally.add(result)
        report.close(tally.summary())
        return "".join(pieces)

    return printed
