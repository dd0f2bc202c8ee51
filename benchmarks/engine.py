"""The engine beside jitlint: a child process that times its passes, imports left out.

    python -m benchmarks.engine version
    python -m benchmarks.engine FILE PASSES REPEATS

The first prints the engine's version, the second {"seconds": […]}: to parse, verify, run PASSES and print.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import PATIENCE, repeated

PARSE_AND_PRINT = ""
"""The empty pipeline: the engine only parses, verifies and prints."""
FUSE = "fuse-jit"


def version() -> str:
    """The engine's name and version; PackageNotFoundError where it is not installed."""
    from importlib import metadata

    return f"enzyme-ad {metadata.version('enzyme-ad')} with jax {metadata.version('jax')}"


def run_passes(text: str, passes: str) -> str:
    """Parse, verify, transform and print `text`; the engine's own exception where it refuses."""
    from enzyme_ad.jax import enzyme_call

    return str(enzyme_call.run_pass_pipeline([], text, passes)[1])


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes; SIGALRM ends the process after `PATIENCE`, even inside the engine's own code."""
    signal.alarm(PATIENCE)
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    signal.alarm(0)
    return seconds


def main(arguments: list[str]) -> int:
    """Do what the arguments name; a module that the engine refuses ends the process with the engine's error."""
    if arguments == ["version"]:
        print(version())
        return 0
    path, passes, repeats = arguments
    text = Path(path).read_text(encoding="utf-8")
    run_passes("module {}", PARSE_AND_PRINT)
    print(json.dumps({"seconds": repeated(lambda: timed(lambda: run_passes(text, passes)), int(repeats))}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
