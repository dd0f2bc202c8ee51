"""What `jitlint check` is asked to do, with the defaults: the parser fills one in, and paths alone need no parser."""

from __future__ import annotations


class CheckOptions:
    """The options of `jitlint check` by their names. None where the configuration has a say and nothing was given."""

    fix: bool = False
    diff: bool = False
    add_ignores: bool = False
    write_baseline: bool = False
    show_files: bool = False
    watch: bool = False
    exit_zero: bool = False
    exit_non_zero_on_fix: bool = False

    select: list[str] | None = None
    extend_select: list[str] | None = None
    ignore: list[str] | None = None
    exclude: list[str] | None = None
    force_exclude: bool | None = None
    baseline: str | None = None
    config: list[str] | None = None
    isolated: bool = False
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
    verbose: bool = False
    quiet: int = 0
    no_progress: bool = False
    color: str = "auto"

    def __init__(self, paths: list[str] | None = None) -> None:
        self.paths = paths or []


_LISTS = ("config", "select", "extend_select", "ignore", "exclude")
_VALUES = ("baseline", "form", "group")
_FLAGS = ("force_exclude", "copies", "prune_wrappers")


def in_force(args: CheckOptions) -> tuple[tuple[str, ...], ...]:
    """The options that decide what a fix does, as they would be typed again."""
    typed: list[tuple[str, ...]] = []
    for name in _LISTS:
        typed += ((_typed(name), value) for value in getattr(args, name) or ())
    for name in _VALUES:
        value = getattr(args, name)
        if value is not None:
            typed.append((_typed(name), value))
    for name in _FLAGS:
        value = getattr(args, name)
        if value is not None:
            typed.append((_typed(name if value else f"no_{name}"),))
    if args.isolated:
        typed.append(("--isolated",))
    return tuple(typed)


def _typed(name: str) -> str:
    return f"--{name.replace('_', '-')}"
