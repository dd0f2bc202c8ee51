"""What `jitlint --help` prints, on one screen."""

from __future__ import annotations

SUMMARIES = {
    "check": "report JIT calls that can be one call, and fix them (the default)",
    "explain": "tell what a rule is about, or list all rules",
    "prove": "show that two modules compute the same, or where they differ",
    "graph": "draw the JIT calls of a file and what stands between them",
    "config": "print what is in force for a path, and where it comes from",
    "server": "run the language server (needs the `lsp` extra)",
    "completions": "print a script that completes jitlint in a shell",
}
"""The commands, each in a line."""

MEANT = {
    "help": "jitlint --help",
    "version": "jitlint --version",
    "rules": "jitlint explain",
    "fix": "jitlint --fix",
    "diff": "jitlint --diff",
    "lint": "jitlint check",
    "add-ignores": "jitlint --add-ignores",
    "statistics": "jitlint --statistics",
    "lsp": "jitlint server",
    "equal": "jitlint prove",
    "compare": "jitlint prove",
}
"""What else may be tried for a command, and what does it."""

OVERVIEW = f"""\
usage: jitlint [check] [PATH ...] [--fix] [--diff] [OPTION ...]
       jitlint COMMAND [OPTION ...]

A linter and auto-fixer for MLIR: finds `enzymexla.jit_call` operations that can
be one call, explains why others cannot, and fuses them in place.

commands:
{chr(10).join(f"  {name:<12} {summary}" for name, summary in SUMMARIES.items())}

often used:
  jitlint                        check the .mlir files below this folder
  jitlint --fix FILE             fuse what can be fused, in place
  jitlint --diff FILE            show what that would change
  jitlint explain JIT403         tell more about a finding

`jitlint check --help` lists all options; `jitlint COMMAND --help` those of
another command. `jitlint --version --verbose` says what a bug report needs.
"""
