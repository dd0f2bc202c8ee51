"""What the engine does with a function that a JIT call names, that nothing names any more, and that a wrapper calls.

`analysis/wrapper/lowering.py` stands on this table. Each row is asked of the engine as it is, and again what `--fix`
makes of two calls of such a wrapper: the same number comes out, whatever it takes.
"""

from __future__ import annotations

import pytest

from jitlint import api
from tests.engine.judge import Judge, RefusedError, array
from tests.engine.spelling import count_calls

pytestmark = pytest.mark.engine

IN_PLACE = "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>"
COMDAT = "llvm.comdat @cd {\n  llvm.comdat_selector @w any\n}\n"
HELPER = """
func.func private @helper(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = arith.addf %0, %0 : f64
  llvm.store %1, %p : f64, !llvm.ptr
  return
}
"""
OTHER = """
llvm.func @other(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %p : f64, !llvm.ptr
  llvm.return
}
"""


def llvm_func(words: str = "", name: str = "@w", tail: str = "", inside: str = "") -> str:
    """An `llvm.func` of two blocks that doubles; it is called and not cloned."""
    return f"""
llvm.func {words} {name}(%p: !llvm.ptr) {tail} {{
  {inside}
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %p : f64, !llvm.ptr
  llvm.br ^bb1
^bb1:
  llvm.return
}}
"""


def func_func(words: str = "", name: str = "@w", tail: str = "", inside: str = "") -> str:
    """A `func.func` that doubles."""
    return f"""
func.func {words} {name}(%p: memref<f64>) {tail} {{
  {inside}
  %0 = memref.load %p[] : memref<f64>
  %1 = arith.addf %0, %0 : f64
  memref.store %1, %p[] : memref<f64>
  return
}}
"""


def generic(kind: str, properties: str) -> str:
    """The same in the generic form, with a `func.func`'s or an `llvm.func`'s properties."""
    pointer, type_ = (
        ("!llvm.ptr", "!llvm.func<void (ptr)>") if kind == "llvm" else ("memref<f64>", "(memref<f64>) -> ()")
    )
    dialect, add = ("llvm", "llvm.fadd") if kind == "llvm" else ("memref", "arith.addf")
    end = '"llvm.br"()[^bb1] : () -> ()\n^bb1:\n "llvm.return"' if kind == "llvm" else '"func.return"'
    return f"""
"{kind}.func"() <{{{properties}function_type = {type_}, sym_name = "w"}}> ({{
^bb0(%p: {pointer}):
  %0 = "{dialect}.load"(%p) : ({pointer}) -> f64
  %1 = "{add}"(%0, %0) : (f64, f64) -> f64
  "{dialect}.store"(%1, %p) : (f64, {pointer}) -> ()
  {end}() : () -> ()
}}) : () -> ()
"""


def main(*callees: str) -> str:
    """@main calls these one after another."""
    lines = "".join(
        f"  %{number + 1} = enzymexla.jit_call {callee} (%{number}) <output_operand_aliases = [{IN_PLACE}]>"
        " : (tensor<f64>) -> tensor<f64>\n"
        for number, callee in enumerate(callees)
    )
    return f"func.func @main(%0: tensor<f64>) -> tensor<f64> {{\n{lines}  return %{len(callees)} : tensor<f64>\n}}\n"


def calling(name: str = "@w", kind: str = "llvm.func", convention: str = "") -> str:
    """A wrapper that calls another."""
    if kind == "llvm.func":
        return (
            f"llvm.func @caller(%p: !llvm.ptr) {{\n  llvm.call {convention} {name}(%p) : (!llvm.ptr) -> ()\n"
            "  llvm.return\n}\n"
        )
    return f"func.func private @caller(%p: memref<f64>) {{\n  call {name}(%p) : (memref<f64>) -> ()\n  return\n}}\n"


