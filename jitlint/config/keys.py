"""Every key of the configuration in one table: its name, what it takes, its default, its documentation.

`jitlint config` and the documentation are made from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, get_args

from jitlint.config.selection import ALL, selector
from jitlint.files.patterns import require_matching
from jitlint.findings import Severity
from jitlint.nearest import did_you_mean
from jitlint.options import DEFAULT, Form, Grouping

OFF = "off"
"""As a severity: the rule is not reported."""


class BadValueError(ValueError):
    """A value that cannot be taken: why, and the word of the file that it is about."""

    def __init__(self, why: str, word: str | None = None) -> None:
        super().__init__(why)
        self.word = word


class Key(NamedTuple):
    """One key of the configuration: `kind` tells people what it takes, `read` gives the value that is kept.

    `read` raises BadValueError for a value that cannot be taken.
    """

    name: str
    kind: str
    default: object
    doc: str
    read: Callable[[object], object]


def _strings(value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise BadValueError("must be a list of strings")
    return list(value)


def _codes(value: object) -> list[str]:
    texts = _strings(value)
    for text in texts:
        _known(text)
    return texts


def _known(text: str) -> None:
    try:
        selector(text)
    except ValueError as error:
        raise BadValueError(str(error), text) from error


def _patterns(value: object) -> list[str]:
    texts = _strings(value)
    for text in texts:
        _pattern(text)
    return texts


def _pattern(text: str) -> None:
    try:
        require_matching(text)
    except ValueError as error:
        raise BadValueError(f"`{text}` is not a pattern: {error}", text) from error


def _per_file(value: object) -> dict[str, list[str]]:
    if not isinstance(value, dict):
        raise BadValueError('must be a table of patterns, such as {"tests/**" = ["JIT1"]}')
    for pattern in value:
        _pattern(pattern)
    return {pattern: _codes(codes) for pattern, codes in value.items()}


def _severities(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise BadValueError('must be a table of codes, such as {JIT701 = "info"}')
    words = [*(severity.value for severity in Severity), OFF]
    for code, word in value.items():
        _known(code)
        if word not in words:
            raise BadValueError(
                f"the severity of {code} must be one of {', '.join(words)}{_meant(word, words)}", str(word)
            )
    return dict(value)


def _operations(value: object) -> list[str]:
    texts = _strings(value)
    for text in texts:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z0-9_$]+)+", text):
            raise BadValueError(f"`{text}` is not the full name of an operation, such as `mydialect.op`", text)
    return texts


def _prefix(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$.]*", value):
        raise BadValueError("must be the beginning of a symbol's name: a letter or _, then letters, digits, _ $ .")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadValueError("must be true or false")
    return value


def _path(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise BadValueError("must be the path of a file")
    return value


def _one_of(*words: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in words:
            choices = " or ".join(f'"{word}"' for word in words)
            raise BadValueError(f"must be {choices}{_meant(value, words)}", str(value))
        return str(value)

    return read


def _meant(value: object, words: Sequence[str]) -> str:
    return did_you_mean(value, words) if isinstance(value, str) else ""


_CODES = "list of codes"
_PATTERNS = "list of patterns"

KEYS: dict[str, Key] = {
    key.name: key
    for key in (
        Key(
            "select",
            _CODES,
            [ALL],
            "The rules to report: `ALL`, codes, beginnings of codes (`JIT1`) or rule names. Where two keys name a "
            "rule, the longer word decides. Errors that keep jitlint from its work (JIT901, JIT903, JIT904, JIT999) "
            "stay.",
            _codes,
        ),
        Key("extend-select", _CODES, [], "Rules to report beside those of `select`.", _codes),
        Key("ignore", _CODES, [], "Rules not to report, and not to fix.", _codes),
        Key(
            "per-file-ignores",
            "table of patterns, each with a list of codes",
            {},
            "Rules not to report in the files that a pattern names. Patterns are those of `.gitignore`, relative to "
            "the folder of the configuration file.",
            _per_file,
        ),
        Key(
            "severity",
            "table of codes, each with `error`, `warning`, `info` or `off`",
            {},
            "Severities to use instead of the rules' own. Warnings and errors fail a check, infos do not.",
            _severities,
        ),
        Key(
            "exclude",
            _PATTERNS,
            [],
            "Files and folders to leave out when a folder is searched. Patterns are those of `.gitignore`, relative to "
            "the folder of the configuration file.",
            _patterns,
        ),
        Key(
            "force-exclude",
            "boolean",
            False,
            "Leave out what `exclude` names also where it is named on the command line, as hooks and editors do.",
            _flag,
        ),
        Key(
            "pure-ops",
            "list of operation names",
            [],
            "Operations that jitlint does not know and that have no side effects, by their full names "
            "(`mydialect.op`): calls may be joined across them.",
            _operations,
        ),
        Key(
            "form",
            '"sound" or "pass"',
            DEFAULT.form,
            'How `--fix` writes a fused call. `"pass"` is what the compiler pass first published; it can change what a '
            "program computes.",
            _one_of(*get_args(Form)),
        ),
        Key(
            "group",
            '"ssa" or "adjacent"',
            DEFAULT.group,
            'Which calls are tried together: those that values connect, or with `"adjacent"` also those that stand '
            "together.",
            _one_of(*get_args(Grouping)),
        ),
        Key(
            "copies",
            "boolean",
            DEFAULT.copies,
            "Keep a value that a fused call would overwrite by copying it inside the fused wrapper. Right for host "
            "memory only.",
            _flag,
        ),
        Key(
            "keep-overlap",
            "boolean",
            DEFAULT.keep_overlap,
            "Leave the start of an MPI exchange and its completion two calls where work that does not depend on the "
            "exchange stands between them.",
            _flag,
        ),
        Key(
            "prune-wrappers",
            "boolean",
            DEFAULT.prune_wrappers,
            "With `--fix`, remove wrappers that nothing in their module names any more.",
            _flag,
        ),
        Key("fused-prefix", "string", DEFAULT.fused_prefix, "What the name of a fused wrapper starts with.", _prefix),
        Key(
            "baseline",
            "path",
            None,
            "A file of known findings, made by `--write-baseline`, that are not reported. Relative to the folder "
            "of the configuration file.",
            _path,
        ),
    )
}
"""Every key, in the order in which people read about them."""
