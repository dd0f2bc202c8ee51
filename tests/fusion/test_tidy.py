"""JIT702 and JIT704: wrappers that repeat another, and wrappers that nothing uses."""

import pytest

from jitlint.engine import analyse, rewrite
from jitlint.findings import Finding
from jitlint.options import Options
from tests.analysis.programs import F64, alias, call

PRUNE = Options(prune_wrappers=True)

DOUBLE = """\
llvm.func @double(%buffer: !llvm.ptr) {
  %0 = llvm.load %buffer : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %buffer : f64, !llvm.ptr
  llvm.return
}
"""
TWICE = DOUBLE.replace("@double", "@twice").replace("%buffer", "%b").replace("%0", "%old")


def main(*callees: str) -> str:
    """A function that calls each on the same argument, which gives no groups."""
    body = "".join(f"  %{number} = {call(callee, {'%x': F64}, (0,))}\n" for number, callee in enumerate(callees))
    return f"func.func @main(%x: {F64}) {{\n{body}  return\n}}\n"


def found(text: str) -> list[tuple[str, str]]:
    findings = analyse(text, "test.mlir", Options()).findings
    return [(finding.code, finding.message) for finding in findings if finding.code in ("JIT702", "JIT704")]


def fixed(text: str, options: Options = PRUNE) -> str:
    return rewrite(text, "test.mlir", options).source.text


def test_calls_of_equal_wrappers_name_the_first() -> None:
    text = DOUBLE + TWICE + main("twice", "double", "twice")
    assert found(text) == [("JIT704", "@twice is a copy of @double")]
    assert fixed(text, Options()) == DOUBLE + TWICE + main("double", "double", "double")


def test_the_wrapper_that_is_left_over_goes_with_prune() -> None:
    text = DOUBLE + TWICE + main("double", "twice")
    result = rewrite(text, "test.mlir", PRUNE)
    assert result.source.text == DOUBLE + main("double", "double")
    assert [finding.code for finding in result.fixed] == ["JIT704", "JIT702"]
    assert result.findings == ()


def test_a_generic_call_and_a_quoted_symbol_are_renamed() -> None:
    quoted = DOUBLE.replace("@double", '@"do it"')
    properties = f"<{{fn = @twice, output_operand_aliases = [{alias('[]', 0)}]}}>"
    spelled = f'%1 = "enzymexla.jit_call"(%x) {properties} : ({F64}) -> {F64}'
    text = quoted + TWICE + main('"do it"').replace("  return", f"  {spelled}\n  return")
    assert 'fn = @"do it", output' in fixed(text)


@pytest.mark.parametrize(
    "other",
    [
        TWICE.replace("fadd", "fmul"),
        TWICE.replace("%b: !llvm.ptr", "%b: !llvm.ptr {llvm.noalias}"),
        TWICE.replace("llvm.func @twice", "llvm.func fastcc @twice"),
    ],
)
def test_what_differs_in_anything_but_names_is_another(other: str) -> None:
    assert found(DOUBLE + other + main("double", "twice")) == []


COUNTER = """\
llvm.mlir.global internal @count(0.0 : f64) : f64
"""
BUMP = """\
llvm.func @bump(%buffer: !llvm.ptr) {
  %0 = llvm.mlir.addressof @count : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> f64
  llvm.store %1, %buffer : f64, !llvm.ptr
  llvm.return
}
"""


def test_two_wrappers_with_a_global_that_can_change_have_two_of_them() -> None:
    assert found(COUNTER + BUMP + BUMP.replace("@bump", "@bounce") + main("bump", "bounce")) == []


def test_what_is_not_allowed_is_not_done() -> None:
    text = DOUBLE + TWICE + main("double", "twice")

    def never(finding: Finding, _source: object) -> bool:
        return finding.code not in ("JIT702", "JIT704")

    assert rewrite(text, "test.mlir", PRUNE, never).source.text == text


UNUSED = DOUBLE.replace("@double", "@unused")


def test_a_wrapper_that_nothing_uses_is_reported_and_goes_on_request() -> None:
    text = DOUBLE + "\n" + UNUSED + "\n" + main("double")
    assert found(text) == [("JIT702", "nothing in this file uses @unused")]
    assert fixed(text, Options()) == text
    assert fixed(text) == DOUBLE + "\n" + main("double")


def test_what_only_unused_wrappers_name_goes_with_them() -> None:
    helper = "llvm.func @helper(%b: !llvm.ptr) {\n  llvm.call @helper(%b) : (!llvm.ptr) -> ()\n  llvm.return\n}\n"
    caller = "llvm.func @caller(%b: !llvm.ptr) {\n  llvm.call @helper(%b) : (!llvm.ptr) -> ()\n  llvm.return\n}\n"
    assert fixed(DOUBLE + helper + caller + main("double")) == DOUBLE + main("double")
    used = main("double").replace("  return", "  llvm.call @caller(%p) : (!llvm.ptr) -> ()\n  return")
    assert fixed(DOUBLE + helper + caller + used) == DOUBLE + helper + caller + used


