"""JIT301 to JIT307: the function that a call names."""

from __future__ import annotations

from jitlint.findings import Severity
from jitlint.rules.base import Category, Rule, register
from jitlint.rules.snippets import ACCUMULATE, CHAIN, DOUBLE, IN_PLACE


@register
class UndefinedWrapper(Rule):
    """The symbol that the call names is not defined in the nearest module around it.

    ## Why it matters

    The call is lowered by compiling its wrapper; without one there is nothing to compile. A nested module has a symbol
    table of its own, so a function of the module outside it is not found from within.

    ## What to do

    Correct the name. If the function is in another module, move it into the one that holds the call.
    """

    code = "JIT301"
    name = "undefined-wrapper"
    severity = Severity.ERROR
    category = Category.BUG_RISK
    summary = "The call's wrapper is not defined."
    about_call = True
    about_symbol = True
    INVALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @doubel (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )


@register
class WrapperKind(Rule):
    """The wrapper is neither an `llvm.func` nor a `func.func`, the call names it by a nested symbol such as
    `@kernels::@double`, or both stand in a symbol table that is no `module`, such as a `gpu.module`.

    ## Why it matters

    A fused wrapper runs the bodies of the wrappers it replaces, or calls them. jitlint knows how to do that for
    `llvm.func`, whose parameters are the buffers, and for `func.func`, whose parameters are `memref`s or pointers.
    A symbol in a nested module is left alone. In a `gpu.module` the compiler checks the name, but compiles what has it
    in the `module` around, and crashes where nothing has (measured with enzyme-ad 0.0.16): so it would on the name of a
    fused wrapper.

    ## What to do

    For a nested symbol: define the wrapper in the module that holds the call. Otherwise lower the wrapper to
    `llvm.func` first and run jitlint on the result.
    """

    code = "JIT302"
    name = "wrapper-kind"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "No `llvm.func` or `func.func` that the engine compiles."
    INVALID = (
        IN_PLACE
        + """\
module @kernels {
  llvm.func @double(%buffer: !llvm.ptr) {
    %0 = llvm.load %buffer : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %buffer : f64, !llvm.ptr
    llvm.return
  }
}

func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @kernels::@double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @kernels::@double (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
""",
    )
    VALID = (IN_PLACE + DOUBLE + CHAIN,)


@register
class WrapperWithoutBody(Rule):
    """The wrapper is only declared: its body is somewhere else.

    ## Why it matters

    A fused wrapper is made of the bodies of the wrappers it replaces, and what a body does decides whether that is
    right: what it writes, whether it launches a GPU kernel, whether it keeps something between two calls.

    ## What to do

    Give the wrapper a body in this file. If it stands for a function of a library, that is one `llvm.call` of it.
    """

    code = "JIT303"
    name = "wrapper-without-body"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "The wrapper is only declared."
    INVALID = (IN_PLACE + "llvm.func @double(!llvm.ptr)\n\n" + CHAIN,)
    VALID = (
        IN_PLACE
        + """\
llvm.func @double_in_library(!llvm.ptr)
llvm.func @double(%buffer: !llvm.ptr) {
  llvm.call @double_in_library(%buffer) : (!llvm.ptr) -> ()
  llvm.return
}

"""
        + CHAIN,
    )


@register
class WrapperAbi(Rule):
    """The wrapper does not have the form that a JIT call passes buffers to. It is variadic, returns a value, has the
    calling convention of a kernel (`ptx_kernelcc` and the like), or has a parameter that is no buffer or is passed in a
    way of its own (`llvm.byval`); or two calls of the group take one buffer under different types.

    It is also reported for what a wrapper promises or names that does not outlive fusing: a load marked `invariant`,
    which another call of the group may belie; another wrapper of the module, which the engine takes away once it has
    compiled it; and, where the wrapper would have to be called, a name that is kept for others (`entry`, `llvm.…`), an
    attribute or a calling convention with which the engine does not compile a callee, and operations that XLA, which
    reads what is left of the module, does not know.

    And it is reported at an operation between two calls that only moves bytes, such as the `stablehlo.concatenate` of
    the requests that a `Waitall` is passed, where a fused wrapper cannot do its work: no wrapper shows that the memory
    is the host's, the copies would take more than 4 KiB of stack memory, or what is copied there would have to outlive
    the wrapper.

    ## Why it matters

    On the CPU a call passes the buffers of its operands and nothing else, one pointer each; nobody receives what the
    wrapper returns. Within a fused wrapper a buffer has one type, so the pointers that the bodies take for it must
    agree, their address space included. Calling conventions matter: measured, a call that did not repeat that of its
    callee gave wrong results and crashes.

    ## What to do

    Let the wrapper take one pointer for each operand and return nothing: a value that it returned so far is stored
    through a parameter that a result aliases.
    """

    code = "JIT304"
    name = "wrapper-abi"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "The wrapper does not take buffers and return nothing."
    INVALID = (
        IN_PLACE
        + """\
llvm.func @double(%buffer: !llvm.ptr) -> i32 {
  %0 = llvm.load %buffer : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %buffer : f64, !llvm.ptr
  %status = llvm.mlir.constant(0 : i32) : i32
  llvm.return %status : i32
}

"""
        + CHAIN,
    )
    VALID = (IN_PLACE + DOUBLE + CHAIN,)


