"""The page `docs/correctness.md`: each of its parts is written by a command, which leaves the others as they are."""

from __future__ import annotations

from benchmarks.measure import ROOT

PAGE = ROOT / "docs" / "correctness.md"


def with_part(page: str, name: str, text: str) -> str:
    """The page with `text` as the part of this name: in place of the one that it has, or else at its end."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, found, rest = page.partition(begin)
    if not found and before:
        before = before.rstrip("\n") + "\n\n"
    return f"{before}{begin}{text.strip()}\n{end}{rest.partition(end)[2]}"


def write_part(name: str, text: str) -> None:
    """Write one part of the page."""
    PAGE.write_text(with_part(PAGE.read_text(encoding="utf-8"), name, text), encoding="utf-8")
