"""What counts as an effect: an operation between two calls that have effects keeps them apart exactly if it has one."""

from __future__ import annotations

import pytest

from jitlint.engine import analyse
from jitlint.ir.globals import is_mutable_global
from jitlint.ir.tree import Unit
from jitlint.options import Options
from tests.analysis.programs import aliases

CALL = f"enzymexla.jit_call @w (%{{}}) {aliases(0)} : (tensor<f64>) -> tensor<f64>"
MODULE = """{head}
llvm.func @w(%p: !llvm.ptr) {{
  %0 = llvm.load %p : !llvm.ptr -> f64
  llvm.store %0, %p : f64, !llvm.ptr
  llvm.return
}}
{tail}
func.func @main(%x: tensor<f64>, %m: memref<f64>, %p: !llvm.ptr, %i: i64, %f: f64, %c: i1) -> tensor<f64> {{
  %0 = {first}
  {between}
  %1 = {second}
  return %1 : tensor<f64>
}}
"""


FREE = """llvm.func @free(%p: !llvm.ptr) attributes {enzymexla.memory_effects = []} {
  llvm.return
}
"""
CALLED = """func.func @pure() {
  return
}
func.func private @impure()
func.func @f1() {
  return
}
func.func @f2() {
  call @impure() : () -> ()
  return
}
func.func @again() {
  call @f1() : () -> ()
  call @again() : () -> ()
  return
}
func.func @jit() {
  %x = stablehlo.constant dense<1.0> : tensor<f64>
  enzymexla.jit_call @w (%x) : (tensor<f64>) -> ()
  return
}
func.func @inside(%c: i1) {
  scf.if %c {
    call @pure() : () -> ()
  }
  return
}
"""


def keeps_apart(between: str, head: str = "", tail: str = "") -> bool:
    """Whether operations between two calls are in their way."""
    text = MODULE.format(head=head, tail=tail, first=CALL.format("x"), between=between, second=CALL.format(0))
    codes = {finding.code for finding in analyse(text, "test.mlir", Options()).findings}
    assert len(codes & {"JIT001", "JIT201", "JIT202"}) == 1, codes
    return "JIT001" not in codes


@pytest.mark.parametrize(
    "between",
    [
        "%e = tensor.empty() : tensor<f64>\n%r = linalg.fill ins(%f : f64) outs(%e : tensor<f64>) -> tensor<f64>",
        "%r = linalg.map { math.absf } ins(%x : tensor<f64>)\n    outs(%x : tensor<f64>)",
        "%r = memref.cast %m : memref<f64> to memref<*xf64>",
        "%r = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64",
        "%r = llvm.mlir.undef : !llvm.struct<(f64, array<4 x i64>)>",
        '%r = "arith.addf"(%f, %f) <{note = "memref<f64> !llvm.ptr"}> : (f64, f64) -> f64 // memref<f64>',
        "%r = scf.while (%a = %f) : (f64) -> f64 {\n scf.condition(%c) %a : f64\n}\n"
        "do {\n^bb0(%a: f64):\n scf.yield %a : f64\n}",
        "scf.index_switch %j\ncase 2 {\n scf.yield\n}\ndefault {\n scf.yield\n}",
        "%r = scf.if %c -> f64 {\n scf.yield %f : f64\n}\nelse {\n scf.yield %f : f64\n}",
        "%r = stablehlo.add %x, %x : !t",
        "%r = stablehlo.custom_call @f(%x) {has_side_effect = false} : (tensor<f64>) -> tensor<f64>",
        '%r = "stablehlo.custom_call"(%x) <#free> : (tensor<f64>) -> tensor<f64>',
        '%r = "stablehlo.custom_call"(%x) <#again> : (tensor<f64>) -> tensor<f64>',
        "func.call @pure() : () -> ()",
        "call @pure() : () -> ()",
        '"func.call"() <{callee = @pure}> : () -> ()',
        '"func.call"() <{callee = #pure}> : () -> ()',
        '"func.call"() <#call> : () -> ()',
        '"func.call"() {"callee" = @pure, x.y = {callee = @impure}} : () -> ()',
        "scf.execute_region {\n %q = arith.addf %f, %f : f64\n scf.yield\n}",
        '"scf.execute_region"() ({\n "scf.yield"() : () -> ()\n}) {x.y} : () -> ()',
        "enzymexla.jit_call @free (%x) {note = 1 : i32} : (tensor<f64>) -> ()",
    ],
)
def test_free_of_effects(between: str) -> None:
    head = (
        '!t = tensor<f64>\n#free = {call_target_name = "f", backend_config = ""}\n#again = #free\n'
        "#pure = @pure\n#call = {callee = @pure}"
    )
    tail = "func.func @pure() {\n return\n}\nfunc.func private @impure()\n" + FREE
    assert not keeps_apart(between, head, tail)


