"""The commands beside `check`: `explain`, `prove`, `graph`, `config`, `server`, `completions`."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from jitlint.errors import UsageError

if TYPE_CHECKING:
    from jitlint.config.settings import Layer


def explain(args: Namespace) -> int:
    """Print the page of a rule, or the table of all rules."""
    from jitlint.cli.explain import render
    from jitlint.cli.output import standard_output

    output = standard_output()
    look = output.look(args.color)
    render(args.code, output.write, look.color, min(look.width, 100))
    output.flush()
    return 0


def graph(args: Namespace) -> int:
    """Draw the JIT calls of a file."""
    from jitlint.cli.graph import run

    status: int = run(args)
    return status


def prove(args: Namespace) -> int:
    """Prove that two modules compute the same."""
    from jitlint.cli.parser import load_parser

    load_parser()
    from jitlint.cli.prove import run

    status: int = run(args)
    return status


def server(args: Namespace) -> int:
    """Run the language server until its client says goodbye."""
    try:
        from jitlint.server import main
    except ModuleNotFoundError as error:
        raise UsageError(_extra("the language server", error.name, "lsp")) from error
    if sys.stdin is None:
        raise UsageError("standard input is closed: an editor speaks there")
    if sys.stdin.isatty():
        print(
            "jitlint: this waits for an editor that speaks the language server protocol on its standard input; "
            "docs/editors.md tells how editors start it",
            file=sys.stderr,
        )
    main()
    return 0


def completions(args: Namespace) -> int:
    """Print a script that completes jitlint's command line in a shell."""
    from jitlint.cli.completion import script

    sys.stdout.write(script(args.shell))
    return 0


def _extra(what: str, module: str | None, extra: str) -> str:
    return f"{what} needs {module}, which is not installed: install jitlint with the `{extra}` extra"


def config(args: Namespace) -> int:
    """Print what is in force for a path, each value with where it comes from."""
    from jitlint.cli.inputs import configs_of
    from jitlint.config.selection import known_rules
    from jitlint.config.settings import file_layer, in_force, settle

    path = os.path.abspath(args.path)
    configs = configs_of(args)
    file = configs.file_of(path if os.path.isdir(path) else os.path.dirname(path))
    layer = file_layer(file) if file is not None else None
    for name, (value, origin) in in_force(layer, configs.overrides).items():
        line = f"{name} = {_toml(value)}" if value is not None else f"# {name} is not set"
        print(f"{line:<40}  # {_origin(origin)}")
    settings = settle(layer, configs.overrides).for_file(path)
    left_out = [code for code in known_rules() if not settings.selects(code)]
    print(f"\n# rules not reported for {args.path}: {', '.join(left_out) or 'none'}")
    return 0


def _origin(layer: Layer | None) -> str:
    return "default" if layer is None else layer.origin


def _toml(value: object) -> str:
    """A value as TOML has it, on one line."""
    if isinstance(value, dict):
        inside = ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
