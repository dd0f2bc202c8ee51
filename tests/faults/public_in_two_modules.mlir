#in_place = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  func.func @twice(%arg0: memref<f64>) {
    %0 = memref.load %arg0[] : memref<f64>
    %1 = arith.addf %0, %0 : f64
    memref.store %1, %arg0[] : memref<f64>
    return
  }
  func.func @main(%x: tensor<f64>) -> tensor<f64> {
    %0 = enzymexla.jit_call @twice (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
    %1 = enzymexla.jit_call @twice (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
  module @inner {
    llvm.func @twice(%arg0: !llvm.ptr) {
      %0 = llvm.load %arg0 : !llvm.ptr -> f64
      llvm.store %0, %arg0 : f64, !llvm.ptr
      llvm.return
    }
    func.func private @start(%x: tensor<f64>) -> tensor<f64> {
      %0 = enzymexla.jit_call @twice (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
      return %0 : tensor<f64>
    }
  }
}
