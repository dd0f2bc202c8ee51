"""A QR factorisation with the real LAPACK: refused by itself, and the same numbers with `copies`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import jitlint

ROOT = Path(__file__).parents[2]
QR = (Path(__file__).parent / "data" / "qr.mlir").read_text(encoding="utf-8")
MATRIX = [[4.0, 1.0, 2.0, 3.0], [4.0, 8.0, 6.0, 7.0], [8.0, 9.0, 13.0, 11.0], [12.0, 13.0, 14.0, 18.0]]

RUN = """
import ctypes, glob, json, sys
import numpy as np
ctypes.CDLL(glob.glob(f"{np.__path__[0]}.libs/libscipy_openblas64_*.so")[0], mode=ctypes.RTLD_GLOBAL)
from tests.engine.oracle import run_main
text, matrix = json.load(sys.stdin)
print(json.dumps([result.tolist() for result in run_main(text, [np.array(matrix)])]))
"""
"""Runs @main in a process that has NumPy's own LAPACK among its global symbols."""


def run(text: str) -> list[np.ndarray]:
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps([text, MATRIX]),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return [np.array(result) for result in json.loads(done.stdout.splitlines()[-1])]


def test_the_report_says_that_r_is_overwritten_in_place() -> None:
    [finding] = jitlint.check(QR).findings
    assert finding.code == "JIT403"
    assert finding.message == "@wrapper_dorgqr overwrites %0#0, which is still needed after it"
    assert finding.help is not None
    assert "--copies" in finding.help


@pytest.mark.engine
def test_with_copies_the_fused_call_computes_the_same_factorisation() -> None:
    fixed = jitlint.fix(QR, copies=True)
    assert [finding.code for finding in fixed.fixed] == ["JIT001"]
    assert [finding.code for finding in fixed.findings] == ["JIT702", "JIT702"], "only the wrappers are left over"
    apart, together = run(QR), run(fixed.source.text)
    q, r_and_reflectors, status = apart
    assert status == 0
    assert np.allclose(q @ np.triu(r_and_reflectors), np.array(MATRIX))
    for one, two in zip(apart, together, strict=True):
        assert np.array_equal(one, two)
