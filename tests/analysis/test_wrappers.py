"""What stands against a wrapper: its kind, how it is called, what it reaches, what it writes."""

from collections.abc import Iterator

import pytest

from jitlint.analysis.wrapper.wrappers import Wrappers
from jitlint.findings import Note
from jitlint.ir.functions import Function
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Unit
from jitlint.syntax.functions import HeaderReader


def wrappers_of(text: str) -> Wrappers:
    unit = Unit(text, 0, len(text))
    return Wrappers(SymbolTable(unit.body).lookup, HeaderReader(unit.aliases))


def codes(text: str, *name: str) -> list[str]:
    return [verdict.code for verdict in wrappers_of(text).get(name or ("w",)).verdicts]


def shown(text: str, notes: tuple[Note, ...]) -> Iterator[str]:
    return (text[note.span.start : note.span.end] for note in notes if note.span is not None)


PLAIN = "llvm.func @w(%arg0: !llvm.ptr) {\n  llvm.return\n}\n"


def test_a_plain_wrapper_has_nothing_against_it() -> None:
    assert codes(PLAIN) == []
    assert codes("func.func private @w(%arg0: memref<4xf64>, %p: !llvm.ptr) {\n  return\n}\n") == []
    assert codes("!p = !llvm.ptr\nllvm.func internal fastcc @w(%arg0: !p) {\n  llvm.return\n}\n") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("llvm.func @v()", "JIT301"),
        ("llvm.mlir.global external constant @w() : !llvm.ptr", "JIT302"),
        ("llvm.func @w(!llvm.ptr)", "JIT303"),
        ("llvm.func @w(%a: !llvm.ptr, ...) {\n  llvm.return\n}", "JIT304"),
        ("llvm.func @w(%a: !llvm.ptr) -> i32 {\n  llvm.return %a : i32\n}", "JIT304"),
        ("llvm.func ptx_kernelcc @w(%a: !llvm.ptr) {\n  llvm.return\n}", "JIT304"),
        ("llvm.func @w(%a: !llvm.ptr) attributes {gpu.kernel} {\n  llvm.return\n}", "JIT304"),
        ("llvm.func @w(%a: !llvm.ptr, %b: i32) {\n  llvm.return\n}", "JIT304"),
        ("llvm.func @w(%a: memref<4xf64>) {\n  llvm.return\n}", "JIT304"),
        ("func.func @w(%a: tensor<4xf64>) {\n  return\n}", "JIT304"),
        ("llvm.func @w(%a: !llvm.ptr {llvm.byval = f64}) {\n  llvm.return\n}", "JIT304"),
        ("llvm.func @w(%a !llvm.ptr) {\n  llvm.return\n}", "JIT304"),
    ],
)
def test_each_thing_that_keeps_a_wrapper_out(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize(
    "promise",
    [
        "llvm.load %a invariant : !llvm.ptr -> f64",
        "llvm.load %a invariant_group : !llvm.ptr -> f64",
        '"llvm.load"(%a) <{invariantGroup, ordering = 0 : i64}> : (!llvm.ptr) -> f64',
        "llvm.intr.invariant.start 8, %a : !llvm.ptr",
        '"llvm.intr.invariant.start"(%a) <{size = 8 : i64}> : (!llvm.ptr) -> !llvm.ptr',
    ],
)
def test_a_promise_that_memory_never_changes_is_not_kept_by_another_call(promise: str) -> None:
    assert codes(f"llvm.func @w(%a: !llvm.ptr) {{\n  %0 = {promise}\n  llvm.return\n}}") == ["JIT304"]


def test_a_nested_symbol_is_left_alone() -> None:
    assert codes(PLAIN, "m", "w") == ["JIT302"]


def test_the_parameter_at_fault_is_shown() -> None:
    text = "llvm.func @w(%a: !llvm.ptr, %b: i32 {x.y}) {\n  llvm.return\n}"
    (verdict,) = wrappers_of(text).get(("w",)).verdicts
    assert "parameter 1" in verdict.message
    assert list(shown(text, verdict.notes)) == ["%b: i32 {x.y}"]


REACHING = """
llvm.mlir.global {global}
llvm.func @inner() {{
  {body}
  llvm.return
}}
llvm.func @middle() {{
  llvm.call @inner() : () -> ()
  llvm.call @middle() : () -> ()
  llvm.return
}}
llvm.func @w(%arg0: !llvm.ptr) {{
  // gpu.launch_func @k::@k
  %0 = llvm.mlir.constant("gpu.launch_func @g") : !llvm.array<3 x i8>
  %1 = llvm.mlir.addressof @middle : !llvm.ptr
  llvm.return
}}
"""
ADDRESS = "%0 = llvm.mlir.addressof @g : !llvm.ptr"


def reaching(body: str = ADDRESS, storage: str = "external constant @g() : f64") -> str:
    return REACHING.format(body=body, **{"global": storage})


def test_comments_and_strings_launch_nothing() -> None:
    assert codes(reaching()) == []


@pytest.mark.parametrize("launch", ["gpu.launch_func @k::@k blocks in (%a)", '"enzymexla.kernel_call"() : () -> ()'])
def test_a_launch_is_found_through_functions(launch: str) -> None:
    text = reaching(launch)
    (verdict,) = wrappers_of(text).get(("w",)).verdicts
    assert verdict.code == "JIT306"
    assert list(shown(text, verdict.notes)) == ["@middle", "@inner", launch.split("(")[0].split(" ")[0]]


@pytest.mark.parametrize(
    ("storage", "mutable"),
    [
        ("internal @g(0.0 : f64) : f64", True),
        ("external @g(0.0 : f64) {addr_space = 0 : i32} : f64", True),
        ("internal constant @g(0.0 : f64) : f64", False),
        ("external @g() : f64", False),
        ("external hidden @g() {addr_space = 0 : i32} : f64", False),
        ("internal @g() : f64", True),
        ("external @g() : f64 {\n  %0 = llvm.mlir.constant(1.0 : f64) : f64\n  llvm.return %0 : f64\n}", True),
        (
            "private thread_local @g() : f64 {\n  %0 = llvm.mlir.constant(1.0 : f64) : f64\n  llvm.return %0 : f64\n}",
            True,
        ),
    ],
)
def test_mutable_globals_are_found_through_functions(storage: str, mutable: bool) -> None:
    assert codes(reaching(storage=storage)) == (["JIT307"] if mutable else [])


@pytest.mark.parametrize(
    ("storage", "mutable"),
    [
        ('memref.global "private" @g : memref<2xf32> = uninitialized', True),
        ("memref.global @g : memref<2xf32, strided<[1]>> = dense<[0.0, 1.0]>", True),
        ('memref.global "private" constant @g : memref<2xf32> = dense<[0.0, 1.0]>', False),
        ('memref.global "private" @g : memref<2xf32>', False),
        ('"memref.global"() <{initial_value, sym_name = "g", type = memref<2xf32>}> : () -> ()', True),
        (
            '"memref.global"() <{constant, initial_value = dense<1.0> : tensor<2xf32>, sym_name = "g"}> : () -> ()',
            False,
        ),
        ('"llvm.mlir.global"() <{linkage = #llvm.linkage<external>, sym_name = "g"}> ({}) : () -> ()', False),
        ('"llvm.mlir.global"() <{linkage = #llvm.linkage<internal>, sym_name = "g"}> ({}) : () -> ()', True),
        ('"llvm.mlir.global"() <{sym_name = "g", value = "a constant, and a word"}> ({}) : () -> ()', True),
    ],
)
def test_globals_of_other_spellings(storage: str, mutable: bool) -> None:
    text = (
        f"{storage}\nfunc.func @w(%arg0: memref<2xf32>) {{\n  %0 = memref.get_global @g : memref<2xf32>\n  return\n}}\n"
    )
    assert codes(text) == (["JIT307"] if mutable else [])


def writes(body: str, rest: str = "", header: str = "%p: !llvm.ptr, %q: !llvm.ptr") -> tuple[set[int], set[int]]:
    """The parameters that a wrapper with this body certainly writes, and those that it may write."""
    wrappers = wrappers_of(f"{rest}\nllvm.func @w({header}) {{\n{body}\n  llvm.return\n}}\n")
    function = wrappers.get(("w",)).function
    assert isinstance(function, Function)
    return set(wrappers.writes.writes(function)), set(wrappers.writes.may_write(function))


LOAD = "  %v = llvm.load %q : !llvm.ptr -> f64\n"


@pytest.mark.parametrize(
    ("body", "certain", "possible"),
    [
        (LOAD, set(), set()),
        (LOAD + "  llvm.store %v, %p : f64, !llvm.ptr", {0}, {0}),
        (LOAD + "  // llvm.store %v, %p : f64, !llvm.ptr", set(), set()),
        ("  llvm.store %p, %q : !llvm.ptr, !llvm.ptr", {1}, {0, 1}),
        (
            LOAD + "  %g = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f64\n"
            "  %h = llvm.bitcast %g : !llvm.ptr to !llvm.ptr\n  llvm.store %v, %h : f64, !llvm.ptr",
            {0},
            {0},
        ),
        (
            '  %n = llvm.mlir.constant(8 : i64) : i64\n  "llvm.intr.memcpy"(%p, %q, %n) <{isVolatile = false}> :'
            " (!llvm.ptr, !llvm.ptr, i64) -> ()",
            {0},
            {0},
        ),
        (
            "  %c = llvm.mlir.constant(true) : i1\n  %s = llvm.select %c, %p, %q : i1, !llvm.ptr\n"
            "  llvm.store %c, %s : i1, !llvm.ptr",
            {0, 1},
            {0, 1},
        ),
        (
            "  %i = llvm.ptrtoint %p : !llvm.ptr to i64\n  %a = llvm.inttoptr %i : i64 to !llvm.ptr\n"
            "  llvm.store %i, %a : i64, !llvm.ptr",
            {0},
            {0},
        ),
        ("  llvm.call @unknown(%p) : (!llvm.ptr) -> ()", set(), {0}),
        ('  "some.thing"(%q) : (!llvm.ptr) -> ()', set(), {1}),
        ("  llvm.call %p(%q) : !llvm.ptr, (!llvm.ptr) -> ()", set(), {0, 1}),
        (
            "  %i = llvm.mlir.constant(1 : i64) : i64\n  %o = llvm.atomicrmw add %q, %i acq_rel : !llvm.ptr, i64",
            {1},
            {1},
        ),
    ],
)
def test_what_a_body_writes(body: str, certain: set[int], possible: set[int]) -> None:
    assert writes(body) == (certain, possible)


def test_writes_are_followed_into_functions_of_the_module() -> None:
    helpers = """
    llvm.func @fill(%x: !llvm.ptr, %y: !llvm.ptr) {
      %0 = llvm.load %y : !llvm.ptr -> f64
      llvm.store %0, %x : f64, !llvm.ptr
      llvm.call @swapped(%y, %x) : (!llvm.ptr, !llvm.ptr) -> ()
      llvm.return
    }
    llvm.func @swapped(%x: !llvm.ptr, %y: !llvm.ptr) {
      llvm.call @fill(%y, %x) : (!llvm.ptr, !llvm.ptr) -> ()
      llvm.return
    }
    llvm.func @reads(!llvm.ptr {llvm.nocapture, llvm.readonly}, !llvm.ptr {llvm.readonly})
    """
    assert writes("  llvm.call @swapped(%p, %q) : (!llvm.ptr, !llvm.ptr) -> ()", helpers) == ({1}, {1})
    assert writes("  llvm.call @reads(%p, %q) : (!llvm.ptr, !llvm.ptr) -> ()", helpers) == (set(), {1})


def test_the_c_library_writes_to_its_first_argument() -> None:
    declared = "llvm.func @memcpy(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr"
    size = "  %n = llvm.mlir.constant(8 : i64) : i64\n"
    call = "  %0 = llvm.call @memcpy(%p, %q, %n) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr"
    assert writes(size + call, declared) == ({0}, {0})


def test_a_symbol_that_is_defined_twice_names_nothing() -> None:
    unit = Unit(PLAIN * 2, 0, 2 * len(PLAIN))
    symbols = SymbolTable(unit.body)
    (verdict,) = Wrappers(symbols.lookup, HeaderReader({}), symbols.repeated).get(("w",)).verdicts
    assert (verdict.code, verdict.message) == ("JIT301", "@w is defined more than once")


@pytest.mark.parametrize(
    ("callees", "against"),
    [
        ({"first", "second", "third"}, ["JIT304"]),
        ({"first", "second"}, []),
        ({"second"}, []),
        ({"second", "third"}, []),
    ],
)
def test_a_wrapper_that_names_another_one_is_left_alone_where_it_can_neither_stay_nor_go(
    callees: set[str], against: list[str]
) -> None:
    one = "llvm.func @NAME(%p: !llvm.ptr) {\n  llvm.call @CALLED(%p) : (!llvm.ptr) -> ()\n  llvm.return\n}\n"
    names = (("first", "first"), ("second", "first"), ("third", "second"))
    text = "".join(one.replace("NAME", name).replace("CALLED", called) for name, called in names)
    unit = Unit(text, 0, len(text))
    wrappers = Wrappers(SymbolTable(unit.body).lookup, HeaderReader({}), callees=callees)
    assert [verdict.code for verdict in wrappers.get(("first",)).verdicts] == []
    assert [verdict.code for verdict in wrappers.get(("second",)).verdicts] == against


def test_names_are_looked_up_innermost_first() -> None:
    body = """  scf.execute_region {
    %0 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f64
    scf.yield
  }
  scf.execute_region {
    %0 = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, f64
    %1 = llvm.load %0 : !llvm.ptr -> f64
    llvm.store %1, %0 : f64, !llvm.ptr
    scf.yield
  }"""
    assert writes(body) == ({1}, {1})


def test_memref_wrappers() -> None:
    text = """func.func @w(%a: memref<4xf64>, %b: memref<4xf64>, %c: memref<4xf64>) {
  %0 = memref.cast %a : memref<4xf64> to memref<?xf64>
  affine.for %i = 0 to 4 {
    %1 = affine.load %b[%i] : memref<4xf64>
    affine.store %1, %0[%i] : memref<?xf64>
  }
  memref.copy %b, %c : memref<4xf64> to memref<4xf64>
  return
}
"""
    wrappers = wrappers_of(text)
    function = wrappers.get(("w",)).function
    assert isinstance(function, Function)
    assert set(wrappers.writes.writes(function)) == {0, 2}
    assert wrappers.writes.may_write(function) == {0, 2}


def test_an_undeclared_write_shows_the_store() -> None:
    text = """llvm.func @w(%p: !llvm.ptr, %q: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f64
  llvm.store %0, %p : f64, !llvm.ptr
  llvm.store %0, %q : f64, !llvm.ptr
  llvm.return
}
"""
    wrappers = wrappers_of(text)
    wrapper = wrappers.get(("w",))
    assert wrappers.undeclared_writes(wrapper, {0, 1}) == {}
    (verdict,) = wrappers.undeclared_writes(wrapper, {0}).values()
    assert verdict.code == "JIT602"
    assert list(shown(text, verdict.notes)) == ["llvm.store %0, %q : f64, !llvm.ptr", "%q: !llvm.ptr"]


def test_an_undeclared_write_is_shown_in_the_wrapper_itself_not_in_its_twin() -> None:
    one = "llvm.func @NAME(%p: !llvm.ptr) {\n  llvm.store %p, %p : !llvm.ptr, !llvm.ptr\n  llvm.return\n}\n"
    text = one.replace("NAME", "first") + one.replace("NAME", "second")
    wrappers = wrappers_of(text)
    for name in ("first", "second"):
        (verdict,) = wrappers.undeclared_writes(wrappers.get((name,)), ()).values()
        assert verdict.notes[0].span is not None
        assert (verdict.notes[0].span.start > len(one)) == (name == "second")


@pytest.mark.parametrize(("body", "against"), [("  llvm.return", None), ("  llvm.br ^a\n^a:\n  llvm.return", "JIT304")])
def test_a_wrapper_named_entry_can_be_cloned_but_not_called(body: str, against: str | None) -> None:
    wrappers = wrappers_of(f"llvm.func @entry(%a: !llvm.ptr) {{\n{body}\n}}\n")
    function = wrappers.get(("entry",)).function
    assert isinstance(function, Function)
    verdict = wrappers.not_callable([function] * 2)
    assert (verdict and verdict.code) == against


def test_only_an_empty_list_of_effects_says_that_there_are_none() -> None:
    for effects, free in (("[]", True), ("[ ]", True), ('["read"]', False), ("#unknown", False)):
        text = PLAIN.replace(") {", f") attributes {{enzymexla.memory_effects = {effects}}} {{")
        assert wrappers_of(text).get(("w",)).effect_free == free
    assert not wrappers_of(PLAIN).get(("w",)).effect_free


def test_deep_and_long_bodies_are_no_trouble() -> None:
    opening = "".join(f"%v{n} = llvm.mlir.undef : f64\nscf.execute_region {{\n" for n in range(3_000))
    deep = opening + "scf.yield\n" + "}\n" * 3_000
    assert writes(deep) == (set(), {0, 1})
    helpers = "".join(
        f"llvm.func @f{n}(%a: !llvm.ptr) {{\n  llvm.call @f{n + 1}(%a) : (!llvm.ptr) -> ()\n  llvm.return\n}}\n"
        for n in range(3_000)
    )
    store = "llvm.func @f3000(%a: !llvm.ptr) {\n  llvm.store %a, %a : !llvm.ptr, !llvm.ptr\n  llvm.return\n}\n"
    assert writes("  llvm.call @f0(%p) : (!llvm.ptr) -> ()", helpers + store)[0] == {0}
