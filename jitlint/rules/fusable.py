"""JIT001: what jitlint is for."""

from __future__ import annotations

from jitlint.findings import Severity
from jitlint.rules.base import Category, Rule, register
from jitlint.rules.snippets import CHAIN, DOUBLE, IN_PLACE


@register
class FusableGroup(Rule):
    """Calls that feed one another can be one call: a result of one is an operand of the next, nothing between them
    must run between them, and no value is overwritten while it is still needed. The report numbers the calls in the
    order in which they run.

    ## Why it matters

    Every `enzymexla.jit_call` becomes one opaque XLA custom call. One call for the group means fewer custom calls to
    compile and to launch, and an order between them that XLA cannot break.

    ## What to do

    Run `jitlint --fix`. It writes one wrapper that runs the bodies in order, replaces the group by one call of it, and
    touches nothing else. The program computes the same values before and after. A second run finds nothing
    more to fuse.

    Operations between the calls that only move bytes, such as the `stablehlo.concatenate` of the requests that an
    `MPI_Waitall` is passed, are done inside the wrapper then, and a call that lies in the way comes along: the report
    names it. Where other work stands between the start of an exchange and its completion, a note names what will no
    longer run meanwhile; `keep-overlap = true` in the configuration leaves such groups alone.

    To keep a call out of it, write `// jitlint: ignore[JIT001]` at any call of the group: the group is then left alone.

    The wrappers that were there stay, because other files or code may name them; `--prune-wrappers` removes those that
    no symbol reference names any more ([JIT702](JIT702.md)).
    """

    code = "JIT001"
    name = "fusable-group"
    severity = Severity.WARNING
    category = Category.PERFORMANCE
    summary = "These calls can be one call."
    fixable = "--fix"
    INVALID = (IN_PLACE + DOUBLE + CHAIN,)
    VALID = (
        IN_PLACE
        + """\
llvm.func @__enzyme_fused_double_double(%arg0: !llvm.ptr) {
  %0 = llvm.load %arg0 : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %arg0 : f64, !llvm.ptr
  %2 = llvm.load %arg0 : !llvm.ptr -> f64
  %3 = llvm.fadd %2, %2 : f64
  llvm.store %3, %arg0 : f64, !llvm.ptr
  llvm.return
}

func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @__enzyme_fused_double_double (%x) <output_operand_aliases = [#in_place]>
      : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )
