#a = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  func.func private @read(%arg0: memref<2x3xf64>, %arg1: memref<2x3xf64>) {
    return
  }
  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
  func.func @main(%x: tensor<f64>, %y: tensor<2x3xf64>) -> tensor<f64> {
    %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    enzymexla.jit_call @read (%y, %y) <operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#a]> : (tensor<f64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
}
