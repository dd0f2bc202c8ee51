"""Where the stores of a wrapper go: to parameters for certain, perhaps, or nobody knows where."""

from __future__ import annotations

import pytest

from jitlint.analysis.wrapper.wrappers import Wrappers
from tests.analysis.test_wrappers import wrappers_of

STORE = "llvm.store %v, %t : f64, !llvm.ptr"
ONE = "%one = llvm.mlir.constant(1 : i32) : i32"
SPILL = f"{ONE}\n%s = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr"
TWO = f"{SPILL}\n%s1 = llvm.getelementptr %s[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr"
STRUCT = "!llvm.struct<(ptr, ptr)>"
YES = "%c = llvm.mlir.constant(true) : i1"
SHAPE = "%i = llvm.mlir.constant(0 : i64) : i64"


def put(value: str, into: str) -> str:
    return f"llvm.store {value}, {into} : !llvm.ptr, !llvm.ptr"


def take(source: str, name: str = "%t") -> str:
    return f"{name} = llvm.load {source} : !llvm.ptr -> !llvm.ptr"


def judged(*body: str, declared: str = "") -> tuple[set[int], set[int], bool]:
    """What a wrapper of `%p` and `%q` that holds the number `%v` does: the parameters that it stores through for
    certain and perhaps, and whether a store goes astray."""
    lines = "\n".join(body)
    text = (
        f"{declared}\nllvm.func @w(%p: !llvm.ptr, %q: !llvm.ptr) {{\n"
        f"%v = llvm.mlir.constant(1.0 : f64) : f64\n{lines}\nllvm.return\n}}\n"
    )
    return of(wrappers_of(text))


def of(wrappers: Wrappers) -> tuple[set[int], set[int], bool]:
    function = wrappers.get(("w",)).function
    assert function is not None
    writes = wrappers.writes
    certain = set(writes.writes(function))
    return certain, set(writes.may_store(function)) - certain, bool(writes.astray(function))


@pytest.mark.parametrize(
    "way",
    [
        "%t = llvm.freeze %p : !llvm.ptr",
        "%t = llvm.bitcast %p : !llvm.ptr to !llvm.ptr",
        "%t = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr",
        "%t = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f64",
        "%a = llvm.ptrtoint %p : !llvm.ptr to i64\n%t = llvm.inttoptr %a : i64 to !llvm.ptr",
        f"{SHAPE}\n%a = llvm.ptrtoint %p : !llvm.ptr to i64\n%b = llvm.add %a, %i : i64\n"
        "%t = llvm.inttoptr %b : i64 to !llvm.ptr",
        f"%u = llvm.mlir.undef : {STRUCT}\n%r = llvm.insertvalue %p, %u[0] : {STRUCT}\n"
        f"%t = llvm.extractvalue %r[0] : {STRUCT}",
        f"{SPILL}\n{put('%p', '%s')}\n{take('%s')}",
        f"{SPILL}\n{put('%p', '%s')}\n%f = llvm.freeze %s : !llvm.ptr\n{take('%f')}",
        f"{SPILL}\n{put('%p', '%s')}\n{take('%s', '%m')}\n"
        f"%s2 = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr\n{put('%m', '%s2')}\n{take('%s2')}",
        f"{SPILL}\n%n = llvm.mlir.constant(8 : i64) : i64\n{put('%p', '%s')}\n"
        "%s2 = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr\n"
        f'"llvm.intr.memcpy"(%s2, %s, %n) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()\n{take("%s2")}',
        "llvm.br ^b(%p : !llvm.ptr)\n^b(%t: !llvm.ptr):",
        '"llvm.br"(%p)[^b] : (!llvm.ptr) -> ()\n^b(%x: !llvm.ptr):\n%t = llvm.freeze %p : !llvm.ptr',
    ],
)
def test_a_pointer_that_is_a_parameter_again(way: str) -> None:
    assert judged(way, STORE) == ({0}, set(), False)


@pytest.mark.parametrize(
    "way",
    [
        f"{YES}\n%t = llvm.select %c, %p, %q : i1, !llvm.ptr",
        f"{YES}\nllvm.cond_br %c, ^b(%p : !llvm.ptr), ^b(%q : !llvm.ptr)\n^b(%t: !llvm.ptr):",
        "llvm.br ^b(%p : !llvm.ptr)\n^b(%t: !llvm.ptr):\nllvm.store %v, %t : f64, !llvm.ptr\n"
        f"{YES}\nllvm.cond_br %c, ^b(%q : !llvm.ptr), ^d\n^d:",
    ],
)
def test_what_one_branch_does_is_done(way: str) -> None:
    """A store is in the wrapper, and a branch leads there: that is as certain as a store behind a condition."""
    assert judged(way, STORE) == ({0, 1}, set(), False)


@pytest.mark.parametrize(
    "way",
    [
        f"{TWO}\n{put('%p', '%s')}\n{put('%q', '%s1')}\n{take('%s')}",
        f"%u = llvm.mlir.undef : {STRUCT}\n%r = llvm.insertvalue %p, %u[0] : {STRUCT}\n"
        f"%r1 = llvm.insertvalue %q, %r[1] : {STRUCT}\n%t = llvm.extractvalue %r1[0] : {STRUCT}",
        "%a = llvm.ptrtoint %p : !llvm.ptr to i64\n%b = llvm.ptrtoint %q : !llvm.ptr to i64\n"
        "%d = llvm.xor %a, %b : i64\n%t = llvm.inttoptr %d : i64 to !llvm.ptr",
        f'{YES}\n"llvm.cond_br"(%c, %p, %q)[^b, ^b] <{{operandSegmentSizes = array<i32: 1, 1, 1>}}>'
        " : (i1, !llvm.ptr, !llvm.ptr) -> ()\n^b(%t: !llvm.ptr):",
        f"{YES}\n%t = scf.if %c -> (!llvm.ptr) {{\nscf.yield %p : !llvm.ptr\n}} else {{\nscf.yield %q : !llvm.ptr\n}}",
        "%z = llvm.mlir.zero : !llvm.ptr\n%a = llvm.ptrtoint %p : !llvm.ptr to i64\n"
        "%b = llvm.ptrtoint %q : !llvm.ptr to i64\n%o = llvm.sub %a, %b : i64\n"
        "%t = llvm.getelementptr %z[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8",
    ],
)
def test_one_of_several_pointers_is_a_doubt(way: str) -> None:
    assert judged(way, STORE) == (set(), {0, 1}, False)


def test_a_loop_carries_a_pointer() -> None:
    loop = "%k = arith.constant 1 : index\n%r = scf.for %i = %k to %k step %k iter_args(%t = %p) -> (!llvm.ptr) {\n"
    assert judged(f"{loop}{STORE}\nscf.yield %q : !llvm.ptr\n}}") == (set(), {0, 1}, False)
    later = f"{loop}{STORE}\nscf.yield %t : !llvm.ptr\n}}\n%t = llvm.freeze %v : f64"
    assert judged(later) == (set(), {0}, False)


@pytest.mark.parametrize(
    "way",
    [
        take("%q"),
        f"{take('%q', '%m')}\n{take('%m')}",
        "%a = llvm.load %q : !llvm.ptr -> i64\n%t = llvm.inttoptr %a : i64 to !llvm.ptr",
        f"%g = llvm.mlir.addressof @g : !llvm.ptr\n{put('%p', '%g')}\n{take('%g')}",
        f"{put('%p', '%q')}\n{take('%q')}",
        "%t = llvm.call @where() : () -> !llvm.ptr",
        "%t = llvm.call @there(%p) : (!llvm.ptr) -> !llvm.ptr",
        f"{SPILL}\nllvm.call @fill(%s) : (!llvm.ptr) -> ()\n{take('%s')}",
        "%n = llvm.mlir.constant(4096 : i64) : i64\n%m = llvm.inttoptr %n : i64 to !llvm.ptr\n" + take("%m"),
        '%t = llvm.inline_asm has_side_effects "", "=r" : () -> !llvm.ptr',
        '%t = "some.thing"() : () -> !llvm.ptr',
        f"{SPILL}\n%n = llvm.mlir.constant(8 : i64) : i64\n"
        f'"llvm.intr.memcpy"(%s, %q, %n) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()\n{take("%s")}',
    ],
)
def test_a_store_that_goes_nobody_knows_where(way: str) -> None:
    declared = (
        "llvm.mlir.global external @g() : !llvm.ptr\nllvm.func @where() -> !llvm.ptr\n"
        "llvm.func @there(!llvm.ptr) -> !llvm.ptr\nllvm.func @fill(!llvm.ptr)"
    )
    assert judged(way, STORE, declared=declared)[2]
    assert not judged(way, declared=declared)[2], "without the store there is nothing to say"


@pytest.mark.parametrize(
    "way",
    [
        f"{ONE}\n%t = llvm.alloca %one x f64 : (i32) -> !llvm.ptr",
        f"{SPILL}\n%own = llvm.alloca %one x f64 : (i32) -> !llvm.ptr\n{put('%own', '%s')}\n{take('%s')}",
        "%n = llvm.mlir.constant(8 : i64) : i64\n%t = llvm.call @malloc(%n) : (i64) -> !llvm.ptr",
        "%t = llvm.mlir.addressof @g : !llvm.ptr",
        "%own = llvm.mlir.addressof @g : !llvm.ptr\n%w = llvm.load %q : !llvm.ptr -> i64\n"
        "%t = llvm.getelementptr %own[%w] : (!llvm.ptr, i64) -> !llvm.ptr, i8",
        f'%c = llvm.icmp "eq" %p, %q : !llvm.ptr\n{ONE}\n%own = llvm.alloca %one x f64 : (i32) -> !llvm.ptr\n'
        "%t = llvm.select %c, %own, %own : i1, !llvm.ptr",
    ],
)
def test_a_store_to_memory_that_is_no_parameter(way: str) -> None:
    declared = "llvm.mlir.global external @g() : f64\nllvm.func @malloc(i64) -> !llvm.ptr"
    assert judged(way, STORE, declared=declared) == (set(), set(), False)


N = "%n = llvm.mlir.constant(8 : i64) : i64"


@pytest.mark.parametrize(
    "write",
    [
        f'{N}\n%z = llvm.mlir.constant(0 : i8) : i8\n"llvm.intr.memset"(%p, %z, %n) <{{isVolatile = false}}>'
        " : (!llvm.ptr, i8, i64) -> ()",
        f'{N}\n"llvm.intr.memmove"(%p, %q, %n) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()',
        f'{N}\nllvm.call_intrinsic "llvm.memcpy.p0.p0.i64"(%p, %q, %n) : (!llvm.ptr, !llvm.ptr, i64) -> ()',
        f'{N}\n"llvm.call_intrinsic"(%p, %q, %n) <{{intrin = "llvm.memcpy.p0.p0.i64"}}>'
        " : (!llvm.ptr, !llvm.ptr, i64) -> ()",
        f"{N}\n%o = llvm.atomicrmw add %p, %n acq_rel : !llvm.ptr, i64",
        f"{N}\n%o = llvm.cmpxchg %p, %n, %n acq_rel monotonic : !llvm.ptr, i64",
        '%m = "some.mask"() : () -> vector<1xi1>\n%w = "some.vector"() : () -> vector<1xf64>\n'
        "llvm.intr.masked.store %w, %p, %m {alignment = 8 : i32} : vector<1xf64>, vector<1xi1> into !llvm.ptr",
        '%m = "enzymexla.pointer2memref"(%p) : (!llvm.ptr) -> memref<f64>\n'
        "linalg.fill ins(%v : f64) outs(%m : memref<f64>)",
        "%f = llvm.mlir.addressof @h : !llvm.ptr\nllvm.call %f(%p) : !llvm.ptr, (!llvm.ptr) -> ()",
        "llvm.call @h(%p) : (!llvm.ptr) -> ()",
        "llvm.call @twice(%p, %v) : (!llvm.ptr, f64) -> ()",
    ],
)
def test_what_writes(write: str) -> None:
    declared = """
llvm.func @h(%b: !llvm.ptr) {
  %v = llvm.mlir.constant(1.0 : f64) : f64
  llvm.store %v, %b : f64, !llvm.ptr
  llvm.return
}
llvm.func @twice(%b: !llvm.ptr, %v: f64) {
  llvm.call @twice(%b, %v) : (!llvm.ptr, f64) -> ()
  %k = llvm.freeze %b : !llvm.ptr
  llvm.call @h(%k) : (!llvm.ptr) -> ()
  llvm.return
}"""
    assert judged(write, declared=declared)[0] == {0}


def test_what_a_function_does_with_memory_that_it_is_passed_counts() -> None:
    keep = f"llvm.func @keep(%s: !llvm.ptr, %b: !llvm.ptr) {{\n{put('%b', '%s')}\nllvm.return\n}}"
    kept = f"{SPILL}\nllvm.call @keep(%s, %p) : (!llvm.ptr, !llvm.ptr) -> ()\n{take('%s')}"
    assert judged(kept, STORE, declared=keep) == (set(), {0}, True)
    through = f"llvm.func @through(%s: !llvm.ptr, %v: f64) {{\n{take('%s')}\n{STORE}\nllvm.return\n}}"
    passed = f"{SPILL}\n{put('%p', '%s')}\nllvm.call @through(%s, %v) : (!llvm.ptr, f64) -> ()"
    assert judged(passed, declared=through) == (set(), {0}, True)
    give = "llvm.func @give(%b: !llvm.ptr) -> !llvm.ptr {\nllvm.return %b : !llvm.ptr\n}"
    given = "%t = llvm.call @give(%p) : (!llvm.ptr) -> !llvm.ptr"
    assert judged(given, STORE, declared=give) == (set(), {0}, True)


def test_a_body_that_cannot_be_followed_may_store_anywhere() -> None:
    deep = "scf.execute_region {\n%x = arith.constant 1 : i32\n" * 210 + "scf.yield\n" + "}\n" * 210
    inner = f"llvm.func @deep(%b: !llvm.ptr) {{\n{deep}llvm.return\n}}"
    assert judged("llvm.call @deep(%p) : (!llvm.ptr) -> ()", declared=inner) == (set(), set(), True)


def test_many_pointers_in_one_array_take_no_time_to_speak_of() -> None:
    count = 400
    parameters = ", ".join(f"%p{number}: !llvm.ptr" for number in range(count))
    stores = "\n".join(put(f"%p{number}", "%s") + f"\n{take('%s', f'%t{number}')}" for number in range(count))
    text = f"llvm.func @w({parameters}) {{\n{SPILL}\n{stores}\nllvm.return\n}}\n"
    assert of(wrappers_of(text))[0] == set()


HELPERS = """llvm.func @fill(%x: !llvm.ptr) {
  %v = llvm.mlir.constant(1.0 : f64) : f64
  llvm.store %v, %x : f64, !llvm.ptr
  llvm.return
}
llvm.func @deep(%x: !llvm.ptr) {
  %v = llvm.mlir.constant(1.0 : f64) : f64
  %1 = llvm.load %x : !llvm.ptr -> !llvm.ptr
  %2 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
  llvm.store %v, %2 : f64, !llvm.ptr
  llvm.return
}
"""
OWN = "llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr"
NESTED = f"{ONE}\n%r = {OWN}\n%s = {OWN}\n{put('%s', '%r')}"
"""`%r` holds `%s`."""
ANYTHING = '%u = "x.y"() : () -> !llvm.ptr'


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (["%t = llvm.load %p : !llvm.ptr -> f64 >"], (set(), set(), True)),
        ([SPILL, put("%p", "%s"), '%t = "x.y"(%s) : (!llvm.ptr) -> !llvm.ptr', STORE], (set(), {0}, True)),
        ([NESTED, put("%p", "%s"), take("%r", "%m"), take("%m"), STORE], ({0}, set(), False)),
        (
            [
                *(NESTED, take("%r", "%m"), "%f = llvm.mlir.addressof @fill : !llvm.ptr", put("%f", "%m")),
                *(take("%s", "%g"), "llvm.call %g(%p) : !llvm.ptr, (!llvm.ptr) -> ()"),
            ],
            (set(), {0}, False),
        ),
        (
            [
                *(YES, ONE, f"%r = {OWN}", f"%s = {OWN}", put("%p", "%r"), put("%q", "%s")),
                *("%m = llvm.select %c, %r, %s : i1, !llvm.ptr", take("%m"), STORE),
            ],
            (set(), {0, 1}, False),
        ),
        ([NESTED, put("%p", "%s"), "llvm.call @deep(%r) : (!llvm.ptr) -> ()"], (set(), {0}, True)),
        ([ANYTHING, STORE.replace("%t", "%u")], (set(), set(), True)),
        ([ANYTHING, take("%u"), STORE], (set(), set(), True)),
        ([ANYTHING, take("%u", "%m"), take("%m"), STORE], (set(), set(), True)),
    ],
)
def test_through_memory(body: list[str], found: tuple[set[int], set[int], bool]) -> None:
    assert judged(*body, declared=HELPERS) == found


