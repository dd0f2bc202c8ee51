"""`jitlint check`. A run that finds no file with a JIT call ends here, before anything else is imported."""

from __future__ import annotations

import gc
import os

from jitlint.cli.inputs import configs_of, found_by
from jitlint.errors import FileError, UsageError
from jitlint.files.search import Found, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jitlint.cli.check_options import CheckOptions
    from jitlint.config.discovery import Configs


def check(args: CheckOptions) -> int:
    """Run the command; gives the exit status."""
    _consistent(args)
    if args.watch:
        from jitlint.cli.watch import watch

        return watch(args)
    configs = configs_of(args)
    if args.paths == ["-"] or (args.stdin_filename is not None and not args.paths):
        from jitlint.cli.stdin import check_stdin

        return check_stdin(args, configs)
    if args.config is not None:
        configs.of(os.getcwd())  # says what is wrong with it even where there is no file to check
    if args.show_files:
        return _show_files(args, configs)
    found = found_by(args, configs)
    if _is_plain(args) and not any(each.has_call or each.problem for each in found):
        if not args.quiet:
            print(all_clear(found))
        return 0
    gc.disable()  # `work` says why; from here on it also spares the imports 2 ms
    from jitlint.cli.parser import load_parser
    from jitlint.cli.session import Session

    load_parser()
    return Session(args, configs).run(found)


def _show_files(args: CheckOptions, configs: Configs) -> int:
    """`--show-files`: print what would be checked. Nothing is opened."""
    found = find(args.paths or ["."], configs, look=Found)
    from jitlint.cli.output import standard_output

    output = standard_output()
    for each in found:
        if each.problem is None:
            output.write(f"{each.path}\n")
    output.flush()
    problems = [f"{each.path}: {each.problem}" for each in found if each.problem is not None]
    if problems:
        raise FileError("; ".join(problems))
    return 0


_EXCLUSIVE = (
    ("add_ignores", ("fix", "diff"), "it writes comments into the files"),
    ("write_baseline", ("fix", "diff", "add_ignores"), "it changes no file that it checks"),
    ("watch", ("add_ignores", "write_baseline", "show_files"), "it checks until it is interrupted"),
    ("show_files", ("fix", "diff", "add_ignores", "write_baseline"), "it checks nothing"),
    ("verbose", ("quiet",), "one says more, the other less"),
)
"""Options that cannot be used together, and why."""


def _consistent(args: CheckOptions) -> None:
    """Raises UsageError for what cannot be asked for at once."""
    for name, others, why in _EXCLUSIVE:
        clash = [f"`{_spelt(other)}`" for other in others if getattr(args, name) and getattr(args, other)]
        if clash:
            raise UsageError(f"`{_spelt(name)}` cannot be used with {' or '.join(clash)}: {why}")
    if "-" in args.paths and args.paths != ["-"]:
        raise UsageError("`-`, which is standard input, cannot be used with other paths")
    if args.stdin_filename is not None and args.paths not in ([], ["-"]):
        raise UsageError("`--stdin-filename` names standard input: it cannot be used with paths other than `-`")
    if "-" in args.paths or args.stdin_filename is not None:
        for name in ("watch", "show_files"):
            if getattr(args, name):
                raise UsageError(f"`{_spelt(name)}` cannot be used with standard input")


def _spelt(name: str) -> str:
    return f"--{name.replace('_', '-')}"


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
