"""What can be configured, and what is in force: one table of keys, layers of values, and the settings they give.

Values come from three places, each over the one before: the defaults, one file, the command line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, get_args

from jitlint.configfile import SHARED, read_table
from jitlint.errors import ConfigError
from jitlint.findings import Severity
from jitlint.nearest import did_you_mean
from jitlint.options import DEFAULT, Form, Grouping, Options
from jitlint.selection import ALL, choose, known_rules, selector

OFF = "off"
"""As a severity: the rule is not reported."""


class _Wrong(ValueError):
    """A value that cannot be taken: why, and the word of the file that it is about."""

    def __init__(self, why: str, word: str | None = None) -> None:
        super().__init__(why)
        self.word = word


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the configuration. `read` gives the value that is kept, or raises `_Wrong`; `kind` is for people."""

    name: str
    kind: str
    default: object
    doc: str
    read: Callable[[object], object]


@dataclass(frozen=True, slots=True)
class Layer:
    """The values that one place gives. Patterns in it are relative to `root`, an absolute path."""

    origin: str
    root: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """What is in force for a folder. `selected` is None where every rule is.

    The patterns of `per_file_ignores` and `exclude` are relative to `root` and `exclude_root`, absolute paths.
    """

    options: Options = DEFAULT
    selected: frozenset[str] | None = None
    per_file_ignores: tuple[tuple[str, frozenset[str]], ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    baseline: str | None = None
    root: str = "/"
    exclude_root: str = "/"

    def selects(self, code: str) -> bool:
        """Whether findings of this rule are reported."""
        return self.selected is None or code in self.selected

    def for_file(self, path: str) -> Settings:
        """These settings with the per-file ignores that name the file taken into account."""
        if not self.per_file_ignores:
            return self
        inside = relative(path, self.root)
        ignored: set[str] = set()
        for pattern, codes in self.per_file_ignores:
            if matcher((pattern,)).match_file(inside):
                ignored |= codes
        selected = frozenset(known_rules()) if self.selected is None else self.selected
        return replace(self, selected=selected - ignored, per_file_ignores=())


def relative(path: str, root: str) -> str:
    """`path` as patterns see it: relative to `root` where it is below it."""
    path = os.path.abspath(path)
    inside = os.path.relpath(path, root)
    return path if inside.startswith("..") else inside


@lru_cache(maxsize=256)
def matcher(patterns: tuple[str, ...]) -> Any:
    """A `pathspec.GitIgnoreSpec`: the patterns are those of `.gitignore`. Raises ValueError for a pattern that is none."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


def _strings(value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise _Wrong("must be a list of strings")
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
        raise _Wrong(str(error), text) from error


def _patterns(value: object) -> list[str]:
    texts = _strings(value)
    for text in texts:
        _pattern(text)
    return texts


def _pattern(text: str) -> None:
    try:
        matcher((text,))
    except ValueError as error:
        raise _Wrong(f'"{text}" is no pattern: {error}', text) from error


def _per_file(value: object) -> dict[str, list[str]]:
    if not isinstance(value, dict):
        raise _Wrong('must be a table of patterns, such as {"tests/**" = ["JIT1"]}')
    for pattern in value:
        _pattern(pattern)
    return {pattern: _codes(codes) for pattern, codes in value.items()}


def _severities(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise _Wrong('must be a table of codes, such as {JIT701 = "info"}')
    words = [*(severity.value for severity in Severity), OFF]
    for code, word in value.items():
        _known(code)
        if word not in words:
            raise _Wrong(f"the severity of {code} must be one of {', '.join(words)}{_meant(word, words)}", str(word))
    return dict(value)


def _operations(value: object) -> list[str]:
    texts = _strings(value)
    for text in texts:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z0-9_$]+)+", text):
            raise _Wrong(f'"{text}" is no operation\'s full name, such as mydialect.op', text)
    return texts


def _prefix(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$.]*", value):
        raise _Wrong("must be the beginning of a symbol's name: a letter or _, then letters, digits, _ $ .")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("must be true or false")
    return value


def _path(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _Wrong("must be the path of a file")
    return value


def _one_of(*words: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in words:
            choices = " or ".join(f'"{word}"' for word in words)
            raise _Wrong(f"must be {choices}{_meant(value, words)}", str(value))
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
            "The rules to report: `ALL`, codes, beginnings of codes (`JIT1`) or rule names. Where two keys name a rule, "
            "the longer word decides. Errors that keep jitlint from its work (JIT901, JIT903, JIT999) stay.",
            _codes,
        ),
        Key("extend-select", _CODES, [], "Rules to report beside those of `select`.", _codes),
        Key("ignore", _CODES, [], "Rules not to report, and not to fix.", _codes),
        Key(
            "per-file-ignores",
            "table of patterns, each with a list of codes",
            {},
            "Rules not to report in the files that a pattern names. Patterns are those of `.gitignore`, relative to the "
            "folder of the configuration file.",
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
            "A file of known findings, made by `--write-baseline`, that are not reported. Relative to the folder of the "
            "configuration file.",
            _path,
        ),
    )
}
"""Every key, in the order in which people read about them. The documentation and `jitlint config` come from here."""


def file_layer(path: str) -> Layer:
    """What one configuration file says; ConfigError, with the file and line, where it cannot be taken."""
    table = read_table(path)
    values = {}
    for name, value in (table or {}).items():
        key = KEYS.get(name)
        if key is None:
            raise ConfigError(f'{_place(path, name)}: there is no key "{name}"{did_you_mean(name, KEYS)}')
        try:
            values[name] = key.read(value)
        except _Wrong as wrong:
            raise ConfigError(f"{_place(path, wrong.word or name)}: `{name}`: {wrong}") from wrong
    return Layer(path, os.path.dirname(os.path.abspath(path)), values)


def given_layer(values: Mapping[str, object], origin: str = "command line") -> Layer:
    """What a command line or a caller says, checked as a file is; patterns are relative to the current folder."""
    read = {}
    for name, value in values.items():
        if name not in KEYS:
            raise ConfigError(f'there is no option "{name}"{did_you_mean(name, KEYS)}')
        try:
            read[name] = KEYS[name].read(value)
        except _Wrong as wrong:
            raise ConfigError(f"`{name}`: {wrong}") from wrong
    return Layer(origin, os.getcwd(), read)


def _place(path: str, word: str) -> str:
    """`path:line` of the first line of jitlint's table that has `word`, or the path alone."""
    with open(path, encoding="utf-8-sig") as file:
        lines = file.read().splitlines()
    inside = os.path.basename(path) != SHARED
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("["):
            inside = "tool.jitlint" in line or os.path.basename(path) != SHARED
        if inside and word in line:
            return f"{path}:{number}"
    return path


def in_force(file: Layer | None, given: Layer | None) -> dict[str, tuple[Any, Layer | None]]:
    """For every key its value and the layer that it comes from, None for the default."""
    values: dict[str, tuple[Any, Layer | None]] = {name: (key.default, None) for name, key in KEYS.items()}
    for layer in (file, given):
        for name, value in layer.values.items() if layer is not None else ():
            values[name] = (value, layer)
    return values


def settle(file: Layer | None, given: Layer | None) -> Settings:
    """The settings that the two layers give together."""
    taken = in_force(file, given)
    value = {name: taken[name][0] for name in taken}
    selected = _selected(file, given)
    severities: dict[str, Severity] = {}
    for text, word in sorted(value["severity"].items(), key=lambda item: selector(item[0]).weight):
        for code in selector(text).codes:
            severities.pop(code, None)
            if word != OFF:
                severities[code] = Severity(word)
                continue
            selected = (frozenset(known_rules()) if selected is None else selected) - {code}
    return Settings(
        options=Options(
            form=value["form"],
            group=value["group"],
            copies=value["copies"],
            pure_ops=frozenset(value["pure-ops"]),
            fused_prefix=value["fused-prefix"],
            prune_wrappers=value["prune-wrappers"],
        ),
        selected=selected,
        per_file_ignores=tuple(
            (pattern, frozenset().union(*(selector(text).codes for text in texts)))
            for pattern, texts in value["per-file-ignores"].items()
        ),
        severities=severities,
        exclude=tuple(value["exclude"]),
        force_exclude=value["force-exclude"],
        baseline=_below(*taken["baseline"]),
        root=_root(taken["per-file-ignores"][1]),
        exclude_root=_root(taken["exclude"][1]),
    )


def _selected(file: Layer | None, given: Layer | None) -> frozenset[str] | None:
    """The rules in force, the file's word first and the command line's over it; None where neither says anything."""
    selected: frozenset[str] | None = None
    for layer in (file, given):
        said = layer.values if layer is not None else {}
        if said.keys() & {"select", "extend-select", "ignore"}:
            base = frozenset(known_rules()) if selected is None else selected
            selected = choose(base, said.get("select"), said.get("extend-select", ()), said.get("ignore", ()))
    return selected


def _root(layer: Layer | None) -> str:
    return layer.root if layer is not None else "/"


def _below(path: str | None, layer: Layer | None) -> str | None:
    return os.path.join(layer.root, path) if path is not None and layer is not None else path
