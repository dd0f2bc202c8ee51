"""One random module, before and after a fix, on the engine: what a seed shows."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Literal

from jitlint import api
from jitlint.api import Choices
from tests.engine.judge import Array, Judge, RefusedError, array
from tests.engine.spelling import comments, count_calls
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


Kind = Literal["right", "wrong", "invalid"]
"""It computes the same, it computes something else, or the engine does not accept or run it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the engine makes of one version of a module; `words` say what is wrong."""

    kind: Kind
    words: str = ""


@dataclass(slots=True)
class Outcome:
    """What fixing the module of a seed came to; `failures` is empty where all is well."""

    seed: int
    calls: int
    left: int
    fewest: int | None
    verdict: Verdict
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
    run = Run(judge, module, seed)
    fixed, failures = _fixed(text, {})
    outcome = Outcome(seed, module.calls, count_calls(fixed), fewest_left(module), run.verdict(fixed), failures)
    failures += _words("the module", run.verdict(text)) + _words("the fixed module", outcome.verdict)
    if outcome.fewest is not None and outcome.left > outcome.fewest:
        failures.append(f"{outcome.left} calls left, the reference leaves {outcome.fewest} of {outcome.calls}")
    choices = VARIANTS[seed % len(VARIANTS)]
    fixed, more = _fixed(text, choices)
    failures += more + _words(f"the module fixed with {choices}", run.verdict(fixed))
    if outcome.fewest is not None and count_calls(fixed) > outcome.left:
        failures.append(f"more calls are left with {choices}")
    return outcome


def _fixed(text: str, choices: Choices) -> tuple[str, list[str]]:
    """The fixed text, and what is wrong with it before anything runs: a second fix finds more, or a comment is gone."""
    try:
        fixed = api.fix(text, path="module.mlir", **choices).source.text
        again = api.fix(fixed, path="fixed.mlir", **choices).source.text
        left = [finding for finding in api.check(fixed, **choices).findings if finding.code == "JIT001"]
    except Exception as error:
        return text, [f"fixing with {choices} fails: {error!r}"]
    failures = [f"still fusable: {finding.message}" for finding in left]
    if again != fixed:
        failures.append("a second fix changes the text")
    if not choices.get("prune_wrappers") and comments(text) - comments(fixed):
        failures.append(f"comments are gone: {comments(text) - comments(fixed)}")
    return fixed, failures


class Run:
    """Runs versions of one module, the same text only once."""

    def __init__(self, judge: Judge, module: Module, seed: int) -> None:
        arguments = arguments_of(module, seed)
        self._judge, self._arguments = judge, as_arrays(module, arguments)
        self._expected = run_main(module, arguments)
        self._seen: dict[tuple[str, str], Verdict] = {}

    def verdict(self, text: str, passes: str = "") -> Verdict:
        """What the engine makes of `text` after `passes`."""
        if (text, passes) not in self._seen:
            self._seen[text, passes] = self._judged(text, passes)
        return self._seen[text, passes]

    def _judged(self, text: str, passes: str) -> Verdict:
        try:
            self._judge.run_passes(text, passes)
            results = results_of(self._judge, text, self._arguments, passes)
        except RefusedError as error:
            return Verdict("invalid", str(error))
        if same(results, self._expected):
            return Verdict("right")
        return Verdict("wrong", f"gives {results}, not {self._expected}")


def _words(name: str, verdict: Verdict) -> list[str]:
    return [] if verdict.kind == "right" else [f"{name} is {verdict.kind}: {verdict.words}"]
