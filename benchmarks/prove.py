"""Whether jitlint's proofs are complete and strict: of its own fixes, of what the engine's pass writes, of mutants.

    python -m benchmarks.prove [--part fixes|pass|mutants] [--count N] [--seed FIRST] [-j N] [--answers FILE] [--write]
    python -m benchmarks.prove --files PATH…

`fixes` fixes N random modules, each in the default mode and in one other, and the examples of the tests and the rules
in every mode: no fix may be refused by its proof. `pass` runs N random modules through `fuse-jit`, and asks the proof
and the engine about each. `mutants` fixes some random modules with each of the mutants of `tests/mutation` in turn, a
check of jitlint's own off (those of the proof itself aside), and runs on the engine what is written otherwise than
without it: nothing of that may compute something else. With `--answers` what the engine says is kept in FILE, as
`benchmarks.differential` keeps it. `--files` asks `fixes` about files of your own.

Exit status: 0 the proofs are right, 1 they are not (what is wrong is printed), 2 bad usage.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.differential import judge_with
from benchmarks.measure import ROOT
from jitlint import api
from jitlint.errors import JitlintError
from jitlint.proof.compare import Unreadable, prove
from jitlint.rules import RULES
from tests.engine.differential import MODES, OPTIONAL, Run
from tests.engine.judge import Judge, RefusedError
from tests.generator import generate
from tests.mutation.mutants import MUTANTS as ALL_MUTANTS

MUTANTS = [mutant for mutant in ALL_MUTANTS if not mutant.path.startswith("proof/")]
PAGE = ROOT / "docs" / "correctness.md"
BEGIN, END = "<!-- proofs -->\n", "<!-- end of proofs -->\n"
COUNTS = {"fixes": 5000, "pass": 2000, "mutants": len(MUTANTS)}
UNDER_MUTANTS = 24
"""How many random modules are fixed with each mutant, each in another mode than the one before."""

Row = dict[str, Any]
"""What one module or one mutant came to."""


def fixes(number: int) -> Row:
    """The random module of a seed, fixed in two modes."""
    return _fixed(f"seed {number}", generate(number)[1], ("default", OPTIONAL[number % len(OPTIONAL)]))


def _fixed(name: str, text: str, modes: Iterable[str] = tuple(MODES)) -> Row:
    row: Row = {"changed": 0, "proved": 0, "failures": []}
    for mode in modes:
        try:
            result = api.fix(text, path="module.mlir", **MODES[mode])
        except JitlintError as error:
            row["failures"].append(f"{name}, {mode}: {error}")
            continue
        row["failures"] += [f"{name}, {mode}: {each.message}" for each in result.findings if each.code == "JIT999"]
        row["changed"] += result.source.text != text
        row["proved"] += result.proof is not None and result.proof.difference is None
    return row


def examples() -> Iterator[tuple[str, str]]:
    """The modules of the tests and of the rules' pages; not those that are wrong as they are, in `tests/faults/`."""
    for path in sorted(set((ROOT / "tests").rglob("*.mlir")) - set((ROOT / "tests/faults").glob("*.mlir"))):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for rule in RULES.values():
        for number, text in enumerate([*rule.INVALID, *rule.VALID], 1):
            yield f"example {number} of {rule.code}", text


def after_pass(number: int) -> Row:
    """The random module of a seed, as the engine prints it before and after `fuse-jit`: is the second one right, and is
    it proved?"""
    module, text = generate(number)
    judge = _judge()
    try:
        before, after = judge.run_passes(text), judge.run_passes(text, "fuse-jit")
    except RefusedError:
        return {"kind": "invalid"}
    run = Run(judge, module, text, number)
    if run.refusal or run.faulty:
        return {"kind": "faulty"}
    fused = "@fused__" in after or '@"fused__' in after
    kind = run.verdict(text, "fuse-jit").kind if fused else "not fused"
    if kind == "invalid":
        return {"kind": kind}
    try:
        difference = prove(before, after).difference
    except Unreadable as error:
        return {"kind": kind, "why": f"unreadable: {error}", "failures": [f"seed {number}: unreadable: {error}"]}
    row: Row = {"kind": kind, "why": difference.message if difference is not None else ""}
    if difference is None and kind == "wrong":
        row["failures"] = [f"seed {number}: what the pass wrote is wrong, and proved"]
    return row


