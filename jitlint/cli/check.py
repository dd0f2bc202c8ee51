"""`jitlint check`. A run that finds no file with a JIT call ends here, before anything else is imported."""

from __future__ import annotations

import gc
import os

from jitlint.config.discovery import Configs
from jitlint.errors import FileError, UsageError
from jitlint.files.search import Found, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    from jitlint.cli.options import CheckOptions
    from jitlint.config.settings import Layer


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


def found_by(args: CheckOptions, configs: Configs) -> list[Found]:
    """The files of the run; with `--verbose`, standard error tells what becomes of each."""
    if not args.verbose:
        return find(args.paths or ["."], configs)
    from jitlint.cli import verbose

    found = find(args.paths or ["."], configs, left_out=verbose.left_out)
    verbose.tell(found, configs)
    return found


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


_LISTS = ("select", "extend_select", "ignore")
_VALUES = ("form", "group", "copies", "prune_wrappers", "force_exclude", "baseline", "exclude")


def configs_of(args: CheckOptions | Namespace) -> Configs:
    """The configuration that a command line asks for. Commands that lack an option do without it.

    Raises UsageError and ConfigError where it cannot be taken.
    """
    isolated: bool = getattr(args, "isolated", False)
    if not args.config:
        return Configs(_overrides(args, {}), isolated=isolated)
    from jitlint.config.given import file_and_values

    file, values = file_and_values(args.config)
    if file is not None and isolated:
        raise UsageError(f"`--isolated` cannot be used with `--config {file}`: it ignores all configuration files")
    return Configs(_overrides(args, values), file, isolated)


def _overrides(args: CheckOptions | Namespace, keys: Mapping[str, object]) -> Layer | None:
    """What the command line says over the configuration, None where it says nothing: its options win over `keys`."""
    values: dict[str, object] = {}
    for name in _LISTS:
        given = getattr(args, name, None)
        if given is not None:
            values[name.replace("_", "-")] = [code for part in given for code in part.replace(",", " ").split()]
    for name in _VALUES:
        given = getattr(args, name, None)
        if given is not None:
            values[name.replace("_", "-")] = given
    if not values and not keys:
        return None
    from jitlint.config.settings import given_layer

    layer = given_layer(keys, spelt=str, called="key {} of `--config`")
    return layer._replace(values={**layer.values, **given_layer(values).values})
