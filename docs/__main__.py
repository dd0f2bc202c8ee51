"""Write what the code says of itself into the pages: `python -m docs`, from the top of the repository.

With `--pictures`, take the pictures of the HTML page as well, with Chromium.

The rules' pages come from their docstrings, the table of keys from `jitlint.config.keys`, the options from the
parsers. They are kept in the repository, so that its readers need no site; `tests/test_docs.py` holds them to the code.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from jitlint import api
from jitlint.cli.arguments import PARSERS
from jitlint.cli.work import Task
from jitlint.cli.work import work as work_on_file
from jitlint.config.settings import KEYS
from jitlint.report import open_report
from jitlint.rules import RULES, Rule
from jitlint.rules.pages import index, page, table

ROOT = Path(__file__).parents[1]


def between(text: str, name: str, content: str) -> str:
    """`text` with `content` between its markers of that name; ValueError where a marker is missing."""
    first, last = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
    before, start, rest = text.partition(first)
    _, end, after = rest.partition(last)
    if not start or not end:
        raise ValueError(f"there is no {first} … {last}")
    return f"{before}{first}\n{content}{last}{after}"


def key_table() -> str:
    """Every key of the configuration as a table."""
    lines = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for key in KEYS.values():
        default = "none" if key.default is None else f"`{json.dumps(key.default)}`"
        lines.append(f"| `{key.name}` | {key.kind} | {default} | {key.doc} |")
    return "\n" + "\n".join(lines) + "\n\n"


def commands() -> str:
    """The help of every command."""
    parts = [f"## {name}\n\n```text\n{parser().format_help()}```\n" for name, parser in PARSERS.items()]
    return "\n" + "\n".join(parts) + "\n"


def report(rule: type[Rule], example: str) -> str:
    """What `jitlint check` prints by a rule about an example of it, 80 columns wide."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.mlir"
        path.write_bytes(example.encode(rule.encoding))
        outcome = work_on_file(Task(str(path)))
    findings = tuple(finding for finding in outcome.result.findings if finding.code == rule.code)
    assert findings, f"an example of {rule.code} is not reported"
    pieces: list[str] = []
    open_report("full", pieces.append).file(path.name, outcome.result._replace(findings=findings))
    return "".join(pieces).rstrip("\n") + "\n"


def rule_page(rule: type[Rule]) -> str:
    """The page of a rule, with what is reported of its examples."""
    return page(rule, [report(rule, example) for example in rule.INVALID])


def pictures(example: str) -> list[str]:
    """The pictures of an example before and after a fix, in Mermaid."""
    drawn = []
    text = (ROOT / "docs" / "examples" / example).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for each in (text, api.fix(text).source.text):
            file = Path(folder) / example
            file.write_text(each, encoding="utf-8")
            command = [sys.executable, "-m", "jitlint", "graph", str(file)]
            picture = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
            drawn.append(f"\n```mermaid\n{picture}```\n\n")
    return drawn


def pages() -> dict[str, str]:
    """The pages that are made, wholly or between markers, by their paths below the top of the repository."""
    rules = {"docs/rules/index.md": index()} | {
        f"docs/rules/{code}.md": rule_page(rule) for code, rule in RULES.items()
    }
    before, after = pictures("halo.mlir")
    parts = (
        ("README.md", "rules", table()),
        ("docs/configuration.md", "keys", key_table()),
        ("docs/commands.md", "commands", commands()),
        ("docs/exchange.md", "before", before),
        ("docs/exchange.md", "after", after),
    )
    made: dict[str, str] = {}
    for path, name, content in parts:
        made[path] = between(made.get(path) or (ROOT / path).read_text(encoding="utf-8"), name, content)
    return rules | made


def main() -> None:
    """Write the pages that changed, and take away those of rules that are no more."""
    new = pages()
    for path, text in new.items():
        file = ROOT / path
        file.parent.mkdir(exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"wrote {path}")
    for file in (ROOT / "docs" / "rules").glob("*.md"):
        if f"docs/rules/{file.name}" not in new:
            file.unlink()
            print(f"removed docs/rules/{file.name}")


def take_pictures() -> None:
    """Photograph the page of an example, on light and on dark paper."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        graph = ["graph", "docs/examples/parts.mlir", "--html", "--output", str(page)]
        subprocess.run([sys.executable, "-m", "jitlint", *graph], cwd=ROOT, check=True)
        chromium = ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", f"--user-data-dir={folder}/profile"]
        for name, scheme in (("light", 1), ("dark", 0)):
            look = [f"--blink-settings=preferredColorScheme={scheme}", "--window-size=1120,1560"]
            target = ROOT / "docs" / "images" / f"page-{name}.png"
            subprocess.run([*chromium, *look, f"--screenshot={target}", page.as_uri()], check=True, capture_output=True)


if __name__ == "__main__":
    main()
    if "--pictures" in sys.argv[1:]:
        take_pictures()
