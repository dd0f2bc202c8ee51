"""Small module texts for tests: wrappers whose effect on numbers is easy to foresee, and a function around a body."""

from __future__ import annotations

T = "tensor<f64>"

CALLS_THE_OTHER = """
func.func private @a(%p: memref<f64>) {
  call @b(%p) : (memref<f64>) -> ()
  return
}
func.func private @b(%p: memref<f64>) {
  %v = memref.load %p[] : memref<f64>
  memref.store %v, %p[] : memref<f64>
  return
}
func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
"""
"""The beginning of a module: `@a` calls `@b`, and the body of `@main` follows."""

DOUBLE = """\
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
"""

NEGATE = """\
  llvm.func @negate(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fneg %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
"""

ADD_TO = """\
  llvm.func @add_to(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.load %arg1 : !llvm.ptr -> f64
    %2 = llvm.fadd %0, %1 : f64
    llvm.store %2, %arg0 : f64, !llvm.ptr
    llvm.return
  }
"""

SWAP = """\
  llvm.func @swap(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.load %arg1 : !llvm.ptr -> f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.store %0, %arg1 : f64, !llvm.ptr
    llvm.return
  }
"""

WRAPPERS = DOUBLE + NEGATE + ADD_TO + SWAP


def alias(operand: int = 0, result: int | None = None) -> str:
    """One alias: of `result`, or of the only result, with the buffer of `operand`."""
    output = "" if result is None else result
    return (
        f"#stablehlo.output_operand_alias<output_tuple_indices = [{output}], "
        f"operand_index = {operand}, operand_tuple_indices = []>"
    )


def call(name: str, wrapper: str, *operands: str) -> str:
    """A JIT call whose only result is the buffer of its first operand, in the property spelling."""
    types = ", ".join([T] * len(operands))
    return (
        f"{name} = enzymexla.jit_call @{wrapper} ({', '.join(operands)}) "
        f"<output_operand_aliases = [{alias()}]> : ({types}) -> {T}"
    )


def swap(names: str, one: str, two: str) -> str:
    """A JIT call with two results: the buffers of its two operands, their contents exchanged."""
    aliases = f"{alias(0, 0)}, {alias(1, 1)}"
    name = f"{names} = enzymexla.jit_call @swap ({one}, {two})"
    return f"{name} <output_operand_aliases = [{aliases}]> : ({T}, {T}) -> ({T}, {T})"


def module(body: str, *, arguments: int = 1, results: int = 1, wrappers: str = WRAPPERS) -> str:
    """`@main` with this body (its lines as given, terminator included), behind the wrappers."""
    parameters = ", ".join(f"%arg{number}: {T}" for number in range(arguments))
    outcome = T if results == 1 else f"({', '.join([T] * results)})"
    return f"module {{\n{wrappers}  func.func @main({parameters}) -> {outcome} {{\n{body}\n  }}\n}}\n"


def chain(*, returned: str = f"    return %1 : {T}") -> str:
    """A module with two calls that fuse: the double of the argument, negated."""
    return module(f"    {call('%0', 'double', '%arg0')}\n    {call('%1', 'negate', '%0')}\n{returned}")
