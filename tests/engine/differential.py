"""One random module, before and after a fix, on the engine: what a seed shows."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from jitlint import api
from jitlint.api import Choices
from tests.engine.judge import Array, Judge, RefusedError
from tests.engine.spelling import comments, count_calls
from tests.generator import generate, render
from tests.generator.elements import dtype, fitted, is_float
from tests.generator.model import Data, Module
from tests.reference.interpreter import is_faulty, is_predictable, run_main
from tests.reference.rounds import ends

MODES: dict[str, Choices] = {
    "default": {},
    "copies": {"copies": True},
    "adjacent": {"group": "adjacent"},
    "prune": {"prune_wrappers": True},
    "all": {"copies": True, "group": "adjacent", "prune_wrappers": True},
}
"""Choices that fuse more or write less. `form = "pass"` is none of them: it may change what a program computes."""

OPTIONAL = tuple(mode for mode in MODES if mode != "default")

Kind = Literal["right", "wrong", "invalid"]
"""It computes the same, it computes something else, or the engine does not accept or run it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the engine makes of one version of a module; `words` say what is wrong."""

    kind: Kind
    words: str = ""


@dataclass(slots=True)
class Outcome:
    """What fixing the module of a seed came to; `failures` is empty where all is well.

    `refused`: the engine refuses the module as it was made, so that nothing can be said of the fix. `unpredicted`: the
    model does not say what is right. `faulty`: nothing is right, and the fixed module has only got to run.
    """

    seed: int
    calls: int
    left: int = 0
    fewest: int | None = None
    kind: Kind = "right"
    refused: str = ""
    unpredicted: bool = False
    faulty: bool = False
    failures: list[str] = field(default_factory=list)


def arguments_of(module: Module, seed: int) -> list[Data]:
    """Small whole numbers for `@main`, so that most results are exact."""
    rng = random.Random(f"arguments {seed}")
    types = [value.type for value in module.main.block.arguments]
    return [[fitted(rng.randint(-3, 9), type_.part) for _ in range(type_.length)] for type_ in types]


def as_arrays(module: Module, arguments: list[Data]) -> list[Array]:
    """The arguments as the engine takes them."""
    types = [value.type for value in module.main.block.arguments]
    return [
        {"dtype": dtype(type_.element), "shape": list(type_.shape), "data": data}
        for data, type_ in zip(arguments, types, strict=True)
    ]


_CLOSE = {"f64": 1e-12, "f32": 1e-5, "f16": 1e-2, "bf16": 1e-1}


def as_expected(module: Module, first: list[Data], second: list[Data]) -> bool:
    """Whether the results of `@main` agree, but for the last bits of a number; what is no number agrees with all."""
    parts = [value.type.part for value in module.main.block.operations[-1].operands]
    return len(first) == len(second) == len(parts) and all(
        _agree(a, b, part) for a, b, part in zip(first, second, parts, strict=True)
    )


def _agree(first: Data, second: Data, part: str) -> bool:
    if len(first) != len(second):
        return False
    if not is_float(part):
        return first == second
    return all(
        a == b or a != a or b != b or math.isclose(a, b, rel_tol=_CLOSE[part])
        for a, b in zip(first, second, strict=True)
    )


def results_of(judge: Judge, text: str, arguments: list[Array], passes: str = "") -> list[Data]:
    """The elements of the results of `@main`; RefusedError where the engine does not run it."""
    return [result["data"] for result in judge.run_main(text, arguments, passes)]


def examine(judge: Judge, seed: int, modes: Iterable[str] | None = None) -> Outcome:
    """Fix the module of `seed` and hold the result against the engine and the reference.

    `modes` are the default and one of the others, unless they are given.
    """
    module, _ = generate(seed)
    return examine_module(judge, module, seed, modes or ("default", OPTIONAL[seed % len(OPTIONAL)]))


def examine_module(judge: Judge, module: Module, seed: int, modes: Iterable[str]) -> Outcome:
    """The same of a module that need not be what `seed` makes; the seed decides how it is written."""
    text = render(module, seed)
    run = Run(judge, module, text, seed)
    outcome = Outcome(seed, module.calls, module.calls, _fewest(module))
    outcome.unpredicted, outcome.faulty = run.expected is None, run.faulty
    if run.refusal:
        outcome.refused = run.refusal
        return outcome
    if not run.as_modelled:
        outcome.failures.append(f"the module itself gives {run.before[0][0]}, not {run.expected}")
    for mode in modes:
        fixed, failures = _fixed(text, MODES[mode])
        verdict, left = run.verdict(fixed), count_calls(fixed)
        outcome.failures += [f"{mode}: {failure}" for failure in failures]
        if verdict.kind != "right":
            outcome.failures.append(f"{mode}: the fixed module is {verdict.kind}: {verdict.words}")
        if mode == "default":
            outcome.left, outcome.kind = left, verdict.kind
        outcome.failures += [f"{mode}: {words}" for words in _count_failures(module, outcome, left, mode)]
    return outcome


def _fewest(module: Module) -> int | None:
    """How many calls the reference leaves, at best."""
    left = ends(module)
    return min(left) if left is not None else None


def _count_failures(module: Module, outcome: Outcome, left: int, mode: str) -> list[str]:
    """Whether another number of calls is left than the reference leaves; the other modes may leave fewer."""
    if outcome.fewest is None or left == outcome.fewest or (left < outcome.fewest and mode != "default"):
        return []
    if left in (ends(module) or ()):
        return []
    return [f"{left} calls left, the reference leaves {outcome.fewest} of {outcome.calls}"]


def _fixed(text: str, choices: Choices) -> tuple[str, list[str]]:
    """The fixed text, and what is wrong with it before anything runs: a second fix finds more, or a comment is gone."""
    try:
        result = api.fix(text, path="module.mlir", **choices)
        fixed = result.source.text
        again = api.fix(fixed, path="fixed.mlir", **choices)
        left = [finding for finding in (result.findings + again.findings) if finding.code == "JIT001"]
    except Exception as error:
        return text, [f"fixing fails: {error!r}"]
    failures = [f"still fusable: {finding.message}" for finding in left]
    failures += [
        f"{finding.code}: {finding.message}"
        for finding in result.findings
        if finding.code in ("JIT301", "JIT305", "JIT402", "JIT901", "JIT902", "JIT999")
    ]
    if again.source.text != fixed:
        failures.append("a second fix changes the text")
    gone = comments(text) - comments(fixed) - _removed(text, fixed)
    unused = Counter({comment: count for comment, count in gone.items() if comment.startswith(_MARK)})
    if gone != unused or len(unused) > sum(finding.code == "JIT703" for finding in result.fixed):
        failures.append(f"comments are gone: {gone}")
    if other := kept(fixed) - kept(text):
        failures.append(f"a comment that keeps a call is about another one: {other}")
    return fixed, failures


_MARK = "// jitlint: ignore"
_NAME = re.compile(r'%[\w.$-]+(?:[#:]\d+)?|@(?:"[^"\n]*"|[\w.$-]+)')


def kept(text: str) -> Counter[tuple[str, str]]:
    """The suppressions, each with the operation that it is about, names aside: a fix may rename values and wrappers."""
    lines = text.splitlines()
    found: Counter[tuple[str, str]] = Counter()
    for at, line in enumerate(lines):
        before, mark, reason = line.partition(_MARK)
        if mark and before.count('"') % 2 == 0:
            rest = [before] if before.strip() else lines[at + 1 :]
            about = next(each for each in rest if not each.lstrip().startswith("//"))
            words = reason.partition("] ")[2] or reason  # a code that hides nothing is taken out of the list
            about = _NAME.sub(lambda name: "@fused" if "fused_" in name[0] else "_", about)
            found[words.strip(), about.strip()] += 1
    return found


_WRAPPER = re.compile(
    r"""^(\ *)(?:llvm\.func|func\.func\ (?!.*tensor<))[^@\n]*(@"[^"\n]*"|@[\w$.-]+).*\{\s*\n((?:(?!\1\}).*\n)*)\1\}""",
    re.MULTILINE | re.VERBOSE,
)
"""A function that is no function of tensors: its name and its lines, as the generator and the fix lay them out."""