def _reason(message: str) -> str:
    """Why an output that gives the right numbers is not proved."""
    for words, reason in _REASONS.items():
        if words in message:
            return reason
    return "arithmetic or control flow of a wrapper was simplified on the way"


_REASONS = {
    "alias operand": "two results of a call alias one operand, and so are one value",
    "overwritten": "a buffer is overwritten, and no result stands for that",
    "global": "a wrapper reaches a global, of which every compiled wrapper has a copy",
}
"""Words of a refusal, and what is wrong with the output although this run gave the right numbers."""


_WANTED: dict[int, tuple[str, str]] = {}
"""The random modules and what they become without a mutant."""


def _mode(seed: int) -> str:
    return tuple(MODES)[seed % len(MODES)]


def under_mutant(number: int) -> Row:
    """The random modules, fixed with a mutant in place: how many are written otherwise, refused, wrong."""
    for seed in range(UNDER_MUTANTS if not _WANTED else 0):
        text = generate(seed)[1]
        _WANTED[seed] = text, api.fix(text, path="module.mlir", **MODES[_mode(seed)]).source.text
    texts, refused = _in_a_child(lambda: _written_by(number))
    row: Row = {"otherwise": len(texts), "refused": refused, "wrong": 0, "failures": []}
    for seed, text in texts:
        verdict = _run(seed).verdict(text)
        if verdict.kind == "wrong" and not _run(seed).faulty and not _run(seed).refusal:
            row["wrong"] += 1
            row["failures"].append(
                f"mutant {number} ({MUTANTS[number].check}), seed {seed}, {_mode(seed)}: {verdict.words}"
            )
        row["invalid"] = row.get("invalid", 0) + (verdict.kind == "invalid" and not _run(seed).refusal)
    return row


_ANSWERS: list[Path | None] = []
"""The file with the engine's answers that a process of the pool is given."""


def _take_answers(answers: Path | None) -> None:
    _ANSWERS[:] = [answers]


def _judge() -> Judge:
    return judge_with(*_ANSWERS)


@cache
def _run(seed: int) -> Run:
    module, text = generate(seed)
    return Run(_judge(), module, text, seed)


def _written_by(number: int) -> tuple[list[tuple[int, str]], int]:
    """The texts that a mutant writes otherwise, and how many fixes its proof refuses or do not come to an end."""
    MUTANTS[number].install()
    texts, refused = list[tuple[int, str]](), 0
    for seed, (text, wanted) in _WANTED.items():
        try:
            result = api.fix(text, path="module.mlir", **MODES[_mode(seed)])
        except Exception:
            refused += 1
            continue
        refused += any(each.code == "JIT999" for each in result.findings)
        if result.source.text not in (wanted, text):
            texts.append((seed, result.source.text))
    return texts, refused


