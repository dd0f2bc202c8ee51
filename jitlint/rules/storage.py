"""JIT401 to JIT403: results are buffers of operands, and a buffer holds one value at a time."""

from __future__ import annotations

from jitlint.findings import Severity
from jitlint.rules.base import Category, Rule, register
from jitlint.rules.snippets import ACCUMULATE, DOUBLE, IN_PLACE


@register
class UnaliasedResult(Rule):
    """A result of the call aliases no operand, so there is no buffer that the wrapper could have written it to.

    ## Why it matters

    On the CPU a call passes the buffers of its operands and nothing else. A result exists only as the buffer of the
    operand that it aliases. Older engines return a buffer that nobody wrote; current engines reject the call. In a
    file that uses the current spelling of the call this is therefore an error.

    ## What to do

    Pass a buffer for the result as one more operand, and let the result alias it:
    `#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>`. With
    several results, `output_tuple_indices` is `[0]`, `[1]` and so on. Or drop the result, if the call has none.
    """

    code = "JIT401"
    name = "unaliased-result"
    severity = Severity.WARNING
    category = Category.BUG_RISK
    summary = "A result aliases no operand, so nothing writes it."
    about_call = True
    INVALID = (
        DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) : (tensor<f64>) -> tensor<f64>
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
class BadAlias(Rule):
    """An entry of `output_operand_aliases` cannot be right: an index out of range, two results on one operand, `[i]`
    where `[]` is due or the other way round, a result of another type than its operand, or indices into nested tuples.

    ## Why it matters

    The alias says which buffer a result is. An entry that names no buffer, the same buffer twice, or a buffer of
    another type leaves a result that nobody wrote or that is read as something else.

    ## What to do

    Let every result name exactly one operand of its own type. A call with one result writes
    `output_tuple_indices = []`; a call with several writes `[i]`, counted from 0. `operand_index` counts from 0, and
    `operand_tuple_indices` is always `[]`.
    """

    code = "JIT402"
    name = "bad-alias"
    severity = Severity.ERROR
    category = Category.BUG_RISK
    summary = "An alias does not fit the call."
    about_call = True
    INVALID = (
        """\
#second = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>

"""
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#second]> : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )
    VALID = UnaliasedResult.VALID


@register
class ValueOverwritten(Rule):
    """A value is needed after a call of the group has overwritten it. Both places are shown: where the value is
    overwritten, and where it is needed.

    ## Why it matters

    A result takes over the buffer of the operand that it aliases. Between separate calls XLA copies a buffer that is
    still needed; inside one fused call nobody does. Measured on the engine, for a wrapper that doubles in place and
    `x = 3`:

    | program | unfused | fused without this rule |
    |---|---|---|
    | `%0 = A(%x)`, `%1 = A(%0)`, both returned | 6, 12 | 12, 12 |

    This is the rule that keeps a fusion from computing something else. See
    [why the sound form differs](../sound-form.md).

    ## What to do

    - If the old value is not needed after all, drop its use, and the group fuses.
    - With `copies = true` in the configuration (`--copies`) the fused wrapper copies the value before it is
      overwritten. That is right for host memory only, and therefore off by default. On the engine, the case above then
      gives 6, 12 from one call.
    - Where a call writes a value without saying so ([JIT602](JIT602.md)), the other calls that use the value stay out
      of every group: declare the write.
    - Otherwise leave it: the copy that XLA makes between the two calls is what makes the program right.
    """

    code = "JIT403"
    name = "value-overwritten"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "A value is needed after a call has overwritten it."
    INVALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + ACCUMULATE
        + """\
func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @accumulate (%y, %0) <output_operand_aliases = [#in_place]>
      : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}
""",
    )