@pytest.mark.parametrize(
    "between",
    [
        "linalg.fill ins(%f : f64) outs(%m : memref<f64>)",
        "linalg.fill ins(%f : f64) outs(%m : !m)",
        '"linalg.fill"(%f, %m) ({\n^bb0(%a: f64, %b: f64):\n "linalg.yield"(%a) : (f64) -> ()\n}) : !fill',
        "linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []}\n outs(%m : memref<f64>) {\n"
        "^bb0(%o: f64):\n linalg.yield %o : f64\n}",
        "linalg.map { math.absf } ins(%m : memref<f64>) outs(%m : memref<f64>)",
        "%r = scf.if %c -> f64 {\n linalg.fill ins(%f : f64) outs(%m : memref<f64>)\n scf.yield %f : f64\n}"
        " else {\n scf.yield %f : f64\n}",
        "%r = memref.reshape %m(%s) : (memref<f64>, memref<?xindex>) -> memref<*xf64>",
        "%r = builtin.unrealized_conversion_cast %m : memref<f64> to tensor<f64>",
        "%r = bufferization.to_buffer %x : tensor<f64> to memref<f64>",
        '%r = "arith.addf"(%p, %p) : (!llvm.ptr, !llvm.ptr) -> f64',
        '%r = "arith.addf"(%f, %f) : (!x.ref, f64) -> f64',
        "%r = arith.addf %f, %f : !unknown",
        "%r = math.absf %f : !llvm.struct<(f64, ptr)>",
        "%r = math.absf %f : tensor<4x!ptr.ptr<#x.y>>",
        "%r = mpi.comm_world : !mpi.comm",
        "%r, %s = mpi.comm_split(%c, %i, %i) : !mpi.retval, !mpi.comm",
        "%r = mpi.send(%m, %i, %i) : memref<f64>, i32, i32 -> !mpi.retval",
        '%r = "stablehlo.cross-replica-sum"(%x) {replica_groups = dense<0> : tensor<1x1xi64>} '
        ": (tensor<f64>) -> tensor<f64>",
        "%r = enzymexla.get_stream : !gpu.async.token",
        "%r = stablehlo.custom_call @f(%x) {has_side_effect = true} : (tensor<f64>) -> tensor<f64>",
        "%r = stablehlo.custom_call @f(%x) {has_side_effect = #t} : (tensor<f64>) -> tensor<f64>",
        '%r = stablehlo.custom_call @f(%x) {"has_side\\5Feffect" = true} : (tensor<f64>) -> tensor<f64>',
        '%r = "stablehlo.custom_call"(%x) <#p> : (tensor<f64>) -> tensor<f64>',
        '%r = "stablehlo.custom_call"(%x /* ) */ ) <#p> : (tensor<f64>) -> tensor<f64>'.replace("/* ) */", "// )\n"),
        '%r = "stablehlo.custom_call"(%x) <#again> : (tensor<f64>) -> tensor<f64>',
        '%r = "stablehlo.custom_call"(%x) <#nobody> : (tensor<f64>) -> tensor<f64>',
        '%r = "stablehlo.custom_call"(%x) <#loop> : (tensor<f64>) -> tensor<f64>',
        '%r = "stablehlo.custom_call"(%x) <#x.y<1>> : (tensor<f64>) -> tensor<f64>',
        '"func.call"() <#call> : () -> ()',
        '"func.call"() <{callee = #nobody}> : () -> ()',
        '"func.call"() <{arg_attrs = [{callee = @pure}], callee = @impure}> : () -> ()',
        '"func.call"() {x = {callee = @pure}, "callee" = @impure} : () -> ()',
        '"func.call"() <#call> {callee = @pure} : () -> ()',
        "%r = arith.addf %f, %f : f64\n  store [%m] %r : memref<f64>",
        "%r = arith.addf %f, %f : f64\n  sink %r : f64",
        "%r = arith.addf %f, %f : f64\r  sink %r : f64",
        "%r = arith.addf %f, %f : f64\n  case b(%r) {\n  arith.negf %r : f64\n}",
        "%r = arith.addf %f, %f : f64\n  do {\n  %s = arith.negf %r : f64\n}",
        "%r = scf.if %c -> f64 {\n scf.yield %f : f64\n}\ndo {\n scf.yield %f : f64\n}",
        "async.func @g() {\n call @pure() : () -> ()\n async.return\n}",
        "%r = scf.if %c -> f64 {\n call @pure() : () -> ()\n scf.yield %f : f64\n}",
        "scf.execute_region {\n %q = arith.addf %f, %f : f64 >\n scf.yield\n}",
        "scf.execute_region { x.y }",
        '"scf.execute_region"() ({ x.y }) : () -> ()',
        '%t = "stablehlo.create_token"() : () -> !stablehlo.token\n'
        '%s = "stablehlo.send"(%x, %t) : (tensor<f64>, !stablehlo.token) -> !stablehlo.token',
        "scf.execute_region {\n stablehlo.send\n scf.yield\n}",
        "func.call @again() : () -> ()",
        "func.call @f1() : () -> ()\n  func.call @f2() : () -> ()",
        "func.call @jit() : () -> ()",
        "func.call @inside(%c) : (i1) -> ()",
        "scf.execute_region {\n enzymexla.jit_call @w (%x) : (tensor<f64>) -> ()\n scf.yield\n}",
        "enzymexla.jit_call @w (%x) : (tensor<f64>) -> ()",
        "enzymexla.jit_call @w (%x) : !who",
    ],
)
def test_an_effect(between: str) -> None:
    head = (
        "!m = memref<f64>\n!fill = (f64, !m) -> ()\n#t = true\n#call = {callee = @impure}\n#loop = #loop\n"
        '#p = {call_target_name = "f", has_side_effect = true}\n#again = #p'
    )
    assert keeps_apart(between, head, CALLED)


