"""A file of known findings, so that an old tree can adopt jitlint and hear of new ones only.

A finding is known again by its file, rule, words and the source line that it stands on. Line numbers and numbered
values are left out of these, so that text above it may come and go. Findings that are alike are counted.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from jitlint.config.selection import FAILURES
from jitlint.errors import ConfigError
from jitlint.files.search import portable
from jitlint.findings import Finding
from jitlint.fingerprint import fingerprint
from jitlint.syntax.source import Source

VERSION = 1


class Baseline(NamedTuple):
    """The known findings of a tree: for each file, by its path from the folder of the baseline, counts by name."""

    root: str
    files: Mapping[str, Mapping[str, int]]

    def known(self, path: str) -> Mapping[str, int]:
        """How many findings of each name are known in the file at `path`."""
        return self.files.get(_inside(path, self.root), {})


def load(path: str) -> Baseline:
    """The baseline in a file; ConfigError where it cannot be read or is none."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise ConfigError(f"{path}: not a jitlint baseline: it is no file")
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        return Baseline(_root(path), _files(data))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; `--write-baseline` writes one") from error
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise ConfigError(f"{path}: not a jitlint baseline: {error}") from error


def _files(data: dict[str, Any]) -> dict[str, dict[str, int]]:
    if data["version"] != VERSION:
        raise ValueError(f"version {data['version']} is not {VERSION}")
    return {
        path: {str(entry["fingerprint"]): int(entry.get("count", 1)) for entry in entries}
        for path, entries in data["files"].items()
    }


class Recorder:
    """Gathers the findings of a run, one file at a time, for a baseline that is written to `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._root = _root(path)
        self._files: dict[str, list[dict[str, object]]] = {}
        self.count = 0

    def add(self, path: str, source: Source, findings: Iterable[Finding]) -> None:
        """Takes the findings of one file. What keeps jitlint from its work is never known."""
        counts = Counter(
            (finding.code, fingerprint(source, finding)) for finding in findings if finding.code not in FAILURES
        )
        if counts:
            self.count += counts.total()
            self._files[_inside(path, self._root)] = [
                {"code": code, "fingerprint": name, "count": count} for (code, name), count in sorted(counts.items())
            ]

    def text(self) -> str:
        """The baseline, in an order that makes small differences of changes."""
        return json.dumps({"version": VERSION, "files": dict(sorted(self._files.items()))}, indent=2) + "\n"


def new_findings(source: Source, findings: Iterable[Finding], known: Mapping[str, int]) -> list[Finding]:
    """The findings of one file that are not known; of those that are alike, the first ones are."""
    left = dict(known)
    new = []
    for finding in findings:
        name = fingerprint(source, finding)
        if left.get(name, 0) > 0 and finding.code not in FAILURES:
            left[name] -= 1
        else:
            new.append(finding)
    return new


def _root(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))


def _inside(path: str, root: str) -> str:
    """How the baseline names a file: with `/`, from the folder of the baseline, so that it may be committed."""
    path = os.path.abspath(path)
    try:
        return portable(os.path.relpath(path, root))
    except ValueError:
        return portable(path)  # on Windows, it is on another drive
