"""What a report says to type does what it says, typed into a shell just so: options in force and odd names included."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jitlint.findings import Finding
from jitlint.report.advice import advice, fix_command
from jitlint.rules import RULES
from tests.cli.conftest import Jitlint
from tests.cli.samples import FUSABLE

ODD_NAMES = ["m.mlir", "it's here/m 1.mlir", "-m.mlir", "$HOME*.mlir", "日本.mlir"]
ADVISED = [
    pytest.param(code, text, id=f"{code}-{number}")
    for code in ("JIT001", "JIT403", "JIT604", "JIT702", "JIT704")
    for number, text in enumerate(RULES[code].INVALID)
]


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Types a command into a shell in which `jitlint` is this one."""
    function = f'jitlint() {{ {sys.executable} -m jitlint "$@"; }}'
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "COLUMNS": "80"}
    return subprocess.run(
        ["bash", "-c", f"{function}\n{command}"], env=environment, capture_output=True, text=True, check=False
    )


def commands(printed: str) -> list[str]:
    return re.findall("`(jitlint --fix[^`]*)`", printed)


@pytest.mark.parametrize(("code", "text"), ADVISED)
def test_advice_can_be_pasted(code: str, text: str, jitlint: Jitlint) -> None:
    Path("m.mlir").write_text(text)
    printed = jitlint("--select", code, "m.mlir").out
    command = commands(printed)[0]
    assert f"--select {code}" in command
    # The rule whose finding is advised about may not be the one that fusing is.
    ran = shell(command.replace(f"--select {code}", f"--select {code},JIT001"))
    assert ran.stderr == ""
    left = json.loads(jitlint("--output-format", "json", "--select", code, "m.mlir").out)["diagnostics"]
    assert left == []


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_name_of_a_file_is_quoted(name: str, jitlint: Jitlint) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(FUSABLE)
    out = jitlint("--", name).out
    assert len(set(commands(out))) == 1
    assert shell(commands(out)[0]).returncode == 0
    assert jitlint("--select", "JIT001", "--", name).status == 0


def test_the_options_in_force_are_repeated(jitlint: Jitlint) -> None:
    Path("my dir").mkdir()
    Path("my dir/c.toml").write_text('ignore = ["JIT1"]\n')
    Path("m.mlir").write_text(FUSABLE)
    out = jitlint(
        "--config",
        "my dir/c.toml",
        "--form",
        "pass",
        "--copies",
        "--group",
        "adjacent",
        "--no-prune-wrappers",
        "m.mlir",
    ).out
    expected = "jitlint --fix --config 'my dir/c.toml' --form pass --group adjacent --copies --no-prune-wrappers m.mlir"
    assert set(commands(out)) == {expected}
    assert shell(expected).returncode == 0


def test_what_is_advised_wins_over_what_was_in_force() -> None:
    help_ = "`jitlint --fix --copies` fuses them"
    finding = Finding("JIT403", "m", None, help=help_)
    options = (("--no-copies",), ("--group", "adjacent"))
    assert advice(options, "m.mlir", finding) == "`jitlint --fix --group adjacent --copies m.mlir` fuses them"


def test_a_command_is_not_broken_by_the_width_of_the_page(jitlint: Jitlint) -> None:
    name = f"{'long' * 30}.mlir"
    Path(name).write_text(FUSABLE)
    assert f"`jitlint --fix {name}`" in jitlint(name).out


def test_adjacent_is_advised_only_where_it_helps(jitlint: Jitlint) -> None:
    (text,) = RULES["JIT604"].INVALID
    constant = "  %c = stablehlo.constant dense<1.0> : tensor<f64>\n"
    apart = text.replace("  %0 = enzymexla.jit_call @recv", f"{constant}  %0 = enzymexla.jit_call @recv")
    barrier = apart.replace(constant, '  "some.thing"() : () -> ()\n')
    for body, helps in ((apart, True), (barrier, False)):
        Path("m.mlir").write_text(body)
        assert ("--group adjacent" in jitlint("--select", "JIT604", "m.mlir").out) is helps
        fixed = jitlint("--diff", "--group", "adjacent", "m.mlir").out
        assert bool(fixed) is helps


def test_several_paths() -> None:
    assert fix_command((), ["a", "b c"]) == "jitlint --fix a 'b c'"
    assert fix_command((("--ignore", "JIT1"),), ["-"]) == "jitlint --fix --ignore JIT1 -"
