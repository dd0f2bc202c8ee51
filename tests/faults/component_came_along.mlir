#a = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>) {
    %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %2 = enzymexla.jit_call @double (%y) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %4 = enzymexla.jit_call @double (%z) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %3 = enzymexla.jit_call @double (%2) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    return %1, %3, %4 : tensor<f64>, tensor<f64>, tensor<f64>
  }
}
