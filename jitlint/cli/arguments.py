"""The command lines that jitlint takes. Only the parser of the command that is asked for is built."""

from __future__ import annotations

import argparse

from jitlint.cli.check_options import CheckOptions
from jitlint.cli.overview import SUMMARIES
from jitlint.nearest import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")


class Parser(argparse.ArgumentParser):
    """An argument parser that offers the nearest option for one that there is not, and exits with 2 in one line."""

    def __init__(self, command: str, description: str, usage: str | None = None, epilog: str | None = None) -> None:
        super().__init__(
            prog=f"jitlint {command}",
            usage=usage,
            description=description,
            epilog=epilog,
            formatter_class=_Help,
            allow_abbrev=False,
        )

    def read(self, args: Sequence[str], options: object) -> None:
        """Set what `args` say in `options`."""
        _, unknown = self.parse_known_args(args, options)
        if unknown:
            if not unknown[0].startswith("-"):
                self._one_too_many(unknown[0])
            word = unknown[0].partition("=")[0]
            self.error(f"unknown option `{word}`{did_you_mean(word, self._option_string_actions)}")

    def _one_too_many(self, word: str) -> NoReturn:
        takes = " and ".join(f"one {action.metavar}" for action in self._actions if not action.option_strings)
        self.error(f"unexpected argument `{word}`: `{self.prog}` takes {takes or 'no arguments'}")

    def error(self, message: str) -> NoReturn:
        """Prints what is wrong and where help is. Names of files in it do not act on the terminal."""
        from jitlint.report.printable import escape

        self.exit(2, f"jitlint: error: {escape(message)}\nsee `{self.prog} --help`\n")


class _Help(argparse.HelpFormatter):
    """Options and what they do in two columns, narrow enough for a screen of 80."""

    def __init__(self, prog: str) -> None:
        # With a width argparse need not import what finds out the terminal's; it is asked for each option.
        super().__init__(prog, max_help_position=26, width=78)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        # As Python 3.13 and later do: the documentation shows the help, and must not depend on the version.
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        return f"{', '.join(action.option_strings)} {self._format_args(action, action.dest.upper())}"


