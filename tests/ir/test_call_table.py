"""JIT calls as rows of a table: each is what it is when it is read by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jitlint.ir.call_table import CallTable
from jitlint.ir.calls import JitCall, UnreadableCall, read_call
from jitlint.ir.program import call_blocks
from jitlint.ir.tree import Block, Unit
from jitlint.syntax.calls import CallReader, UnreadCall, symbol_name
from jitlint.syntax.lexer import SyntaxProblem

NUMBER = st.integers(0, 12)
NAME = st.one_of(NUMBER.map("%{}".format), NUMBER.map("%{}#1".format), st.sampled_from(["%a", "%b_1", "%c.d-e$"]))
TYPE = st.sampled_from(["tensor<f64>", "tensor<5xf64>", "tensor<6xf64>", "tensor<6xf32>", "!t1", '!x.y<"a">'])
CALLEE = st.sampled_from(["@f", "@f1", "@g.h", '@"a b"', "@m::@f"])
BEHIND = st.sampled_from(
    ["", " loc(#loc1)", " loc(#loc23)", " loc(unknown)", ' loc("a.py":1:2)', " // %1 and @f", " loc(#loc1) // %1"]
)
ATTRIBUTES = st.sampled_from(["", " {x.y = @f}", ' {x.y = "%0 @g"}', " {x.y = 12 : i32}", " {xla_side_effect_free}"])
RESULTS = st.sampled_from(
    ["%r{0} = ", "%r{0}:2 = ", "%r{0} : 2 = ", "%r{0}, %s{0} = ", "%r{0}  =\t", "%r{0} // = \n  = ", ""]
)


@st.composite
def calls(draw: st.DrawFn) -> str:
    operands = draw(st.lists(st.tuples(NAME, TYPE), max_size=3))
    names, types = ", ".join(name for name, _ in operands), ", ".join(kind for _, kind in operands)
    results = draw(RESULTS).format(draw(NUMBER))
    count = 0 if not results else 2 if ":" in results or "," in results else 1
    outcome = ", ".join(draw(TYPE) for _ in range(draw(st.sampled_from([count, count, count, 1]))))
    callee, behind, attributes = draw(CALLEE), draw(BEHIND), draw(ATTRIBUTES)
    gap = draw(st.sampled_from([" ", "", "  ", " // @g (%9)\n "]))
    name = draw(st.sampled_from(["enzymexla.jit_call", "enzymexla.jit_call", "enzymexla.jit_call "]))
    if draw(st.integers(0, 5)) == 0:
        return f'{results}"enzymexla.jit_call"({names}) <{{fn = {callee}}}> : ({types}) -> ({outcome}){behind}'
    return f"{results}{name} {callee}{gap}({names}){attributes} : ({types}) -> ({outcome}){behind}"


def alone(block: Block, index: int) -> JitCall | UnreadableCall:
    start, end = block.cut.starts[index], block.cut.ends[index]
    try:
        return read_call(block, index, CallReader(block.region.unit.aliases))
    except UnreadCall as problem:
        return UnreadableCall(index, start, end, str(problem))
    except SyntaxProblem as problem:
        return UnreadableCall(index, start, end, problem.message)


def facts(call: JitCall | UnreadableCall) -> tuple[object, ...]:
    if isinstance(call, UnreadableCall):
        return call.index, call.start, call.end, call.reason
    syntax = call.syntax
    places = call.index, call.start, call.begin, call.end
    names = call.callee, call.operands, call.result_names, call.results
    return places, names, syntax.operand_types, syntax.result_types, syntax.attributes, syntax.location


def check_places(call: JitCall, text: str) -> None:
    """Whether each part of a call stands where the call says."""
    own = text[call.begin : call.end]
    assert tuple(map(symbol_name, text[slice(*call.callee_place)].split("::"))) == call.callee
    assert call.callee_place == (call.begin + call.places.callee[0], call.begin + call.places.callee[1])
    assert text[slice(*call.name_span)].strip('"').startswith("enzymexla.jit_call")
    operands = [own[slice(*place)] for place in call.places.operands]
    assert [name.partition("#")[0] for name in operands] == [name for name, _ in call.operands]
    for key, place in call.places.entries.items():
        assert own[slice(*place)].startswith(key)
        assert own[place[1] :].lstrip()[0] in ",}>"
    location = call.places.location
    assert (location is None) == (not call.syntax.location)
    assert location is None or (own[location[0] :].startswith("loc") and location[1] == len(own))


@given(st.lists(calls(), min_size=1, max_size=12))
def test_a_row_is_what_the_call_is(texts: list[str]) -> None:
    text = "!t1 = tensor<2xf64>\nfunc.func @main() {\n" + "\n".join(texts) + "\n}\n"
    unit = Unit(text, 0, len(text))
    for block in [place.block for place in call_blocks(unit)]:
        read, unread = CallTable(unit.call_reader).read(block)
        expected = [alone(block, index) for index in block.cut.calls]
        assert [facts(call) for call in sorted([*read, *unread], key=lambda call: call.index)] == list(
            map(facts, expected)
        )
        for call in read:
            check_places(call, text)
            if call.is_plain:
                assert '"' not in text[call.start : call.end]
                assert "//" not in text[call.start : call.end]


def test_calls_of_one_kind_are_read_once() -> None:
    lines = [f"%{n}:2 = enzymexla.jit_call @f{n % 3} (%a{n}, %b) : (f64, f64) -> (f64, f64)" for n in range(1000)]
    text = "func.func @main() {\n" + "\n".join(lines) + "\n}\n"
    unit = Unit(text, 0, len(text))
    (place,) = call_blocks(unit)
    assert len(place.calls) == 1000
    assert len({id(call.syntax) for call in place.calls}) == 1
    assert all(call.is_plain and call.callee == (f"f{n % 3}",) for n, call in enumerate(place.calls))
    assert [call.operands for call in place.calls] == [((f"%a{n}", 0), ("%b", 0)) for n in range(1000)]