@register
class OperandCount(Rule):
    """The call passes more or fewer operands than its wrapper has parameters.

    ## Why it matters

    Each parameter of a wrapper is the buffer of one operand. The engine's lowering rejects a call whose counts differ.

    ## What to do

    Pass what the wrapper takes. A wrapper that needs room for a result takes it as an operand, and the result aliases
    that operand.
    """

    code = "JIT305"
    name = "operand-count"
    severity = Severity.ERROR
    category = Category.BUG_RISK
    summary = "Operands differ in number from the wrapper's parameters."
    about_call = True
    about_symbol = True
    INVALID = (
        IN_PLACE
        + ACCUMULATE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @accumulate (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + ACCUMULATE
        + """\
func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @accumulate (%x, %y) <output_operand_aliases = [#in_place]>
      : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )


@register
class GpuLaunch(Rule):
    """The wrapper launches a GPU kernel (`gpu.launch_func` and its kin), itself or through a function that it calls.

    ## Why it matters

    The lowering supports one GPU module in each call. A fused wrapper that brings two kernels together would be
    rejected.

    ## What to do

    Nothing: the call stays as it is, and the other calls of the group are fused without it where that is possible.
    """

    code = "JIT306"
    name = "gpu-launch"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "The wrapper launches a GPU kernel."
    INVALID = (
        IN_PLACE
        + """\
module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @step(%buffer: !llvm.ptr) kernel {
      gpu.return
    }
  }

  llvm.func @launch(%buffer: !llvm.ptr) {
    %one = arith.constant 1 : index
    gpu.launch_func @device::@step blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%buffer : !llvm.ptr)
    llvm.return
  }

  func.func @main(%x: tensor<f64>) -> tensor<f64> {
    %0 = enzymexla.jit_call @launch (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
    %1 = enzymexla.jit_call @launch (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
}
""",
    )
    VALID = (IN_PLACE + DOUBLE + CHAIN,)


@register
class MutableGlobal(Rule):
    """The wrapper reads or writes a global of its module that can change, itself or through a function that it calls.
    The report shows the way to it.

    ## Why it matters

    The engine compiles every wrapper with its own copy of the module's globals. Two wrappers with a counter between
    them see two counters; fused into one wrapper, they would see the same. Measured: a wrapper that raises a counter
    and one that reads it gave 0 apart and 1 together.

    ## What to do

    If the global never changes, declare it `constant`. If the wrappers are meant to share it, the program is already
    broken without any fusion: pass the state as an operand, or define the global outside the module and declare it
    here without an initializer, as `external`.
    """

    code = "JIT307"
    name = "mutable-global"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "The wrapper reaches a mutable global of the module."
    INVALID = (
        IN_PLACE
        + """\
llvm.mlir.global internal @counter(0.000000e+00 : f64) {addr_space = 0 : i32} : f64

llvm.func @bump(%buffer: !llvm.ptr) {
  %0 = llvm.mlir.addressof @counter : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> f64
  %one = llvm.mlir.constant(1.000000e+00 : f64) : f64
  %2 = llvm.fadd %1, %one : f64
  llvm.store %2, %0 : f64, !llvm.ptr
  llvm.store %2, %buffer : f64, !llvm.ptr
  llvm.return
}

func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @bump (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @bump (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + """\
llvm.mlir.global internal constant @step(1.000000e+00 : f64) {addr_space = 0 : i32} : f64

llvm.func @advance(%buffer: !llvm.ptr) {
  %0 = llvm.mlir.addressof @step : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> f64
  %2 = llvm.load %buffer : !llvm.ptr -> f64
  %3 = llvm.fadd %2, %1 : f64
  llvm.store %3, %buffer : f64, !llvm.ptr
  llvm.return
}

func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @advance (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @advance (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
""",
    )
