"""jitlint from Python: `check` and `fix` take a text, `check_file` and `fix_file` a file under its configuration.

import jitlint

result = jitlint.check(text, path="model.mlir", ignore=["JIT101"])
for finding in result.findings:
    print(finding.code, finding.severity.value, finding.message)

fixed = jitlint.fix(text, form="sound")
print(fixed.source.text)
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

from jitlint.api_types import Result, public
from jitlint.config.settings import Layer, Settings, given_layer, settle
from jitlint.files.search import NEEDLE
from jitlint.options import Form, Grouping
from jitlint.result import Result as InnerResult
from jitlint.syntax.source import Source

if TYPE_CHECKING:
    from jitlint.checker import Checker

_NEEDLE = NEEDLE.decode()


class Choices(TypedDict, total=False):
    """What every function takes beside the text or the file: the keys of the configuration that are about one text.

    `select`, `extend_select` and `ignore` name rules as the configuration does, `severity` gives rules other
    severities, and the others are those of `jitlint.options.Options`.
    """

    select: Sequence[str]
    extend_select: Sequence[str]
    ignore: Sequence[str]
    severity: Mapping[str, str]
    pure_ops: Sequence[str]
    form: Form
    group: Grouping
    copies: bool
    keep_overlap: bool
    prune_wrappers: bool
    fused_prefix: str


def check(text: str, *, path: str = "<text>", **choices: Unpack[Choices]) -> Result:
    """What there is to report about one module's text, in the order of the text, suppressions in it respected.

    `text` is without a byte order mark. `path` is the name that the result's source has; nothing is read from it, and
    no configuration file counts. Raises ConfigError where `choices` hold a rule or a value that there is not, and
    TypeError where `text` or `path` is no string. A text that cannot be read as MLIR is no exception: the result says
    so (JIT901, JIT902).
    """
    settings = settle(None, _given(choices))
    _require_str(text=text, path=path)
    if _NEEDLE not in text:
        return public(InnerResult(Source(text, path), ()))
    return public(_checker(settings).check(text, path))


def fix(text: str, *, path: str = "<text>", **choices: Unpack[Choices]) -> Result:
    """One module's text with everything fixed that can be: `result.source.text` is the new text.

    `result.before` is the text as it was, `result.fixed` what was fixed in it, `result.findings` what is left.
    Raises as `check` does, and InternalError where the new text does not hold what a fix promises (a defect of
    jitlint); the text must then be left as it is.
    """
    settings = settle(None, _given(choices))
    _require_str(text=text, path=path)
    if _NEEDLE not in text:
        source = Source(text, path)
        return public(InnerResult(source, (), before=source))
    return public(_checker(settings).fix(text, path))


def check_file(path: str | os.PathLike[str], **choices: Unpack[Choices]) -> Result:
    """What `jitlint check PATH` reports about one file, under its configuration and baseline; `choices` win over it.

    Raises FileError where the file cannot be read, and ConfigError where its configuration cannot be taken.
    """
    from jitlint.files import textfile

    name = os.fspath(path)
    checker = _checker_of(name, choices)
    read = textfile.read(name)
    return public(checker.check(read.text if read is not None else "", name))


def fix_file(path: str | os.PathLike[str], **choices: Unpack[Choices]) -> Result:
    """Fix one file in place, as `jitlint --fix PATH` does, under its configuration and baseline.

    The file is replaced at once or not at all, and not touched where nothing is to be fixed. Raises as `check_file`
    and `fix` do, and FileError where the file cannot be written; it is then as it was.
    """
    from jitlint.files import textfile

    name = os.fspath(path)
    checker = _checker_of(name, choices)
    read = textfile.read(name)
    if read is None:
        source = Source("", name)
        return public(InnerResult(source, (), before=source))
    result = checker.fix(read.text, name)
    if result.changed:
        textfile.replace(name, read, result.source.text)
    return public(result)


def _checker_of(path: str, choices: Choices) -> Checker:
    """What checks a file under its configuration and baseline."""
    from jitlint.config.discovery import Configs

    settings = Configs(_given(choices)).of(os.path.dirname(os.path.abspath(path))) or Settings()
    known: Mapping[str, int] = {}
    if settings.baseline is not None:
        from jitlint.suppress.baseline import load

        known = load(settings.baseline).known(path)
    return _checker(settings.for_file(os.path.abspath(path)), known)


def _checker(settings: Settings, known: Mapping[str, int] | None = None) -> Checker:
    from jitlint.checker import Checker

    return Checker(settings, known)


def _given(choices: Choices) -> Layer | None:
    values = {name.replace("_", "-"): value for name, value in choices.items()}
    return given_layer(values, "arguments", _argument, "argument {}") if values else None


def _argument(key: str) -> str:
    """A key of the configuration as an argument is spelt."""
    return key.replace("-", "_")


def _require_str(**arguments: object) -> None:
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise TypeError(f"argument `{name}` must be a str, not {type(value).__name__}")
