#in_place = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  func.func @main(%arg0: tensor<2x2xf64>, %arg1: tensor<2x2xf64>) -> tensor<2x2xf64> {
    %c = stablehlo.constant dense<[[2.0, 4.0, -1.0], [6.0, -4.0, -4.0]]> : tensor<2x3xf64>
    %1 = enzymexla.jit_call @touch (%arg1) <output_operand_aliases = [#in_place]> : (tensor<2x2xf64>) -> tensor<2x2xf64>
    enzymexla.jit_call @look (%1, %c) <operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], xla_side_effect_free> : (tensor<2x2xf64>, tensor<2x3xf64>) -> ()
    %2 = enzymexla.jit_call @touch (%arg0) <operand_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#in_place]> : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %3 = enzymexla.jit_call @touch (%1) <output_operand_aliases = [#in_place]> : (tensor<2x2xf64>) -> tensor<2x2xf64>
    return %3 : tensor<2x2xf64>
  }
  llvm.func @touch(%arg0: !llvm.ptr) {
    llvm.return
  }
  llvm.func @look(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
    llvm.return
  }
}
