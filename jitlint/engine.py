"""Check and fix one text: the road from text to findings and edits, for `api` and everything above it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from jitlint.analysis.blocks import UnitAnalysis
from jitlint.diagnose import diagnose, fixed_races
from jitlint.errors import InternalError, NotProvedError
from jitlint.findings import Finding, Note, Span
from jitlint.fusion.edits import Edit, apply, compose
from jitlint.fusion.plans import Plans
from jitlint.fusion.tidy.former import Former
from jitlint.fusion.tidy.tidyings import Tidying, next_edits, tidyings
from jitlint.fusion.verify import still_named, verify
from jitlint.ir.tree import Unit
from jitlint.options import Options
from jitlint.proof.answer import Proof
from jitlint.result import Result
from jitlint.syntax.braces import JIT_CALL
from jitlint.syntax.lexer import SyntaxProblem, parts
from jitlint.syntax.source import Source

Allowed = Callable[[Finding, Source], bool]
"""Whether a finding may be fixed; its span is in the text of the source, which changes from round to round."""

_MOST_ROUNDS = 100


class _Read:
    """One text, read and analysed: what can be fused in its parts, and the findings about those that cannot be read."""

    def __init__(self, text: str, options: Options) -> None:
        self._options = options
        self.plans: list[Plans] = []
        self._tidied: dict[Plans, tuple[Former, list[Tidying]]] = {}
        self.unreadable: list[Finding] = []
        for start, end in parts(text):
            if text.find(JIT_CALL, start, end) < 0:
                continue
            try:
                self.plans.append(Plans(UnitAnalysis(Unit(text, start, end), options)))
            except SyntaxProblem as problem:
                self.unreadable.append(_syntax_error(problem))

    def note(self, former: list[Former]) -> None:
        """Add the symbols that its JIT calls name, part by part."""
        former += [Former() for _ in self.plans[len(former) :]]
        for names, plans in zip(former, self.plans, strict=False):
            names.add(plans.analysis)

    @property
    def defined(self) -> list[set[str]]:
        """The symbols that each of its modules with JIT calls define."""
        return [plans.analysis.defined for plans in self.plans]

    @property
    def undefined(self) -> set[str]:
        """The symbols that its JIT calls name and nothing defines."""
        return {name for plans in self.plans for name in plans.analysis.undefined}

    def findings(self, former: Sequence[Former] = ()) -> tuple[Finding, ...]:
        """All findings in text order. `former` are symbols that JIT calls named before a fix began, part by part."""
        found = list(self.unreadable)
        for plans, names in zip(self.plans, former or [Former() for _ in self.plans], strict=True):
            try:
                about_part = list(diagnose(plans))
                about_part += (each.finding for each in self._tidyings(plans, names) if each.finding is not None)
            except SyntaxProblem as problem:
                about_part = [_syntax_error(problem)]
            found += about_part
        found.sort(key=_in_text)
        return tuple(found)

    def fusing(self, allowed: Callable[[Finding], bool]) -> tuple[list[Edit], list[Finding]]:
        """The edits that fuse every allowed group, in text order, and the findings that they fix."""
        from jitlint.fusion.fuse import fuse  # which a check does without

        flat: list[Edit] = []
        done: list[Finding] = []
        for number, plans in enumerate(self.plans):
            try:
                fused = fuse(plans, plans.wanted(allowed))
                while staying := plans.analysis.not_freed(plan.part for plan in fused.plans):
                    plans = self.plans[number] = Plans(UnitAnalysis(plans.unit, self._options, staying))
                    fused = fuse(plans, plans.wanted(allowed))
            except SyntaxProblem:
                continue  # in a wrapper's body; the findings say so
            flat += fused.edits
            done += map(plans.finding, fused.plans)
            done += filter(allowed, fixed_races(plans, fused.plans))
        return flat, done

    def settle(self, allowed: Callable[[Finding], bool]) -> None:
        """Leave out the groups that could be fused only if others were that are not allowed to be."""
        for number, plans in enumerate(self.plans):
            while plans.analysis.counts_on_freed:
                staying = plans.analysis.not_freed(plan.part for plan in plans.wanted(allowed))
                if not staying:
                    break
                plans = self.plans[number] = Plans(UnitAnalysis(plans.unit, self._options, staying))

    def unsound(self) -> dict[Span, Finding]:
        """The groups in blocks of no sense to MLIR, by their places, each with a finding that says why."""
        return {
            finding.span: Finding(
                "JIT902", f"this group is left alone: nothing above defines {name}", Span(place, place + 1)
            )
            for plans in self.plans
            for finding, name, place in plans.unsound()
            if finding.span is not None
        }

    def tidying(self, former: Sequence[Former], allowed: Callable[[Finding], bool]) -> tuple[list[Edit], list[Finding]]:
        """The edits that tidy, once nothing is left to fuse, and the findings that they fix."""
        parts = zip(self.plans, former, strict=True)
        return next_edits([each for plans, names in parts for each in self._tidyings(plans, names)], allowed)

    def _tidyings(self, plans: Plans, former: Former) -> list[Tidying]:
        """What can be tidied in a part, found once: a fix that is done asks first for edits, then for findings."""
        known = self._tidied.get(plans)
        if known is None or known[0] is not former:
            known = self._tidied[plans] = former, tidyings(plans.analysis, former)
        return known[1]


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the cycle collector out of the way: it would walk through a million young objects again and again.

    Measured on 20,000 groups, in processor time: 1.6 s with it, 0.9 s without. What is built here lives until the text
    is done with.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_collector_paused()
def analyse(text: str, path: str, options: Options, allowed: Allowed = lambda *_: True) -> Result:
    """All findings of a text, whatever is selected or suppressed, in text order. A group that can be fused only if
    another one is, which `allowed` does not let pass, is none."""
    source, read = Source(text, path), _Read(text, options)
    read.settle(lambda finding: allowed(finding, source))
    return Result(source, read.findings())


@_collector_paused()
def rewrite(
    text: str, path: str, options: Options, allowed: Allowed = lambda *_: True, *, keep_found: bool = False
) -> Result:
    """Fuse every group whose finding `allowed` lets pass, until none is left; then tidy, in the same way.

    With `keep_found` the result holds the findings of the text before as well, which are all there at that time.
    Raises InternalError where the new text does not check, NotProvedError where it is not shown to compute the same;
    the text must then be left as it is.
    """
    before, fixed = Source(text, path), list[Finding]()
    edits: list[Edit] = []
    read = _Read(text, options)
    if keep_found:
        read.settle(lambda finding: allowed(finding, before))
    found_before = read.findings() if keep_found else ()
    former: list[Former] = []
    read.note(former)
    units = [plans.unit for plans in read.plans]
    unsound: dict[Span, Finding] = {}
    for _ in range(_MOST_ROUNDS):
        judge = _judge(allowed, Source(text, path), unsound)
        flat, done = read.fusing(judge)
        if not flat:
            flat, done = read.tidying(former, judge)
        if not flat:
            break
        read.note(former)
        new_text, undefined, defined = apply(text, flat), read.undefined, read.defined
        del read  # the new analysis will be as large
        read = _Read(new_text, options)
        try:
            verify(text, flat, new_text, [plans.unit for plans in read.plans])
        except InternalError:
            read, known = _Read(text, options), unsound
            unsound = read.unsound()
            if unsound.keys() <= known.keys():
                raise
            continue
        unsound = {}
        if lost := read.undefined - undefined:
            raise InternalError(f"@{min(lost)} would not be defined")
        if name := next(filter(None, map(_lost, read.plans, defined)), None):
            raise InternalError(f"@{name} would not be defined")
        first = text is before.text
        fixed += done if first else [_placed(finding) for finding in done]
        edits = flat if first else compose(edits, text, flat)
        text = new_text
    found = read.findings(former)
    if unsound:
        found = tuple(sorted([*found, *unsound.values()], key=_in_text))
    units += [plans.unit for plans in read.plans]
    proof = None
    if text is not before.text:
        del read  # the proof needs the memory
        proof = _proved(before.text, text, options, units)
    return Result(Source(text, path), found, before, tuple(fixed), edits, found_before, proof)


def _lost(plans: Plans, defined: set[str]) -> str | None:
    """A symbol that was defined in a module before, is not any more, and is named there all the same."""
    return still_named(plans.unit, defined - plans.analysis.defined)


def _proved(before: str, after: str, options: Options, read: Sequence[Unit]) -> Proof:
    """The proof that a fix computes what the text before does; `read` are modules of both.

    Raises NotProvedError where there is none, unless the form is that of the compiler's pass, which drops results whose
    buffers are overwritten.
    """
    from jitlint.proof.compare import prove

    proof = prove(before, after, options.pure_ops, read)
    if proof.difference is not None and options.form != "pass":
        message, first, second = proof.difference
        line = after[slice(*second)].partition("\n")[0].strip() if second is not None else None
        raise NotProvedError(f"the fix is not proved to compute the same: {message}", first, line)
    return proof


def _judge(allowed: Allowed, source: Source, refused: Collection[Span]) -> Callable[[Finding], bool]:
    return lambda finding: finding.span not in refused and allowed(finding, source)


def _placed(finding: Finding) -> Finding:
    """A finding about a text that was written on the way: its places are in no text that anybody sees."""
    return finding._replace(span=None, notes=(), path=(), group=None)


def _in_text(finding: Finding) -> tuple[int, int, str]:
    """Where a finding stands; numbers compare faster than spans do."""
    span = finding.span
    return (span.start, span.end, finding.code) if span is not None else (0, 0, finding.code)


def _syntax_error(problem: SyntaxProblem) -> Finding:
    span = Span(problem.offset, problem.offset + 1)
    notes: Iterator[Note] = iter(())
    if problem.opened is not None and problem.opened != problem.offset:
        notes = iter([Note("opened here", Span(problem.opened, problem.opened + 1))])
    return Finding("JIT901", problem.message, span, tuple(notes))
