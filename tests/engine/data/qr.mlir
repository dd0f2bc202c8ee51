// A QR factorisation as Enzyme-JAX lowers it: LAPACK's geqrf leaves R and the reflectors in one buffer, and orgqr makes
// Q of the reflectors in place. The module returns both, so R would be gone if the two calls shared that buffer.
#matrix = dense<[0, 1]> : tensor<2xindex>
#in_place = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  llvm.func @wrapper_dgeqrf(%arg0: !llvm.ptr {llvm.nofree}, %arg1: !llvm.ptr {llvm.nofree, llvm.writeonly}, %arg2: !llvm.ptr {llvm.nofree, llvm.writeonly}) {
    %0 = llvm.mlir.constant(102 : i64) : i64
    %1 = llvm.mlir.constant(4 : i64) : i64
    %2 = llvm.call @scipy_LAPACKE_dgeqrf64_(%0, %1, %1, %arg0, %1, %arg1) : (i64, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i64
    llvm.store %2, %arg2 : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @scipy_LAPACKE_dgeqrf64_(i64, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i64
  llvm.func @wrapper_dorgqr(%arg0: !llvm.ptr {llvm.nofree}, %arg1: !llvm.ptr {llvm.nofree, llvm.readonly}) {
    %0 = llvm.mlir.constant(102 : i64) : i64
    %1 = llvm.mlir.constant(4 : i64) : i64
    %2 = llvm.call @scipy_LAPACKE_dorgqr64_(%0, %1, %1, %1, %arg0, %1, %arg1) : (i64, i64, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i64
    llvm.return
  }
  llvm.func @scipy_LAPACKE_dorgqr64_(i64, i64, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i64
  func.func @main(%arg0: tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4x4xf64>, tensor<i64>) {
    %c = stablehlo.constant dense<-1> : tensor<i64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf64>
    %0:3 = enzymexla.jit_call @wrapper_dgeqrf (%arg0, %cst, %c) <operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 2, operand_tuple_indices = []>], xla_side_effect_free> : (tensor<4x4xf64>, tensor<4xf64>, tensor<i64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<i64>)
    %1 = enzymexla.jit_call @wrapper_dorgqr (%0#0, %0#1) <operand_layouts = [#matrix, dense<0> : tensor<1xindex>], output_operand_aliases = [#in_place], xla_side_effect_free> : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4x4xf64>
    return %1, %0#0, %0#2 : tensor<4x4xf64>, tensor<4x4xf64>, tensor<i64>
  }
}
