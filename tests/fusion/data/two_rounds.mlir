module {
  func.func @twice(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
    return
  }
  llvm.func @make(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) {
    llvm.return
  }
  llvm.comdat @any {
    llvm.comdat_selector @last any
  }
  llvm.func @llvm.write(%arg0: !llvm.ptr) {
    llvm.return
  }
  llvm.func @last(%arg0: !llvm.ptr, %arg1: !llvm.ptr) comdat(@any::@last) {
    llvm.return
  }
  func.func @main(%arg0: tensor<f64>, %arg1: tensor<f64>) -> (tensor<4xf64>) {
    %0 = stablehlo.constant dense<[-1.0, 1.0, -3.0, 9.0]> : tensor<4xf64>
    %1, %2, %3 = "enzymexla.jit_call"(%arg0, %arg0, %0) <{output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 2, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 1, operand_tuple_indices = []>], fn = @make}> : (tensor<f64>, tensor<f64>, tensor<4xf64>) -> (tensor<f64>, tensor<4xf64>, tensor<f64>)
    %4 = enzymexla.jit_call @llvm.write (%3) <output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]> : (tensor<f64>) -> tensor<f64>
    %5, %6 = enzymexla.jit_call @twice (%3, %3) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>], xla_side_effect_free} : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %7 = stablehlo.constant dense<[[2.0, 8.0], [2.0, 5.0]]> : tensor<2x2xf64>
    %8 = enzymexla.jit_call @last (%7, %4) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2x2xf64>, tensor<f64>) -> tensor<f64>
    return %0 : tensor<4xf64>
  }
}