FOREIGN = '%m = "enzymexla.pointer2memref"(%p) : (!llvm.ptr) -> memref<f64>'
RECURSIVE = """
llvm.func @w(%p: !llvm.ptr) {
  %c = llvm.mlir.constant(100.0 : f64) : f64
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  %2 = llvm.fcmp "ogt" %0, %c : f64
  scf.if %2 {
    llvm.call @w(%p) : (!llvm.ptr) -> ()
  }
  llvm.store %1, %p : f64, !llvm.ptr
  llvm.return
}
"""

# the wrapper @w; whether it lowers when it is left over, and when a wrapper calls it; how many of two calls are left
TABLE: list[tuple[str, bool, bool, int]] = [
    (llvm_func(), True, True, 1),
    *((llvm_func(word), True, True, 1) for word in ("internal", "private", "linkonce_odr", "weak", "extern_weak")),
    *((llvm_func(word), True, True, 1) for word in ("hidden", "local_unnamed_addr")),
    (llvm_func("available_externally"), True, False, 1),
    (llvm_func("appending"), True, False, 1),
    (COMDAT + llvm_func("linkonce_odr", tail="comdat(@cd::@w)"), True, False, 1),
    (COMDAT + llvm_func("linkonce_odr", tail="comdat(@cd::@w) attributes {no_inline}"), True, False, 1),
    (COMDAT + llvm_func(tail="attributes {comdat = @cd::@w}"), True, False, 2),
    (COMDAT + generic("llvm", "comdat = @cd::@w, linkage = #llvm.linkage<linkonce_odr>, "), True, False, 1),
    (generic("llvm", "linkage = #llvm.linkage<available_externally>, "), True, False, 1),
    (llvm_func(name='@"llvm.w"'), True, False, 2),
    (llvm_func(name="@entry"), True, False, 2),
    (llvm_func(tail="attributes {allocsize = array<i32: 0>}"), True, False, 2),
    (llvm_func(tail='attributes {passthrough = [["allocsize", "0"]]}'), True, False, 2),
    (llvm_func(tail='attributes {passthrough = ["readnone"]}'), True, False, 2),
    (
        llvm_func(tail='attributes {passthrough = ["noinline", "nounwind", ["no-jump", "1"]]}'),
        True,
        True,
        1,
    ),
    (llvm_func(tail="attributes {no_inline, optimize_none, personality = @w}"), True, True, 1),
    *((llvm_func(word), True, True, 1) for word in ("fastcc", "coldcc", "tailcc", "win64cc", "preserve_allcc")),
    (llvm_func("cc_11"), True, False, 2),
    (llvm_func("amdgpu_vscc"), True, False, 2),
    (llvm_func(inside=FOREIGN), False, False, 2),
    (RECURSIVE, True, True, 1),
    (HELPER + llvm_func(inside="func.call @helper(%p) : (!llvm.ptr) -> ()"), False, False, 1),
    (func_func(), False, False, 1),
    (func_func("public"), False, False, 1),
    (func_func("nested"), True, True, 1),
    (func_func("private"), True, True, 1),
    (func_func(tail="attributes {llvm.emit_c_interface}"), False, False, 1),
    (generic("func", ""), False, False, 1),
    (generic("func", 'sym_visibility = "public", '), False, False, 1),
    (generic("func", 'sym_visibility = "private", '), True, True, 1),
    (func_func("private", name='@"llvm.w"'), True, False, 2),
    (func_func("private", tail="attributes {llvm.linkage = #llvm.linkage<appending>}"), True, False, 2),
    (func_func("private", tail="attributes {allocsize = array<i32: 0>}"), True, False, 2),
    (func_func("private", inside='%m = "enzymexla.memref2pointer"(%p) : (memref<f64>) -> !llvm.ptr'), False, False, 2),
]


def symbol(wrapper: str) -> str:
    """What the wrapper is called."""
    return next((name for name in ('@"llvm.w"', "@entry") if name in wrapper), "@w")


