"""What `--config` gives: a configuration file, or keys with their values, written as in the file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from typing import Any

from jitlint.errors import UsageError


def file_and_values(given: Sequence[str]) -> tuple[str | None, dict[str, Any]]:
    """The file that the words of `--config` name, if one does, and the keys that they set; the last word wins.

    A word with `=` in it sets keys, unless there is a file of that name. Raises UsageError for two files and for what
    is not TOML.
    """
    file: str | None = None
    values: dict[str, Any] = {}
    for word in given:
        if "=" in word and not os.path.exists(word):
            values |= _values(word)
        elif file is not None:
            raise UsageError(f"--config: only one configuration file can be used, not both {file} and {word}")
        else:
            file = word
    return file, values


def _values(word: str) -> dict[str, Any]:
    try:
        return tomllib.loads(word)
    except RecursionError as error:
        raise UsageError("--config: its values are nested too deep to be read") from error
    except tomllib.TOMLDecodeError as error:
        key, _, value = word.partition("=")
        quoted = f"; strings need quotes: '{key.strip()} = \"{value.strip()}\"'" if value.strip().isidentifier() else ""
        raise UsageError(f"--config: `{word}` is neither a file nor TOML: {error}{quoted}") from error
