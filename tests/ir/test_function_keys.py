"""Which functions share what is asked of them, and that their texts stay their own."""

from __future__ import annotations

import pytest

from benchmarks.generate import text_of
from jitlint import api
from jitlint.ir.functions import Functions
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Unit
from jitlint.syntax.functions import HeaderReader

BODY = """llvm.func @{name}(%arg0: !llvm.ptr) {{
  %0 = llvm.mlir.constant({constant}) : {type}
  llvm.store %0, %arg0 : {type}, !llvm.ptr
  llvm.return
}}
"""


def keys(*constants: tuple[str, str]) -> int:
    """How many different keys the functions with these constants have."""
    text = "".join(
        BODY.format(name=f"f{number}", constant=constant, type=kind)
        for number, (constant, kind) in enumerate(constants)
    )
    unit = Unit(text, 0, len(text))
    functions = Functions(SymbolTable(unit.body).lookup, HeaderReader({}))
    found = [functions.get(f"f{number}") for number in range(len(constants))]
    return len({function.key for function in found})  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("one", "two", "number"),
    [
        (("2.0 : f64", "f64"), ("2.0 : f64", "f64"), 1),
        (("2.000000e+00 : f64", "f64"), ("-3.5 : f64", "f64"), 1),
        (("2.0 : f64", "f64"), ("2.0 : f32", "f32"), 2),
        (("2 : i64", "i64"), ("3 : i64", "i64"), 2),
        (("2 : index", "i64"), ("3 : index", "i64"), 2),
        (("dense<2.0> : tensor<2xf64>", "vector<2xf64>"), ("dense<3.0> : tensor<2xf64>", "vector<2xf64>"), 2),
    ],
)
def test_only_floating_point_constants_make_no_difference(
    one: tuple[str, str], two: tuple[str, str], number: int
) -> None:
    assert keys(one, two) == number


def test_wrappers_that_share_a_key_are_written_each_with_its_own_constant() -> None:
    result = api.fix(text_of("distinct_wrappers", 2))
    assert [finding.code for finding in result.fixed] == ["JIT001", "JIT001"]
    for constant in ("2.0", "3.0", "4.0", "5.0"):
        assert result.source.text.count(f"constant({constant} : f64)") == 2, "in the wrapper and in the fused one"