@pytest.mark.parametrize(
    "operation",
    [
        "memref.store %v, %a[%i] : memref<4xf64>",
        "affine.store %v, %a[%i] : memref<4xf64>",
        "affine.vector_store %o, %a[%i] : memref<4xf64>, vector<2xf64>",
        "vector.transfer_write %o, %a[%i] : vector<2xf64>, memref<4xf64>",
        "vector.store %o, %a[%i] : memref<4xf64>, vector<2xf64>",
        "vector.maskedstore %a[%i], %k, %o : memref<4xf64>, vector<2xi1>, vector<2xf64>",
        "memref.copy %b, %a : memref<4xf64> to memref<4xf64>",
        "%r = memref.atomic_rmw addf %v, %a[%i] : (f64, memref<4xf64>) -> f64",
        "%c = memref.cast %a : memref<4xf64> to memref<?xf64>\n  memref.store %v, %c[%i] : memref<?xf64>",
        "%c = memref.subview %a[0] [2] [1] : memref<4xf64> to memref<2xf64>\n  memref.store %v, %c[%i] : memref<2xf64>",
        '%c = "enzymexla.memref2pointer"(%a) : (memref<4xf64>) -> !llvm.ptr\n  llvm.store %v, %c : f64, !llvm.ptr',
        "linalg.fill ins(%v : f64) outs(%a : memref<4xf64>)",
    ],
)
def test_what_writes_a_memref(operation: str) -> None:
    text = f"""func.func @w(%a: memref<4xf64>, %b: memref<4xf64>, %i: index) {{
  %v = arith.constant 1.0 : f64
  %o = arith.constant dense<1.0> : vector<2xf64>
  %k = arith.constant dense<true> : vector<2xi1>
  {operation}
  return
}}
"""
    assert of(wrappers_of(text)) == ({0}, set(), False)


def test_an_operation_of_linear_algebra_in_the_generic_form_may_write_what_it_is_given() -> None:
    text = """func.func @w(%a: memref<4xf64>, %b: memref<4xf64>) {
  %v = arith.constant 1.0 : f64
  "linalg.fill"(%v, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f64, %y: f64):
    "linalg.yield"(%x) : (f64) -> ()
  }) : (f64, memref<4xf64>) -> ()
  return
}
"""
    assert of(wrappers_of(text)) == (set(), {0}, False)


@pytest.mark.parametrize(
    "operation",
    [
        "%r = vector.expandload %a[%i], %k, %o : memref<4xf64>, vector<2xi1>, vector<2xf64> into vector<2xf64>",
        "%r = vector.transfer_read %a[%i], %v : memref<4xf64>, vector<2xf64>",
        "%r = memref.load %a[%i] : memref<4xf64>",
        "memref.copy %a, %b : memref<4xf64> to memref<4xf64>",
    ],
)
def test_what_only_reads_a_memref(operation: str) -> None:
    text = f"""func.func @w(%a: memref<4xf64>, %i: index) {{
  %v = arith.constant 1.0 : f64
  %o = arith.constant dense<1.0> : vector<2xf64>
  %k = arith.constant dense<true> : vector<2xi1>
  %b = memref.alloca() : memref<4xf64>
  {operation}
  return
}}
"""
    assert of(wrappers_of(text)) == (set(), set(), False)
