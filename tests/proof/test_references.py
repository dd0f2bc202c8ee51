"""Operations that name what was fixed, or what may be named by something of their own."""

from __future__ import annotations

import pytest

import jitlint
from jitlint.proof.compare import prove
from tests.proof.programs import WRAPPERS, call

T = "tensor<f64>"
CALLS = f"  %0 = {call('double', '%x')}\n  %1 = {call('double', '%0')}\n"
"""Two calls that become one."""
MAIN = f"func.func @main(%x: {T}) -> {T} {{\n{CALLS}  return %1 : {T}\n}}\n"


def holder(name: str, body: str, end: str = "x.end %1 : tensor<f64>", head: str = "x.function") -> str:
    """An operation of an unknown dialect, with two calls."""
    return f"{head} @{name}(%x: {T}) {{\n{CALLS}  {body}\n  {end}\n}}\n"


UNUSED = "llvm.func @unused() {\n  // CHECK: enzymexla.jit_call @double (%0)\n  llvm.return\n}\n"
"""A function that the compiler takes away, although a comment in it speaks of a call."""
TABLE = "gpu.module @kernels {\n  llvm.func internal @kernel(%p: !llvm.ptr) {\n    llvm.return\n  }\n}\n"
LAUNCH = "gpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)"
TWICE = f"""\
llvm.func @twice(%x: {T}) -> {T} {{
{CALLS}  llvm.return %1 : {T}
}}
"""

FIXED = {
    "an instance of a module": holder("one", "x.none") + holder("two", 'x.instance "u" @one(%1)'),
    "one further down": holder("two", 'x.instance "u" @one(%1)') + holder("one", "x.none"),
    "each other's": holder("one", 'x.instance "u" @two(%1)') + holder("two", 'x.instance "u" @one(%1)'),
    "itself": holder("one", 'x.instance "u" @one(%1)'),
    "an `llvm.func` with calls": TWICE + MAIN,
    "one that calls it": TWICE
    + MAIN.replace("return %1", "%2 = func.call @twice(%1) : (tensor<f64>) -> tensor<f64>\n  return %2"),
    "what seems to define a symbol": "x.global @g : f64\n" + holder("one", "x.store %1, @g : f64"),
    "what seems to define one that nobody else does": holder("one", "x.store %1, @g : f64"),
    "a declaration of a table": "hal.executable.source public @e\n" + MAIN,
    "what is assigned inside": MAIN.replace(
        "  return",
        "  %a = x.wire : i1\n"
        "  x.wires {\n    x.group @g {\n      x.assign %a = %a : i1\n      x.done %a : i1\n    }\n  }\n"
        "  return",
    ),
    "a call that cannot be read": MAIN.replace("  return", "  enzymexla.jit_call @double what (%x) : ?\n  return"),
    "a launch of a kernel": TABLE + MAIN.replace("  return", f"  %n = arith.constant 1 : index\n  {LAUNCH}\n  return"),
}


@pytest.mark.parametrize("text", FIXED.values(), ids=FIXED)
def test_a_fix_is_proved(text: str) -> None:
    before = WRAPPERS + text
    fixed = jitlint.fix(before).source.text
    assert fixed.count("call @__enzyme_fused_double_double") >= 1
    assert prove(before, fixed).difference is None


CHANGED = {
    "an instance of a module": ("x.none", "x.some"),
    "one further down": ("x.none", "x.some"),
    "each other's": ('"u" @one', '"u" @two'),
    "itself": ('"u" @one', '"v" @one'),
    "an `llvm.func` with calls": ("llvm.return %1", "llvm.return %0"),
    "one that calls it": ("llvm.return %1", "llvm.return %0"),
    "what seems to define a symbol": ("@g : f64\nx.function", "@g : f32\nx.function"),
    "what seems to define one that nobody else does": ("x.store %1, @g", "x.store %1, @h"),
    "a declaration of a table": ("public @e", "private @e"),
    "what is assigned inside": ("%a = x.wire", "%a = x.register"),
    "a call that cannot be read": ("what (%x)", "what (%1)"),
    "a launch of a kernel": ("    llvm.return\n", "    llvm.store %p, %p : !llvm.ptr, !llvm.ptr\n    llvm.return\n"),
}


def test_a_comment_is_no_call() -> None:
    assert prove(WRAPPERS + UNUSED + MAIN, WRAPPERS + MAIN).difference is None


@pytest.mark.parametrize("name", FIXED)
def test_a_change_is_refused(name: str) -> None:
    text, (old, new) = FIXED[name], CHANGED[name]
    assert text.count(old) == 1
    assert prove(WRAPPERS + text, WRAPPERS + text.replace(old, new)).difference is not None


def test_a_call_that_cannot_be_read_is_one_of_its_wrapper() -> None:
    text = FIXED["a call that cannot be read"]
    lines = text.splitlines(keepends=True)
    gone = "".join(line for line in lines if "what" not in line)
    for after in (WRAPPERS.replace("llvm.fadd %0, %0", "llvm.fmul %0, %0", 1) + text, WRAPPERS + gone):
        assert prove(WRAPPERS + text, after).difference is not None


def refused(before: str, *changes: tuple[str, str]) -> bool:
    after = before
    for old, new in changes:
        assert after.count(old) == 1
        after = after.replace(old, new)
    return prove(WRAPPERS + before, WRAPPERS + after).difference is not None


@pytest.mark.parametrize("definition", ["func.func @f(%v: tensor<f64>) {\n    return\n  }", "x.fn @f"])
def test_a_function_that_an_operation_may_define_itself_may_be_another_one(definition: str) -> None:
    """The call inside may be of either; what the one outside does is not what the other does."""
    outside = f"func.func @f(%v: {T}) {{\n  return\n}}\n"
    call_it = f"func.call @f(%1) : ({T}) -> ()"
    assert refused(outside + holder("one", f"{definition}\n  {call_it}"), (call_it, "%z = arith.constant true"))


def test_a_table_is_what_is_in_it_where_it_is_named_itself() -> None:
    """A private function of it counts as well."""
    named = TABLE + MAIN.replace("  return", "  x.load_all @kernels\n  return")
    assert refused(named, CHANGED["a launch of a kernel"])


@pytest.mark.parametrize("again", ["", "\n    x.get @g"])
def test_a_symbol_of_an_operation_is_not_that_of_the_module(again: str) -> None:
    """Outside, `@g` and `@h` are the same."""
    scope = f"x.scope {{\n    x.global @g : f32\n    x.get @g{again}\n  }}\n"
    text = f"x.global @g : f64\nx.global @h : f64\nllvm.func @helper(%p: !llvm.ptr) {{\n  {scope}  llvm.return\n}}\n"
    assert refused(text, (f"x.get @g{again}\n  }}", f"x.get @h{again}\n  }}"))


def test_what_is_assigned_inside_an_operation_with_symbols_of_its_own_is_a_use() -> None:
    assign = "x.wires {\n    func.func private @q()\n    x.assign %a = %a : i1\n  }\n  return"
    text = MAIN.replace("  return", f"  %a = arith.constant true\n  {assign}")
    assert jitlint.fix(WRAPPERS + text).source.text.count("jit_call @__enzyme_fused_double_double") == 1
    assert refused(text, ("constant true", "constant false"))
