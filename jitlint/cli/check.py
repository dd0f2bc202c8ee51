"""`jitlint check`. A run that finds no file with a JIT call ends here, before anything else is imported."""

from __future__ import annotations

import gc
import os

from jitlint.config.discovery import Configs
from jitlint.errors import UsageError
from jitlint.files.search import Found, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from jitlint.cli.options import CheckOptions
    from jitlint.config.settings import Layer


def check(args: CheckOptions) -> int:
    """Run the command; gives the exit status."""
    _consistent(args)
    configs = Configs(overrides(args), args.config)
    if args.paths == ["-"] or (args.stdin_filename is not None and not args.paths):
        from jitlint.cli.stdin import check_stdin

        return check_stdin(args, configs)
    if args.config is not None:
        configs.of(os.getcwd())  # says what is wrong with it even where there is no file to check
    found = find(args.paths or ["."], configs)
    if _is_plain(args) and not any(each.has_call or each.problem for each in found):
        if not args.quiet:
            print(all_clear(found))
        return 0
    gc.disable()  # `work` says why; from here on it also spares the imports 2 ms
    from jitlint.cli.parser import load_parser
    from jitlint.cli.session import Session

    load_parser()
    return Session(args, configs).run(found)


def _consistent(args: CheckOptions) -> None:
    if args.add_ignores and (args.fix or args.diff):
        raise UsageError("--add-ignores writes comments into the files; it cannot go with --fix or --diff")
    if args.write_baseline and (args.fix or args.diff or args.add_ignores):
        raise UsageError("--write-baseline only looks at the files; it cannot go with what changes them")
    if "-" in args.paths and args.paths != ["-"]:
        raise UsageError("- is standard input; it cannot go with other paths")
    if args.stdin_filename is not None and args.paths not in ([], ["-"]):
        raise UsageError("--stdin-filename names what comes from standard input; the path for that is -")


def _is_plain(args: CheckOptions) -> bool:
    """Whether the output of a run without findings is one sentence."""
    formats = args.output_format or [("full", None)]
    is_text = all(name in ("full", "concise") and file is None for name, file in formats)
    return is_text and len(formats) == 1 and not (args.output_file or args.write_baseline or args.diff)


def all_clear(found: Sequence[Found]) -> str:
    """What the reports say where there is nothing to report."""
    number = len(found)
    if not number:
        return "No files to check."
    return f"All clear: no problems in {number:,} file{'s' if number != 1 else ''}."


_LISTS = ("select", "extend_select", "ignore")
_VALUES = ("form", "group", "copies", "prune_wrappers", "force_exclude", "baseline", "exclude")


def overrides(args: CheckOptions | Namespace) -> Layer | None:
    """What the command line says over the configuration, None where it says nothing.

    Raises ConfigError where a value cannot be taken. Commands that lack an option do without it.
    """
    values: dict[str, object] = {}
    for name in _LISTS:
        given = getattr(args, name, None)
        if given is not None:
            values[name.replace("_", "-")] = [code for part in given for code in part.replace(",", " ").split()]
    for name in _VALUES:
        given = getattr(args, name, None)
        if given is not None:
            values[name.replace("_", "-")] = given
    if not values:
        return None
    from jitlint.config.settings import given_layer

    return given_layer(values)
