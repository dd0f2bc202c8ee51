#in_place = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
module {
  func.func @main(%arg0: tensor<2x2xf64>, %arg1: tensor<2x2xf64>) -> tensor<2x2xf64> {
    %c = stablehlo.constant dense<[[0.0, 3.0], [2.0, 0.0]]> : tensor<2x2xf64>
    %1 = enzymexla.jit_call @touch (%c) <output_operand_aliases = [#in_place], xla_side_effect_free> : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %2 = enzymexla.jit_call @touch (%c) <output_operand_aliases = [#in_place], xla_side_effect_free> : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %3 = enzymexla.jit_call @touch (%2) <operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#in_place], xla_side_effect_free> : (tensor<2x2xf64>) -> tensor<2x2xf64>
    return %1 : tensor<2x2xf64>
  }
  llvm.func @touch(%arg0: !llvm.ptr) {
    llvm.return
  }
}
