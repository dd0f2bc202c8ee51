// Two neighbours: two receives, two sends, and one wait for all four requests.
#buffer = #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>
#request = #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 4, operand_tuple_indices = []>
#sent = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 4, operand_tuple_indices = []>

module {
  llvm.func @MPI_Irecv(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.func @recv(%buffer: !llvm.ptr, %count: !llvm.ptr, %other: !llvm.ptr, %tag: !llvm.ptr, %request: !llvm.ptr) {
    %world = llvm.mlir.addressof @MPI_COMM_WORLD : !llvm.ptr
    %double = llvm.mlir.addressof @MPI_DOUBLE : !llvm.ptr
    %0 = llvm.load %count : !llvm.ptr -> i32
    %1 = llvm.load %other : !llvm.ptr -> i32
    %2 = llvm.load %tag : !llvm.ptr -> i32
    %3 = llvm.call @MPI_Irecv(%buffer, %0, %double, %1, %2, %world, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }
  llvm.func @MPI_Isend(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.func @send(%buffer: !llvm.ptr, %count: !llvm.ptr, %other: !llvm.ptr, %tag: !llvm.ptr, %request: !llvm.ptr) {
    %world = llvm.mlir.addressof @MPI_COMM_WORLD : !llvm.ptr
    %double = llvm.mlir.addressof @MPI_DOUBLE : !llvm.ptr
    %0 = llvm.load %count : !llvm.ptr -> i32
    %1 = llvm.load %other : !llvm.ptr -> i32
    %2 = llvm.load %tag : !llvm.ptr -> i32
    %3 = llvm.call @MPI_Isend(%buffer, %0, %double, %1, %2, %world, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }
  llvm.func @MPI_Waitall(i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.func @waitall(%count: !llvm.ptr, %requests: !llvm.ptr) {
    %0 = llvm.load %count : !llvm.ptr -> i32
    %statuses = llvm.alloca %0 x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
    %1 = llvm.call @MPI_Waitall(%0, %requests, %statuses) : (i32, !llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }
  llvm.mlir.global external constant @MPI_DOUBLE() {addr_space = 0 : i32} : !llvm.ptr
  llvm.mlir.global external constant @MPI_COMM_WORLD() {addr_space = 0 : i32} : !llvm.ptr
  func.func @main(%given: tensor<10xf64>, %from0: tensor<i32>, %to0: tensor<i32>, %from1: tensor<i32>,
      %to1: tensor<i32>) -> tensor<10xf64> {
    %n0 = stablehlo.constant dense<0> : tensor<i32>
    %n1 = stablehlo.constant dense<1> : tensor<i32>
    %n4 = stablehlo.constant dense<4> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<1xf64>
    %handle = stablehlo.constant dense<0> : tensor<i32>
    %out0 = stablehlo.slice %given [2:3] : (tensor<10xf64>) -> tensor<1xf64>
    %out1 = stablehlo.slice %given [3:4] : (tensor<10xf64>) -> tensor<1xf64>
    %in0:2 = enzymexla.jit_call @recv (%zero, %n1, %from0, %n1, %handle) <output_operand_aliases = [#buffer, #request]>
      : (tensor<1xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1xf64>, tensor<i32>)
    %in1:2 = enzymexla.jit_call @recv (%zero, %n1, %from1, %n0, %handle) <output_operand_aliases = [#buffer, #request]>
      : (tensor<1xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1xf64>, tensor<i32>)
    %sent0 = enzymexla.jit_call @send (%out0, %n1, %to0, %n0, %handle) <output_operand_aliases = [#sent]>
      : (tensor<1xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %sent1 = enzymexla.jit_call @send (%out1, %n1, %to1, %n1, %handle) <output_operand_aliases = [#sent]>
      : (tensor<1xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %r0 = stablehlo.broadcast_in_dim %in0#1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %r1 = stablehlo.broadcast_in_dim %in1#1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %r2 = stablehlo.broadcast_in_dim %sent0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %r3 = stablehlo.broadcast_in_dim %sent1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %all = stablehlo.concatenate %r0, %r1, %r2, %r3, dim = 0
      : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    enzymexla.jit_call @waitall (%n4, %all) : (tensor<i32>, tensor<4xi32>) -> ()
    %rest = stablehlo.slice %given [2:10] : (tensor<10xf64>) -> tensor<8xf64>
    %new = stablehlo.concatenate %in0#0, %in1#0, %rest, dim = 0
      : (tensor<1xf64>, tensor<1xf64>, tensor<8xf64>) -> tensor<10xf64>
    return %new : tensor<10xf64>
  }
}
