"""The exceptions that jitlint raises on purpose. All derive from `JitlintError`; their text is for the user."""

from __future__ import annotations


class JitlintError(Exception):
    """Something that jitlint says no to, in words for the user."""


class UsageError(JitlintError):
    """A command line, or an argument of the API, that asks for what there is not."""


class ConfigError(JitlintError):
    """A configuration that cannot be taken: an unknown key or code, a value of the wrong kind, a broken file."""


class FileError(JitlintError):
    """A file that cannot be read (JIT903) or written (JIT904). It is as it was."""


class InternalError(JitlintError):
    """A defect of jitlint (JIT999): a fix whose text does not check. Nothing was written."""


class NotProvedError(InternalError):
    """A fix that is not shown to compute what the text before does (JIT999). Nothing was written.

    `span` is where the text before differs, as a pair of offsets, if it is known; `line` is what stands in its place in
    the text that was not written.
    """

    def __init__(self, message: str, span: tuple[int, int] | None, line: str | None) -> None:
        super().__init__(message)
        self.span = span
        self.line = line
