"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path


def _first(path: str, pattern: str) -> str:
    """The first group of `pattern` in a file of /proc, or "unknown"."""
    try:
        found = re.search(pattern, Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else "unknown"


def _memory() -> str:
    kilobytes = _first("/proc/meminfo", r"^MemTotal:\s*([0-9]+)")
    return f"{int(kilobytes) / 2**20:.0f} GiB of memory" if kilobytes.isdigit() else "unknown memory"


def describe() -> str:
    """The processor, its cores and the memory, in one line."""
    model = _first("/proc/cpuinfo", r"^model name\s*:\s*(.+)$")
    return f"{model}, {os.cpu_count()} cores, {_memory()}, {platform.system()} {platform.machine()}"


def today() -> str:
    """The date, in UTC."""
    return datetime.now(UTC).date().isoformat()
