"""What changes how calls fuse and how the result is written. Where these come from is `config`'s business."""

from __future__ import annotations

from typing import Literal, NamedTuple

Form = Literal["sound", "pass"]
Grouping = Literal["ssa", "adjacent"]

FUSED_PREFIX = "__enzyme_fused_"
"""What the name of a fused wrapper starts with, as the compiler pass writes it."""


class Options(NamedTuple):
    """The switches of the analysis and of `--fix`.

    `form` is how a fused call is written, `group` which calls are tried together, `copies` whether an overwritten
    value may be kept by a copy inside the fused wrapper, `pure_ops` the operations that the user declares free of
    effects (full names, such as `mydialect.op`), `prune_wrappers` whether wrappers that nothing names any more go,
    `keep_overlap` whether an exchange is left alone where other work may run between its start and its completion.
    """

    form: Form = "sound"
    group: Grouping = "ssa"
    copies: bool = False
    pure_ops: frozenset[str] = frozenset()
    fused_prefix: str = FUSED_PREFIX
    prune_wrappers: bool = False
    keep_overlap: bool = False


DEFAULT = Options()
