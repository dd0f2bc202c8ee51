"""JIT501: what else a call carries."""

from __future__ import annotations

from jitlint.findings import Severity
from jitlint.rules.base import Category, Rule, register
from jitlint.rules.snippets import CHAIN, DOUBLE, IN_PLACE


@register
class CallMetadata(Rule):
    """The call carries an attribute that cannot be merged with those of the other calls: a `backend_config` that is not
    empty, `arg_attrs`, `res_attrs`, layouts of one buffer that differ, layouts where another call leaves its own to
    XLA, or an attribute that jitlint does not know.

    ## Why it matters

    A fused call has one set of attributes. Layouts are merged buffer by buffer where they agree. A call without
    `operand_layouts` has the layouts that XLA chooses, which need not be the default order: where a type has rank 2 or
    more, it is no match for a call that writes them. Where a module does both, and some layout that it writes is not
    the default, XLA may lay values out otherwise for a fused call: there, calls of rank 2 or more stay apart. For
    anything else nothing says what two of them mean together, and dropping one could change what the call does.

    ## What to do

    Write `operand_layouts` at all calls of the group, or at none. Remove any other attribute if it says nothing, and
    the call takes part. If it does say something, leave the call: the
    others are fused without it where that is possible.
    """

    code = "JIT501"
    name = "call-metadata"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "An attribute keeps the call out of the group."
    INVALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) <backend_config = "fast", output_operand_aliases = [#in_place]>
      : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
""",
    )
    VALID = (IN_PLACE + DOUBLE + CHAIN,)
