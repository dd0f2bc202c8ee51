"""Modules with plumbing, and how many calls a fix leaves of them. All compute the same before and after it."""

from __future__ import annotations

from typing import NamedTuple

from tests.plumbing.programs import program

TWO = """
%a = @double(%x: T)
%b = @double(%y: T)
%c = reshape %a : (T) -> T1
%d = broadcast_in_dim %b, dims = [] : (T) -> T1
%e = concatenate %c, %d, dim = 0 : (T1, T1) -> T2
"""
ONE = "%a = @double(%x: T)\n%c = reshape %a : (T) -> T1\n"
FOUR = "%a = @up4(%v: T4)\n"

TAIL = """
llvm.func @sum(%v: !llvm.ptr, %to: !llvm.ptr) attributes {no_inline} {
  %0 = llvm.load %v : !llvm.ptr -> i32
  %p = llvm.getelementptr %v[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %1 = llvm.load %p : !llvm.ptr -> i32
  %2 = llvm.sub %0, %1 : i32
  llvm.store %2, %to : i32, !llvm.ptr
  llvm.return
}
llvm.func @tails(%v: !llvm.ptr, %to: !llvm.ptr) {
  llvm.call tail @sum(%v, %to) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
"""
EITHER = """
llvm.func @either(%v: !llvm.ptr, %to: !llvm.ptr) {
  %0 = llvm.load %v : !llvm.ptr -> i32
  %p = llvm.getelementptr %v[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %1 = llvm.load %p : !llvm.ptr -> i32
  %c = llvm.icmp "slt" %0, %1 : i32
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store %0, %to : i32, !llvm.ptr
  llvm.return
^b:
  llvm.store %1, %to : i32, !llvm.ptr
  llvm.return
}
"""
SETS = """
llvm.func @sets(%v: !llvm.ptr {llvm.writeonly}, %w: !llvm.ptr {llvm.readonly}) {
  %0 = llvm.load %w : !llvm.ptr -> i32
  llvm.store %0, %v : i32, !llvm.ptr
  llvm.return
}
"""
MEMREFS = """
func.func private @twice(%m: memref<i32>) {
  %0 = memref.load %m[] : memref<i32>
  %1 = arith.addi %0, %0 : i32
  memref.store %1, %m[] : memref<i32>
  return
}
"""
ELSEWHERE = """
llvm.func @elsewhere(%m: !llvm.ptr<1>) {
  %0 = llvm.load %m : !llvm.ptr<1> -> i32
  %1 = llvm.add %0, %0 : i32
  llvm.store %1, %m : i32, !llvm.ptr<1>
  llvm.return
}
"""
KEEPS = """
llvm.mlir.global internal @kept(0 : i64) : i64
llvm.func @keeps(%v: !llvm.ptr, %to: !llvm.ptr) {
  %g = llvm.mlir.addressof @kept : !llvm.ptr
  llvm.store %v, %g : !llvm.ptr, !llvm.ptr
  %0 = llvm.load %v : !llvm.ptr -> i32
  llvm.store %0, %to : i32, !llvm.ptr
  llvm.return
}
"""
NOTHING = """
llvm.func @nothing(%v: !llvm.ptr) {
  llvm.return
}
llvm.func @neither(%v: !llvm.ptr) {
  llvm.return
}
"""
PAIR = """
llvm.func @pair(%v: !llvm.ptr, %w: !llvm.ptr) {
  %0 = llvm.load %v : !llvm.ptr -> i32
  %1 = llvm.load %w : !llvm.ptr -> i32
  %2 = llvm.add %0, %1 : i32
  llvm.store %1, %v : i32, !llvm.ptr
  llvm.store %2, %w : i32, !llvm.ptr
  llvm.return
}
"""
HIDDEN = """
llvm.func @hidden(%v: !llvm.ptr) {
  %0 = llvm.mlir.constant(9 : i32) : i32
  llvm.store %0, %v : i32, !llvm.ptr
  llvm.return
}
"""
SCALAR, LINE = "operand_layouts = [dense<> : tensor<0xindex>]", "dense<0> : tensor<1xindex>"
LAID = TWO.replace("(%x: T)", f"(%x: T) {{{SCALAR}}}").replace("(%y: T)", f"(%y: T) {{{SCALAR}}}")
USE = f"%f = @digits2(%e: T2, %z: T) {{operand_layouts = [{LINE}, dense<> : tensor<0xindex>]}}"
READ = "%f = @digits2(%e: T2, %z: T)"


class Case(NamedTuple):
    """A module, the calls that a fix leaves, and the beginning of a message that says why not fewer."""

    text: str
    left: int
    why: str = ""


def _case(
    body: str, returned: str, left: int, why: str = "", own: str = "", written: dict[str, tuple[int, ...]] | None = None
) -> Case:
    return Case(program(body, returned, own=own, written=written), left, why)


