"""Counts, the closing lines, statistics, and that a report loads no more than it needs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from jitlint.report import FORMATS, Summary, Tally, open_report
from jitlint.report.printable import escape, shorten, width_of, wrap
from jitlint.report.protocol import Settings
from jitlint.report.run_summary import closing
from jitlint.report.statistics import write_statistics
from jitlint.result import Result

Render = Callable[..., str]


@pytest.mark.parametrize(
    ("summary", "dry_run", "expected"),
    [
        (Summary(), False, "No files to check.\n"),
        (Summary(files=1), False, "All clear: no problems in 1 file.\n"),
        (Summary(files=1200), False, "All clear: no problems in 1,200 files.\n"),
        (
            Summary(files=12, fusable_groups=3, fixable=2, errors=1, warnings=2, infos=3),
            False,
            "Found 3 problems (1 error, 2 warnings) and 3 infos in 12 files.\n"
            "[*] 2 findings can be fixed: run `jitlint --fix`.\n",
        ),
        (Summary(files=2, fusable_groups=1, warnings=1), False, "Found 1 problem (1 warning) in 2 files.\n"),
        (Summary(files=2, infos=1), False, "No problems in 2 files; 1 info.\n"),
        (
            Summary(files=3, fused_groups=2, fused_calls=5, changed_files=1),
            False,
            "Fused 5 calls into 2 in 1 file.\nNo problems left in 3 files.\n",
        ),
        (
            Summary(files=3, fused_groups=2, fused_calls=5, changed_files=1, warnings=1, infos=2),
            False,
            "Fused 5 calls into 2 in 1 file.\n1 problem (1 warning) and 2 infos left in 3 files.\n",
        ),
        (
            Summary(files=3, fused_groups=2, fused_calls=5, other_fixes=1, changed_files=2, warnings=1),
            True,
            "Would fuse 5 calls into 2 and fix 1 other finding in 2 files.\n"
            "That would leave 1 problem (1 warning) in 3 files.\n",
        ),
        (Summary(files=3, warnings=1), True, "Found 1 problem (1 warning) in 3 files.\n"),
        (
            Summary(files=3, other_fixes=2, changed_files=1, infos=1),
            True,
            "Would fix 2 findings in 1 file.\nThat would leave no problems and 1 info in 3 files.\n",
        ),
    ],
)
def test_closing_lines(summary: Summary, dry_run: bool, expected: str) -> None:
    assert closing(summary, dry_run) == expected


def test_tally(results: dict[str, Result]) -> None:
    tally = Tally()
    for result in results.values():
        tally.add(result)
    assert tally.summary() == Summary(
        files=8,
        fusable_groups=2,
        fused_groups=1,
        errors=2,
        warnings=2,
        infos=3,
        fused_calls=2,
        other_fixes=1,
        changed_files=1,
        fixable=2,
        codes={"JIT001": 2, "JIT102": 1, "JIT201": 1, "JIT402": 1, "JIT403": 1, "JIT903": 1},
    )


def test_statistics_name_each_rule_the_most_frequent_first() -> None:
    pieces: list[str] = []
    write_statistics(Summary(codes={"JIT402": 7, "JIT001": 1234, "JIT102": 7}), pieces.append, Settings())
    assert [line.split() for line in "".join(pieces).splitlines()] == [
        ["1,234", "JIT001", "fusable-group", "warning", "[*]", "--fix"],
        ["7", "JIT102", "dependency-cycle", "info"],
        ["7", "JIT402", "bad-alias", "error"],
    ]


def test_statistics_of_nothing_are_nothing() -> None:
    pieces: list[str] = []
    write_statistics(Summary(files=3), pieces.append, Settings())
    assert pieces == []


def test_concise_lines(results: dict[str, Result], render: Render) -> None:
    assert render("concise", results["cycle"], results["fixed"]) == (
        "cycle_through_pure.mlir:18:5: info: JIT102 dependency-cycle: "
        "one call would need its own result: a value leaves the group and comes back\n"
        "irecv_wait.mlir:1:1: fixed: JIT703 unused-suppression: this suppression hides nothing\n"
        "irecv_wait.mlir:27:5: fixed: JIT001 fusable-group: 2 calls became "
        "@__enzyme_fused_enzymexla_wrapper_MPI_Irecv_MPI_INT_enzymexla_wrapper_MPI_Wait\n"
        "Fused 2 calls into 1 and fixed 1 other finding in 1 file.\n"
        "No problems left in 2 files; 1 info.\n"
    )


def test_planned_fixes_are_told_as_planned(results: dict[str, Result], render: Render) -> None:
    printed = render("concise", results["fixed"], dry_run=True)
    assert "would fix: JIT001 fusable-group: 2 calls would become @__enzyme_fused_" in printed
    assert render("concise", results["fixed"], show_fixed=False, show_summary=False) == ""


def test_unknown_format() -> None:
    with pytest.raises(KeyError):
        open_report("yaml", print)


@pytest.mark.parametrize("format_name", FORMATS)
def test_only_the_module_of_the_format_is_loaded(format_name: str) -> None:
    script = (
        "import sys; from jitlint.report import open_report\n"
        f"open_report({format_name!r}, lambda text: None)\n"
        "print(*sorted(name for name in sys.modules if name.startswith(('jitlint.report.', 'rich', 'parsimonious'))))"
    )
    loaded = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()
    formats = {"full", "concise", "json_", "sarif", "github", "gitlab", "junit", "markdown"}
    found = {name.rpartition(".")[2] for name in loaded} & formats
    module = "json_" if format_name == "json" else format_name
    assert found == ({"full", "concise"} if module == "full" else {module})
    assert not {"rich", "parsimonious"} & set(loaded)


def test_text_helpers() -> None:
    assert escape("a\x1b\n\u202e\udcff") == "a\\x1b\\n\\u202e\\udcff"
    assert escape("日", ascii_only=True) == "\\u65e5"
    assert width_of("日本e\u0301") == 5
    assert shorten("a" * 50 + "b" * 50, 11, "…") == "aaaaa…bbbbb"
    assert width_of(shorten("日" * 50, 11, "…")) <= 11
    assert wrap("one two three", 7, "…") == ["one two", "three"]
    assert wrap("x" * 30 + " end", 9, "…") == ["xxxx…xxxx", "end"]
