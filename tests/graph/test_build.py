"""What the pictures of the cases show: the calls, what ties them, and what keeps them apart."""

from __future__ import annotations

import pytest

from jitlint.errors import UsageError
from jitlint.graph import labels
from jitlint.graph.build import Choice
from jitlint.graph.model import Kind, Role
from tests.graph.pictures import (
    arrows,
    case,
    chains,
    different_chains,
    hostile,
    in_main,
    long_chain,
    named,
    node,
    only_block,
    picture,
)
from tests.texts import ADD_TO, DOUBLE, T, call


def test_a_chain_is_one_box_with_the_value_that_it_writes() -> None:
    block = only_block(case("chain"))
    (box,) = block.boxes
    assert box.fused_name == "__enzyme_fused_double_accumulate_double"
    assert [named(block)[key].title for key in box.nodes] == ["double", "accumulate", "double"]
    assert arrows(block) == {
        ("%arg0", "writes", "slot 0", "double:17"),
        ("double:17", "writes", "%0", "accumulate:18"),
        ("accumulate:18", "writes", "%1", "double:19"),
    }
    assert (block.title, block.lines, block.calls, block.groups, block.reasons) == ("@main", (17, 19), 3, 1, ())
    assert labels.verdict(block) == ["3 JIT calls", "One group can be one call"]


def test_an_operation_in_the_way_is_on_the_path() -> None:
    block = only_block(case("cycle_through_pure"))
    step = node(block, Role.STEP)
    assert (step.title, step.line, step.codes) == ("stablehlo.negate", 17, ("JIT102",))
    assert arrows(block) == {
        ("%arg0", "writes", "", "double:16"),
        ("double:16", "way", "%0", "stablehlo.negate:17"),
        ("stablehlo.negate:17", "way", "%1", "accumulate:18"),
        ("double:16", "apart", "%0", "accumulate:18"),
    }
    assert not block.boxes


def test_a_side_effect_between_is_marked() -> None:
    block = only_block(case("barrier_between"))
    effect = node(block, Role.EFFECT)
    assert (effect.title, effect.line, effect.codes) == ("stablehlo.custom_call", 10, ("JIT201",))
    assert effect.details == ("in the way: it has side effects",)
    ways = {arrow for arrow in arrows(block) if arrow[1] == "effects"}
    assert ways == {
        ("double:9", "effects", "side effects", "stablehlo.custom_call:10"),
        ("stablehlo.custom_call:10", "effects", "side effects", "double:11"),
    }
    assert labels.verdict(block)[1:] == ["Kept apart by side-effect-between (JIT201)"]


def test_an_overwritten_value_stands_between_who_makes_overwrites_and_needs_it() -> None:
    block = only_block(case("overwritten_result"))
    lost = node(block, Role.LOST)
    assert (lost.title, lost.codes) == ("%0", ("JIT403",))
    assert node(block, Role.USER).title == "return"
    assert arrows(block) == {
        ("%arg0", "writes", "", "double:9"),
        ("double:9", "apart", "", "%0"),
        ("%0", "way", "overwrites it", "double:10"),
        ("%0", "way", "needs it after", "return:11"),
    }


def test_a_value_that_one_call_would_take_twice() -> None:
    block = only_block(case("twice_in_one_call"))
    labelled = {edge.label for edge in block.edges if edge.kind is Kind.WAY}
    assert labelled == {"overwrites it", "and takes it again"}


def test_a_call_that_is_kept_out_says_why() -> None:
    block = only_block(case("undeclared_write"))
    out = node(block, Role.KEPT_OUT)
    assert out.title == "clobber"
    assert "JIT602" in out.codes
    assert any("through parameter 1" in detail for detail in out.details)


def test_parts_of_a_component_are_boxes_of_their_own() -> None:
    block = only_block(case("part_of_a_component"))
    assert [len(box.nodes) for box in block.boxes] == [2, 2]
    assert ("accumulate:17", "apart", "%1", "accumulate:19") in arrows(block)
    # What comes back from the operation in the way is not drawn again as a value from outside.
    assert [each.title for each in block.nodes if each.role is Role.INPUT] == ["%arg0"]


