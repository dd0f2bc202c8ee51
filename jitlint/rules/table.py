"""Keep the table of rules in a Markdown file in step: `python -m jitlint.rules.table README.md`.

The table stands between the markers `<!-- rules:start -->` and `<!-- rules:end -->`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from jitlint.rules.markdown import table

START, END = "<!-- rules:start -->", "<!-- rules:end -->"


def renewed(text: str) -> str:
    """`text` with the table between the markers written afresh; ValueError where a marker is missing."""
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"there is no {START} … {END}")
    return f"{before}{START}\n{table()}{END}{after}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
    if not sys.argv[1:]:
        print(table(), end="")
