"""The formats for programs: JSON against its schema, SARIF against the official one, and what the CI services ask."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import jitlint
from jitlint.checker import Checker
from jitlint.cli.fixes import Fixes
from jitlint.config.discovery import Configs
from jitlint.findings import Finding, Group, JitCall, Note, Severity, Span
from jitlint.result import Result
from jitlint.syntax.source import Source

Render = Callable[..., str]
ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parent / "data"
JSON_SCHEMA = json.loads((ROOT / "docs/schema/jitlint.schema.json").read_text(encoding="utf-8"))
SARIF_SCHEMA = json.loads((Path(__file__).parent / "data/sarif-schema-2.1.0.json").read_text(encoding="utf-8"))


def test_json_matches_its_schema(results: dict[str, Result], render: Render) -> None:
    report = json.loads(render("json", *results.values()))
    jsonschema.Draft202012Validator.check_schema(JSON_SCHEMA)
    jsonschema.validate(report, JSON_SCHEMA, jsonschema.Draft202012Validator)
    assert report["summary"] == {
        "files": 8,
        "fusable_groups": 2,
        "fused_groups": 1,
        "errors": 2,
        "warnings": 2,
        "infos": 3,
    }


def test_json_has_these_fields_and_no_others(results: dict[str, Result], render: Render) -> None:
    report = json.loads(render("json", results["fusable"]))
    names = ("enzymexla_wrapper_MPI_Irecv_MPI_INT", "enzymexla_wrapper_MPI_Wait")
    assert list(report) == ["version", "diagnostics", "summary"]
    assert report["diagnostics"] == [
        {
            "code": "JIT001",
            "name": "fusable-group",
            "severity": "warning",
            "message": "these 2 calls can be one call",
            "file": "irecv_wait.mlir",
            "range": {"start": {"line": 27, "column": 5}, "end": {"line": 27, "column": 440}},
            "notes": [],
            "group": {
                "calls": [{"callee": names[0], "line": 27}, {"callee": names[1], "line": 28}],
                "fused_name": f"__enzyme_fused_{names[0]}_{names[1]}",
            },
            "fixable": True,
            "help": "run `jitlint --fix irecv_wait.mlir`",
            "fix": None,
            "also": [],
        }
    ]


def test_json_fix_is_the_edits(render: Render) -> None:
    """Put into the text in place of what they replace, the edits are the fix."""
    source = Source((DATA / "chain.mlir").read_text(encoding="utf-8"), "chain.mlir")
    result = Checker().check(source.text, "chain.mlir")
    fixes = Fixes(Configs())
    (told,) = json.loads(render("json", result, fixes=fixes))["diagnostics"]
    lines = source.text.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]

    def offset(place: dict[str, int]) -> int:
        return starts[place["line"] - 1] + place["column"] - 1

    text = source.text
    for edit in reversed(told["fix"]["edits"]):
        text = text[: offset(edit["range"]["start"])] + edit["text"] + text[offset(edit["range"]["end"]) :]
    assert text == jitlint.fix(source.text).source.text
    jsonschema.validate(json.loads(render("json", result, fixes=fixes)), JSON_SCHEMA)


def test_json_tells_the_steps_of_a_cycle_as_notes_once(results: dict[str, Result], render: Render) -> None:
    finding = results["cycle"].findings[0]
    repeated = Finding("JIT102", "m", finding.span, notes=finding.path[:1], path=finding.path)
    (told,) = json.loads(render("json", Result(results["cycle"].source, (repeated,))))["diagnostics"]
    assert [note["message"] for note in told["notes"]] == [
        "result #0 of @double",
        "stablehlo.negate",
        "operand 0 of @accumulate",
    ]
    assert [note["range"]["start"]["line"] for note in told["notes"]] == [16, 17, 18]


@pytest.mark.parametrize("format_name", ["json", "sarif", "gitlab"])
def test_nothing_found_is_valid_json(format_name: str, render: Render) -> None:
    report = json.loads(render(format_name, Result(Source("", "clean.mlir"), ())))
    assert report == [] or report.get("diagnostics") == [] or report["runs"][0]["results"] == []


def test_json_columns_count_characters_not_bytes(render: Render) -> None:
    text = '%0 = "日本𝄞"(%a)'
    finding = Finding("JIT402", "m", Span(text.index("%a"), text.index("%a") + 2))
    (told,) = json.loads(render("json", Result(Source(text, "f.mlir"), (finding,))))["diagnostics"]
    assert told["range"] == {"start": {"line": 1, "column": 12}, "end": {"line": 1, "column": 14}}


def sarif(text: str) -> dict[str, Any]:
    log = json.loads(text)
    jsonschema.validate(log, SARIF_SCHEMA, jsonschema.Draft7Validator)
    (run,) = log["runs"]
    return run


def test_sarif_matches_the_official_schema(results: dict[str, Result], render: Render) -> None:
    run = sarif(render("sarif", *results.values()))
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == 7
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert run["invocations"] == [{"executionSuccessful": True}]
    assert run["columnKind"] == "unicodeCodePoints"


def test_sarif_schema_rejects_a_wrong_log() -> None:
    with pytest.raises(jsonschema.ValidationError):
        sarif('{"version": "2.1.0", "runs": [{"results": []}]}')


def test_sarif_cycle_is_a_code_flow_and_calls_are_related(results: dict[str, Result], render: Render) -> None:
    (result,) = sarif(render("sarif", results["cycle"]))["results"]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["message"]["text"] for step in steps] == [
        "result #0 of @double",
        "stablehlo.negate",
        "operand 0 of @accumulate",
    ]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps] == [16, 17, 18]
    related = result["relatedLocations"]
    assert [(place["id"], place["message"]["text"]) for place in related] == [
        (1, "call 1: @double"),
        (2, "call 2: @accumulate"),
    ]


def test_sarif_fix_is_the_edits(results: dict[str, Result], render: Render) -> None:
    text = results["fusable"].source.text
    start = text.index("%1:2")

    def fixes(result: Result, finding: Finding) -> list[tuple[int, int, str]]:
        assert finding in result.findings
        return [(start, start + 4, "%1")]

    (result,) = sarif(render("sarif", results["fusable"], fixes=fixes))["results"]
    assert result["fixes"][0]["artifactChanges"] == [
        {
            "artifactLocation": {"uri": "irecv_wait.mlir", "uriBaseId": "%SRCROOT%"},
            "replacements": [
                {
                    "deletedRegion": {"startLine": 27, "startColumn": 5, "endLine": 27, "endColumn": 9},
                    "insertedContent": {"text": "%1"},
                }
            ],
        }
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("./my dir/a#b.mlir", {"uri": "my%20dir/a%23b.mlir", "uriBaseId": "%SRCROOT%"}),
        ("/tmp/ä.mlir", {"uri": "file:///tmp/%C3%A4.mlir"}),
        ("bad\udcff.mlir", {"uri": "bad%FF.mlir", "uriBaseId": "%SRCROOT%"}),
    ],
)
def test_sarif_addresses(path: str, expected: dict[str, str], render: Render) -> None:
    (result,) = sarif(render("sarif", Result(Source("", path), (Finding("JIT903", "m", None),))))["results"]
    assert result["locations"][0]["physicalLocation"] == {"artifactLocation": expected}


def test_sarif_tells_that_jitlint_failed(render: Render) -> None:
    crash = Finding("JIT999", "m", None, severity=Severity.ERROR)
    assert sarif(render("sarif", Result(Source("", "f"), (crash,))))["invocations"] == [{"executionSuccessful": False}]


def test_github_escapes_what_would_end_a_value(render: Render) -> None:
    finding = Finding("JIT402", "50% of\r\n::a,b: c", Span(0, 1), help="do: this")
    printed = render("github", Result(Source("a\n", "a,b:c%.mlir"), (finding,)))
    assert printed == (
        "::error file=a%2Cb%3Ac%25.mlir,line=1,endLine=1,col=1,endColumn=2,title=jitlint (JIT402 bad-alias)"
        "::a,b:c%25.mlir:1:1: JIT402 bad-alias: 50%25 of\\r\\n::a,b: c%0Ahelp: do: this\n"
    )


def test_github_is_one_line_a_finding(results: dict[str, Result], render: Render) -> None:
    lines = render("github", *results.values()).splitlines()
    assert len(lines) == 7
    assert [line.split(" ", 1)[0] for line in lines].count("::notice") == 3
    assert "%0A1. result #0 of @double%0A2. stablehlo.negate%0A" in lines[1]


def test_github_has_no_columns_over_several_lines(render: Render) -> None:
    printed = render("github", Result(Source("ab\ncd\n", "f.mlir"), (Finding("JIT402", "m", Span(1, 5)),)))
    assert printed.startswith("::error file=f.mlir,line=1,endLine=2,title=")


def test_gitlab_has_what_the_service_asks(results: dict[str, Result], render: Render) -> None:
    entries = json.loads(render("gitlab", *results.values()))
    for entry in entries:
        assert {"description", "check_name", "fingerprint", "severity", "location"} <= set(entry)
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert re.fullmatch("[0-9a-f]{64}", entry["fingerprint"])
        assert entry["location"]["lines"]["begin"] >= 1
    assert len({entry["fingerprint"] for entry in entries}) == len(entries) == 7


def test_gitlab_fingerprints_survive_moved_lines(render: Render) -> None:
    def fingerprints(text: str, path: str, callees: tuple[str, ...]) -> list[str]:
        findings = []
        for match in re.finditer("call", text):
            line = text.count("\n", 0, match.start()) + 1
            span = Span(match.start(), match.end())
            group = Group(tuple(JitCall(name, span) for name in callees))
            findings.append(Finding("JIT201", f"crosses the call on line {line}", span, group=group))
        entries = json.loads(render("gitlab", Result(Source(text, path), tuple(findings))))
        return [entry["fingerprint"] for entry in entries]

    first = fingerprints("call\ncall\n", "a.mlir", ("f", "g"))
    assert len(set(first)) == 2
    assert fingerprints("\n\n\ncall\n\ncall\n", "./a.mlir", ("f", "g")) == first
    assert not set(fingerprints("call\ncall\n", "b.mlir", ("f", "g"))) & set(first)
    assert not set(fingerprints("call\ncall\n", "a.mlir", ("f", "h"))) & set(first)


def test_junit_is_well_formed_and_counts(results: dict[str, Result], render: Render) -> None:
    clean = Result(Source("", "clean.mlir"), ())
    root = ElementTree.fromstring(render("junit", *results.values(), clean))
    suites = {suite.get("name"): suite for suite in root}
    assert root.tag == "testsuites"
    assert len(suites) == 8  # the fusable module and the fixed one have the same name
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "")) == len(cases) > 0
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("errors", "")) == len(suite.findall("testcase/error"))
    assert suites["gone.mlir"].get("errors") == "1"
    assert suites["clean.mlir"].get("failures") == suites["cycle_through_pure.mlir"].get("failures") == "0"


_JENKINS = {
    "testsuites": ({"name"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "time", "skipped", "file"}, {"testcase"}),
    "testcase": ({"name", "time", "classname"}, {"error", "failure", "system-out"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}
"""What of `junit-10.xsd` of Jenkins' xUnit plugin is used: the attributes and the elements that an element may have."""


