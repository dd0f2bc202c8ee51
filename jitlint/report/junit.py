"""`junit`: JUnit XML, which most CI servers show as test results: a suite a file, a case a finding.

It keeps to the schema of Jenkins' xUnit plugin (`junit-10.xsd`), which gives a case no place but what its name says.
Errors and warnings are failures, what kept jitlint from its work is an error, and infos cases that passed.
"""

from __future__ import annotations

import html
import re

from jitlint.findings import Finding, Severity
from jitlint.report.advice import Options, advice
from jitlint.report.lookup import name_of, severity_of
from jitlint.report.printable import escape
from jitlint.report.protocol import Settings, Write, in_order
from jitlint.report.run_summary import Summary
from jitlint.report.together import with_more
from jitlint.result import Result
from jitlint.rules import RULES

# XML 1.0 has no way to write the other characters. `escape` takes out most of them; this is the rule itself.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class JunitReport:
    """Writes the document as the files come; the counts stand on each suite, since the total is not known before."""

    def __init__(self, write: Write, options: Options) -> None:
        self._write = write
        self._options = options
        self._write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="jitlint">\n')

    def file(self, path: str, result: Result) -> None:
        """Writes the suite of one file."""
        findings = in_order(result.findings)
        cases = [_case(self._options, path, result, finding) for finding in findings] or [_passed(path)]
        errors = sum(_kind(finding) == "error" for finding in findings)
        failures = sum(_kind(finding) == "failure" for finding in findings)
        counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="0"'
        self._write(f'  <testsuite name="{_attribute(path)}" file="{_attribute(path)}" {counts} time="0">\n')
        for case in cases:
            self._write(case)
        self._write("  </testsuite>\n")

    def close(self, summary: Summary) -> None:
        """Ends the document."""
        self._write("</testsuites>\n")


def _kind(finding: Finding) -> str:
    if severity_of(finding) is Severity.INFO:
        return "info"
    return "error" if RULES[finding.code].failure else "failure"


def _passed(path: str) -> str:
    return f'    <testcase name="no findings" classname="{_attribute(path)}" time="0"/>\n'


def _case(options: Options, path: str, result: Result, finding: Finding) -> str:
    place = ""
    if finding.span is not None:
        at = result.source.position(finding.span.start)
        place = f":{at.line}:{at.column}"
    name = _attribute(f"{finding.code} {name_of(finding.code)}{place}")
    file = _attribute(path)
    todo = advice(options, path, finding)
    head = f'    <testcase name="{name}" classname="{file}" time="0">\n'
    said = f"{path}{place}: {with_more(result.source, finding)}"
    return f"{head}      {_outcome(finding, said, todo)}\n    </testcase>\n"


def _outcome(finding: Finding, said: str, todo: str | None) -> str:
    steps = [note.message for note in (*finding.notes, *finding.path)]
    help_lines = [f"help: {todo}"] if todo else []
    body = "\n".join(_clean(line) for line in (said, *steps, *help_lines))
    kind = _kind(finding)
    if kind == "info":
        return f"<system-out>{body}</system-out>"
    return f'<{kind} type="{finding.code}" message="{_attribute(finding.message)}">{body}</{kind}>'


def _clean(text: str) -> str:
    return html.escape(_NOT_XML.sub("", escape(text)), quote=False)


def _attribute(text: str) -> str:
    return html.escape(_NOT_XML.sub("", escape(text)))


def open_report(write: Write, settings: Settings) -> JunitReport:
    """The report of this format."""
    return JunitReport(write, settings.options)
