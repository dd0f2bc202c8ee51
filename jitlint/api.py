"""jitlint from Python: `check` and `fix` take a text and give a `Result`. No file is read or written.

import jitlint

result = jitlint.check(text, path="model.mlir", ignore=["JIT101"])
for finding in result.findings:
    print(finding.code, finding.message)

fixed = jitlint.fix(text, form="sound")
print(fixed.source.text)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

from jitlint.config.settings import Settings, given_layer, settle
from jitlint.files.search import NEEDLE
from jitlint.options import Form, Grouping
from jitlint.result import Result
from jitlint.syntax.source import Source

_NEEDLE = NEEDLE.decode()


class Choices(TypedDict, total=False):
    """What `check` and `fix` take beside the text: the keys of the configuration that are about one text.

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
    prune_wrappers: bool
    fused_prefix: str


def check(text: str, *, path: str = "<text>", **choices: Unpack[Choices]) -> Result:
    """What there is to report about one module's text, in the order of the text, suppressions in it respected.

    `text` is without a byte order mark. `path` is the name that the result's source has. Raises ConfigError where
    `choices` hold a rule or a value that there is not. A text that cannot be read as MLIR is no exception: the result
    says so (JIT901, JIT902).
    """
    settings = _settings(choices)
    if _NEEDLE not in text:
        return Result(Source(text, path), ())
    from jitlint.checker import Checker

    return Checker(settings).check(text, path)


def fix(text: str, *, path: str = "<text>", **choices: Unpack[Choices]) -> Result:
    """One module's text with everything fixed that can be: `result.source.text` is the new text.

    `result.before` is the text as it was, `result.fixed` what was mended in it, `result.findings` what is left.
    Raises ConfigError as `check` does, and InternalError where the new text does not hold what a fix promises (a
    defect of jitlint); the text must then be left as it is.
    """
    settings = _settings(choices)
    if _NEEDLE not in text:
        source = Source(text, path)
        return Result(source, (), before=source)
    from jitlint.checker import Checker

    return Checker(settings).fix(text, path)


def _settings(choices: Choices) -> Settings:
    values = {name.replace("_", "-"): value for name, value in choices.items()}
    return settle(None, given_layer(values, "arguments")) if values else Settings()
