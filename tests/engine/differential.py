"""One random module, before and after a fix, on the engine: what a seed shows."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from jitlint import api
from jitlint.api import Choices
from tests.engine.judge import Array, Judge, RefusedError, array
from tests.engine.spelling import count_calls
from tests.generator import generate
from tests.generator.model import Data, Module
from tests.reference.interpreter import run_main
from tests.reference.partition import fewest_calls

VARIANTS: tuple[Choices, ...] = (
    {"copies": True},
    {"group": "adjacent"},
    {"prune_wrappers": True},
    {"copies": True, "group": "adjacent", "prune_wrappers": True},
)
"""Choices that fuse more or write less; each seed tries one of them, beside the default."""


@dataclass(slots=True)
class Outcome:
    """What fixing the module of a seed came to; `failures` is empty where all is well."""

    seed: int
    calls: int
    left: int
    fewest: int | None
    failures: list[str] = field(default_factory=list)


def arguments_of(module: Module, seed: int) -> list[Data]:
    """Small whole numbers for `@main`, so that all results are exact."""
    rng = random.Random(f"arguments {seed}")
    types = [value.type for value in module.main.block.arguments]
    numbers: list[Data] = [[rng.randint(-3, 9) for _ in range(type_.size)] for type_ in types]
    return [
        [float(number) for number in data] if type_.element == "f64" else data
        for data, type_ in zip(numbers, types, strict=True)
    ]


def as_arrays(module: Module, arguments: list[Data]) -> list[Array]:
    """The arguments as the engine takes them."""
    dtypes = {"f64": "float64", "i64": "int64"}
    types = [value.type for value in module.main.block.arguments]
    return [
        array(data if type_.shape else data[0], dtypes[type_.element], type_.shape)
        for data, type_ in zip(arguments, types, strict=True)
    ]


def same(first: list[Data], second: list[Data]) -> bool:
    """Whether two lists of results agree, but for the last bits of a number."""
    return len(first) == len(second) and all(_same_elements(a, b) for a, b in zip(first, second, strict=True))


def _same_elements(first: Data, second: Data) -> bool:
    return len(first) == len(second) and all(
        a == b or math.isclose(a, b, rel_tol=1e-12) for a, b in zip(first, second, strict=True)
    )


def results_of(judge: Judge, text: str, arguments: list[Array], passes: str = "") -> list[Data]:
    """The elements of the results of `@main`; RefusedError where the engine does not run it."""
    return [result["data"] for result in judge.run_main(text, arguments, passes)]


def fewest_left(module: Module) -> int | None:
    """How many calls the reference leaves in the whole module; None where a block is too large for it."""
    counts = [fewest_calls(block) for block in module.blocks]
    return None if None in counts else sum(count for count in counts if count is not None)


def examine(judge: Judge, seed: int) -> Outcome:
    """Fix the module of `seed` and hold the result against the engine and the reference."""
    module, text = generate(seed)
    fixed = api.fix(text, path=f"{seed}.mlir").source.text
    outcome = Outcome(seed, module.calls, count_calls(fixed), fewest_left(module))
    if outcome.fewest is not None and outcome.left > outcome.fewest:
        outcome.failures.append(f"{outcome.left} calls left, the reference leaves {outcome.fewest} of {outcome.calls}")
    run = _Run(judge, module, seed)
    outcome.failures += run.failures("the module", text)
    outcome.failures += run.failures("the fixed module", fixed) + _unfinished(fixed, {})
    choices = VARIANTS[seed % len(VARIANTS)]
    fixed = api.fix(text, path=f"{seed}.mlir", **choices).source.text
    name = f"the module fixed with {choices}"
    outcome.failures += run.failures(name, fixed) + _unfinished(fixed, choices)
    if count_calls(fixed) > outcome.left:
        outcome.failures.append(f"{name} has more calls left")
    return outcome


class _Run:
    """Runs versions of one module, the same text only once."""

    def __init__(self, judge: Judge, module: Module, seed: int) -> None:
        arguments = arguments_of(module, seed)
        self._judge, self._arguments = judge, as_arrays(module, arguments)
        self._expected = run_main(module, arguments)
        self._seen: set[str] = set()

    def failures(self, name: str, text: str) -> list[str]:
        """What is wrong with a version: the engine refuses it, or it computes something else."""
        if text in self._seen:
            return []
        self._seen.add(text)
        if refusal := self._judge.verify(text):
            return [f"the engine does not accept {name}: {refusal}"]
        try:
            results = results_of(self._judge, text, self._arguments)
        except RefusedError as error:
            return [f"{name} does not run: {error}"]
        return [] if same(results, self._expected) else [f"{name} gives {results}, not {self._expected}"]


def _unfinished(fixed: str, choices: Choices) -> list[str]:
    again = api.fix(fixed, path="again.mlir", **choices).source.text
    failures = ["a second fix changes the text"] if again != fixed else []
    left = [finding for finding in api.check(fixed, path="fixed.mlir", **choices).findings if finding.code == "JIT001"]
    return failures + [f"still fusable: {finding.message}" for finding in left]