def check_parser() -> Parser:
    """The parser of `jitlint check`."""
    parser = Parser(
        "check",
        usage="jitlint [check] [PATH ...] [OPTION ...]",
        description="Report JIT calls that can be one call, say what keeps others apart, and fix them with --fix.",
        epilog="Exit status: 0 nothing above info, 1 findings, 2 jitlint could not do its job.",
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files, folders to search for *.mlir, or - for standard input [.]")
    _add_actions(parser.add_argument_group("what to do"))
    _add_selection(parser.add_argument_group("which rules and files"))
    _add_fusion(parser.add_argument_group("how to fuse"))
    _add_output(parser.add_argument_group("output"))
    return parser


def _add_actions(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--fix", action="store_true", help="fix what can be fixed, in place")
    add("--diff", action="store_true", help="print what --fix would change, write nothing")
    add("--add-ignores", action="store_true", help="suppress all findings by comments in the files")
    add("--write-baseline", action="store_true", help="write the findings to the baseline")
    add("--show-files", action="store_true", help="print the files that would be checked, check nothing")
    add("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")
    add("--exit-zero", action="store_true", help="exit with 0 also when there are findings")
    add("--exit-non-zero-on-fix", action="store_true", help="exit with 1 when something was fixed")


def _add_selection(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--select", action="append", metavar="CODES", help="report these rules only: JIT102, JIT1, names, ALL")
    add("--extend-select", action="append", metavar="CODES", help="report these rules too")
    add("--ignore", action="append", metavar="CODES", help="do not report these rules")
    add("--exclude", action="append", metavar="PATTERN", help="leave these files and folders out")
    add("--force-exclude", action=argparse.BooleanOptionalAction, help="also where named as a PATH")
    add("--baseline", metavar="FILE", help="do not report the findings in this file")
    _add_config(group)
    add("--stdin-filename", metavar="NAME", help="the name of what comes from standard input")


def _add_config(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--config",
        action="append",
        metavar="FILE|KEY=VALUE",
        help="use this configuration file, or set a key of the configuration; may be repeated",
    )
    group.add_argument("--isolated", action="store_true", help="ignore all configuration files")


def _add_fusion(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add(
        "--form",
        metavar="FORM",
        help='how a fused call is written: "sound", or "pass" as the pass first published it, which can change results',
    )
    add("--group", metavar="HOW", help='which calls are tried: "ssa" or "adjacent"')
    add("--copies", action=argparse.BooleanOptionalAction, help="copy what would be overwritten (host memory only)")
    add("--prune-wrappers", action=argparse.BooleanOptionalAction, help="remove wrappers that nothing names")


def _add_output(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add(
        "--output-format",
        action="append",
        type=output_format,
        metavar="FORMAT[=FILE]",
        help=f"{', '.join(FORMATS)}; may be repeated",
    )
    add("--output-file", metavar="FILE", help="write the report to this file")
    add("--statistics", action="store_true", help="count the findings by rule instead of listing them")
    add("-j", "--jobs", type=_positive, metavar="N", help="how many processes to use [all cores]")
    add("-v", "--verbose", action="store_true", help="tell which files are checked, under what, and which not")
    add("-q", "--quiet", action="count", help="no summary; twice: print nothing")
    add("--no-progress", action="store_true", help="no progress bar on a terminal")
    add("--color", choices=("auto", "always", "never"), metavar="WHEN", help="auto, always or never")


def output_format(text: str) -> tuple[str, str | None]:
    """`FORMAT`, `FORMAT=FILE` or `FORMAT:FILE` as a pair."""
    cut = min((at for at in (text.find("="), text.find(":")) if at >= 0), default=len(text))
    name, file = text[:cut], text[cut + 1 :] or None
    if name not in FORMATS:
        raise argparse.ArgumentTypeError(f"unknown format `{name}`{did_you_mean(name, FORMATS)}")
    return name, file


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a positive integer, not `{text}`")
    return int(text)


def explain_parser() -> Parser:
    """The parser of `jitlint explain`."""
    parser = Parser("explain", description=f"{_sentence('explain')}.")
    parser.add_argument("code", nargs="?", metavar="CODE", help="a rule's code or name; without it, all rules")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", metavar="WHEN")
    return parser


def config_parser() -> Parser:
    """The parser of `jitlint config`."""
    parser = Parser("config", description=f"{_sentence('config')}.")
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="a file or folder [.]")
    _add_config(parser)
    return parser


def prove_parser() -> Parser:
    """The parser of `jitlint prove`."""
    parser = Parser(
        "prove",
        description=f"{_sentence('prove')}.",
        epilog="Exit status: 0 they compute the same, 1 that is not shown, 2 one of them cannot be read.",
    )
    add = parser.add_argument
    add("before", metavar="BEFORE", help="the module as it was, or - for standard input")
    add("after", metavar="AFTER", help="the module that is to compute the same")
    add(
        "--output-format",
        action="append",
        type=output_format,
        metavar="FORMAT[=FILE]",
        help=f"{', '.join(FORMATS)}; may be repeated",
    )
    add("--output-file", metavar="FILE", help="write the report to this file")
    _add_config(parser)
    add("-q", "--quiet", action="count", default=0, help="no summary; twice: print nothing")
    add("--color", choices=("auto", "always", "never"), default="auto", metavar="WHEN", help="auto, always or never")
    return parser


def graph_parser() -> Parser:
    """The parser of `jitlint graph`."""
    parser = Parser("graph", description=f"{_sentence('graph')}.")
    add = parser.add_argument
    add("file", metavar="FILE", help="the file to draw, or - for standard input")
    add("--format", choices=("mermaid", "dot", "svg"), default="mermaid", help="mermaid, dot, or svg (needs Graphviz)")
    add("--output", "-o", metavar="FILE", help="write to this file")
    add("--html", action="store_true", help="one page with the source, the findings and the graph before and after")
    add("--list", action="store_true", help="list the blocks with JIT calls, draw nothing")
    add("--block", type=_positive, metavar="N", help="draw this block of those that --list shows")
    add("--line", type=_positive, metavar="N", help="draw what belongs to this line")
    add("--limit", type=_positive, default=60, metavar="N", help="draw at most so many calls [60]")
    _add_config(parser)
    _add_fusion(parser.add_argument_group("how to fuse"))
    return parser


def server_parser() -> Parser:
    """The parser of `jitlint server`, which speaks the language server protocol over standard input and output."""
    return Parser("server", description=f"{_sentence('server')}.")


def completions_parser() -> Parser:
    """The parser of `jitlint completions`."""
    parser = Parser("completions", description=f"{_sentence('completions')}.")
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")
    return parser


def _sentence(command: str) -> str:
    summary = SUMMARIES[command]
    return summary[0].upper() + summary[1:]


PARSERS: dict[str, Callable[[], Parser]] = {
    "check": check_parser,
    "explain": explain_parser,
    "prove": prove_parser,
    "graph": graph_parser,
    "config": config_parser,
    "server": server_parser,
    "completions": completions_parser,
}


def read_check(argv: Sequence[str]) -> CheckOptions:
    """The options of `jitlint check`. Exits with 2 where they cannot be taken, with 0 after help."""
    options = CheckOptions()
    check_parser().read(argv, options)
    return options


def read(command: str, argv: Sequence[str]) -> argparse.Namespace:
    """The options of another command. Exits as `read_check` does."""
    options = argparse.Namespace()
    PARSERS[command]().read(argv, options)
    return options
