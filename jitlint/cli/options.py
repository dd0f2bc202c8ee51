"""What `jitlint check` is asked to do, with the defaults: the parser fills one in, and paths alone need no parser."""

from __future__ import annotations


class CheckOptions:
    """The options of `jitlint check` by their names. None where the configuration has a say and nothing was given."""

    fix: bool = False
    diff: bool = False
    add_ignores: bool = False
    write_baseline: bool = False
    exit_zero: bool = False
    exit_non_zero_on_fix: bool = False

    select: list[str] | None = None
    extend_select: list[str] | None = None
    ignore: list[str] | None = None
    exclude: list[str] | None = None
    force_exclude: bool | None = None
    baseline: str | None = None
    config: str | None = None
    stdin_filename: str | None = None

    form: str | None = None
    group: str | None = None
    copies: bool | None = None
    prune_wrappers: bool | None = None

    output_format: list[tuple[str, str | None]] | None = None
    """Formats, each with the file it goes to, None for standard output."""
    output_file: str | None = None
    statistics: bool = False
    jobs: int | None = None
    quiet: int = 0
    no_progress: bool = False
    color: str = "auto"

    def __init__(self, paths: list[str] | None = None) -> None:
        self.paths = paths or []