def test_junit_keeps_to_the_schema_of_jenkins(results: dict[str, Result], render: Render) -> None:
    root = ElementTree.fromstring(render("junit", *results.values(), Result(Source("", "clean.mlir"), ())).encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, inside = _JENKINS[element.tag]
        assert set(element.attrib) <= attributes
        assert {child.tag for child in element} <= inside
        if element.tag == "testsuite":
            assert {"name", "tests", "failures", "errors"} <= set(element.attrib)


def test_junit_has_no_character_that_xml_forbids(render: Render) -> None:
    message = "".join(map(chr, range(0x20))) + "<&>\"' \ufffe \ud800 ]]> 日本"
    printed = render("junit", Result(Source("a", 'p"<\x00.mlir'), (Finding("JIT402", message, Span(0, 1)),)))
    root = ElementTree.fromstring(printed.encode("utf-8"))
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.text is not None
    assert failure.text.endswith("<&>\"' \\ufffe \\ud800 ]]> 日本")


def test_markdown_table(results: dict[str, Result], render: Render) -> None:
    printed = render("markdown", results["fusable"], results["cycle"])
    assert printed == (
        "## jitlint\n\n"
        "Found 1 problem (1 warning) and 1 info in 2 files.\n\n"
        "\\[\\*\\] 1 finding can be fixed: run `jitlint --fix`.\n\n"
        "| | Rule | Place | What |\n| --- | --- | --- | --- |\n"
        "| ⚠️ warning | `JIT001` fusable-group | `irecv_wait.mlir:27` | these 2 calls can be one call<br>"
        "`@enzymexla_wrapper_MPI_Irecv_MPI_INT` → `@enzymexla_wrapper_MPI_Wait`<br>"
        "run `jitlint --fix irecv_wait.mlir` |\n"
        "| ℹ️ info | `JIT102` dependency-cycle | `cycle_through_pure.mlir:18` | "
        "one call would need its own result: a value leaves the group and comes back<br>"
        "`@double` → `@accumulate`<br>"
        "Cycle: result \\#0 of \\@double → stablehlo.negate → operand 0 of \\@accumulate<br>"
        "these calls can be one if stablehlo.negate takes another value |\n"
    )


def test_markdown_cells_cannot_break_the_table(render: Render) -> None:
    finding = Finding("JIT402", "a|b\n<script> `x|y` *z*", Span(0, 1))
    row = render("markdown", Result(Source("a", "p|`q`.mlir"), (finding,))).splitlines()[-1]
    assert row.endswith("| `` p\\|`q`.mlir:1 `` | a\\|b\\\\n\\<script\\> `x\\|y` \\*z\\* |")


def test_markdown_stays_below_the_limit_of_a_job_summary(render: Render) -> None:
    findings = tuple(Finding("JIT402", f"message {n} " + "x" * 400, Span(n, n + 1)) for n in range(6000))
    printed = render("markdown", Result(Source("a" * 6001, "f.mlir"), findings))
    assert len(printed.encode()) < 1 << 20
    rows = printed.count("\n| ❌")
    assert printed.endswith(f"\n… and {6000 - rows:,} more findings.\n")


def test_notes_without_a_place(render: Render) -> None:
    finding = Finding("JIT402", "m", Span(0, 1), notes=(Note("an assumption"),))
    result = Result(Source("a", "f.mlir"), (finding,))
    assert json.loads(render("json", result))["diagnostics"][0]["notes"][0]["range"] is None
    assert sarif(render("sarif", result))["results"][0]["relatedLocations"][0]["message"]["text"] == "an assumption"
    assert "  = note: an assumption\n" in render("full", result)
