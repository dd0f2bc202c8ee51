"""`--statistics`: how many findings there are of each rule, the most frequent first."""

from __future__ import annotations

import io

from jitlint.findings import Finding, Severity
from jitlint.report.lookup import name_of, severity_of
from jitlint.report.protocol import Settings, Write
from jitlint.report.run_summary import Summary
from jitlint.rules.base import RULES


def write_statistics(summary: Summary, write: Write, settings: Settings) -> None:
    """Writes a table with the counts, or nothing where nothing was found."""
    if not summary.codes:
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    for _ in range(4):
        table.add_column(no_wrap=True)
    styles = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold cyan"}
    for code, number in sorted(summary.codes.items(), key=lambda item: (-item[1], item[0])):
        severity = severity_of(Finding(code, "", None))
        rule = RULES.get(code)
        fixable = f"[*] {rule.fixable}" if rule is not None and rule.fixable else ""
        table.add_row(
            Text(f"{number:,}"), Text(code, styles[severity]), Text(name_of(code)), Text(severity.value), Text(fixable)
        )
    screen = io.StringIO()
    console = Console(
        file=screen,
        width=max(settings.width, 80),
        color_system="standard" if settings.color else None,
        force_terminal=settings.color,
        highlight=False,
    )
    console.print(table)
    for line in screen.getvalue().splitlines():
        write(line.rstrip() + "\n")
