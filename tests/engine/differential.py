"""One random module, before and after a fix, on the engine: what a seed shows."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from jitlint import api
from tests.engine.judge import Array, Judge, RefusedError, array
from tests.engine.spelling import count_calls
from tests.generator import generate
from tests.generator.model import Data, Module
from tests.reference.interpreter import run_main
from tests.reference.partition import fewest_calls


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
    numbers = [[rng.randint(-3, 9) for _ in range(type_.size)] for type_ in types]
    return [
        list(map(float, data)) if type_.element == "f64" else data for data, type_ in zip(numbers, types, strict=True)
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
    outcome.failures += _wrong_on_engine(judge, module, seed, text, fixed)
    outcome.failures += _unfinished(fixed)
    if outcome.fewest is not None and outcome.left > outcome.fewest:
        outcome.failures.append(f"{outcome.left} calls left, the reference leaves {outcome.fewest} of {outcome.calls}")
    return outcome


def _wrong_on_engine(judge: Judge, module: Module, seed: int, text: str, fixed: str) -> list[str]:
    arguments = arguments_of(module, seed)
    expected, arrays = run_main(module, arguments), as_arrays(module, arguments)
    if refusal := judge.verify(fixed):
        return [f"the engine does not accept the fixed module: {refusal}"]
    failures = []
    for name, version in (("module", text), ("fixed module", fixed)):
        try:
            results = results_of(judge, version, arrays)
        except RefusedError as refusal:
            failures.append(f"the {name} does not run: {refusal}")
            continue
        if not same(results, expected):
            failures.append(f"the {name} gives {results}, not {expected}")
    return failures


def _unfinished(fixed: str) -> list[str]:
    again = api.fix(fixed, path="again.mlir").source.text
    failures = ["a second fix changes the text"] if again != fixed else []
    left = [finding for finding in api.check(fixed, path="fixed.mlir").findings if finding.code == "JIT001"]
    return failures + [f"still fusable: {finding.message}" for finding in left]
