"""`jitlint explain`: a rule's page in the terminal, or all rules as a table."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from jitlint.findings import Severity
from jitlint.rules import RULES, Rule, find
from jitlint.rules.pages import unlinked

if TYPE_CHECKING:
    from rich.console import Console

Write = Callable[[str], object]

_LOOK = {"markdown.h2": "bold", "markdown.code": "cyan", "markdown.table.border": "", "markdown.table.header": "bold"}
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold cyan"}


def render(code: str | None, write: Write, color: bool = False, width: int = 80) -> None:
    """Write the page of the rule with that code or name, or the table of all rules.

    `width` is in terminal cells; examples are written as they are, whatever their width. Raises UsageError, with the
    nearest right name, where there is no such rule.
    """
    if code is None:
        _table(write, color, width)
        return
    _page(find(code), write, color, width)


def _page(rule: type[Rule], write: Write, color: bool, width: int) -> None:
    from rich.markdown import Markdown
    from rich.text import Text

    console = _console(color, width)
    severity = rule.severity
    console.print(Text.assemble((rule.code, "bold"), " ", rule.name, "  ", (severity.value, _STYLES[severity])))
    if rule.fixable:
        console.print(Text.assemble("Fixed by ", (f"jitlint {rule.fixable}", "bold"), "."))
    console.print()
    console.print(Markdown(unlinked(rule.page()), code_theme="ansi_dark", hyperlinks=False))
    for title, examples in (("Reported", rule.INVALID), ("Not reported", rule.VALID)):
        if examples:
            console.print()
            console.print(Text(title, "bold"))
        for example in examples:
            console.print()
            console.print(_indented(example), markup=False, highlight=False, soft_wrap=True, end="")
    write(_drain(console))


def _table(write: Write, color: bool, width: int) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("Code", "Name", "Severity", "Fix"):
        table.add_column(heading, no_wrap=True)
    table.add_column("Says", ratio=1)
    for rule in RULES.values():
        severity = Text(rule.severity.value, _STYLES[rule.severity])
        table.add_row(rule.code, rule.name, severity, "yes" if rule.fixable else "", Text(rule.summary))
    console = _console(color, width)
    console.print(table)
    console.print()
    console.print(Text("`jitlint explain CODE` tells about one of them."))
    write(_drain(console))


def _indented(example: str) -> str:
    return "".join(f"  {line}\n" if line else "\n" for line in example.splitlines())


def _console(color: bool, width: int) -> Console:
    """A console that writes into memory, so that what it wrote goes out in one piece."""
    from rich.console import Console
    from rich.theme import Theme

    return Console(
        file=io.StringIO(),
        theme=Theme(_LOOK),
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        legacy_windows=False,
        _environ={},
    )


def _drain(console: Console) -> str:
    """What the console wrote, without the blanks that rich pads lines with."""
    assert isinstance(console.file, io.StringIO)
    return "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().splitlines())
