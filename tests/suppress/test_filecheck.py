from __future__ import annotations

import pytest

from jitlint.checker import Checker
from jitlint.suppress.filecheck import ADVICE, runs_the_pass
from tests.cli.samples import BARRIER, FUSABLE

RUN = "// RUN: enzymexlamlir-opt %s --fuse-jit | FileCheck %s\n"


@pytest.mark.parametrize(
    "line", [RUN, "  //RUN: opt %s \\\n  // RUN:   --pass-pipeline='builtin.module(fuse-jit-calls)'\n"]
)
def test_a_test_of_the_pass_is_known_by_what_it_runs(line: str) -> None:
    assert runs_the_pass(f"{line}module {{\n}}\n")
    (found,) = Checker().check(line + FUSABLE, "a.mlir").findings
    assert (found.help, found.fixable) == (ADVICE, True)


@pytest.mark.parametrize(
    "line", ["", "// RUN: opt %s --cse | FileCheck %s\n", "// what fuse-jit does\n", '"RUN: fuse-jit"() : () -> ()\n']
)
def test_other_files_are_not_taken_for_one(line: str) -> None:
    assert not runs_the_pass(f"{line}module {{\n}}\n")
    assert all(found.help != ADVICE for found in Checker().check(line + FUSABLE, "a.mlir").findings)


def test_the_advice_is_about_groups_alone() -> None:
    plain, tested = (Checker().check(text, "a.mlir").findings for text in (BARRIER, RUN + BARRIER))
    assert [found.help for found in tested] == [found.help for found in plain]


def test_the_advice_works() -> None:
    assert "`// jitlint: ignore-file[JIT001]`" in ADVICE
    assert Checker().check(f"// jitlint: ignore-file[JIT001]\n{RUN}{FUSABLE}", "a.mlir").findings == ()
