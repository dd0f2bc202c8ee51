"""What the engine answered, kept in a file: none of it depends on jitlint, so a later run asks only what is new."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from importlib.metadata import version
from pathlib import Path

_PATIENCE = 120.0
"""Seconds to wait for another process that writes to the file."""


class Answers:
    """The lines with which the engine answered requests, by the digest of a request and of the engine's version.

    Several processes may share one file. Without a file, nothing is kept.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Raises sqlite3.DatabaseError where the file holds something else."""
        self._known: sqlite3.Connection | None = None
        if path is not None:
            # Each statement is a transaction of its own: what was answered is kept, whenever the run is ended.
            self._known = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
            self._known.execute("PRAGMA journal_mode = WAL")
            self._known.execute("PRAGMA synchronous = NORMAL")
            self._known.execute("CREATE TABLE IF NOT EXISTS answers (request BLOB PRIMARY KEY, line BLOB)")
            self._engine = f"enzyme-ad {version('enzyme-ad')}, jax {version('jax')}"

    def get(self, request: str) -> str | None:
        """The answer to `request`, None where it is not known."""
        if self._known is None:
            return None
        row = self._known.execute("SELECT line FROM answers WHERE request = ?", (self._digest(request),)).fetchone()
        return zlib.decompress(row[0]).decode() if row is not None else None

    def keep(self, request: str, line: str) -> None:
        """Keep the answer to `request`."""
        if self._known is not None:
            kept = self._digest(request), zlib.compress(line.encode())
            self._known.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", kept)

    def _digest(self, request: str) -> bytes:
        return hashlib.sha256(f"{self._engine}\n{request}".encode()).digest()
