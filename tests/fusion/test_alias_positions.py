"""A fused wrapper stands below the aliases that it uses."""

from __future__ import annotations

from jitlint import api
from tests.analysis.programs import F64, call

ONE = "llvm.func @a(%p: !llvm.ptr) {\n  llvm.return\n}\n"
MAIN = (
    f"func.func @main(%x: {F64}) {{\n  %0 = {call('a', {'%x': F64}, (0,))}\n"
    f"  %1 = {call('b', {'%0': F64}, (0,))}\n  return\n}}\n"
)


def other(body: str) -> str:
    return f"llvm.func @b(%p: !llvm.ptr) {{\n  {body}\n  llvm.return\n}}\n"


def fused_behind(text: str) -> str:
    """What stands right above the fused wrapper."""
    fixed = api.fix(text).source.text
    return fixed[: fixed.index("llvm.func @__enzyme_fused_a_b")]


def test_a_type_alias_between_two_wrappers() -> None:
    text = f"{ONE}!p = !llvm.ptr\n// the second\n{other('%0 = llvm.load %p : !p -> f64')}{MAIN}"
    assert fused_behind(text) == f"{ONE}!p = !llvm.ptr\n"


def test_an_attribute_alias_of_another_alias() -> None:
    aliases = "!d = f64\n#k = 1.0 : !d\n"
    text = f"{ONE}{aliases}{other('%0 = llvm.mlir.constant(#k) : f64')}{MAIN}"
    assert fused_behind(text) == ONE + aliases


def test_an_alias_that_is_not_used_moves_nothing() -> None:
    text = f"{ONE}!p = !llvm.ptr\n{other('llvm.fence acq_rel {a = 1 : i64} loc(#loc)')}{MAIN}#loc = loc(unknown)\n"
    assert fused_behind(text) == ""
