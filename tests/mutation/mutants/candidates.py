"""What keeps a single call out of every group, or ties it to its wrapper."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "analysis/candidates.py",
        ("                *wrapper.verdicts,\n", "", "what stands against the wrapper"),
        ("                *against,\n", "", "as many operands as the wrapper has parameters"),
        ("                *undeclared.values(),\n", "", "undeclared writes"),
        (
            "                *contradicted,\n",
            "",
            "writes that contradict the wrapper, and those that cannot be followed",
        ),
        ("                *aliases,\n", "", "wrong aliases"),
        ("                *metadata.verdicts,\n", "", "metadata that does not merge"),
        (
            "key = (id(call.syntax), call.callee)",
            "key = (id(call.syntax), call.callee[:0])",
            "a kind of call has one wrapper",
        ),
        ("key = (id(call.syntax), call.callee)", "key = (0, call.callee)", "a kind of call has one shape"),
        (
            "self.obstacles = (*kind.verdicts, *doubts) if doubts else kind.verdicts",
            "self.obstacles = kind.verdicts",
            "doubts about the results' names",
        ),
        (
            "effect_free=metadata.effect_free or wrapper.effect_free",
            "effect_free=metadata.effect_free",
            "a wrapper that is declared free of effects",
        ),
        (
            "if operands == parameters or wrapper.function.header.variadic:",
            "if operands >= parameters or wrapper.function.header.variadic:",
            "a call with too many operands",
        ),
    ),
]
