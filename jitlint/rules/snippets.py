"""Pieces of MLIR that the rules' examples are made of.

The examples use an alias for the attribute that ties a result to an operand, which keeps their lines short; printers
write it in full at every call.
"""

from __future__ import annotations

IN_PLACE = """\
#in_place = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>

"""
"""The only result is operand 0, written in place."""

REQUEST = """\
#buffer = #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>
#request = #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>

"""
"""Result 0 is operand 0, result 1 is operand 1."""

DOUBLE = """\
llvm.func @double(%buffer: !llvm.ptr) {
  %0 = llvm.load %buffer : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %buffer : f64, !llvm.ptr
  llvm.return
}

"""
"""A wrapper that doubles a number in place."""

ACCUMULATE = """\
llvm.func @accumulate(%sum: !llvm.ptr, %term: !llvm.ptr) {
  %0 = llvm.load %sum : !llvm.ptr -> f64
  %1 = llvm.load %term : !llvm.ptr -> f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %sum : f64, !llvm.ptr
  llvm.return
}

"""
"""A wrapper that adds its second number to its first, in place."""

CHAIN = """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
"""
"""Two calls of `@double`, the second on the result of the first."""

MPI = """\
llvm.mlir.global external constant @MPI_DOUBLE() {addr_space = 0 : i32} : !llvm.ptr
llvm.mlir.global external constant @MPI_COMM_WORLD() {addr_space = 0 : i32} : !llvm.ptr
llvm.func @MPI_Irecv(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @MPI_Wait(!llvm.ptr, !llvm.ptr) -> i32

"""

IRECV = """\
llvm.func @irecv(%buffer: !llvm.ptr, %request: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %double = llvm.mlir.addressof @MPI_DOUBLE : !llvm.ptr
  %world = llvm.mlir.addressof @MPI_COMM_WORLD : !llvm.ptr
  %0 = llvm.call @MPI_Irecv(%buffer, %one, %double, %zero, %zero, %world, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}

"""
"""A wrapper that starts to receive one number."""

WAIT = """\
llvm.func @wait(%request: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %status = llvm.alloca %one x !llvm.array<6 x i32> : (i32) -> !llvm.ptr
  %0 = llvm.call @MPI_Wait(%request, %status) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}

"""
"""A wrapper that waits until a request is complete."""

RECEIVE = """\
llvm.func @receive(%buffer: !llvm.ptr, %request: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %double = llvm.mlir.addressof @MPI_DOUBLE : !llvm.ptr
  %world = llvm.mlir.addressof @MPI_COMM_WORLD : !llvm.ptr
  %status = llvm.alloca %one x !llvm.array<6 x i32> : (i32) -> !llvm.ptr
  %0 = llvm.call @MPI_Irecv(%buffer, %one, %double, %zero, %zero, %world, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  %1 = llvm.call @MPI_Wait(%request, %status) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}

"""
"""A wrapper that receives one number and waits for it."""

BLOCKING = """\
llvm.func @MPI_Send(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr) -> i32
llvm.func @MPI_Recv(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32

llvm.func @send(%buffer: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %double = llvm.mlir.addressof @MPI_DOUBLE : !llvm.ptr
  %world = llvm.mlir.addressof @MPI_COMM_WORLD : !llvm.ptr
  %0 = llvm.call @MPI_Send(%buffer, %one, %double, %zero, %zero, %world)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr) -> i32
  llvm.return
}

llvm.func @recv(%buffer: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %double = llvm.mlir.addressof @MPI_DOUBLE : !llvm.ptr
  %world = llvm.mlir.addressof @MPI_COMM_WORLD : !llvm.ptr
  %status = llvm.alloca %one x !llvm.array<6 x i32> : (i32) -> !llvm.ptr
  %0 = llvm.call @MPI_Recv(%buffer, %one, %double, %zero, %zero, %world, %status)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}

"""
"""Wrappers that send and receive one number, and do not return before that is done."""
