"""The last look: what it lets pass and what it does not."""

from __future__ import annotations

import pytest

from jitlint.errors import InternalError
from jitlint.fusion.edits import apply
from jitlint.fusion.verify import still_named, verify
from jitlint.ir.tree import Unit
from tests.texts import T, module

USE = f"    %1 = stablehlo.negate %0 : {T}\n"
BEFORE = module(
    f"    %0 = stablehlo.negate %arg0 : {T}\n{USE}"
    f'    "x.y"() ({{\n    ^bb0(%2: {T}):\n      %3 = stablehlo.add %2, %1 : {T}\n    }}) : () -> ()\n'
    f"    cf.br ^bb2\n  ^bb1:\n    return %4 : {T}\n  ^bb2:\n    %4 = stablehlo.negate %1 : {T}\n    cf.br ^bb1"
)


def edited(old: str, new: str) -> None:
    """Verify the text with one edit."""
    start = BEFORE.index(old)
    edits = [(start, start + len(old), new)]
    after = apply(BEFORE, edits)
    verify(BEFORE, edits, after, [Unit(after, 0, len(after))])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (USE, f"{USE}    %9 = stablehlo.add %1, %0 : {T}\n"),
        (USE, f"    %1 = stablehlo.add %0, %arg0 : {T}\n"),
        ("%2, %1", "%2, %arg0"),
        ("%2, %1", "%2, %2"),
        ("return %4", "return %0"),
        ('"x.y"() (', '"x.y"(%0) ('),
        (
            USE,
            USE
            + f'    "x.w"() ({{\n      %9 = "x.z"() : () -> {T}\n      "x.z"(%9) : ({T}) -> ()\n    }}) : () -> ()\n',
        ),
    ],
)
def test_what_is_defined_above_may_be_used(old: str, new: str) -> None:
    edited(old, new)


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (USE, USE.replace("%0", "%1"), "%1"),
        (USE, f"    %1 = stablehlo.add %0, %5 : {T}\n", "%5"),
        (USE, f"    %1 = stablehlo.add %0, %7 : {T}\n    %7 = stablehlo.negate %0 : {T}\n", "%7"),
        ("%2, %1", "%2, %3", "%3"),
        ("%2, %1", "%2, %8", "%8"),
        (f"%1 = stablehlo.negate %0 : {T}\n", f"%1 = stablehlo.negate %2 : {T}\n", "%2"),
        ('"x.y"() (', '"x.y"(%6) (', "%6"),
        ("cf.br ^bb2", f"cf.br ^bb2(%3 : {T})", "%3"),
        ("return %4", "return %3", "%3"),
    ],
)
def test_what_is_not_may_not(old: str, new: str, name: str) -> None:
    with pytest.raises(InternalError, match=f"{name} would be used"):
        edited(old, new)


def test_nothing_else_may_change() -> None:
    start = BEFORE.index(USE)
    edits = [(start, start + 4, "  ")]
    after = apply(BEFORE, edits)
    with pytest.raises(InternalError, match="outside the edits"):
        verify(BEFORE, edits, after.replace("cf.br ^bb1", "cf.br ^bb2"), [])
    with pytest.raises(InternalError, match="outside the edits"):
        verify(BEFORE, edits, after + " ", [])
    with pytest.raises(InternalError, match="did not arrive"):
        verify(BEFORE, edits, after[:start] + "\t\t" + after[start + 2 :], [])


ALIASES = "func.func @a()\n!t = f64\n#k = 1.0 : !t\nfunc.func @b()\n#loc = loc(unknown)\n"


@pytest.mark.parametrize(
    ("before", "new", "is_right"),
    [
        ("func.func @b", "func.func @c() attributes {x = #k}\n", True),
        ("func.func @b", 'func.func @c() attributes {x = "#k"} // #k\n', True),
        ("#k =", "func.func @c(!t)\n", True),
        ("#k =", "func.func @c() attributes {x = #k}\n", False),
        ("func.func @a", "func.func @c(!t)\n", False),
        ("func.func @a", "func.func @c(tensor<2x!t>)\n", False),
        ("func.func @a", "func.func @c() loc(#loc)\n", True),
        ("func.func @a", "func.func @c(!t.x, !t<1>) // !t\n", True),
    ],
)
def test_an_alias_is_used_below_its_definition(before: str, new: str, is_right: bool) -> None:
    start = ALIASES.index(before)
    edits = [(start, start, new)]
    after = apply(ALIASES, edits)
    units = [Unit(after, 0, len(after))]
    if is_right:
        verify(ALIASES, edits, after, units)
    else:
        with pytest.raises(InternalError, match="above its definition"):
            verify(ALIASES, edits, after, units)


def test_a_symbol_that_is_gone_is_not_named() -> None:
    text = 'llvm.call @a() // @b\n"x.y"() {z = "@c", w = @"d"} : () -> ()\n'
    unit = Unit(text, 0, len(text))
    assert still_named(unit, set()) is None
    assert still_named(unit, {"b", "c"}) is None
    assert still_named(unit, {"b", "d"}) == "d"


@pytest.mark.parametrize(("defined", "gone"), [("@w", None), ("@v", "w")])
def test_a_symbol_in_a_table_that_defines_it_is_not_gone(defined: str, gone: str | None) -> None:
    text = f"gpu.module @m {{\n  func.func @u() {{\n    call @w()\n  }}\n  llvm.func {defined}()\n}}\n"
    assert still_named(Unit(text, 0, len(text)), {"w"}) == gone
