"""Operations of wrappers that the proof has no rule for: what they may write, and what they keep."""

from __future__ import annotations

import pytest

import jitlint
from jitlint.proof.compare import prove

M = "memref<4xf64>"
V = "vector<4xf64>"
T = "tensor<4xf64>"
ALIAS = (
    "{output_operand_aliases = [#stablehlo.output_operand_alias<"
    "output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}"
)
BEGIN = """\
  %k = arith.constant 2.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = vector.broadcast %k : f64 to vector<4xf64>
  %all = vector.constant_mask [4] : vector<4xi1>
  %step = vector.step : vector<4xindex>
"""


def calls(head: str, body: str, end: str = "return") -> str:
    """A wrapper that may write its first parameter and reads the second, and two calls of it, one after another."""
    main = "".join(
        f"  %{number + 1} = enzymexla.jit_call @w (%{number}, %y) {ALIAS} : ({T}, {T}) -> {T}\n" for number in range(2)
    )
    return f"{head} {{\n{body}  {end}\n}}\nfunc.func @main(%0: {T}, %y: {T}) -> {T} {{\n{main}  return %2 : {T}\n}}\n"


def on_memrefs(text: str) -> str:
    """The calls of a wrapper on memrefs, `%m` and `%n`."""
    return calls(f"func.func private @w(%m: {M}, %n: {M})", f"{BEGIN}  {text}\n")


def on_pointers(text: str, end: str = "llvm.return") -> str:
    """The calls of a wrapper on pointers, `%m` and `%n`."""
    return calls("llvm.func @w(%m: !llvm.ptr, %n: !llvm.ptr)", f"  {text}\n", end)


WRITERS = {
    "a copy": f"memref.copy %n, %m : {M} to {M}",
    "a copy of a device": f"gpu.memcpy %m, %n : {M}, {M}",
    "a transfer": f"vector.transfer_write %v, %m[%c0] : {V}, {M}",
    "a masked store": f"vector.maskedstore %m[%c0], %all, %v : {M}, vector<4xi1>, {V}",
    "a compressed store": f"vector.compressstore %m[%c0], %all, %v : {M}, vector<4xi1>, {V}",
    "a scatter": f"vector.scatter %m[%c0] [%step], %all, %v : {M}, vector<4xindex>, vector<4xi1>, {V}",
    "an atomic update": f"%z = memref.atomic_rmw addf %k, %m[%c0] : (f64, {M}) -> f64",
    "an atomic update of any kind": (
        f"%z = memref.generic_atomic_rmw %m[%c0] : {M} {{\n^bb0(%o: f64):\n  %s = arith.addf %k, %o : f64\n"
        "  memref.atomic_yield %s : f64\n}"
    ),
    "another shape": (
        "%c2 = arith.constant 2 : index\n"
        "%shape = memref.alloca() : memref<2xindex>\n"
        "memref.store %c2, %shape[%c0] : memref<2xindex>\n"
        "memref.store %c2, %shape[%c1] : memref<2xindex>\n"
        f"%t = memref.reshape %m(%shape) : ({M}, memref<2xindex>) -> memref<2x2xf64>\n"
        "memref.store %k, %t[%c1, %c0] : memref<2x2xf64>"
    ),
    "another shape in a loop": (
        "%s4 = memref.alloca() : memref<1xindex>\n"
        "memref.store %c4, %s4[%c0] : memref<1xindex>\n"
        f"scf.for %i = %c0 to %c4 step %c1 {{\n  %t = memref.reshape %m(%s4) : ({M}, memref<1xindex>) -> {M}\n"
        f"  memref.store %k, %t[%i] : {M}\n}}"
    ),
    "a parallel loop": (
        f"scf.parallel (%i) = (%c0) to (%c4) step (%c1) {{\n  memref.store %k, %m[%i] : {M}\n  scf.reduce\n}}"
    ),
    "a parallel loop of tiles": f"scf.forall (%i) in (4) {{\n  memref.store %k, %m[%i] : {M}\n}}",
    "an affine parallel loop": f"affine.parallel (%i) = (0) to (4) {{\n  affine.store %k, %m[%i] : {M}\n}}",
}
"""What writes to `%m`."""
OTHERS = {
    "an alignment": on_memrefs(f"%a = memref.assume_alignment %m, 8 : {M}\nmemref.store %k, %a[%c0] : {M}"),
    "a lifetime": on_pointers(
        "%one = llvm.mlir.constant(1 : i32) : i32\n"
        "%s = llvm.alloca %one x f64 : (i32) -> !llvm.ptr\n"
        "llvm.intr.lifetime.start %s : !llvm.ptr\n"
        "%v = llvm.load %n : !llvm.ptr -> f64\n"
        "llvm.store %v, %s : f64, !llvm.ptr\n"
        "%u = llvm.load %s : !llvm.ptr -> f64\n"
        "llvm.intr.lifetime.end %s : !llvm.ptr\n"
        "llvm.store %u, %m : f64, !llvm.ptr"
    ),
    "an assumption": on_pointers(
        "%t = llvm.mlir.constant(true) : i1\n"
        "%a = llvm.mlir.constant(8 : i64) : i64\n"
        'llvm.intr.assume %t ["align"(%m, %a : !llvm.ptr, i64)] : i1\n'
        "llvm.store %a, %m : i64, !llvm.ptr"
    ),
    "a volatile load": on_pointers("%v = llvm.load volatile %n : !llvm.ptr -> f64\nllvm.store %v, %m : f64, !llvm.ptr"),
    "an atomic update": on_pointers(
        "%k = llvm.mlir.constant(2.0 : f64) : f64\n%v = llvm.atomicrmw fadd %m, %k seq_cst : !llvm.ptr, f64"
    ),
    "an address moved by no index": on_pointers(
        "%p = llvm.getelementptr %m[] : (!llvm.ptr) -> !llvm.ptr, f64\n"
        "%v = llvm.load %n : !llvm.ptr -> f64\n"
        "llvm.store %v, %p : f64, !llvm.ptr"
    ),
    "a call through a pointer": on_pointers(
        "%a = llvm.mlir.constant(4096 : i64) : i64\n"
        "%f = llvm.inttoptr %a : i64 to !llvm.ptr\n"
        "llvm.call %f(%m, %n) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> ()"
    ),
    "the generic form": on_pointers(
        '%v = "llvm.load"(%n) : (!llvm.ptr) -> f64\n"llvm.store"(%v, %m) : (f64, !llvm.ptr) -> ()',
        '"llvm.return"() : () -> ()',
    ),
}


