"""Whole modules: what may be another name, place or spelling, and what must not be missing or something else."""

from __future__ import annotations

import pytest

from jitlint.proof.compare import Unreadable, prove

WRAPPER = """\
llvm.func @w(%p: !llvm.ptr) {
  llvm.call @helper(%p) : (!llvm.ptr) -> ()
  llvm.return
}
"""
HELPER = """\
llvm.func internal @helper(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %p : f64, !llvm.ptr
  llvm.return
}
"""
ALIAS = "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>"
CALL = f"enzymexla.jit_call @w (%x) <output_operand_aliases = [{ALIAS}]> : (tensor<f64>) -> tensor<f64>"
MAIN = f"""\
func.func @main(%x: tensor<f64>) -> tensor<f64> {{
  %0 = {CALL}
  return %0 : tensor<f64>
}}
"""
OTHER = MAIN.replace("@main", "@other")
WHOLE = WRAPPER + HELPER + MAIN
TABLE = "llvm.mlir.global internal constant @table(2.0 : f64) : f64\n"
READS = """\
llvm.func @w(%p: !llvm.ptr) {
  %t = llvm.mlir.addressof @table : !llvm.ptr
  %0 = llvm.load %t : !llvm.ptr -> f64
  llvm.store %0, %p : f64, !llvm.ptr
  llvm.return
}
"""
INDIRECT = """\
llvm.mlir.global internal constant @table() : !llvm.ptr {
  %0 = llvm.mlir.addressof @helper : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @w(%p: !llvm.ptr) {
  %t = llvm.mlir.addressof @table : !llvm.ptr
  %f = llvm.load %t : !llvm.ptr -> !llvm.ptr
  llvm.call %f(%p) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return
}
"""
RECURSIVE = """\
llvm.func @w(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f64
  llvm.call @w(%p) : (!llvm.ptr) -> ()
  llvm.store %0, %p : f64, !llvm.ptr
  llvm.return
}
"""
GENERIC = MAIN.replace(
    CALL,
    f'"enzymexla.jit_call"(%x) <{{fn = @w, backend_config = "", output_operand_aliases = [{ALIAS}]}}>'
    " : (tensor<f64>) -> tensor<f64>",
)

EQUAL = {
    "wrappers under other names": WHOLE.replace("@w", "@v").replace("@helper", "@h"),
    "functions in another order": MAIN + HELPER + WRAPPER,
    "a module around it": f"module {{\n{WHOLE}}}\n",
    "locations": f'module {{\n{WHOLE}}} loc(#loc)\n#loc = loc("x.jl":1:1)\n'.replace("-> f64", "-> f64 loc(#loc)"),
    "an alias": "#a = " + ALIAS + "\n" + WHOLE.replace(f"[{ALIAS}]", "[#a]"),
    "an alias of a type": "!t = tensor<f64>\n" + WHOLE.replace("(%x: tensor<f64>)", "(%x: !t)"),
    "the generic spelling": WRAPPER + HELPER + GENERIC,
    "the attribute dictionary": WHOLE.replace("(%x) <output", "(%x) {output").replace("]> : (t", "]} : (t"),
    "one result in parentheses": WHOLE.replace("-> tensor<f64> {", "-> (tensor<f64>) {"),
    "a wrapper that nobody names": WHOLE + WRAPPER.replace("@w", "@unused"),
    "comments, and the ends of lines": WHOLE.replace("\n", "  // why\r\n"),
}

DIFFERENT = {
    "a helper that does something else": (WHOLE, WHOLE.replace("fadd", "fmul")),
    "a helper that is outside": (WHOLE, WRAPPER + "llvm.func @helper(!llvm.ptr)\n" + MAIN),
    "a function that is gone": (WHOLE + OTHER, WHOLE),
    "a function that does something else": (
        WHOLE + OTHER,
        WHOLE + OTHER.replace(CALL, "stablehlo.negate %x : tensor<f64>"),
    ),
    "a function that takes something else": (WHOLE, WHOLE.replace("f64", "f32")),
    "a function that is private": (WHOLE, WHOLE.replace("func.func @main", "func.func private @main")),
    "an attribute of a parameter": (
        WHOLE,
        WHOLE.replace("(%x: tensor<f64>)", '(%x: tensor<f64> {mhlo.sharding = "r"})'),
    ),
    "an attribute of the module": (
        f"module {{\n{WHOLE}}}\n",
        f"module attributes {{mhlo.num_partitions = 2 : i32}} {{\n{WHOLE}}}\n",
    ),
    "a constant that wrappers read": (TABLE + READS + MAIN, TABLE.replace("2.0", "3.0") + READS + MAIN),
    "a function whose address is in a constant": (
        INDIRECT + HELPER + MAIN,
        INDIRECT + HELPER.replace("fadd", "fmul") + MAIN,
    ),
    "a function that calls itself": (
        RECURSIVE + MAIN,
        RECURSIVE.replace("  llvm.store %0, %p : f64, !llvm.ptr\n", "") + MAIN,
    ),
    "the symbols of the nearest module": (
        f"module @m {{\n{WHOLE}}}\n{WRAPPER}{HELPER}",
        f"module @m {{\n{MAIN}}}\n{WRAPPER}{HELPER}",
    ),
    "a wrapper of a nested module": (
        f"module @m {{\n{WHOLE}}}\n{WHOLE}",
        f"module @m {{\n{WHOLE.replace('fadd', 'fmul')}}}\n{WHOLE}",
    ),
    "the number of modules": (f"{WHOLE}// -----\n{WHOLE}", WHOLE),
    "the second module": (f"{WHOLE}// -----\n{WHOLE}", f"{WHOLE}// -----\n{WHOLE.replace('fadd', 'fmul')}"),
    "a name that is defined twice": (
        WHOLE,
        WHOLE.replace("  return %0", "  %0 = stablehlo.negate %x : tensor<f64>\n  return %0"),
    ),
    "a value that is not defined": (WHOLE, WHOLE.replace("return %0", "return %1")),
    "another alias of the same name": (
        "#a = " + ALIAS + "\n!t = tensor<f64>\n" + WHOLE,
        "#a = " + ALIAS + "\n!t = tensor<f32>\n" + WHOLE.replace("(%x: tensor<f64>)", "(%x: !t)"),
    ),
}


@pytest.mark.parametrize("text", EQUAL.values(), ids=EQUAL)
def test_what_may_be_otherwise(text: str) -> None:
    assert text != WHOLE
    assert prove(WHOLE, text).difference is None
    assert prove(text, WHOLE).difference is None


@pytest.mark.parametrize(("first", "second"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_must_not(first: str, second: str) -> None:
    assert prove(first, first.replace("%0", "%renamed")).difference is None
    assert prove(first, second).difference is not None


def test_a_text_that_cannot_be_read() -> None:
    for texts, is_second in (((WHOLE, "func.func @f() {"), True), (("func.func @f() {", WHOLE), False)):
        with pytest.raises(Unreadable) as caught:
            prove(*texts)
        assert caught.value.is_second == is_second
