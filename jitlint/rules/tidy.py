"""JIT701 to JIT705: what could go without any loss."""

from __future__ import annotations

from jitlint.findings import Severity
from jitlint.rules.base import Category, Rule, register
from jitlint.rules.fusable import FusableGroup
from jitlint.rules.snippets import DOUBLE, IN_PLACE


@register
class DeadCall(Rule):
    """The call has no side effects, and none of its results is used.

    ## Why it matters

    XLA may drop the call, and nobody would notice. Either the call is left over, or it does something after all and
    its `xla_side_effect_free` (or the empty `enzymexla.memory_effects` list of its wrapper) is not true.

    ## What to do

    Remove the call, use its result, or take the declaration back.
    """

    code = "JIT701"
    name = "dead-call"
    severity = Severity.WARNING
    category = Category.CLARITY
    summary = "Free of effects, and no result is used."
    unnecessary = True
    INVALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place], xla_side_effect_free>
      : (tensor<f64>) -> tensor<f64>
  return %x : tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place], xla_side_effect_free>
      : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )


@register
class UnusedWrapper(Rule):
    """No symbol reference in the file names the wrapper any more. Fusing leaves such wrappers behind: the calls that
    named them are now one call of the fused wrapper.

    ## Why it matters

    A wrapper that nobody calls is text to read and, where it is public, a function to compile.

    Only what can hardly be anything but a wrapper is reported: a function with a body that takes nothing but buffers
    and returns nothing, and that is an `llvm.func` or a private `func.func`. A public `func.func` is removed only if a
    JIT call named it before the same `--fix` began. Any reference keeps a wrapper, and so does a string that spells its
    name; what only such wrappers name goes with them.

    ## What to do

    `jitlint --fix --prune-wrappers` removes it. Keep it if another file or the program that loads this one names it;
    jitlint sees one file at a time.
    """

    code = "JIT702"
    name = "unused-wrapper"
    severity = Severity.INFO
    category = Category.CLARITY
    summary = "Nothing names the wrapper any more."
    unnecessary = True
    fixable = "--fix --prune-wrappers"
    INVALID = (FusableGroup.VALID[0].replace("func.func @main", DOUBLE + "func.func @main"),)
    VALID = FusableGroup.VALID


@register
class UnusedSuppression(Rule):
    """A suppression comment hides nothing: no finding of that code is about its line, or the comment is malformed.

    ## Why it matters

    A suppression that is left over hides the next finding that comes to stand there.

    ## What to do

    `jitlint --fix` removes the code from the comment, or the whole comment where no code is left. A malformed comment
    is yours to fix: write `ignore[JIT401]`, the rule in square brackets right after `ignore` or `ignore-file`.
    """

    code = "JIT703"
    name = "unused-suppression"
    severity = Severity.INFO
    category = Category.CLARITY
    summary = "A suppression that hides nothing."
    unnecessary = True
    fixable = "--fix"
    INVALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  // jitlint: ignore[JIT001]
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  // jitlint: ignore[JIT001]
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @double (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
""",
    )


@register
class DuplicateWrapper(Rule):
    """Two wrappers have equal headers and bodies under different names.

    ## Why it matters

    The same body is compiled once for each name. Groups that differ in nothing but such names also get one fused
    wrapper each, where one would do. The engine computes the same with one.

    A wrapper that reaches a mutable global is left alone ([JIT307](JIT307.md)): the engine gives every wrapper globals
    of its own.

    ## What to do

    `jitlint --fix` makes every call use the first of them. The others then have no users left, and
    `--prune-wrappers` removes them ([JIT702](JIT702.md)). One with which the module would not lower any more, since it
    names another wrapper or holds operations that XLA does not know, is removed at once.
    """

    code = "JIT704"
    name = "duplicate-wrapper"
    severity = Severity.INFO
    category = Category.DUPLICATION
    summary = "Wrappers with equal bodies under other names."
    fixable = "--fix"
    INVALID = (
        IN_PLACE
        + DOUBLE
        + DOUBLE.replace("@double", "@twice")
        + """\
func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @twice (%y) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @double (%y) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}
""",
    )


@register
class IneffectiveAlias(Rule):
    """A result aliases an operand that the wrapper provably never writes.

    ## Why it matters

    XLA takes an aliased operand for written: where the operand is still needed after the call, XLA copies it first.
    If nothing is written, the copy is for nothing, and the result is the operand under another name.

    Wrappers that call MPI are left out: a buffer passes through them for the order's sake.

    ## What to do

    Use the operand instead of the result, and drop the result with its alias. Keep the alias where the result is there
    for the order's sake: a buffer that a wait passes through, so that its users run after the wait
    ([JIT601](JIT601.md)).
    """

    code = "JIT705"
    name = "ineffective-alias"
    severity = Severity.INFO
    category = Category.CLARITY
    summary = "A result aliases an operand that the wrapper never writes."
    INVALID = (
        IN_PLACE
        + """\
llvm.func @print(f64)
llvm.func @show(%buffer: !llvm.ptr) {
  %0 = llvm.load %buffer : !llvm.ptr -> f64
  llvm.call @print(%0) : (f64) -> ()
  llvm.return
}

func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @show (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )
    VALID = (
        """\
llvm.func @print(f64)
llvm.func @show(%buffer: !llvm.ptr) {
  %0 = llvm.load %buffer : !llvm.ptr -> f64
  llvm.call @print(%0) : (f64) -> ()
  llvm.return
}

func.func @main(%x: tensor<f64>) -> tensor<f64> {
  enzymexla.jit_call @show (%x) : (tensor<f64>) -> ()
  return %x : tensor<f64>
}
""",
    )
