"""What is in force for a file: layers of values, and the settings that they give together.

Values come from three places, each over the one before: the defaults, one file, the command line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from jitlint.config.keys import KEYS, OFF, BadValueError
from jitlint.config.selection import choose, known_rules, selector
from jitlint.config.tables import SHARED, read_table
from jitlint.errors import ConfigError
from jitlint.files.patterns import matcher, relative
from jitlint.findings import Severity
from jitlint.nearest import did_you_mean, nearest
from jitlint.options import DEFAULT, Options

__all__ = ["KEYS", "Layer", "Settings", "file_layer", "given_layer", "in_force", "settle"]


COMMAND_LINE = "command line"
"""The origin of values that are in no file."""


class Layer(NamedTuple):
    """The values that one place gives. Patterns in it are relative to `root`, an absolute path."""

    origin: str
    root: str
    values: Mapping[str, Any]


class Settings(NamedTuple):
    """What is in force for a folder. `selected` is None where every rule is.

    The patterns of `per_file_ignores` and `exclude` are relative to `root` and `exclude_root`, absolute paths.
    """

    options: Options = DEFAULT
    selected: frozenset[str] | None = None
    per_file_ignores: tuple[tuple[str, frozenset[str]], ...] = ()
    severities: Mapping[str, Severity] = {}
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    baseline: str | None = None
    root: str = "/"
    exclude_root: str = "/"

    def selects(self, code: str) -> bool:
        """Whether findings of this rule are reported."""
        return self.selected is None or code in self.selected

    def leaves_out(self, path: str, is_folder: bool) -> bool:
        """Whether `exclude` names the absolute `path`."""
        inside = relative(path, self.exclude_root)
        return bool(matcher(self.exclude).match_file(inside + "/" if is_folder else inside))

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
        return self._replace(selected=selected - ignored, per_file_ignores=())


def file_layer(path: str) -> Layer:
    """What one configuration file says; ConfigError, with the file and line, where it cannot be taken."""
    table = read_table(path)
    values = {}
    for name, value in (table or {}).items():
        key = KEYS.get(name)
        if key is None:
            raise ConfigError(f"{_place(path, name)}: unknown key `{name}`{did_you_mean(name, KEYS)}")
        try:
            values[name] = key.read(value)
        except BadValueError as wrong:
            raise ConfigError(f"{_place(path, wrong.word or name)}: `{name}`: {wrong}") from wrong
    return Layer(path, os.path.dirname(os.path.abspath(path)), values)


def _option(key: str) -> str:
    return f"--{key}"


def given_layer(
    values: Mapping[str, object],
    origin: str = COMMAND_LINE,
    spelt: Callable[[str], str] = _option,
    called: str = "{}",
) -> Layer:
    """What a command line or a caller says, checked as a file is; patterns are relative to the current folder.

    `spelt` gives a key as the user wrote it, and `called` is what an error calls that: `argument {}`. Raises
    ConfigError where a value cannot be taken.
    """
    read = {}
    for name, value in values.items():
        what = called.format(f"`{spelt(name)}`")
        if name not in KEYS:
            close = nearest(name, KEYS)
            raise ConfigError(f"unknown {what}" + (f"; did you mean `{spelt(close)}`?" if close is not None else ""))
        try:
            read[name] = KEYS[name].read(value)
        except BadValueError as wrong:
            raise ConfigError(f"{what}: {wrong}") from wrong
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
            keep_overlap=value["keep-overlap"],
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
