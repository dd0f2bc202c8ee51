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
            "key = (call.syntax.serial, call.callee)",
            "key = (call.syntax.serial, call.callee[:0])",
            "a kind of call has one wrapper",
        ),
        ("key = (call.syntax.serial, call.callee)", "key = (0, call.callee)", "a kind of call has one shape"),
        ("        if uses.doubtful:\n", "        if False:\n", "doubts about the results' names"),
        (
            "if kind.undeclared and _is_unseen(call, kind, made, uses):",
            "if False:",
            "undeclared writes that nobody sees are no obstacle",
        ),
        (
            "    return all(value in made and",
            "    return any(value in made and",
            "every undeclared write must go unseen",
        ),
        ("all(value in made and len(uses", "all(len(uses", "an undeclared write to a value from outside"),
        (
            "in made and len(uses.of.get(value, ())) == 1 for",
            "in made for",
            "an undeclared write to a value that is used elsewhere",
        ),
        (
            "        if value in shared and shared[value] is not call\n",
            "        if False\n",
            "a use beside an undeclared write",
        ),
        (
            "if not obstacles and len(set(call.operands)) < len(call.operands) and",
            "if False and",
            "calls that pass one value with two layouts",
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
