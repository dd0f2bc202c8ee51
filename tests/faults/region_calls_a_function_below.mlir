#alias0 = #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 1, operand_tuple_indices = []>
#alias1 = #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>
module {
  llvm.func @"do it0"(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> i8
    %1 = llvm.load %arg0 : !llvm.ptr -> i8
    %2 = arith.cmpi sgt, %0, %1 : i8
    scf.if %2 {
      %3 = llvm.load %arg0 : !llvm.ptr -> i8
      %4 = arith.constant -1 : i8
      %5 = arith.muli %3, %4 : i8
      %6 = llvm.load %arg1 : !llvm.ptr -> i8
      %7 = arith.constant 3 : i8
      %8 = arith.muli %6, %7 : i8
      %9 = arith.constant 1 : i8
      %10 = llvm.call @"do it0_sum"(%5, %8) : (i8, i8) -> i8
      %11 = arith.addi %10, %9 : i8
      llvm.store %11, %arg1 : i8, !llvm.ptr
    }
    llvm.return
  }
  func.func @main(%arg0: tensor<i8>, %arg1: tensor<1xi8>, %arg2: tensor<i8>) -> (tensor<i8>) {
    %0 = stablehlo.constant dense<9> : tensor<i8>
    %1:2 = enzymexla.jit_call @"do it0" (%arg0, %0) {output_operand_aliases = [#alias0, #alias1]} : (tensor<i8>, tensor<i8>) -> (tensor<i8>, tensor<i8>)
    %2:2 = enzymexla.jit_call @"do it0" (%1#1, %1#0) <output_operand_aliases = [#alias0, #alias1]> : (tensor<i8>, tensor<i8>) -> (tensor<i8>, tensor<i8>)
    return %2#0 : tensor<i8>
  }
  llvm.func internal @"do it0_sum"(%arg0: i8, %arg1: i8) -> i8 {
    %0 = llvm.add %arg0, %arg1 : i8
    llvm.return %0 : i8
  }
}