def test_a_value_that_is_written_and_read_has_both_arrows() -> None:
    assert {
        ("%arg0", "writes", "slot 0", "double:16"),
        ("%arg0", "reads", "", "accumulate:17"),
    } <= arrows(only_block(case("same_value_twice")))


def test_a_fused_call_is_told_from_others() -> None:
    assert node(only_block(case("irecv_wait.sound")), Role.FUSED).line == 39


def test_a_call_in_another_block_is_drawn_as_such() -> None:
    inside = call("%1", "double", "%0")
    text = in_main(call("%0", "double", "%a"), '"scf.if"(%c) ({', f"  {inside}", "}) : (i1) -> ()")
    outer, inner = picture(text).drawn
    elsewhere = node(outer, Role.ELSEWHERE)
    assert (elsewhere.title, elsewhere.codes) == ("double", ("JIT101",))
    assert inner.title == "@main, inside scf.if"


def test_a_call_that_cannot_be_read_is_drawn_as_kept_out() -> None:
    block = only_block(in_main(call("%0", "double", "%a").replace(f": ({T})", f": ({T}, {T})")))
    out = node(block, Role.KEPT_OUT)
    assert (out.title, out.codes) == ("enzymexla.jit_call", ("JIT902",))


def test_a_long_way_is_cut_in_its_middle() -> None:
    steps = [f"%s{place} = stablehlo.negate %s{place - 1} : {T}" for place in range(1, 50)]
    lines = [
        call("%0", "double", "%a"),
        f"%s0 = stablehlo.negate %0 : {T}",
        *steps,
        f"enzymexla.jit_call @read (%0, %s49) : ({T}, {T}) -> ()",
        # A component of this size is not split in every way, which would find the end of the way first.
        call("%1", "double", "%a"),
        *(call(f"%{place}", "double", f"%{place - 1}") for place in range(2, 42)),
        f"enzymexla.jit_call @read (%0, %41) : ({T}, {T}) -> ()",
    ]
    wrapper = "  llvm.func @read(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {\n    llvm.return\n  }\n"
    block = only_block(in_main(*lines, wrappers=DOUBLE + wrapper), Choice(most=100))
    steps_drawn = [each for each in block.nodes if each.role is Role.STEP]
    assert len(steps_drawn) < 20
    assert any(each.title.endswith("more steps") for each in steps_drawn)


def test_calls_beyond_the_limit_are_counted() -> None:
    graph = picture(different_chains(100), Choice(most=10))
    (block,) = graph.drawn
    assert (len(block.boxes), block.left_out, graph.left_out) == (5, 190, 190)
    assert labels.verdict(block)[-1] == "190 calls not drawn"


def test_of_one_component_beyond_the_limit_the_first_calls_are_drawn() -> None:
    lines = [call("%0", "clobber", "%a"), *(call(f"%{n}", "clobber", f"%{n - 1}") for n in range(1, 50))]
    block = only_block(in_main(*lines, wrappers="  llvm.func @clobber(!llvm.ptr)\n"), Choice(most=8))
    assert [each.role for each in block.nodes].count(Role.KEPT_OUT) == 8
    assert node(block, Role.MORE).title == "42 more calls"
    assert block.left_out == 42


def test_a_large_group_says_how_large_and_is_drawn_as_first_second_and_last() -> None:
    block = only_block(long_chain(500))
    (box,) = block.boxes
    assert labels.box(box)[0] == "500 calls become one"
    assert [named(block)[key].title for key in box.nodes] == ["double", "double", "… 497 more calls …", "double"]
    assert node(block, Role.MORE).details == ("lines 11 to 507",)
    assert arrows(block) == {
        ("%a", "writes", "slot 0", "double:9"),
        ("double:9", "writes", "%0", "double:10"),
        ("double:10", "writes", "%1", "… 497 more calls …"),
        ("… 497 more calls …", "writes", "%498", "double:508"),
    }
    assert block.left_out == 0
    assert len(only_block(long_chain(500), Choice(most=500)).boxes[0].nodes) == 500


