"""What is said where jitlint itself fails on a text: the other texts of a run, and the server, go on."""

from __future__ import annotations

from jitlint.errors import InternalError
from jitlint.findings import Finding


def crash(error: BaseException) -> Finding:
    """JIT999, with the place in jitlint that a bug report needs."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].name}, line {frames[-1].lineno})" if frames else ""
    what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}{place}"
    return Finding(
        "JIT999",
        f"jitlint failed on this file, and left it as it is: {what}"[:2000],
        None,
        help="please report this defect with the output of `jitlint --version` and, if you can, the file",
    )