@pytest.mark.parametrize(
    "kept",
    [
        "func.func @entry_point(%m: memref<4xf64>) {\n  return\n}\n",
        "llvm.func @start() {\n  llvm.return\n}\n",
        "llvm.func @number(%n: i64) {\n  llvm.return\n}\n",
        "llvm.func @get(%p: !llvm.ptr) -> i32 {\n  %0 = llvm.load %p : !llvm.ptr -> i32\n  llvm.return %0 : i32\n}\n",
        "llvm.func @declared(!llvm.ptr)\n",
        "llvm.func @exported(%p: !llvm.ptr) attributes {llvm.emit_c_interface} {\n  llvm.return\n}\n",
        "func.func private @tensors(%t: tensor<4xf64>) {\n  return\n}\n",
    ],
)
def test_what_may_be_more_than_a_wrapper_stays(kept: str) -> None:
    text = DOUBLE + kept + main("double")
    assert found(text) == []
    assert fixed(text) == text


@pytest.mark.parametrize(
    "use",
    [
        "llvm.mlir.global_ctors ctors = [@unused], priorities = [0 : i32], data = [#llvm.zero]\n",
        '"test.table"() {call_target_name = "unused"} : () -> ()\n',
        "module @m {\n  llvm.func @k() {\n    %0 = llvm.mlir.addressof @unused : !llvm.ptr\n    llvm.return\n  }\n}\n",
    ],
)
def test_any_way_of_naming_a_wrapper_keeps_it(use: str) -> None:
    text = DOUBLE + UNUSED + use + main("double")
    assert found(text) == []
    assert fixed(text) == text


def test_a_comment_is_no_use() -> None:
    text = DOUBLE + UNUSED + "// see @unused\n" + main("double")
    assert fixed(text) == DOUBLE + "// see @unused\n" + main("double")


def test_a_private_func_is_a_wrapper_that_can_go() -> None:
    private = "func.func private @copy(%a: memref<4xf64>, %p: !llvm.ptr) {\n  return\n}\n"
    assert fixed(DOUBLE + private + main("double")) == DOUBLE + main("double")


PUBLIC = """\
func.func @{name}(%m: memref<f64>) {{
  %0 = memref.load %m[] : memref<f64>
  memref.store %0, %m[] : memref<f64>
  return
}}
"""


def test_public_functions_that_calls_named_before_the_fix_go_and_others_stay() -> None:
    first, second, other = (PUBLIC.format(name=name) for name in ("first", "second", "other"))
    text = first + second + other + main("first", "second")
    assert fixed(text) == first + other + main("first", "first")


def test_a_fix_with_prune_leaves_nothing_for_a_second() -> None:
    chain = f"func.func @main(%x: {F64}) -> {F64} {{\n"
    chain += f"  %0 = {call('double', {'%x': F64}, (0,))}\n"
    chain += f"  %1 = {call('twice', {'%0': F64}, (0,))}\n  return %1 : {F64}\n}}\n"
    once = rewrite(DOUBLE + TWICE + chain, "test.mlir", PRUNE)
    assert "@double(" not in once.source.text and "@twice(" not in once.source.text
    again = rewrite(once.source.text, "test.mlir", PRUNE)
    assert not again.changed
    assert again.findings == ()


SHOW = """func.func @twice(%buffer: memref<f64>) {
  "x.show"(%buffer) : (memref<f64>) -> ()
  return
}
"""
"""A public function that has the name of a wrapper in another module, and is none."""

PAIR = f"""func.func @run(%x: {F64}) -> {F64} {{
  %0 = {call("twice", {"%x": F64}, (0,))}
  %1 = {call("twice", {"%0": F64}, (0,))}
  return %1 : {F64}
}}
"""


@pytest.mark.parametrize("between", ["", "// -----\n"])
def test_a_function_of_another_module_with_the_name_of_a_wrapper_stays_as_it_is(between: str) -> None:
    inner = f"module @m {{\n{TWICE}{PAIR}}}\n"
    for options in (Options(), PRUNE):
        for text in (
            f"{SHOW}{DOUBLE}{main('double')}{between}{inner}",
            f"{inner}{between}{SHOW}{DOUBLE}{main('double')}",
        ):
            after = fixed(text, options)
            assert "@__enzyme_fused_twice_twice" in after
            assert SHOW in after


def test_a_public_wrapper_is_made_private_whatever_calls_in_another_module_name() -> None:
    public = TWICE.replace("llvm.func", "func.func").replace("llvm.return", "return")
    inner = f"module @m {{\n{TWICE}{main('twice')}}}\n"
    assert "func.func private @twice" in fixed(public + PAIR + inner, Options())


def test_wrappers_in_a_table_that_is_no_module_are_not_told_apart_by_their_bodies() -> None:
    text = f"{DOUBLE}gpu.module @m {{\n{DOUBLE}{TWICE}{main('double', 'twice')}}}\n"
    assert found(text) == []
    assert DOUBLE in fixed(text)[:300]