def _removed(text: str, fixed: str) -> Counter[str]:
    """The comments in wrappers of `text` that the fix took away: they go along. Several modules may have one name."""
    left = [(match[2], match[3]) for match in _WRAPPER.finditer(fixed)]
    names, unchanged = Counter(name for name, _ in left), Counter(left)
    gone = Counter(match[2] for match in _WRAPPER.finditer(text)) - names
    bodies: Counter[str] = Counter()
    for match in _WRAPPER.finditer(text):
        unchanged[match[2], match[3]] -= 1
        if unchanged[match[2], match[3]] < 0 and gone[match[2]] > 0:
            gone[match[2]] -= 1
            bodies += comments(match[3])
    return bodies


Runs = list[tuple[list[Data], list[Data]]]
"""The numbers of the results and of the arguments afterwards, run by run."""


class Run:
    """Runs versions of one module, the same text only once."""

    def __init__(self, judge: Judge, module: Module, text: str, seed: int) -> None:
        arguments = arguments_of(module, seed)
        self._judge, self._arguments, self._module = judge, as_arrays(module, arguments), module
        self._apart = any(wrapper.remembers for wrapper in module.wrappers)
        """Whether each version needs an engine of its own: one keeps a compiled wrapper, and its globals, for good."""
        self.expected = run_main(module, arguments) if is_predictable(module) else None
        """What the interpreter gives, None where the model does not say what is right."""
        self.faulty = is_faulty(module)
        self.refusal = ""
        """Why the engine does not run the module as it was made."""
        self.before: Runs = []
        try:
            self.before = self._runs(text)
        except RefusedError as error:
            self.refusal = str(error)
        self._seen = {(text, ""): Verdict("right")}

    @property
    def as_modelled(self) -> bool:
        """Whether the module gives what the interpreter gives, each time it runs."""
        return self.expected is None or all(
            as_expected(self._module, results, self.expected) for results, _ in self.before
        )

    def _runs(self, text: str, passes: str = "") -> Runs:
        if self._apart:
            self._judge.close()
        runs = self._judge.run_times(text, self._arguments, passes)
        return [([a["data"] for a in results], [a["data"] for a in after]) for results, after in runs]

    def verdict(self, text: str, passes: str = "") -> Verdict:
        """What the engine makes of `text` after `passes`."""
        if (text, passes) not in self._seen:
            self._seen[text, passes] = self._judged(text, passes)
        return self._seen[text, passes]

    def _judged(self, text: str, passes: str) -> Verdict:
        try:
            if not passes:
                self._judge.run_passes(text)
            runs = self._runs(text, passes)
        except RefusedError as error:
            return Verdict("invalid", str(error))
        if self.faulty:
            return Verdict("right")
        if repr(runs).replace("-0.0", "0.0") == repr(self.before).replace("-0.0", "0.0"):
            return Verdict("right")
        if self.expected is not None and all(
            as_expected(self._module, results, self.expected) and after == self.before[0][1] for results, after in runs
        ):
            return Verdict("right")
        return Verdict("wrong", f"gives {runs}, not {self.before}")