@pytest.mark.parametrize("text", [*map(on_memrefs, WRITERS.values()), *OTHERS.values()], ids=[*WRITERS, *OTHERS])
def test_a_fix_is_proved(text: str) -> None:
    fixed = jitlint.fix(text).source.text
    assert fixed.count("jit_call @") == 1
    assert prove(text, fixed).difference is None


@pytest.mark.parametrize("written", WRITERS.values(), ids=WRITERS)
def test_what_writes_elsewhere_is_seen(written: str) -> None:
    """The second parameter is written, which no call declares: one call reads there what two would not."""
    text = on_memrefs(f"%r = memref.load %n[%c0] : {M}\n  memref.store %r, %m[%c1] : {M}\n  {written}")
    fixed = jitlint.fix(text).source.text
    assert fixed.count("jit_call @") == 1
    swapped = written.replace("%m", "%_").replace("%n", "%m").replace("%_", "%n")
    assert prove(text.replace(written, swapped), fixed.replace(written, swapped)).difference is not None


LATER = """\
func.func private @w(%m: memref<4xf64>, %n: memref<4xf64>, %o: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = memref.load %n[%i] : memref<4xf64>
    %1 = memref.load %o[%i] : memref<4xf64>
    %2 = arith.subf %0, %1 : f64
    memref.store %2, %m[%i] : memref<4xf64>
  }
  return
}
"""


def test_a_value_may_have_one_name_or_two_in_a_region() -> None:
    call = f"enzymexla.jit_call @w (%0, %y, %y) {ALIAS} : ({T}, {T}, {T}) -> {T}"
    main = f"func.func @main(%0: {T}, %y: {T}) -> {T} {{\n  %1 = {call}\n  return %1 : {T}\n}}\n"
    one_name = LATER.replace("%o[", "%n[")
    assert prove(LATER + main, one_name + main).difference is None
    other = main.replace("%y, %y", "%0, %y")
    assert prove(LATER + other, one_name + other).difference is not None
