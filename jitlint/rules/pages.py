"""The rules as Markdown: the table of the README and of the documentation site, and the site's page for each rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jitlint.rules import RULES
from jitlint.rules.base import Rule

_PAGE_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\s]*\.md\)")


def table(*, link: bool = False) -> str:
    """All rules as a table; with `link`, each code links to the page beside it."""
    lines = ["| code | name | severity | fixed by | says |", "|---|---|---|---|---|"]
    for rule in RULES.values():
        code = f"[{rule.code}]({rule.code}.md)" if link else rule.code
        fix = f"`{rule.fixable}`" if rule.fixable else ""
        lines.append(f"| {code} | {rule.name} | {rule.severity.value} | {fix} | {rule.summary} |")
    return "\n".join(lines) + "\n"


def unlinked(text: str) -> str:
    """A text without its links to other pages, which lead nowhere outside the documentation."""
    return _PAGE_LINK.sub(r"\1", text)


def page(rule: type[Rule], reports: Sequence[str] = ()) -> str:
    """The whole page of a rule, with its examples; below each that is reported, what is reported of it."""
    facts = [f"Severity: **{rule.severity.value}**."]
    if rule.fixable:
        facts.append(f"Fixed by `jitlint {rule.fixable}`.")
    parts = [f"# {rule.code} {rule.name}", " ".join(facts), rule.page()]
    for title, examples, after in (("Reported", rule.INVALID, reports), ("Not reported", rule.VALID, ())):
        if examples:
            shown = [f"```mlir\n{example}```" for example in examples]
            for number, report in enumerate(after):
                shown[number] += f"\n\n`jitlint check example.mlir` says:\n\n```text\n{report}```"
            parts.append("\n\n".join([f"## {title}", *shown]))
    return "\n\n".join(parts) + "\n"


def index() -> str:
    """The page that lists all rules."""
    return (
        "# Rules\n\n"
        "Codes are stable. `jitlint check` exits with 1 on warnings and errors; infos say why calls stay apart. "
        "`jitlint explain CODE` shows a page in the terminal.\n\n" + table(link=True)
    )
