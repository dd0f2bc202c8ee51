"""Which operations may leave an address in memory: those that write something which is one, or may hold one."""

from __future__ import annotations

import pytest

from jitlint.ir.tree import Unit
from jitlint.proof.compare import prove
from jitlint.proof.module_facts import Module
from jitlint.proof.plain_text import Texts
from jitlint.syntax.functions import HeaderReader
from tests.proof.programs import call, calling

KEEPING = {
    "an address": "llvm.store %p, %p : !llvm.ptr, !llvm.ptr",
    "an address of another space": "llvm.store %p, %p {alignment = 8 : i64} : !llvm.ptr<1>, !llvm.ptr",
    "a structure": "llvm.store %s, %p : !llvm.struct<(i32, ptr)>, !llvm.ptr",
    "a structure in an array": "llvm.store %s, %p : !llvm.array<2 x struct<(i32, ptr<1>)>>, !llvm.ptr",
    "a structure by its name": 'llvm.store %s, %p : !llvm.struct<"node", (i32)>, !llvm.ptr',
    "a structure by an alias": "llvm.store %s, %p : !pair, !llvm.ptr",
    "a type that is not known": "llvm.store %s, %p : !other.handle, !llvm.ptr",
    "a vector": "llvm.store %s, %p : vector<2x!llvm.ptr>, !llvm.ptr",
    "the generic form": '"llvm.store"(%s, %p) : (!llvm.struct<(ptr)>, !llvm.ptr) -> ()',
    "a memref": "memref.store %m, %n[%i] : memref<2xmemref<4xf64>>",
    "a memref of addresses": "memref.store %p, %n[%i] : memref<2x!llvm.ptr, strided<[1], offset: 0>>",
    "a memref of addresses, vector by vector": "vector.store %v, %n[%i] : memref<2x!llvm.ptr>, vector<2x!llvm.ptr>",
    "addresses that are scattered": (
        "vector.scatter %n[%i] [%s], %all, %v : memref<4x!llvm.ptr>, vector<4xindex>, vector<4xi1>, vector<4x!llvm.ptr>"
    ),
    "an exchange": "%o = llvm.atomicrmw xchg %p, %p acq_rel : !llvm.ptr, !llvm.ptr",
}
KEPT = {
    "a number": "llvm.store %v, %p : f64, !llvm.ptr",
    "a number that is called ptr": "llvm.store %ptr, %p : f64, !llvm.ptr",
    "a number by an alias": "llvm.store %v, %p : !number, !llvm.ptr",
    "a structure of numbers": "llvm.store %s, %p : !llvm.struct<(i32, array<2 x f64>)>, !llvm.ptr",
    "an element": "memref.store %v, %n[%i] : memref<4xf64, strided<[1], offset: 0>>",
    "a vector": "vector.store %v, %n[%i] : memref<4xf64>, vector<4xf64>",
    "elements that are scattered": (
        "vector.scatter %n[%i] [%s], %all, %v : memref<4xf64>, vector<4xindex>, vector<4xi1>, vector<4xf64>"
    ),
}


def leaks(operation: str) -> bool:
    text = f"!pair = !llvm.struct<(i32, ptr)>\n!number = f64\nllvm.func @w(%p: !llvm.ptr) {{\n  {operation}\n}}\n"
    unit = Unit(text, 0, len(text))
    return Module(unit.body, Texts(text, unit.aliases), HeaderReader(unit.aliases)).facts("w").leaks


@pytest.mark.parametrize("operation", KEEPING.values(), ids=KEEPING)
def test_what_leaves_an_address(operation: str) -> None:
    assert leaks(operation)


@pytest.mark.parametrize("operation", KEPT.values(), ids=KEPT)
def test_what_leaves_none(operation: str) -> None:
    assert not leaks(operation)


KEEPER = """
llvm.mlir.global external @kept() {} : !llvm.struct<(ptr)>
llvm.func @keep(%p: !llvm.ptr, %q: !llvm.ptr) {
  llvm.br ^bb1
^bb1:
  %g = llvm.load %q : !llvm.ptr -> i64
  %u = llvm.mlir.undef : !llvm.struct<(ptr)>
  %s = llvm.insertvalue %p, %u[0] : !llvm.struct<(ptr)>
  %k = llvm.mlir.addressof @kept : !llvm.ptr
  llvm.store %s, %k : !llvm.struct<(ptr)>, !llvm.ptr
  llvm.return
}
"""


def wrapper(name: str, *body: str) -> str:
    return f"llvm.func @{name}(%p: !llvm.ptr, %q: !llvm.ptr) {{\n" + "\n".join([*body, "llvm.return"]) + "\n}\n"


def test_an_address_in_a_structure_reaches_the_next_function_outside() -> None:
    """In one wrapper a function outside may write where an address was left; in two it knows only its own buffers."""
    keep, outside = (
        "llvm.call @keep(%p, %q) : (!llvm.ptr, !llvm.ptr) -> ()",
        "llvm.call @outside(%q) : (!llvm.ptr) -> ()",
    )
    read = "%v = llvm.load %p : !llvm.ptr -> f64\nllvm.store %v, %p : f64, !llvm.ptr"
    apart = calling(
        f"%x = {call('first', '%a0', '%a1')}\n%r = {call('second', '%x', '%a1')}\nreturn %r : tensor<f64>",
        declared=KEEPER + wrapper("first", keep) + wrapper("second", outside, read),
    )
    together = calling(
        f"%r = {call('both', '%a0', '%a1')}\nreturn %r : tensor<f64>",
        declared=KEEPER + wrapper("both", keep, outside, read),
    )
    assert prove(together, together.replace("%r", "%z")).difference is None
    assert prove(apart, together).difference is not None
