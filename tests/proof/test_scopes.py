"""Names in the regions of one operation: each region is a scope, and what an operation binds need not be in all."""

from __future__ import annotations

import pytest

import jitlint
from jitlint.proof.compare import prove
from tests.proof.programs import call, calling

T = "tensor<f64>"
CALLS = f"%0 = {call('double', '%a0')}\n%1 = {call('double', '%0')}"
"""Two calls that become one."""


def module(loop: str) -> str:
    return calling(f"{CALLS}\n{loop}\nreturn %r#0 : {T}")


def loop(head: str, first: str, second: str, *, name: str = "scf.while", done: str = "scf.condition(%c)") -> str:
    """A loop that carries `%1` and `%a1`, with these two regions."""
    types = f"({T}, {T}) -> ({T}, {T})"
    return f"%r:2 = {name} ({head}) : {types} {{\n  {first}\n  {done} %x, %y : {T}, {T}\n}} do {{\n{second}\n}}"


SECOND = f"  %n = stablehlo.subtract %x, %y : {T}\n  scf.yield %n, %y : {T}, {T}"
FIRST = f"%k = stablehlo.negate %x : {T}"
HEAD = "%x = %1, %y = %a1"
ARGUMENTS = f"^bb0(%x: {T}, %y: {T}):\n"

LOOPS = {
    "arguments of the same names": loop(HEAD, FIRST, ARGUMENTS + SECOND),
    "the same names in another order": loop(HEAD, FIRST, f"^bb0(%y: {T}, %x: {T}):\n{SECOND}"),
    "a result of the same name": loop(
        HEAD, FIRST, f"^bb0(%u: {T}, %v: {T}):\n  %x = stablehlo.add %u, %v : {T}\n  scf.yield %x, %u : {T}, {T}"
    ),
    "a loop in the second region": loop(
        HEAD,
        FIRST,
        f"^bb0(%u: {T}, %v: {T}):\n"
        f"  %s = scf.for %i = %u to %v step %u iter_args(%x = %v) -> ({T}) {{\n    scf.yield %x : {T}\n  }}\n"
        f"  scf.yield %s, %u : {T}, {T}",
    ),
    "a second region without arguments": (
        f"scf.while (%x = %1) : ({T}) -> () {{\n  scf.condition(%c)\n}} do {{\n"
        f"  %x = stablehlo.negate %a1 : {T}\n  scf.yield %x : {T}\n}}\n%r:2 = my.pair %1 : {T}"
    ),
    "another dialect": loop(HEAD, FIRST, ARGUMENTS + SECOND, name="tosa.while_loop", done="tosa.yield %c,"),
    "values for both regions": (
        f"%r:2 = stablehlo.while(%x = %1, %y = %a1) : {T}, {T}\ncond {{\n"
        f"  %k = stablehlo.compare LT, %x, %y : ({T}, {T}) -> tensor<i1>\n"
        f"  stablehlo.return %k : tensor<i1>\n}} do {{\n"
        f"  %n = stablehlo.subtract %x, %y : {T}\n  stablehlo.return %n, %y : {T}, {T}\n}}"
    ),
}


@pytest.mark.parametrize("text", LOOPS.values(), ids=LOOPS)
def test_calls_beside_a_loop_are_fused(text: str) -> None:
    fixed = jitlint.fix(module(text)).source.text
    assert fixed.count("enzymexla.jit_call") == 1


def test_names_do_not_matter() -> None:
    first = module(LOOPS["arguments of the same names"])
    renamed = module(loop(HEAD, FIRST, ARGUMENTS.replace("%x", "%p") + SECOND.replace("%x", "%p")))
    assert prove(first, renamed).difference is None
    assert prove(renamed, first).difference is None


CHANGED = {
    "the arguments of the second region": loop(HEAD, FIRST, f"^bb0(%y: {T}, %x: {T}):\n{SECOND}"),
    "what the second region computes": loop(HEAD, FIRST, ARGUMENTS + SECOND.replace("%x, %y :", "%y, %x :", 1)),
    "what the first region computes": loop(HEAD, FIRST, ARGUMENTS + SECOND).replace("%c) %x, %y", "%c) %y, %x"),
    "what the names are bound to": loop("%x = %a1, %y = %1", FIRST, ARGUMENTS + SECOND),
    "a result behind the loop": loop(HEAD, FIRST, ARGUMENTS + SECOND).replace("%n = ", "%n:2 = "),
}


@pytest.mark.parametrize("text", CHANGED.values(), ids=CHANGED)
def test_loops_that_differ(text: str) -> None:
    assert prove(module(LOOPS["arguments of the same names"]), module(text)).difference is not None


@pytest.mark.parametrize("use", [f"%n = my.op %x : {T}", f'%n = "my.op"() ({{\n  my.use %x : {T}\n}}) : () -> {T}'])
def test_a_value_of_another_region_is_not_followed(use: str) -> None:
    """Whichever of the two values it may be: they are bound to different ones here and there."""
    second = f"^bb0(%u: {T}):\n  {use}\n  my.yield %n : {T}"
    texts = [
        module(loop(head, FIRST, second, name="my.loop", done="my.end %c,")) for head in (HEAD, "%y = %1, %x = %a1")
    ]
    for text in texts:
        assert "belongs to another region" in str(prove(text, text.replace("%n", "%m")).difference)


GRAPH = """\
"my.graph"() ({
  %k = arith.constant 1 : i32
  %r = "my.op"(%l) ({
    %q = arith.constant 2 : i32
    my.end %q : i32
  }) : (i32) -> i32
  %l = arith.addi %k, %k : i32
  my.end %r : i32
}) : () -> ()
"""


def test_a_value_that_is_used_above_its_definition_is_not_followed() -> None:
    """Not even where it might be one that the operation gives to its region."""
    assert "%l is used above its definition" in str(prove(GRAPH, GRAPH.replace("addi", "muli")).difference)


def test_several_operations_give_their_regions_values_of_the_same_names() -> None:
    region = "{\n  %q = my.op %i\n  my.end %q : index\n}"
    text = module(f"my.all (%i) in (4) {region}\nmy.all (%i) in (5) {region}\n{LOOPS['values for both regions']}")
    assert jitlint.fix(text).source.text.count("enzymexla.jit_call") == 1


def test_regions_of_an_operation_of_the_module_are_scopes_too() -> None:
    """No function holds it."""
    regions = ", ".join(f"{{\n  %a = my.op {number}\n  my.end %a : i32\n}}" for number in range(2))
    text = module(LOOPS["values for both regions"]) + f'"my.pair"() ({regions}) : () -> ()\n'
    assert (
        prove(text, text.replace("my.op 1", "my.op  1").replace("%a =", "%b =").replace("%a :", "%b :")).difference
        is None
    )
    assert prove(text, text.replace("my.op 1", "my.op 2")).difference is not None
