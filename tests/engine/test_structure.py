"""What jitlint finds in a text and what the engine's own parser finds, compared exactly.

Two ways. The engine prints, for every operation, the line and column of its name: all operations are compared by
place. And its printed module, with the JIT calls in the generic form, is read by JAX's MLIR: for every block with JIT
calls the number of operations, the wrappers called and the users of every result are compared.
"""

from __future__ import annotations

import re

import pytest
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir

from jitlint.analysis.blocks import UnitAnalysis
from jitlint.ir.tree import Unit
from jitlint.options import Options
from jitlint.syntax.heads import GAP
from jitlint.syntax.lexer import parts
from jitlint.syntax.source import Source
from tests.engine.judge import Judge
from tests.engine.spelling import for_engine
from tests.fuzz.check import seeds
from tests.generator import generate

pytestmark = pytest.mark.engine

_PLACE = re.compile(r'"-":(\d+):(\d+)')
_CALL = re.compile(r"enzymexla\.jit_call (@(?:[\w$.]+|\"[^\"]*\")) \(([^()]*)\)(?: <(.*?)>)?(?: \{[^{}]*\})? : (?=\()")
_NOT_OPERATIONS = frozenset({"alias", "metadata"})

Calls = list[tuple[str, list[int]]]
"""The wrapper of each call of a block, and how many users each of its results has."""

_LOCATION = re.compile(r" loc\([^()]*\)|^#loc.*\n", re.MULTILINE)

TEXTS = [text[start:end] for text in seeds() for start, end in parts(text) if "loc(" not in text and "\\" not in text]
"""All but those with locations of their own, which hide the places."""


def places(text: str) -> set[tuple[int, int]]:
    """The line and column of the name of every operation that jitlint finds."""
    source, unit = Source(text), Unit(text, 0, len(text))
    found, pending, gap = set(), [unit.body], re.compile(GAP)
    while pending:
        for block in pending.pop().blocks:
            for operation in block.operations:
                if operation.name not in _NOT_OPERATIONS:
                    name = gap.match(text, operation.operands_start)
                    position = source.position(name.end() if name else operation.operands_start)
                    found.add((position.line, position.column))
                    pending += operation.regions
    return found


def engine_places(text: str, printed: str) -> set[tuple[int, int]]:
    """The line and column of every operation that the engine finds: its places without those of arguments.

    The place of a `stablehlo.reduce(… applies …)` is that of its operands' bracket.
    """
    lines, found = text.split("\n"), set()
    for line, byte in {(int(line), int(column)) for line, column in _PLACE.findall(printed)}:
        column = len(lines[line - 1].encode()[: byte - 1].decode()) + 1 if line else 1  # the engine counts bytes
        first = lines[line - 1][column - 1 : column] if line else "%"
        if first == "(":
            before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]])
            start = before.rindex("stablehlo.reduce")
            line, column = before.count("\n", 0, start) + 1, start - before.rfind("\n", 0, start)
        if first != "%":
            found.add((line, column))
    return found if re.match(rf"(?:{GAP}[#!{{].*)*{GAP}module", text) else found - {(1, 1)}


def blocks(text: str) -> list[tuple[int, Calls]]:
    """The blocks with JIT calls as jitlint reads them: how many operations, and the calls."""
    found = []
    for block in UnitAnalysis(Unit(text, 0, len(text)), Options()).blocks:
        assert block.uses is not None
        size = sum(shape.name not in _NOT_OPERATIONS for shape in block.place.block.cut.shapes)
        users = block.uses.of
        calls = [(call.symbol, [len(users.get(value, ())) for value in call.results]) for call in block.place.calls]
        found.append((size, calls))
    return sorted(found)


def engine_blocks(printed: str) -> list[tuple[int, Calls]]:
    """The same as MLIR's own parser reads what the engine printed."""
    generic = _CALL.sub(_in_generic_form, printed)
    found: list[tuple[int, Calls]] = []
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(generic)  # holds what is inside it
        pending = [module.operation]
        while pending:
            for block in (block for region in pending.pop().regions for block in region.blocks):
                operations = [each.operation for each in block.operations]
                pending += operations
                calls = [each for each in operations if each.name == "enzymexla.jit_call"]
                if calls:
                    users = [(_symbol(call), [len(list(result.uses)) for result in call.results]) for call in calls]
                    found.append((len(operations), users))
    return sorted(found)


def _in_generic_form(match: re.Match[str]) -> str:
    properties = f"fn = {match[1]}{f', {match[3]}' if match[3] else ''}"
    return f'"enzymexla.jit_call"({match[2]}) <{{{properties}}}> : '


def _symbol(call: ir.Operation) -> str:
    return str(ir.FlatSymbolRefAttr(call.attributes["fn"]).value)


def _compare(text: str, judge: Judge) -> None:
    text = for_engine(text)
    printed = judge.run_passes(text)
    assert places(text) == engine_places(text, printed)
    assert blocks(text) == engine_blocks(printed)


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_a_written_text_has_the_operations_and_users_that_the_engine_finds(number: int, judge: Judge) -> None:
    _compare(TEXTS[number], judge)


@pytest.mark.parametrize("seed", range(0, 100, 4))
def test_so_has_a_random_one(seed: int, judge: Judge) -> None:
    text = _LOCATION.sub("", generate(seed)[1])
    _compare(text, judge)
    _compare(_LOCATION.sub("", judge.run_passes(text)), judge)
