"""Which wrappers may be written out in a fused one, and how much stack memory they take."""

from __future__ import annotations

import pytest

from jitlint.analysis.storage.sizes import size_of
from jitlint.analysis.wrapper.cloning import DEEPEST, Cloning
from jitlint.analysis.wrapper.lowering import names_itself
from jitlint.ir.functions import Function
from tests.analysis.test_wrappers import wrappers_of


def functions(text: str, *names: str) -> list[Function]:
    wrappers = wrappers_of(text)
    found = [wrappers.functions.get(name) for name in names]
    assert all(isinstance(each, Function) for each in found)
    return found  # type: ignore[return-value]


def must_call(body: str) -> bool:
    [answer] = Cloning().must_call(functions(f"llvm.func @w(%a: !llvm.ptr) {{\n{body}\n}}\n", "w"))
    return answer


ONE = "%n = llvm.mlir.constant({} : i32) : i32\n"
END = "\nllvm.return"
DEEP = "scf.execute_region {\n" * DEEPEST + "scf.yield\n" + "}\n" * DEEPEST


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("llvm.return", False),
        ("llvm.return\n^dead:\n  llvm.unreachable", True),
        ("llvm.br ^end\n^end:\n  llvm.return", True),
        ("llvm.unreachable", True),
        ("llvm.return %a : !llvm.ptr", True),
        ("enzymexla.jit_call @v (%a) : (tensor<f64>) -> ()" + END, True),
        ("llvm.call @w(%a) : (!llvm.ptr) -> ()" + END, True),
        ("llvm.call @w2(%a) : (!llvm.ptr) -> ()" + END, False),
        ("%v = llvm.load %a : !llvm.ptr -> f64 >" + END, True),
        (DEEP + END, False),
        (f"scf.execute_region {{\n{DEEP}scf.yield\n}}" + END, True),
        (ONE.format(4) + "%s = llvm.alloca %n x !llvm.array<128 x f64> : (i32) -> !llvm.ptr" + END, False),
        (ONE.format(5) + "%s = llvm.alloca %n x !llvm.array<128 x f64> : (i32) -> !llvm.ptr" + END, True),
        (
            '%n = "llvm.mlir.constant"() <{value = 4097 : i64}> : () -> i64\n'
            '%s = "llvm.alloca"(%n) <{elem_type = i8}> : (i64) -> !llvm.ptr' + END,
            True,
        ),
        ("%n = llvm.load %a : !llvm.ptr -> i32\n%s = llvm.alloca %n x i8 : (i32) -> !llvm.ptr" + END, True),
        (ONE.format(1) + "%s = llvm.alloca %n x !x.y : (i32) -> !llvm.ptr" + END, True),
        ("%s = memref.alloca() : memref<512xf64>" + END, False),
        ("%s = memref.alloca() : memref<513xf64>" + END, True),
        ("%s = memref.alloca(%a) : memref<?xf64>" + END, True),
        (
            f"scf.execute_region {{\n{ONE.format(1)}%s = llvm.alloca %n x i8 : (i32) -> !llvm.ptr\nscf.yield\n}}" + END,
            True,
        ),
        ("%v = llvm.load %a {alias_scopes = [#s]} : !llvm.ptr -> f64" + END, True),
        ("%v = llvm.load %a {noalias_scopes = [#s]} : !llvm.ptr -> f64" + END, True),
        ("llvm.intr.experimental.noalias.scope.decl #s" + END, True),
        ('"llvm.intr.localescape"(%a) : (!llvm.ptr) -> ()' + END, True),
        ("%v = llvm.intr.frameaddress 0 : !llvm.ptr" + END, True),
        ("llvm.call musttail @f(%a) : (!llvm.ptr) -> ()" + END, True),
        ("llvm.call tail @f(%a) : (!llvm.ptr) -> ()" + END, True),
        ("llvm.call @tail(%a) : (!llvm.ptr) -> ()" + END, False),
        ('llvm.inline_asm has_side_effects "x: nop", "" : () -> ()' + END, True),
        ('"llvm.inline_asm"() <{asm_string = "x: nop", constraints = ""}> : () -> ()' + END, True),
    ],
)
def test_what_must_be_called(body: str, called: bool) -> None:
    assert must_call(body) is called


