"""JIT101 to JIT202: the order of the operations keeps calls apart."""

from __future__ import annotations

from jitlint.findings import Severity
from jitlint.rules.base import Category, Rule, register
from jitlint.rules.snippets import ACCUMULATE, DOUBLE, IN_PLACE


@register
class DifferentBlocks(Rule):
    """A call uses a result of another call, but the two stand in different blocks: one inside a loop, a branch or
    another block of the function, the other outside it.

    ## Why it matters

    A call in another block may run a different number of times, or not at all. Joining the two would change how often
    each of them runs, so jitlint groups calls within one block only.

    ## What to do

    Nothing, as a rule: the note is there so that you do not wonder. If both calls belong together, move them into the
    same block; only you can tell whether that is the same program.
    """

    code = "JIT101"
    name = "different-blocks"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "Joined calls stand in different blocks."
    INVALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>, %again: tensor<i1>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = "stablehlo.if"(%again) ({
    %2 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }, {
    stablehlo.return %x : tensor<f64>
  }) : (tensor<i1>) -> tensor<f64>
  return %1 : tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>, %again: tensor<i1>) -> tensor<f64> {
  %0 = "stablehlo.if"(%again) ({
    %1 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
    %2 = enzymexla.jit_call @double (%1) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }, {
    stablehlo.return %x : tensor<f64>
  }) : (tensor<i1>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )


@register
class DependencyCycle(Rule):
    """A value leaves the group and comes back: an operation that is no JIT call needs a result of one call, and another
    call of the group needs what that operation makes. The report shows the way, from the group through each operation
    and back.

    ## Why it matters

    One call would have to finish before the operation in the middle, and start after it. A set of calls can become one
    call exactly if drawing it together to one node leaves the block's dependency graph without a cycle; the path that
    is shown is that cycle.

    ## What to do

    If the operation in the middle could be computed inside a wrapper, or from values that the group does not make, the
    group fuses. Otherwise leave it: jitlint fuses the largest parts of the group that have no such path between them,
    and this note says where one part ends and the next begins.
    """

    code = "JIT102"
    name = "dependency-cycle"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "A value leaves the group and comes back."
    INVALID = (
        IN_PLACE
        + DOUBLE
        + ACCUMULATE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = stablehlo.negate %0 : tensor<f64>
  %2 = enzymexla.jit_call @accumulate (%1, %0) <output_operand_aliases = [#in_place]>
      : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %2 : tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + ACCUMULATE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = stablehlo.negate %x : tensor<f64>
  %2 = enzymexla.jit_call @accumulate (%1, %0) <output_operand_aliases = [#in_place]>
      : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %2 : tensor<f64>
}
""",
    )


@register
class SideEffectBetween(Rule):
    """An operation with side effects stands between two calls that have side effects as well. Their order is part of
    what the program does, so the operation cannot move out of the way.

    ## Why it matters

    A write to a file, a message or a barrier must keep its place between the two calls. A JIT call has the effects
    that its wrapper lists in `enzymexla.memory_effects`, and every effect where there is no such list.

    ## What to do

    - If the operation may stand before or after the group, move it there; jitlint does not decide that for you.
    - If a call is free of effects apart from its results, say so: `xla_side_effect_free` on the call, or an empty
      `enzymexla.memory_effects` list on its wrapper. Only an empty list counts: `["read"]` is an effect. A call
      without effects may cross the operation.
    - A `stablehlo.custom_call` has side effects exactly if it says `has_side_effect = true`.
    """

    code = "JIT201"
    name = "side-effect-between"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "An operation with side effects stands between the calls."
    INVALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = stablehlo.custom_call @log(%y) {has_side_effect = true} : (tensor<f64>) -> tensor<f64>
  %2 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1, %2 : tensor<f64>, tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = stablehlo.custom_call @log(%y) {has_side_effect = true} : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %2 = enzymexla.jit_call @double (%1) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0, %2 : tensor<f64>, tensor<f64>
}
""",
    )


@register
class UnknownEffectsBetween(Rule):
    """An operation stands between the calls, and jitlint does not know whether it has side effects. It assumes that
    it does.

    ## Why it matters

    The effects of 2,010 operations of 39 dialects are read off their definitions. Some definitions declare nothing,
    and an operation of a dialect that is not listed, or a call of a function whose body is not in the file, could do
    anything. Moving it would be a guess, and jitlint does not guess.

    ## What to do

    If the operation has no side effects, declare it in the configuration, and the calls can cross it:

    ```toml
    [tool.jitlint]
    pure-ops = ["stablehlo.rng"]
    ```

    See [configuration](../configuration.md). Declare only what you know: jitlint takes your word for it.
    """

    code = "JIT202"
    name = "unknown-effects-between"
    severity = Severity.INFO
    category = Category.PERFORMANCE
    summary = "An operation of unknown effects stands between the calls."
    INVALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>, %low: tensor<f64>, %high: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %shape = stablehlo.constant dense<> : tensor<0xi64>
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM
      : (tensor<f64>, tensor<f64>, tensor<0xi64>) -> tensor<f64>
  %2 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1, %2 : tensor<f64>, tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>, %low: tensor<f64>, %high: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = stablehlo.subtract %high, %low : tensor<f64>
  %2 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1, %2 : tensor<f64>, tensor<f64>
}
""",
    )
