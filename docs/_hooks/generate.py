"""MkDocs hook: what the code says of itself goes into the pages.

The rules' pages come from their docstrings, the table of keys from `jitlint.config`, the options from the parsers.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from jitlint.cli.arguments import PARSERS
from jitlint.config import KEYS
from jitlint.rules import RULES
from jitlint.rules.markdown import index, page

if TYPE_CHECKING:
    from mkdocs.structure.files import Files

_KEYS = "<!-- keys -->"
_HELP = re.compile(r"<!-- help (\w+) -->")


def rule_pages() -> dict[str, str]:
    """The generated pages by their paths below `docs/`."""
    return {"rules/index.md": index()} | {f"rules/{code}.md": page(rule) for code, rule in RULES.items()}


def key_table() -> str:
    """Every key of the configuration as a table."""
    lines = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for key in KEYS.values():
        default = "none" if key.default is None else f"`{json.dumps(key.default)}`"
        lines.append(f"| `{key.name}` | {key.kind} | {default} | {key.doc} |")
    return "\n".join(lines) + "\n"


def on_config(config: Any) -> None:
    """List the rules in the navigation."""
    rules = next(entry["Rules"] for entry in config.nav if "Rules" in entry)
    rules += [{f"{code} {rule.name}": f"rules/{code}.md"} for code, rule in RULES.items()]


def on_files(files: Files, config: Any) -> Files:
    """Add the rules' pages to the site."""
    from mkdocs.structure.files import File

    for path, text in rule_pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the table of keys and the commands' help where a page asks for them."""
    filled = markdown.replace(_KEYS, key_table()) if _KEYS in markdown else markdown
    return _HELP.sub(lambda match: f"```text\n{PARSERS[match[1]]().format_help()}```", filled)
