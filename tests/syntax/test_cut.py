"""Where operations begin and end."""

from __future__ import annotations

import pytest

from jitlint.ir.tree import Unit


def names(text: str) -> list[list[str]]:
    """The names of the operations of each block at the top level."""
    unit = Unit(text, 0, len(text))
    assert unit.body.problems == []
    return [[operation.name for operation in block.operations] for block in unit.body.blocks]


def texts(text: str) -> list[str]:
    return [operation.own_text() for block in Unit(text, 0, len(text)).body.blocks for operation in block.operations]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"a.b"() : () -> ()  return %0 : i32', ["a.b", "return"]),
        ('"a.b"() : () -> ()  "e.f"() : () -> () %0 = g.h', ["a.b", "e.f", "g.h"]),
        ("llvm.func @f() { llvm.return } llvm.func @g() { llvm.return }", ["llvm.func", "llvm.func"]),
        ("module { } module { a.b }", ["module", "module"]),
        ('%0 = llvm.call_intrinsic "x.y"(%1) : (f32) -> f32', ["llvm.call_intrinsic"]),
        ("a.b %0 // c\r%1 = d.e", ["a.b", "d.e"]),
        ("%0 = a.b %1\n  %2\n  = c.d", ["a.b", "c.d"]),
        ("%0 = a.b\n%1 =\nc.d %0\n%2,\n%3 : 2\n= e.f", ["a.b", "c.d", "e.f"]),
        ("%0 = a.b %1, %2,\n  %3, %4 : t\nc.d", ["a.b", "c.d"]),
        ("%0 = a.b\n\n%1 = a.b " + "%0 " * 40_000 + "\n\nc.d", ["a.b", "a.b", "c.d"]),
        ("a.b ins(%0 : t)\n  outs(%1 : t) -> t\nc.d", ["a.b", "c.d"]),
        ("a.b\n  attributes {x.y} {\n}\nc.d", ["a.b", "c.d"]),
        ("%0 = x.reduce(%1) applies x.add across dims = [0]\nc.d", ["x.reduce", "c.d"]),
        ("llvm.mlir.global internal constant @x(1 : i32)\nc.d", ["llvm.mlir.global", "c.d"]),
        ("#map = affine_map<(d0) -> (d0)>\n!t = tensor<2xf32>\na.b", ["alias", "alias", "a.b"]),
        ("a.b // c.d\n// e.f\n/// %0 = g.h\ni.j", ["a.b", "i.j"]),
        # strings that name no operation
        ('sv.fwrite %fd, "i = %d\\n"(%x)\nc.d', ["sv.fwrite", "c.d"]),
        ('sv.fatal 1, "no way"(%x) : i1\nc.d', ["sv.fatal", "c.d"]),
        ('a.b %x,\n  "e.f"(%x) : i1\nc.d', ["a.b", "c.d"]),
        ('a.b %x\n"no name"(%x)\nc.d', ["a.b", "c.d"]),
        ('esi.service.instance svc @x impl as "cosim" (%x) : (i1) -> i1\nc.d', ["esi.service.instance", "c.d"]),
        ('rtg.validate %a, %b, "id2" (%c else %d : i1) : i1\nc.d', ["rtg.validate", "c.d"]),
        ('a.b\n"e\\2Ef"(%x) : (i1) -> ()\nc.d', ["a.b", "e\\2Ef", "c.d"]),
        ('a.b {\n  "no name"(%x)\n}\nc.d', ["a.b", "c.d"]),
        # lines that go on
        ("a.b x =\n  y.z\nc.d", ["a.b", "c.d"]),
        ("a.b %x ->\n  y.z\nc.d", ["a.b", "c.d"]),
        ("%r = x.loop %a : t\n{\n  e.f\n}\ndo {\n  g.h\n}\nc.d", ["x.loop", "c.d"]),
        ("%r = x.loop %a : t\n{\n  e.f\n}\ndo\n{\n  g.h\n}\nc.d", ["x.loop", "c.d"]),
        ("x.switch %a : t\ncase b(%x) {\n  e.f\n}\ndefault {\n  g.h\n}\nc.d", ["x.switch", "c.d"]),
        ('a.b\n%0 = "c.d"\n  (%x) : (i1) -> i1\n"e.f"\n() : () -> ()', ["a.b", "c.d", "e.f"]),
        # several on a line: of the table, behind a type
        (
            "%0 = llvm.load %p : !llvm.ptr -> f64 llvm.store %0, %p : f64, !llvm.ptr llvm.return",
            ["llvm.load", "llvm.store", "llvm.return"],
        ),
        (
            '%0 = arith.negf %x : tensor<2xf64> "llvm.fence"() : () -> () return %0 : t',
            ["arith.negf", "llvm.fence", "return"],
        ),
        # carriage returns end lines
        ("a.b %x // y\rc.d %x\r%0 = e.f\r\ng.h\ni.j\rk.l", ["a.b", "c.d", "e.f", "g.h", "i.j", "k.l"]),
        ("a.b\rc.d\re.f // g.h\ri.j", ["a.b", "c.d", "e.f", "i.j"]),
    ],
)
def test_operations_begin_where_they_do(text: str, found: list[str]) -> None:
    assert names(text) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "a.b c.d",
        "a.b { x = 1 } c.d",
        "a.b %0 : t c.d %1",
        "a.b ( ) constant c.d",
        "arith.negf %0 arith.negf %1",
        'arith.negf %0 : t "a b"(%0) "cd"(%0)',
    ],
)
def test_a_candidate_inside_a_line_is_a_problem(text: str) -> None:
    assert Unit(text, 0, len(text)).body.problems


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("a.b\n^bb1:\nc.d\n^bb2(%0: t):  // pred\ne.f", 3),
        ("^bb0:\na.b ^bb1\n^bb1:\nc.d", 2),
        ("a.b ^bb1(%0 : t), ^bb2 : t\n^bb1(%1: t):\nc.d\n^bb2:\nc.d", 3),
        ("llvm.invoke @f() to ^bb1 unwind\n  ^bb2 : () -> ()\n^bb1:\na.b\n^bb2:\nc.d", 3),
        ("x.br %0,\n  ^bb1 : i1\n^bb1:\na.b", 2),
        (f"x.br %0, // {'so ' * 200}\n  ^bb1 : i1\n^bb1:\na.b", 2),
        (f"llvm.invoke @f() to // {'so ' * 200}\n\n  ^bb1 unwind ^bb2 : () -> ()\n^bb1:\na.b\n^bb2:\nc.d", 3),
        (f"x.br %0,{' ' * 300}\n{' ' * 300}^bb1 : i1\n^bb1:\na.b", 2),
        ("a.b { ^bb7: c.d }\n^bb1:\ne.f", 2),
    ],
)
def test_a_label_begins_a_block(text: str, blocks: int) -> None:
    assert len(names(text)) == blocks


def test_an_operation_holds_its_location_and_no_comment() -> None:
    assert texts('%0 = a.b\n  %1 loc("x (" at #y) // z\nc.d') == ['%0 = a.b\n  %1 loc("x (" at #y)', "c.d"]
