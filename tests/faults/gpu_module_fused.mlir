#a = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module attributes {gpu.container_module} {
  llvm.func @f(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>) -> tensor<f64> {
    %0 = enzymexla.jit_call @f (%x) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    return %0 : tensor<f64>
  }
  gpu.module @m {
    llvm.func @f(%arg0: !llvm.ptr) {
      llvm.br ^bb1
    ^bb1:
      %0 = llvm.load %arg0 : !llvm.ptr -> f64
      %1 = llvm.fadd %0, %0 : f64
      llvm.store %1, %arg0 : f64, !llvm.ptr
      llvm.return
    }
    func.func private @start(%x: tensor<f64>) -> tensor<f64> {
      %0 = enzymexla.jit_call @f (%x) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
      %1 = enzymexla.jit_call @f (%0) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
      return %1 : tensor<f64>
    }
  }
}