@pytest.mark.parametrize(
    ("one", "two", "called"),
    [
        ("llvm.func @a(%p: !llvm.ptr)", "llvm.func @b(%p: !llvm.ptr)", False),
        ("llvm.func @a(%p: !llvm.ptr)", "func.func @b(%p: !llvm.ptr)", True),
        ("func.func @a(%p: !llvm.ptr)", "func.func @b(%p: !llvm.ptr)", True),
        ("llvm.func @a(%p: !llvm.ptr) attributes {no_inline}", "llvm.func @b(%p: !llvm.ptr)", True),
        (
            "llvm.func @a(%p: !llvm.ptr) attributes {enzymexla.memory_effects = []}",
            'llvm.func @b(%p: !llvm.ptr) attributes {enzymexla.memory_effects = ["read"]}',
            False,
        ),
        ("llvm.func @a(%p: !llvm.ptr) vscale_range(1, 2)", "llvm.func @b(%p: !llvm.ptr) vscale_range(1, 4)", True),
        ("llvm.func @a(%p: !llvm.ptr) comdat(@c::@x)", "llvm.func @b(%p: !llvm.ptr)", False),
    ],
)
def test_wrappers_together(one: str, two: str, called: bool) -> None:
    text = "".join(
        f"{header} {{\n  {'llvm.return' if header.startswith('llvm') else 'return'}\n}}\n" for header in (one, two)
    )
    assert Cloning().must_call(functions(text, "a", "b")) == [called, called]


def test_the_stack_memory_of_a_group_is_bounded() -> None:
    big = f"llvm.func @w(%a: !llvm.ptr) {{\n{ONE.format(512)}%s = llvm.alloca %n x f64 : (i32) -> !llvm.ptr{END}\n}}\n"
    [wrapper] = functions(big, "w")
    assert Cloning().must_call([wrapper] * 16) == [False] * 16
    assert Cloning().must_call([wrapper] * 17) == [True] * 17


@pytest.mark.parametrize(
    ("name", "body", "itself"),
    [
        ("w", "llvm.call @w(%a) : (!llvm.ptr) -> ()", True),
        ("w", "llvm.call @w.1(%a) : (!llvm.ptr) -> ()", False),
        ("w", "llvm.call @v(%a) : (!llvm.ptr) -> ()", False),
        ("w", 'llvm.call @"w"(%a) : (!llvm.ptr) -> ()', True),
        ('"a b"', 'llvm.call @"a b"(%a) : (!llvm.ptr) -> ()', True),
        ("w", "llvm.call @w2(%a) : (!llvm.ptr) -> ()\n%f = llvm.mlir.addressof @w : !llvm.ptr", True),
    ],
)
def test_what_names_itself(name: str, body: str, itself: bool) -> None:
    [function] = functions(f"llvm.func @{name}(%a: !llvm.ptr) {{\n{body}{END}\n}}\n", name.strip('"'))
    assert names_itself(function) is itself


@pytest.mark.parametrize(
    ("type_text", "size"),
    [
        *(("i1", 1), ("i8", 1), ("i12", 2), ("i64", 8), ("f64", 8), ("bf16", 2), ("f8E4M3FN", 1), ("index", 8)),
        *(("!llvm.ptr", 8), ("!llvm.ptr<3>", 8), ("complex<f32>", 8), ("!llvm.x86_fp80", 16)),
        *(("!llvm.array<3 x f64>", 24), ("!llvm.array<2 x array<3 x f32>>", 24), ("vector<2x3xf32>", 24)),
        *(("!llvm.struct<(i8, f64)>", 32), ("!llvm.struct<(i8, struct<(f32, f32)>)>", 48), ("memref<2x4xf64>", 64)),
        *(('!llvm.struct<"name", (ptr, array<3 x i32>)>', 32), ("memref<4xcomplex<f64>>", 64)),
        *(("!x.y", None), ("!llvm.array<2 x !x.y>", None), ("memref<?xf64>", None), ('!llvm.target<"x">', None)),
    ],
)
def test_sizes(type_text: str, size: int | None) -> None:
    assert size_of(type_text) == size