KEPT = "`stablehlo.concatenate` cannot be taken into one wrapper with the calls around it: "

CASES = {
    # What is taken in, and what stays outside too.
    # The copy is written by one call and used by the next: both come along, or neither can.
    "a copy that calls write and use": _case(
        "%a:2 = @pair(%x: T, %y: T)\n%b = @double(%a#1: T)\n%c = @double(%a#0: T)\n%d = reshape %a#0 : (T) -> T1\n"
        "%e = reshape %b : (T) -> T1\n%f = concatenate %d, %e, dim = 0 : (T1, T1) -> T2\n%g = @up2(%f: T2)\n"
        "%h = @digits2(%g: T2, %z: T)",
        "%c: T, %h: T",
        2,
        own=PAIR,
        written={"pair": (0, 1)},
    ),
    "two values": _case(TWO + READ, "%f: T", 1),
    "one is used outside": _case(f"{TWO}{READ}\n%g = negate %e : T2", "%f: T, %g: T2", 1),
    "all are": _case(TWO + READ, "%f: T, %e: T2, %c: T1, %a: T", 1),
    "a value from outside": _case(
        f"{ONE}%s = slice %v [1:2] : (T4) -> T1\n%e = concatenate %c, %s, %c, dim = 0 : (T1, T1, T1) -> T3\n"
        "%f = @digits3(%e: T3, %z: T)",
        "%f: T",
        1,
    ),
    "nested": _case(
        TWO + "%f = concatenate %e, %c, dim = 0 : (T2, T1) -> T3\n%g = concatenate %f, %d, dim = 0 : (T3, T1) -> T4\n"
        "%h = @digits4(%g: T4, %z: T)\n%i = @digits2(%e: T2, %h: T)",
        "%i: T, %f: T3",
        1,
    ),
    "parts": _case(
        FOUR + "%b = slice %a [0:2] : (T4) -> T2\n%c = slice %a [2:4] : (T4) -> T2\n%d = @digits2(%b: T2, %z: T)\n"
        "%e = @digits2(%c: T2, %d: T)",
        "%e: T",
        1,
    ),
    "a source and what is made of it": _case(TWO + "%f = @digits2(%e: T2, %a: T)", "%f: T", 1),
    "one dimension that is not 1": _case(
        FOUR + "%b = reshape %a : (T4) -> T1x4\n%c = slice %b [0:1, 1:3] : (T1x4) -> T1x2\n"
        "%e = reshape %c : (T1x2) -> T2x1\n" + READ.replace("T2", "T2x1"),
        "%f: T",
        1,
    ),
    "concatenated along another dimension": _case(
        ONE + "%d = reshape %c : (T1) -> T1x1\n%e = concatenate %d, %d, dim = 1 : (T1x1, T1x1) -> T1x2\n"
        "%q:2 = optimization_barrier %e, %x : T1x2, T\n" + READ.replace("%e: T2", "%q#0: T1x2"),
        "%f: T",
        1,
    ),
    "a wrapper that is called": _case(
        TWO + "%f = @either(%e: T2, %z: T)", "%f: T", 1, own=EITHER, written={"either": (1,)}
    ),
    "a tail call": _case(TWO + "%f = @tails(%e: T2, %z: T)", "%f: T", 1, own=TAIL, written={"tails": (1,)}),
    "what is only written is read by the copy": _case(
        "%a = @sets(%x: T, %y: T)\n%b = @sets(%z: T, %y: T)\n%c = reshape %a : (T) -> T1\n%d = reshape %b : (T) -> T1\n"
        "%e = concatenate %c, %d, dim = 0 : (T1, T1) -> T2\n%g = slice %e [1:2] : (T2) -> T1\n"
        "%h = reshape %g : (T1) -> T\n%i = @sets(%x: T, %h: T)",
        "%i: T",
        1,
        own=SETS,
        written={"sets": (0,)},
    ),
    "4096 bytes": _case(
        ONE + "%k = constant dense<1> : T1023\n%e = concatenate %c, %k, dim = 0 : (T1, T1023) -> T1024\n"
        "%f = @digits2(%e: T1024, %z: T)",
        "%f: T",
        1,
    ),
    "what the copies do not need stands between": _case(
        TWO + "%n = negate %x : T\n%f = @digits2(%e: T2, %n: T)", "%f: T", 1
    ),
    # What no wrapper may do.
    "two dimensions": _case(
        FOUR + "%b = reshape %a : (T4) -> T2x2\n%c = slice %b [0:2, 0:1] : (T2x2) -> T2x1\n"
        "%e = reshape %c : (T2x1) -> T2\n" + READ,
        "%f: T",
        2,
    ),
    "a call that takes two dimensions": _case(
        FOUR + "%b = reshape %a : (T4) -> T2x2\n%f = @digits4(%b: T2x2, %z: T)", "%f: T", 2
    ),
    "every other element": _case(FOUR + "%e = slice %a [0:4:2] : (T4) -> T2\n" + READ, "%f: T", 2),
    "one value for many": _case(
        "%a = @double(%x: T)\n%e = broadcast_in_dim %a, dims = [] : (T) -> T2\n" + READ, "%f: T", 2
    ),
    "more than 4096 bytes": _case(
        ONE + "%k = constant dense<1> : T1024\n%e = concatenate %c, %k, dim = 0 : (T1, T1024) -> T1025\n"
        "%f = @digits2(%e: T1025, %z: T)",
        "%f: T",
        2,
    ),
    "more than 4096 bytes together": _case(
        ONE + "%k = constant dense<1> : T600\n%e = concatenate %c, %k, dim = 0 : (T1, T600) -> T601\n"
        "%g = concatenate %k, %c, dim = 0 : (T600, T1) -> T601\n"
        "%f = @digits2(%e: T601, %z: T)\n%h = @digits2(%g: T601, %f: T)",
        "%h: T",
        1,  # in two steps: the wrapper of the first is a wrapper like any other to the second
    ),
    "no wrapper shows where the memory is": _case(
        TWO.replace("double", "nothing") + "@neither(%e: T2)",
        "%x: T",
        3,
        KEPT + "no wrapper shows that the memory is the host's",
        own=NOTHING,
        written={"nothing": (0,), "neither": ()},
    ),
    "nothing is copied, wherever the memory is": _case(
        ONE.replace("double", "nothing") + "@neither(%c: T1)",
        "%x: T",
        1,
        own=NOTHING,
        written={"nothing": (0,), "neither": ()},
    ),
    "a wrapper keeps the pointer": _case(
        TWO + "%f = @keeps(%e: T2, %z: T)",
        "%f: T",
        3,
        KEPT + "@keeps may keep it",
        own=KEEPS,
        written={"keeps": (1,)},
    ),
    "a wrapper keeps the pointer to a view of a copy": _case(
        TWO + "%g = slice %e [1:2] : (T2) -> T1\n%h = reshape %g : (T1) -> T\n%f = @keeps(%h: T, %z: T)",
        "%f: T",
        3,
        "`stablehlo.slice` cannot be taken into one wrapper with the calls around it: @keeps may keep it",
        own=KEEPS,
        written={"keeps": (1,)},
    ),
    "a memref is copied": _case(
        TWO.replace("double", "twice") + READ,
        "%f: T",
        3,
        "`stablehlo.concatenate` cannot be taken into one wrapper with its neighbours: a `memref<i32>` is passed",
        own=MEMREFS,
        written={"twice": (0,)},
    ),
    "a memref is a pointer elsewhere": _case(
        ONE.replace("double", "twice") + "%f = @digits1(%c: T1, %z: T)",
        "%f: T",
        2,
        "@digits1 takes %c with the pointer type",
        own=MEMREFS,
        written={"twice": (0,)},
    ),
    "another address space": _case(
        TWO.replace("double", "elsewhere", 1) + READ,
        "%f: T",
        2,
        own=ELSEWHERE,
        written={"elsewhere": (0,)},
    ),
    "what is between needs the calls": _case(
        TWO + "%n = negate %a : T\n%f = @digits2(%e: T2, %n: T)", "%f: T", 2, "@double and @__enzyme_fused"
    ),
    "what is between needs the copy": _case(
        TWO + "%n = negate %e : T2\n%f = @digits2(%e: T2, %z: T)\n%g = @digits2(%n: T2, %f: T)", "%g: T", 2
    ),
    # Memory that is written.
    "a copy is written, unseen": _case(TWO + "%f = @up2(%e: T2)", "%a: T", 1),
    "a copy is written and read": _case(TWO + "%f = @up2(%e: T2)\n%g = @digits2(%f: T2, %z: T)", "%g: T", 1),
    "a copy is written and returned": _case(TWO + "%f = @up2(%e: T2)", "%f: T2", 3, "@up2 writes %e"),
    "a copy is written, and needed as it was": _case(
        TWO + "%f = @up2(%e: T2)\n%g = @digits2(%e: T2, %z: T)", "%g: T", 1
    ),
    "a copy is written, and stays as it was": _case(
        TWO + "%f = @up2(%e: T2)\n%g = @digits2(%f: T2, %z: T)", "%g: T, %e: T2", 1
    ),
    "a copy is read twice, and written in between": _case(
        TWO + "%f = @digits2(%e: T2, %z: T)\n%g = @up2(%e: T2)\n%h = @digits2(%e: T2, %f: T)", "%h: T", 1
    ),
    "a source is overwritten before the copy is read": _case(
        TWO + "%g = @double(%a: T)\n%f = @digits2(%e: T2, %g: T)", "%f: T", 1
    ),
    "a source is overwritten before the copy is read, and the copy stays": _case(
        TWO + "%g = @double(%a: T)\n%f = @digits2(%e: T2, %g: T)",
        "%f: T, %e: T2",
        2,
        "@__enzyme_fused_double_double_digits2 is passed %a",
    ),
    "a source is overwritten before its view is read": _case(
        ONE + "%g = @double(%a: T)\n%f = @digits1(%c: T1, %g: T)", "%f: T", 2
    ),
    "a source is overwritten behind the copy": _case(f"{TWO}{READ}\n%g = @double(%a: T)", "%f: T, %g: T", 1),
    "a source is overwritten, and the copy stays": _case(
        f"{TWO}{READ}\n%g = @double(%a: T)", "%f: T, %g: T, %e: T2", 2, "@double overwrites %a"
    ),
    "a source is overwritten, and its view stays": _case(
        f"{TWO}{READ}\n%g = @double(%a: T)", "%f: T, %g: T, %c: T1", 2, "@double overwrites %a"
    ),
    "a source is overwritten before the copy": _case(
        "%a = @double(%x: T)\n%b = @double(%a: T)\n%c = reshape %a : (T) -> T1\n%d = reshape %b : (T) -> T1\n"
        "%e = concatenate %c, %d, dim = 0 : (T1, T1) -> T2\n" + READ,
        "%f: T",
        2,
    ),
    "a view is written, unseen": _case(ONE + "%d = @up1(%c: T1)", "%x: T", 1),
    "a view is written, and its source is needed": _case(ONE + "%d = @up1(%c: T1)", "%a: T", 2, "@up1 overwrites %c"),
    "a view is written and returned": _case(ONE + "%d = @up1(%c: T1)", "%d: T1", 2, "@up1 writes %c"),
    "a view is written, and read later": _case(
        ONE + "%d = @up1(%c: T1)\n%e = @digits1(%c: T1, %z: T)", "%e: T", 3, "@up1 overwrites %c"
    ),
    "a value and its view in one call": _case(
        ONE + "%f = @digits1(%c: T1, %a: T)", "%f: T", 2, "@digits1 is passed %a"
    ),
    "an undeclared write to a view": _case(ONE + "@hidden(%c: T1)", "%x: T", 2, own=HIDDEN, written={"hidden": ()}),
    "an undeclared write to a copy": _case(TWO + "@hidden(%e: T2)", "%x: T", 3, own=HIDDEN, written={"hidden": ()}),
    # Barriers of several values.
    "a barrier": _case(
        "%a = @double(%x: T)\n%b = @double(%y: T)\n%q:2 = optimization_barrier %a, %b : T, T\n%c = @double(%q#0: T)\n"
        "%d = @double(%q#1: T)",
        "%c: T, %d: T",
        1,
    ),
    "a barrier with a value from outside": _case(
        "%a = @double(%x: T)\n%q:2 = optimization_barrier %a, %y : T, T\n%c = @double(%q#1: T)\n"
        "%r = reshape %q#0 : (T) -> T1\n%d = @digits1(%r: T1, %z: T)",
        "%c: T, %d: T",
        1,
    ),
    "a barrier that stays needs all its values": _case(
        "%a = @double(%x: T)\n%b = @double(%y: T)\n%q:2 = optimization_barrier %a, %b : T, T\n%c = @double(%a: T)\n"
        "%r = reshape %q#1 : (T) -> T1\n%d = @digits1(%r: T1, %c: T)",
        "%d: T, %q#1: T",
        2,
    ),
    # Layouts.
    "layouts that are spelled": _case(LAID + USE, "%f: T", 1),
    "layouts that are spelled at some": _case(TWO + USE, "%f: T", 1),
    "the layout of a matrix beside a copy": _case(
        f"%a = @double(%x: T) {{{SCALAR}}}\n%c = reshape %a : (T) -> T1\n%s = slice %v [1:2] : (T4) -> T1\n"
        f"%e = concatenate %c, %s, dim = 0 : (T1, T1) -> T2\n{USE}\n%m = reshape %v : (T4) -> T2x2\n"
        "%g = @digits4(%m: T2x2, %f: T) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>, "
        "dense<> : tensor<0xindex>]}",
        "%g: T",
        1,
    ),
    "the layout of a value in another shape": _case(
        f"%a = @double(%x: T) {{{SCALAR}}}\n%q:2 = optimization_barrier %a, %y : T, T\n%r = reshape %q#1 : (T) -> T1\n"
        f"%c = @up1(%r: T1) {{operand_layouts = [{LINE}]}}\n%e = reshape %q#0 : (T) -> T1\n"
        f"%d = @digits1(%e: T1, %z: T) {{operand_layouts = [{LINE}, dense<> : tensor<0xindex>]}}",
        "%d: T",
        1,
    ),
}
