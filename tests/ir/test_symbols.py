"""Which operation of a module a symbol names."""

from __future__ import annotations

import pytest

from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Unit


def names(text: str) -> set[str]:
    return set(SymbolTable(Unit(text, 0, len(text)).body).names)


@pytest.mark.parametrize(
    ("text", "defined"),
    [
        ("func.func private @f(i32)", {"f"}),
        ("func.func\n  // about @g\n  @f() {\n}", {"f"}),
        ('memref.global "private" constant @f : memref<2xf32> = dense<0.0>', {"f"}),
        ("omp.private {type = private} @f : i32 alloc {\n}", {"f"}),
        ("llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32]", set()),
        ("module { func.func @f() { return } }", set()),
        ("module @m { func.func @f() { return } }", {"m"}),
        ("module attributes {x = @f} {\n}", set()),
        ("enzymexla.jit_call @f () : () -> ()", set()),
        ('%0 = "x.y"() {sym_name = "f"} : () -> i32', set()),
        ('"func.func"() <{sym_name = "f", function_type = () -> ()}> ({\n}) : () -> ()', {"f"}),
        ('"func.func"() ({\n^bb0:\n}) {function_type = () -> (), sym_name = "f g"} : () -> ()', {"f g"}),
        ('"builtin.module"() ({\n"func.func"() ({\n^bb0:\n}) {sym_name = "f"} : () -> ()\n}) : () -> ()', set()),
        ('#alias = @f\nfunc.func @"a\\22b"() {\n}', {'a"b'}),
    ],
)
def test_the_symbol_is_the_one_that_the_operation_defines(text: str, defined: set[str]) -> None:
    assert names(text) == defined


def test_a_name_that_is_defined_twice_names_nothing() -> None:
    text = "func.func private @f()\nfunc.func private @f()\nfunc.func private @g()"
    table = SymbolTable(Unit(text, 0, len(text)).body)
    assert table.lookup("f") is None
    assert table.lookup("g") is not None