def _in_a_child(work: Callable[[], Any]) -> Any:
    """What `work` gives in a process of its own, which may be spoilt."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            with os.fdopen(writing, "w", encoding="utf-8") as pipe:
                json.dump(work(), pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else ([], 0)


PARTS: dict[str, Callable[[int], Row]] = {"fixes": fixes, "pass": after_pass, "mutants": under_mutant}


def rows(part: str, numbers: Sequence[int], jobs: int, answers: Path | None) -> dict[int, Row]:
    """What each of the modules or mutants of one part came to."""
    found = dict[int, Row]()
    with ProcessPoolExecutor(jobs, initializer=_take_answers, initargs=(answers,)) as pool:
        for number, row in zip(numbers, pool.map(PARTS[part], numbers, chunksize=2), strict=True):
            found[number] = row
            for failure in row.get("failures", ()):
                print(f"{part}: {failure}", flush=True)
    return found


def words(part: str, found: dict[int, Row]) -> str:
    """What a part came to, as a paragraph of the page."""
    if part == "fixes":
        changed, proved = (sum(row[key] for row in found.values()) for key in ("changed", "proved"))
        failures = sum(len(row["failures"]) for row in found.values())
        return (
            f"**Complete.** Of {len(found):,} random modules, each fixed in two modes, {changed + failures:,} fixes"
            f" were made: {proved:,} of these were proved, and {failures:,} refused.\n"
        )
    if part == "mutants":
        sums = {key: sum(row.get(key, 0) for row in found.values()) for key in ("otherwise", "refused", "wrong")}
        noticed = sum(bool(row["otherwise"] or row["refused"]) for row in found.values())
        return (
            f"**Strict.** {UNDER_MUTANTS} random modules were fixed with each of {len(found):,} mutants of"
            f" jitlint, a check of its own left out; the proof's own aside. {noticed:,} of them made a difference:"
            f" {sums['refused']:,} fixes were refused, {sums['otherwise']:,} written otherwise. Of these the engine"
            f" shows {sums['wrong']:,} to be wrong.\n"
        )
    kinds = Counter(row["kind"] for row in found.values())
    proved = Counter(row["kind"] for row in found.values() if row.get("why") == "")
    right = [row for row in found.values() if row["kind"] in ("right", "not fused")]
    reasons = Counter(_reason(row["why"]) for row in right if row.get("why"))
    lines = [
        f"**The pass.** `fuse-jit` was run on {len(found):,} random modules, and `jitlint prove` was asked about each"
        " output that the engine runs.\n",
        "| the engine says | outputs | proved | refused |\n|---|---:|---:|---:|",
        *[
            f"| {kind} | {kinds[kind]:,} | {proved[kind]:,} | {kinds[kind] - proved[kind]:,} |"
            for kind in ("wrong", "right", "not fused")
        ],
        "\nOutputs that give the right numbers, or have no fused call, and are not proved, by the reason:\n",
        "| reason | outputs |\n|---|---:|",
        *[f"| {reason} | {count:,} |" for reason, count in reasons.most_common()],
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure, print, and write the page if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prove", description=__doc__.partition("\n")[0])
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part")
    parser.add_argument("--count", type=int, metavar="N", help="how many modules or mutants")
    parser.add_argument("--seed", type=int, default=0, metavar="FIRST", help="the first seed (default: 0)")
    parser.add_argument("-j", type=int, default=2, dest="jobs", metavar="N", help="how many at a time (default: 2)")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="keep what the engine says in FILE")
    parser.add_argument("--files", nargs="+", type=Path, metavar="PATH", help="fix these, and do nothing else")
    parser.add_argument("--write", action="store_true", help=f"write the part of {PAGE.relative_to(ROOT)}")
    given = parser.parse_args()
    if given.files:
        return _of_files((str(path), path.read_text(encoding="utf-8")) for path in given.files)
    texts, failed = [], 0
    for part in given.part or PARTS:
        count = min(given.count or COUNTS[part], COUNTS[part] if part == "mutants" else sys.maxsize)
        found = rows(part, range(given.seed, given.seed + count), given.jobs, given.answers)
        failed += sum(len(row.get("failures", ())) for row in found.values())
        failed += _of_files(examples()) if part == "fixes" else 0
        texts.append(words(part, found))
        print(texts[-1])
    if given.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        texts.insert(0, f"## Proofs\n\n`python -m benchmarks.prove --write` wrote this part ({machine.today()}).\n")
        section = BEGIN + "\n".join(texts) + END
        PAGE.write_text(before.rstrip("\n") + "\n\n" + section + rest.partition(END)[2], encoding="utf-8")
    return int(failed > 0)


def _of_files(files: Iterable[tuple[str, str]]) -> int:
    """Fix texts of some names; 1 where a fix was refused."""
    sums, failures = Counter[str](), list[str]()
    for name, text in files:
        row = _fixed(name, text)
        sums.update(texts=1, changed=row["changed"], proved=row["proved"])
        failures += row["failures"]
    print(*failures, f"{sums['texts']:,} texts: {sums['changed']:,} changes, {sums['proved']:,} proved", sep="\n")
    return int(bool(failures))


if __name__ == "__main__":
    raise SystemExit(main())