def test_a_declaration_of_the_user_counts_for_memory_too() -> None:
    between = "linalg.fill ins(%f : f64) outs(%m : memref<f64>)"
    text = MODULE.format(head="", tail="", first=CALL.format("x"), between=between, second=CALL.format(0))
    found = analyse(text, "test.mlir", Options(pure_ops=frozenset({"linalg.fill"}))).findings
    assert "JIT001" in {finding.code for finding in found}


@pytest.mark.parametrize(
    ("text", "mutable"),
    [
        ('"llvm.mlir.global"() <#p> ({\n}) : () -> ()', True),
        ('#p = {constant, value = 1 : i64}\n"llvm.mlir.global"() <#p> ({\n}) : () -> ()', False),
        ('"llvm.mlir.global"() <{value = 1 : i64, x = {constant}}> ({\n}) : () -> ()', True),
        ('"llvm.mlir.global"() <{constant = false, value = 1 : i64}> ({\n}) : () -> ()', True),
        ('"llvm.mlir.global"() <{constant, value = 1 : i64}> ({\n}) : () -> ()', False),
        ('"memref.global"() <#p> : () -> ()', True),
        ('#p = {initial_value}\n"memref.global"() <#p> : () -> ()', True),
        ('"memref.global"() <{type = memref<f64>}> {x.y = {initial_value}} : () -> ()', False),
        ('"memref.global"() <{type = memref<f64>, initial_value}> {x.y = {constant}} : () -> ()', True),
    ],
)
def test_what_a_global_in_the_generic_form_says(text: str, mutable: bool) -> None:
    block = Unit(text, 0, len(text)).body.blocks[0]
    assert is_mutable_global(block[len(block) - 1]) is mutable


def test_an_alias_with_a_digit_in_its_name_is_not_another() -> None:
    """Lines that differ in digits alone are read once; what an alias stands for depends on its digits."""
    head = "#p1 = {has_side_effect = false}\n#p2 = {has_side_effect = true}\n!t1 = tensor<f64>\n!t2 = memref<f64>"
    filler = "".join(f"%z{number} = stablehlo.negate %x : tensor<f64>\n" for number in range(100))
    for line in (
        '%r{0} = "stablehlo.custom_call"(%x) <#p{0}> : (tensor<f64>) -> tensor<f64>',
        "linalg.fill outs(%m : !t{0})",
    ):
        assert keeps_apart(f"{line.format(1)}\n{filler}{line.format(2)}", head)
        assert not keeps_apart(f"{line.format(1)}\n{filler}{line.format(1)}", head)
