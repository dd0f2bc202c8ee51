"""What is said where jitlint itself fails on a text: the other texts of a run, and the server, go on."""

from __future__ import annotations

from jitlint.errors import InternalError, NotProvedError
from jitlint.findings import Finding, Note, Span


def crash(error: BaseException) -> Finding:
    """JIT999, with the place in jitlint that a bug report needs."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].name}, line {frames[-1].lineno})" if frames else ""
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    if isinstance(error, NotProvedError):
        span = Span(*error.span) if error.span is not None else None
        notes = (Note(f"in the text that was not written: {error.line}"),) if error.line else ()
    what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}{place}"
    return Finding(
        "JIT999",
        f"jitlint failed on this file and did not change it: {what}"[:2000],
        span,
        notes,
        help="please report this bug with the output of `jitlint --version --verbose` and, if you can, the file",
    )
