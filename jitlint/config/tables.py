"""What a configuration file holds: the table of jitlint's keys, as TOML has it, not yet understood."""

from __future__ import annotations

import os
import stat

from jitlint.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OWN = "jitlint.toml"
SHARED = "pyproject.toml"


def read_table(path: str) -> dict[str, Any] | None:
    """jitlint's table of a TOML file: `[tool.jitlint]` of a `pyproject.toml`, all of any other.

    None where a `pyproject.toml` has no such table. Raises ConfigError where no such file, or it
    cannot be read.
    """
    _require_file(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    shared = os.path.basename(path) == SHARED
    if shared and b"jitlint" not in data:
        return None
    table = _toml(path, data)
    if not shared:
        return table
    tool = table.get("tool")
    found = tool.get("jitlint") if isinstance(tool, dict) else None
    if found is not None and not isinstance(found, dict):
        raise ConfigError(f"{path}: `tool.jitlint` must be a table")
    return found


def _toml(path: str, data: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: its values are nested too deep to be read") from error


def _require_file(path: str) -> None:
    """Raises ConfigError for what is no file. It is not opened: a pipe would have this wait for ever."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError as error:
        why = "this is a link to nothing" if os.path.islink(path) else "no such file"
        raise ConfigError(f"{path}: {why}") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from error
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe" if stat.S_ISFIFO(mode) else "a device"
        raise ConfigError(f"{path}: a configuration must be a file, and this is {kind}")
