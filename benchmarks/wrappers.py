"""The wrappers that the generated modules call, and the spelling of a call that the engine reads."""

from __future__ import annotations

from collections.abc import Iterable

EFFECTS = 'enzymexla.memory_effects = ["read", "write", "allocate", "free"]'

_POINTERS = ", ".join(f"%arg{i}: !llvm.ptr {{{EFFECTS}}}" for i in range(5))
_IRECV = "(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32"

MPI = f"""\
  llvm.mlir.global external constant @MPI_INT() {{addr_space = 0 : i32}} : !llvm.ptr
  llvm.mlir.global external constant @MPI_COMM_WORLD() {{addr_space = 0 : i32}} : !llvm.ptr
  llvm.func @MPI_Irecv{_IRECV}
  llvm.func @enzymexla_wrapper_MPI_Irecv_MPI_INT({_POINTERS}) attributes {{{EFFECTS}}} {{
    %0 = llvm.mlir.addressof @MPI_COMM_WORLD : !llvm.ptr
    %1 = llvm.mlir.addressof @MPI_INT : !llvm.ptr
    %2 = llvm.load %arg1 : !llvm.ptr -> i32
    %3 = llvm.load %arg2 : !llvm.ptr -> i32
    %4 = llvm.load %arg3 : !llvm.ptr -> i32
    %5 = llvm.call @MPI_Irecv(%arg0, %2, %1, %3, %4, %0, %arg4) : {_IRECV}
    llvm.return
  }}
  llvm.func @MPI_Wait(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @enzymexla_wrapper_MPI_Wait(%arg0: !llvm.ptr {{{EFFECTS}}}) attributes {{{EFFECTS}}} {{
    %c1_i32 = arith.constant 1 : i32
    %0 = llvm.alloca %c1_i32 x !llvm.array<6 x i32> : (i32) -> !llvm.ptr
    %1 = llvm.call @MPI_Wait(%arg0, %0) : (!llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }}
"""
"""A nonblocking receive and its wait, as the lowering of MPI operations writes them."""

CONSTANTS = """\
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %c_1 = stablehlo.constant dense<42> : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
"""
"""What `receive_and_wait` passes besides its buffer."""

DOUBLE = """\
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
"""

ACCUMULATE = """\
  llvm.func @accumulate(%arg0: !llvm.ptr, %arg1: !llvm.ptr {llvm.readonly}) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.load %arg1 : !llvm.ptr -> f64
    %2 = llvm.fadd %0, %1 : f64
    llvm.store %2, %arg0 : f64, !llvm.ptr
    llvm.return
  }
"""


def scale(name: str, factor: int) -> str:
    """A wrapper `@name` that multiplies its buffer by `factor`: equal to another only where name and factor are."""
    return f"""\
  llvm.func @{name}(%arg0: !llvm.ptr) {{
    %0 = llvm.mlir.constant({factor}.0 : f64) : f64
    %1 = llvm.load %arg0 : !llvm.ptr -> f64
    %2 = llvm.fmul %1, %0 : f64
    llvm.store %2, %arg0 : f64, !llvm.ptr
    llvm.return
  }}
"""


def aliases(operands: Iterable[int]) -> str:
    """The property that result i is the buffer of the i-th of `operands`."""
    indices = list(operands)
    parts = ", ".join(
        f"#stablehlo.output_operand_alias<output_tuple_indices = [{i if len(indices) > 1 else ''}], "
        f"operand_index = {operand}, operand_tuple_indices = []>"
        for i, operand in enumerate(indices)
    )
    return f"<output_operand_aliases = [{parts}]>"


_ONE = aliases([0])
_TWO = aliases([0, 4])
_RECEIVE = (
    f"{_TWO} : (tensor<5xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<5xf64>, tensor<i32>)"
)


def receive_and_wait(result: str, buffer: str) -> str:
    """A group of two calls; `result#0` is the buffer that is received, `CONSTANTS` must be in scope."""
    return (
        f"    {result}:2 = enzymexla.jit_call @enzymexla_wrapper_MPI_Irecv_MPI_INT "
        f"({buffer}, %c_0, %c_2, %c_1, %c) {_RECEIVE}\n"
        f"    enzymexla.jit_call @enzymexla_wrapper_MPI_Wait ({result}#1) : (tensor<i32>) -> ()\n"
    )


def in_place(result: str, callee: str, operand: str, *read: str) -> str:
    """A call on numbers (`tensor<f64>`) whose result overwrites `operand`; `read` are its read-only operands."""
    operands = ", ".join((operand, *read))
    types = ", ".join(["tensor<f64>"] * (1 + len(read)))
    return f"{result} = enzymexla.jit_call @{callee} ({operands}) {_ONE} : ({types}) -> tensor<f64>\n"
