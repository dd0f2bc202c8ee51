"""The list of mutants fits the code, and a sample of them is found."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter

import pytest

from benchmarks.correctness import sections
from tests.mutation.__main__ import BEGIN, END, table, with_part
from tests.mutation.mutant import ROOT
from tests.mutation.mutants import MUTANTS


@pytest.mark.parametrize("path", sorted({mutant.path for mutant in MUTANTS}))
def test_every_mutant_fits_its_module(path: str) -> None:
    text = (ROOT / "jitlint" / path).read_text(encoding="utf-8")
    for mutant in MUTANTS:
        if mutant.path == path:
            changed = mutant.applied(text)
            assert changed != text
            ast.parse(changed)


def test_no_mutant_stands_twice() -> None:
    assert not [each for each, times in Counter((m.path, m.old, m.new) for m in MUTANTS).items() if times > 1]


def test_a_sample_is_found() -> None:
    command = [sys.executable, "-m", "tests.mutation", "--sample", "8"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_part_of_the_page_is_written_and_the_others_stay() -> None:
    page = with_part("# Title\n", "first\n")
    assert page == f"# Title\n\n{BEGIN}first\n{END}"
    assert with_part(page + "\nmore\n", "new\n") == f"# Title\n\n{BEGIN}new\n{END}\nmore\n"
    assert sections(page) == page.removeprefix("# Title\n")


def test_the_table_counts_the_mutants_of_each_layer() -> None:
    lines = table({mutant for mutant in MUTANTS if mutant.path == "engine.py"}).splitlines()
    number = sum(mutant.path == "engine.py" for mutant in MUTANTS)
    assert f"| engine | {number} | {number} |" in lines
    assert lines[-1] == f"| all | {len(MUTANTS)} | {number} |"
