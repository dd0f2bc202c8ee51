"""What jitlint found, told in one of several formats. Only the module of the format that is asked for is imported."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from jitlint.report.advice import Options
from jitlint.report.protocol import Fixes, Pictures, Report, Settings, Write
from jitlint.report.run_summary import Summary, Tally

__all__ = ["FORMATS", "Fixes", "Pictures", "Report", "Settings", "Summary", "Tally", "Write", "open_report"]

_MODULES = {
    "full": "full",
    "concise": "concise",
    "json": "json_",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "markdown": "markdown",
}

FORMATS = tuple(_MODULES)
"""The names that `--output-format` takes."""


def open_report(
    format: str,  # noqa: A002 - the option's own name
    write: Write,
    *,
    color: bool = False,
    width: int = 80,
    unicode: bool = True,
    show_fixed: bool = True,
    show_summary: bool = True,
    dry_run: bool = False,
    fixes: Fixes | None = None,
    pictures: Pictures | None = None,
    options: Options = (),
    paths: tuple[str, ...] = (),
) -> Report:
    """The report named `format`, which prints through `write`; the keywords are those of `Settings`.

    Raises KeyError for a name that is not in `FORMATS`.
    """
    settings = Settings(
        color, max(width, 40), unicode, show_fixed, show_summary, dry_run, fixes, pictures, options, paths
    )
    module = import_module(f"jitlint.report.{_MODULES[format]}")
    return cast(Report, module.open_report(write, settings))
