"""The list of mutants fits the code, and a sample of them is found."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter

import pytest

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
