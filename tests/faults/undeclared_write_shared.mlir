module {
  llvm.func @make(%arg0: !llvm.ptr) attributes {enzymexla.memory_effects = []} {
    llvm.return
  }
  llvm.func @add(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {enzymexla.memory_effects = []} {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.load %arg1 : !llvm.ptr -> f64
    %2 = llvm.fadd %0, %1 : f64
    llvm.store %2, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  llvm.func @clear(%arg0: !llvm.ptr) {
    %0 = llvm.mlir.constant(0.000000e+00 : f64) : f64
    llvm.store %0, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%arg0: tensor<f64>) -> tensor<f64> {
    %0 = enzymexla.jit_call @make (%arg0) <output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]> : (tensor<f64>) -> tensor<f64>
    enzymexla.jit_call @clear (%0) : (tensor<f64>) -> ()
    %1 = enzymexla.jit_call @add (%arg0, %0) <output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]> : (tensor<f64>, tensor<f64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
}
