"""One parser with all commands, from which the completions of a shell are made. Nothing is parsed with it."""

from __future__ import annotations

import argparse

from jitlint.cli.arguments import PARSERS
from jitlint.cli.overview import SUMMARIES


def whole_parser() -> argparse.ArgumentParser:
    """A parser whose commands are those of jitlint, with the options of `check` also where no command stands."""
    check = PARSERS["check"]()
    parser = argparse.ArgumentParser(prog="jitlint", parents=[check], add_help=False, conflict_handler="resolve")
    parser.add_argument("-V", "--version", action="store_true", help="print versions")
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, build in PARSERS.items():
        commands.add_parser(name, parents=[build()], add_help=False, help=SUMMARIES[name])
    return parser