def test_many_arrows_to_the_middle_of_a_large_group_are_one() -> None:
    text = long_chain(100).replace(
        "    return", f"    enzymexla.jit_call @see (%0, %50, %98) : ({T}, {T}, {T}) -> ()\n    return"
    )
    see = "  llvm.func @see(%0: !llvm.ptr, %1: !llvm.ptr, %2: !llvm.ptr) {\n    llvm.return\n  }\n"
    block = only_block(text.replace("  func.func", f"{see}  func.func"))
    pairs = [(edge.source, edge.target) for edge in block.edges if edge.target != edge.source]
    more = next(each.key for each in block.nodes if each.role is Role.MORE and each.title.startswith("…"))
    assert len([pair for pair in pairs if more in pair]) == len({pair for pair in pairs if more in pair})
    assert all(source != target for source, target in pairs)


def test_fifty_equal_groups_are_one_with_a_count() -> None:
    block = only_block(chains(50))
    (box,) = block.boxes
    assert labels.box(box) == ["2 calls become one, in 50 places", "@__enzyme_fused_double_double"]
    assert (block.calls, block.groups, block.left_out) == (100, 50, 0)
    assert len(only_block(chains(3)).boxes) == 3


def test_equal_single_calls_are_one_with_a_count() -> None:
    block = only_block(in_main(*(call(f"%{n}", "double", "%a") for n in range(20))))
    assert node(block, Role.CALL).details == ("and 19 more like it",)
    assert block.left_out == 0


def test_groups_that_only_look_alike_are_drawn_one_by_one() -> None:
    shared = [
        line
        for n in range(0, 12, 3)
        for line in (
            call(f"%{n}", "double", "%a"),
            call(f"%{n + 1}", "add_to", f"%{n}", "%a" if n % 2 else f"%{n}"),
        )
    ]
    block = only_block(in_main(*shared, wrappers=DOUBLE + ADD_TO))
    assert len([each for each in block.nodes if each.role is Role.CALL]) == 8


def test_joined_calls_are_drawn_before_single_ones() -> None:
    lines = [call(f"%{n}", "double", "%a") for n in range(20)]
    text = in_main(*lines, call("%20", "double", "%19"))
    assert [box.fused_name for box in only_block(text, Choice(most=2)).boxes] == ["__enzyme_fused_double_double"]


def test_a_line_chooses_what_belongs_to_it() -> None:
    text = chains(100)
    line = text[: text.index("%41 = enz")].count("\n") + 1
    block = only_block(text, Choice(line=line))
    assert [(each.title, each.line) for each in block.nodes if each.role is Role.CALL] == [
        ("double", line - 1),
        ("double", line),
    ]


def test_a_line_between_two_calls_belongs_to_them() -> None:
    assert len(only_block(case("barrier_between"), Choice(line=10)).nodes) == 4


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (Choice(line=2), "no JIT call stands on line 2, nor around it; the nearest is on line 17"),
        (Choice(line=99), "no line 99; the text ends at line 23"),
        (Choice(block=2), "no block 2; the only one is 1"),
    ],
)
def test_a_choice_of_nothing_is_refused(choice: Choice, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        picture(case("chain"), choice)
    assert str(refused.value) == said


def test_names_are_cut_and_show_their_control_characters() -> None:
    block = only_block(hostile())
    title = next(labels.title(each) for each in block.nodes if each.title.startswith("evil"))
    assert len(title) <= labels.NAME
    assert title.startswith('@"evil')
    assert "\x1b" not in title
    long = only_block(in_main(call("%0", "w" * 9000, "%a"), wrappers=""))
    assert len(labels.title(long.nodes[0])) == labels.NAME
