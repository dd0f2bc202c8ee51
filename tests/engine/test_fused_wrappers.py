"""Fused wrappers of every kind, compiled and run: cloned and called, copies among them."""

from collections.abc import Iterator, Sequence

import pytest

from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.fusion.wrapper.body import WrapperWriter
from jitlint.fusion.wrapper.names import reference
from jitlint.fusion.wrapper.signature import BoundWrapper, Copy
from jitlint.ir.functions import Function
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Unit
from jitlint.syntax.functions import HeaderReader
from tests.engine.judge import Array, Judge, array

pytestmark = pytest.mark.engine

POINTERS = """
llvm.func fastcc @"add two"(%arg0: !llvm.ptr {llvm.noalias, llvm.align = 8 : i64}, %arg1: !llvm.ptr {llvm.readonly}) {
  %0 = llvm.mlir.constant(2.0 : f64) : f64
  %1 = llvm.load %arg0 : !llvm.ptr -> f64   // %1 is loaded
  %2 = llvm.load %arg1
      : !llvm.ptr -> f64
  %c = llvm.fadd %1, %2 : f64
  %arg2 = llvm.fadd %c, %0 : f64 loc("%arg0")
  llvm.store %arg2, %arg0 : f64, !llvm.ptr
  llvm.return
}
"llvm.func"() <{sym_name = "triple", function_type = !llvm.func<void (ptr)>, visibility_ = 0 : i64}> ({
^bb0(%p: !llvm.ptr loc("x")):
  %0 = "llvm.load"(%p) <{ordering = 0 : i64}> : (!llvm.ptr) -> f64
  %1 = "llvm.mlir.constant"() <{value = 3.0 : f64}> : () -> f64
  %c = "llvm.fmul"(%0, %1) <{fastmathFlags = #llvm.fastmath<none>}> : (f64, f64) -> f64
  "llvm.store"(%c, %p) <{ordering = 0 : i64}> : (f64, !llvm.ptr) -> ()
  "llvm.return"() : () -> ()
}) : () -> ()
llvm.func internal fastcc @set(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
  llvm.br ^bb1
^bb1:
  %1 = llvm.load %arg1 : !llvm.ptr -> f64
  llvm.store %1, %arg0 : f64, !llvm.ptr
  llvm.return
}
llvm.func @loop(%arg0: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %cst = llvm.mlir.constant(1.0 : f64) : f64
  %s = llvm.mlir.constant(1 : i32) : i32
  %m = llvm.alloca %s x f64 : (i32) -> !llvm.ptr
  llvm.store %cst, %m : f64, !llvm.ptr
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.load %m : !llvm.ptr -> f64
    %2 = llvm.fadd %0, %1 : f64
    llvm.store %2, %arg0 : f64, !llvm.ptr
  }
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %cst, %b = %cst) -> (f64, f64) {
    %0 = llvm.fadd %a, %b : f64
    scf.yield %0, %b : f64, f64
  }
  %0 = llvm.load %arg0 : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %r#0 : f64
  %2 = llvm.fsub %1, %r#1 : f64
  llvm.store %2, %arg0 : f64, !llvm.ptr
  llvm.return
}
"""
MEMREFS = """
func.func private @double_into(%arg0: memref<4xf64>, %arg1: memref<4xf64>) {
  affine.for %i = 0 to 4 {
    %0 = memref.load %arg1[%i] : memref<4xf64>
    %1 = arith.addf %0, %0 : f64
    memref.store %1, %arg0[%i] : memref<4xf64>
  }
  return
}
llvm.func fastcc @hundred(%arg0: !llvm.ptr) {
  %0 = llvm.mlir.constant(100.0 : f64) : f64
  llvm.store %0, %arg0 : f64, !llvm.ptr
  llvm.return
}
"""
ALIAS = "#stablehlo.output_operand_alias<output_tuple_indices = {}, operand_index = {}, operand_tuple_indices = []>"


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge() as one:
        yield one


def fused(text: str, calls: Sequence[tuple[str, tuple[int, ...]]], slots: int, copies: Sequence[Copy]) -> str:
    unit = Unit(text, 0, len(text))
    wrappers = Wrappers(SymbolTable(unit.body).lookup, HeaderReader(unit.aliases))
    members: list[BoundWrapper] = []
    for name, bound in calls:
        function = wrappers.get((name,)).function
        assert isinstance(function, Function)
        members.append((function, bound))
    return WrapperWriter("sound", wrappers.cloning).write(members, slots, copies).text(reference("fused one"))


def run(
    judge: Judge, text: str, calls: Sequence[tuple[str, tuple[int, ...]]], given: Sequence[Array], *copies: Copy
) -> list[list[float]]:
    """What every slot holds after one fused call of all `calls`."""
    of_type = f"tensor<{''.join(f'{size}x' for size in given[0]['shape'])}f64>"
    count = len(given)
    types, names = ", ".join([of_type] * count), ", ".join(f"%a{slot}" for slot in range(count))
    parameters = ", ".join(f"%a{slot}: {of_type}" for slot in range(count))
    results = ", ".join(f"%r#{slot}" for slot in range(count))
    aliases = ", ".join(ALIAS.format([slot] if count > 1 else [], slot) for slot in range(count))
    module = f"""{text}
{fused(text, calls, count, copies)}
func.func @main({parameters}) -> ({types}) {{
  %r:{count} = enzymexla.jit_call @"fused one" ({names}) <output_operand_aliases = [{aliases}]> : ({types}) -> ({types})
  return {results} : {types}
}}
"""
    return [result["data"] for result in judge.run_main(module, given)]


def test_clones_and_calls_in_one_wrapper(judge: Judge) -> None:
    calls = [("add two", (0, 1)), ("triple", (0,)), ("add two", (1, 0)), ("set", (2, 1))]
    given = [array(1.0), array(5.0), array(7.0)]
    assert run(judge, POINTERS, calls, given) == [[24.0], [31.0], [31.0]]


def test_clones_with_regions_and_stack_memory(judge: Judge) -> None:
    assert run(judge, POINTERS, [("loop", (0,)), ("loop", (0,))], [array(1.0)]) == [[17.0]]


def test_a_copy_keeps_the_value_between_two_clones(judge: Judge) -> None:
    calls = [("loop", (0,)), ("triple", (0,))]
    assert run(judge, POINTERS, calls, [array(1.0), array(0.0)], Copy(1, 0, 1, 8)) == [[27.0], [9.0]]


def test_memref_and_pointer_wrappers_with_a_copy(judge: Judge) -> None:
    calls = [("double_into", (0, 1)), ("double_into", (1, 0)), ("hundred", (3,))]
    given = [array(numbers) for numbers in ([0.0] * 4, [1.0, 2.0, 3.0, 4.0], [0.0] * 4, [5.0] * 4)]
    twice = [2.0, 4.0, 6.0, 8.0]
    after = [twice, [4.0, 8.0, 12.0, 16.0], twice, [100.0, 5.0, 5.0, 5.0]]
    assert run(judge, MEMREFS, calls, given, Copy(1, 0, 2, 32)) == after
