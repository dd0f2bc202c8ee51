"""The analyses behind a text's findings, for those who ask for more than findings: pictures and editors."""

from __future__ import annotations

from dataclasses import dataclass

from jitlint.analysis.blocks import UnitAnalysis
from jitlint.diagnose import diagnose
from jitlint.findings import Finding
from jitlint.fusion.plans import Plans
from jitlint.ir.tree import Unit
from jitlint.options import Options
from jitlint.syntax.braces import JIT_CALL
from jitlint.syntax.lexer import SyntaxProblem, parts


@dataclass(frozen=True, slots=True)
class Analysed:
    """A module of the text: its plans with its analysis, and everything that is reported of it.

    For a module whose brackets do not match there is the `problem` alone.
    """

    plans: Plans | None
    findings: tuple[Finding, ...] = ()
    problem: SyntaxProblem | None = None


def analyses(text: str, options: Options) -> list[Analysed]:
    """The modules with JIT calls, in the order of the text (`// -----` separates them)."""
    return [_analysed(text, start, end, options) for start, end in parts(text) if text.find(JIT_CALL, start, end) >= 0]


def _analysed(text: str, start: int, end: int, options: Options) -> Analysed:
    try:
        plans = Plans(UnitAnalysis(Unit(text, start, end), options))
        # Telling the findings gives the fused wrappers their names, in the order in which a check does.
        return Analysed(plans, tuple(diagnose(plans)))
    except SyntaxProblem as problem:
        return Analysed(None, problem=problem)
