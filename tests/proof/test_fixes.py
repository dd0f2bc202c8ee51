"""No right fix is refused: a sample of random modules, and the modules of the other tests.

`python -m benchmarks.prove --part fixes` asks about thousands.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint import api
from jitlint.proof.compare import prove
from tests.engine.differential import MODES
from tests.generator import generate

ROOT = Path(__file__).resolve().parents[1]
FILES = [*sorted((ROOT / "cases").glob("*.mlir")), *sorted((ROOT / "mpi").glob("*.mlir"))]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_fix_of_a_case_is_proved(path: Path, mode: str) -> None:
    result = api.fix(path.read_text(encoding="utf-8"), path=path.name, **MODES[mode])
    assert "JIT999" not in {finding.code for finding in result.findings}
    assert not result.changed or (result.proof is not None and result.proof.difference is None)


@pytest.mark.parametrize("seed", [*range(20), 300, 310])
def test_the_fix_of_a_random_module_is_proved(seed: int) -> None:
    text = generate(seed)[1]
    result = api.fix(text, path="module.mlir", **MODES[tuple(MODES)[seed % len(MODES)]])
    assert not result.changed or (result.proof is not None and result.proof.difference is None)


def test_an_exchange_fixed_by_hand_is_what_the_fix_writes() -> None:
    exchange = (ROOT / "mpi/halo_waitall.mlir").read_text(encoding="utf-8")
    by_hand = (ROOT / "mpi/halo_waitall.by_hand.mlir").read_text(encoding="utf-8")
    fixed = api.fix(exchange).source.text
    assert fixed != exchange
    for first, second in ((exchange, by_hand), (by_hand, fixed), (exchange, fixed)):
        assert prove(first, second).is_equal


def test_the_form_of_the_pass_is_written_unproved() -> None:
    """It drops the result whose buffer is overwritten, and the proof names the value."""
    result = api.fix((ROOT / "cases/irecv_wait.mlir").read_text(encoding="utf-8"), form="pass")
    assert result.changed
    assert result.proof is not None
    assert result.proof.difference is not None
    assert "the buffer of %" in result.proof.difference
    assert "is overwritten" in result.proof.difference