def runs(judge: Judge, text: str, value: float) -> bool:
    """Whether @main of 3.0 gives `value`; False where the engine refuses the module."""
    try:
        results = judge.run_main(text, [array(3.0)])
    except RefusedError:
        return False
    assert results == [array(value)]
    return True


def factor(wrapper: str) -> float:
    return 4.0 if "@helper" in wrapper else 2.0


@pytest.mark.parametrize(("wrapper", "left", "called", "calls"), TABLE)
def test_what_the_engine_does_with_a_function(judge: Judge, wrapper: str, left: bool, called: bool, calls: int) -> None:
    name, times = symbol(wrapper), factor(wrapper)
    named = wrapper + main(name, name)
    assert runs(judge, named, 3.0 * times**2)
    assert runs(judge, wrapper + OTHER + main("@other"), 6.0) is left
    kind = "llvm.func" if "llvm.func" in wrapper else "func.func"
    convention = next((word for word in wrapper.split() if word.endswith("cc") or word.startswith("cc_")), "")
    assert runs(judge, wrapper + calling(name, kind, convention) + main("@caller"), 3.0 * times) is called
    fixed = api.fix(named).source.text
    assert count_calls(fixed) == calls
    assert runs(judge, fixed, 3.0 * times**2)
    assert api.fix(fixed).source.text == fixed


NAMES = llvm_func(name="@user", inside="llvm.call @w(%p) : (!llvm.ptr) -> ()")
ADDRESS = llvm_func(
    name="@user",
    inside="%9 = llvm.mlir.addressof @w : !llvm.ptr\n  llvm.call %9(%p) : !llvm.ptr, (!llvm.ptr) -> ()",
)


@pytest.mark.parametrize("user", [NAMES, ADDRESS])
def test_what_names_a_wrapper_lowers_only_as_a_wrapper_too(judge: Judge, user: str) -> None:
    text = llvm_func() + user
    assert runs(judge, text + main("@user", "@w"), 24.0)
    assert not runs(judge, text + main("@w"), 6.0)
    assert runs(judge, text + main("@user"), 12.0)


PUBLIC = HELPER.replace("private @helper", "@v")
CLONED_FOREIGN = OTHER.replace("@other", "@w").replace("{\n", "{\n  " + FOREIGN + "\n", 1)


@pytest.mark.parametrize(
    ("text", "value", "calls"),
    [
        (CLONED_FOREIGN + main("@w", "@w"), 12.0, 1),
        (CLONED_FOREIGN + CLONED_FOREIGN.replace("@w", "@v") + main("@w", "@v"), 12.0, 1),
        (llvm_func(inside=FOREIGN) + llvm_func(name="@v", inside=FOREIGN) + main("@w", "@v"), 12.0, 2),
        (llvm_func() + NAMES + NAMES.replace("@user", "@again") + main("@user", "@w", "@again"), 96.0, 1),
        (NAMES + llvm_func() + main("@w", "@w", "@user", "@user"), 192.0, 1),
        (CLONED_FOREIGN + NAMES + main("@w", "@w", "@user"), 48.0, 3),
        (func_func() + func_func(name="@v") + main("@w", "@v"), 12.0, 1),
        (PUBLIC + OTHER + llvm_func("fastcc", "@w") + main("@v", "@w", "@v", "@other"), 48.0, 1),
        (COMDAT + llvm_func("weak", tail="comdat(@cd::@w)") + PUBLIC + main("@w", "@v"), 12.0, 1),
    ],
)
@pytest.mark.parametrize("prune", [False, True])
def test_what_a_fix_leaves_over_lowers(judge: Judge, text: str, value: float, calls: int, prune: bool) -> None:
    assert runs(judge, text, value)
    fixed = api.fix(text, prune_wrappers=prune).source.text
    assert count_calls(fixed) == calls
    assert runs(judge, fixed, value)
    assert api.fix(fixed, prune_wrappers=prune).source.text == fixed
