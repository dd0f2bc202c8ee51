"""MkDocs hook: put the pages into the navigation that commands write, so that no list of them is kept by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

MEASURED = ("correctness.md", "performance.md")
"""What `python -m benchmarks.differential --write` and `python -m benchmarks --write` make."""


def written(docs: Path) -> dict[str, list[str]]:
    """The pages that there are, by the section of the navigation that they belong to."""
    rules = sorted(f"rules/{file.name}" for file in (docs / "rules").glob("JIT*.md"))
    return {"Rules": rules, "Measured": [name for name in MEASURED if (docs / name).exists()]}


def on_config(config: Any) -> None:
    """Complete the sections; one that stays empty goes."""
    for section, pages in written(Path(config.docs_dir)).items():
        entry = next(entry for entry in config.nav if section in entry)
        entry[section] += pages
        if not entry[section]:
            config.nav.remove(entry)
