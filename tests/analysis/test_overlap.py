"""What may run while an exchange is under way, and the key that keeps it so."""

from __future__ import annotations

import pytest

from jitlint import api
from tests.analysis.programs import F64, I64, call, program, recv
from tests.engine.spelling import count_calls

WAIT = call("wait", {"%0#1": I64})
WORK = f"%w = stablehlo.exponential %x : {F64}"
USE = f"%u = stablehlo.negate %0#0 : {F64}"


def notes(*operations: str) -> list[str]:
    (finding,) = (each for each in api.check(program(*operations)).findings if each.code == "JIT001")
    return [note.message for note in finding.notes]


def test_a_note_names_what_no_longer_overlaps() -> None:
    assert notes(recv("%0"), WORK, WAIT, USE) == [
        "`stablehlo.exponential` will no longer run while the exchange is under way"
    ]


@pytest.mark.parametrize(
    "between",
    [
        [],
        # It waits for the data itself, moves bytes only, or stands behind the wait.
        [USE],
        [f"%k = stablehlo.constant dense<1.0> : {F64}", f"%w = stablehlo.reshape %x : ({F64}) -> tensor<1xf64>"],
        [f"%n = stablehlo.negate %0#0 : {F64}", f"%w = stablehlo.exponential %n : {F64}"],
    ],
)
def test_nothing_is_said_where_nothing_overlaps(between: list[str]) -> None:
    assert notes(recv("%0"), *between, WAIT, WORK.replace("%w", "%later")) == []


def test_of_many_a_few_are_named() -> None:
    many = [WORK.replace("%w", f"%w{number}") for number in range(7)]
    said = notes(recv("%0"), *many, WAIT)
    assert len(said) == 4
    assert said[-1].endswith("while the exchange is under way, nor will 3 more")


def test_the_key_leaves_such_groups_alone_and_says_so() -> None:
    text = program(recv("%0"), WORK, WAIT, USE)
    result = api.fix(text, keep_overlap=True)
    assert result.source.text == text
    (kept,) = (finding for finding in result.findings if finding.code == "JIT001")
    assert (kept.severity.value, kept.fixable) == ("info", False)
    assert kept.message == "these 2 calls could be one call, and stay apart for what may run meanwhile"
    assert [note.message for note in kept.notes] == ["`stablehlo.exponential` may run while the exchange is under way"]
    (race,) = (finding for finding in result.findings if finding.code == "JIT601")
    assert not race.fixable
    assert race.help is not None
    assert race.help.startswith("let @wait hand the buffer on")


def test_the_key_leaves_other_groups_as_they_are() -> None:
    double = "%d = " + call("double", {"%x": F64}, (0,)), "%e = " + call("double", {"%d": F64}, (0,))
    text = program(recv("%0"), WORK, WAIT, *double)
    assert count_calls(api.fix(text, keep_overlap=True).source.text) == 3
    assert count_calls(api.fix(text).source.text) == 2
    assert count_calls(api.fix(program(recv("%0"), WAIT, WORK), keep_overlap=True).source.text) == 1
