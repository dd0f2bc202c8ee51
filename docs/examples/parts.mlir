#in_place = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>

module {
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  llvm.func @accumulate(%arg0: !llvm.ptr, %arg1: !llvm.ptr {llvm.readonly}) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.load %arg1 : !llvm.ptr -> f64
    %2 = llvm.fadd %0, %1 : f64
    llvm.store %2, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
    %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
    %1 = enzymexla.jit_call @accumulate (%0, %y) <output_operand_aliases = [#in_place]>
        : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %2 = stablehlo.negate %1 : tensor<f64>
    %3 = enzymexla.jit_call @accumulate (%2, %1) <output_operand_aliases = [#in_place]>
        : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %4 = enzymexla.jit_call @double (%3) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
    return %4, %1 : tensor<f64>, tensor<f64>
  }
}
