"""JIT901 to JIT999: text that could not be read, or not in full."""

from __future__ import annotations

from jitlint.findings import Severity
from jitlint.rules.base import Category, Rule, register
from jitlint.rules.snippets import CHAIN, DOUBLE, IN_PLACE


@register
class SyntaxProblem(Rule):
    """A bracket or a string is not closed, or a bracket closes what was never opened. The report shows where the one in
    question was opened.

    ## Why it matters

    jitlint finds operations by the structure of the text. Where that does not hold together, nothing after it can be
    told, so the file is not touched, and the exit status is 2. A file without JIT calls is never reported, however odd
    it is.

    ## What to do

    Fix the text. If an MLIR tool reads the file as it is, jitlint is wrong: please report it.
    """

    code = "JIT901"
    name = "syntax-error"
    severity = Severity.ERROR
    category = Category.BUG_RISK
    summary = "Unbalanced or unterminated text."
    failure = True
    INVALID = (IN_PLACE + DOUBLE + CHAIN.removesuffix("}\n"),)
    VALID = (IN_PLACE + DOUBLE + CHAIN,)


@register
class NotAnalysed(Rule):
    """A block with JIT calls could not be cut into operations with certainty, or a call of it could not be read. The
    report says where and why.

    ## Why it matters

    jitlint does not know every dialect, and it does not need to: operations are found by where they start. Where a
    line could be read in two ways, one of them would be a guess, and a fix built on a guess could break the program.
    The block is left alone; all others are analysed.

    The same holds where the order of operations means nothing: in the body of a `hw.module` a value may be used above
    its definition, and no call comes before another one.

    ## What to do

    Put every operation on a line of its own, as MLIR's printers do. Running the file through an MLIR tool that prints
    it again is enough. Calls whose operations stand in no order cannot be fused: no engine runs them as they stand.
    """

    code = "JIT902"
    name = "not-analysed"
    severity = Severity.WARNING
    category = Category.COMPATIBILITY
    summary = "A block with JIT calls could not be cut into operations."
    INVALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>, %is_set: i1) -> tensor<f64> {
  cf.assert %is_set, "it must be set" cf.assert %is_set, "really"
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + DOUBLE
        + """\
func.func @main(%x: tensor<f64>, %is_set: i1) -> tensor<f64> {
  cf.assert %is_set, "it must be set"
  cf.assert %is_set, "really"
  %0 = enzymexla.jit_call @double (%x) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )


@register
class Unreadable(Rule):
    """The file could not be read as text: it is not UTF-8, it is MLIR bytecode, it is a directory, there is no such
    file, or no permission to read it.

    ## Why it matters

    A fix must leave every byte outside its edits as it was, and a place in the text must mean the same to everyone.
    MLIR itself allows other bytes in strings and comments; jitlint does not. A file without JIT calls is not reported.
    The other files of the run are checked all the same; the exit status is 2.

    ## What to do

    Save the file as UTF-8. For bytecode, print it as text first, for example with `mlir-opt` or the `opt` tool of the
    project that wrote it. To leave a file out, name it under `exclude` in the [configuration](../configuration.md).
    """

    code = "JIT903"
    name = "unreadable"
    severity = Severity.ERROR
    category = Category.COMPATIBILITY
    summary = "Not UTF-8, MLIR bytecode, a directory, or no permission."
    failure = True
    encoding = "latin-1"
    INVALID = ("// doubles a number, à la carte; this comment was saved as Latin-1\n" + IN_PLACE + DOUBLE + CHAIN,)
    VALID = ("// doubles a number, à la carte; this comment was saved as UTF-8\n" + IN_PLACE + DOUBLE + CHAIN,)


@register
class NotWritten(Rule):
    """A file could not be written by `--fix` or `--add-ignores`, and is as it was: it is read-only or has several names
    (hard links), its path leads through `/dev` or `/proc`, it has changed since it was read, or the disk is full.

    ## Why it matters

    A file is replaced in one step, by a new one that takes over its name, so that nobody ever sees half of it. Where a
    file has two names, one of them would go on naming the old text. What is reported besides is about the file as it
    is. The other files of the run are fixed all the same; the exit status is 2.

    ## What to do

    Make a read-only file writable with `chmod u+w`. Give a file that has several names one of its own
    (`cp m.mlir new && mv new m.mlir`), or fix it through standard input: `jitlint --fix - < m.mlir`. Then run jitlint
    again.
    """

    code = "JIT904"
    name = "not-written"
    severity = Severity.ERROR
    category = Category.COMPATIBILITY
    summary = "A fix could not be written; the file is as it was."
    failure = True


@register
class NotEqual(Rule):
    """`jitlint prove` does not show that two modules compute the same: here is the first value or effect that differs.

    ## Why it matters

    Where the two modules are a program before and after a compiler's pass, this is most often a miscompilation, and
    the value is the one that comes out wrong. It can also be that the modules do compute the same in a way that the
    proof does not follow; [What is proved](../proof.md) says which those are. `check` and `--fix` never report it.

    ## What to do

    Compare the two places. Start from the operands: what differs in an operation is an operand, its text, or what its
    wrapper does. There is no example: it takes two modules.
    """

    code = "JIT905"
    name = "not-equal"
    severity = Severity.ERROR
    category = Category.BUG_RISK
    summary = "Two modules are not shown to compute the same."


@register
class InternalError(Rule):
    """A defect of jitlint: it failed on this file, or what a fix was about to write did not pass the check that comes
    before every write.

    ## Why it matters

    Nothing was written: the file is as it was. The other files of the run are checked all the same; the exit status
    is 2. Before a fix is written, the new text is read again, every use must have a definition above it, every symbol
    must resolve, all text outside the edits must be unchanged, and the module must be
    [proved](../proof.md) to compute what it did. A refusal of the proof names the value or the effect that differs.

    ## What to do

    Please report it, with the file if you can share it, and the output of `jitlint --version --verbose`. There is no
    example: an input that brings this about is a bug.
    """

    code = "JIT999"
    name = "internal-error"
    severity = Severity.ERROR
    category = Category.COMPATIBILITY
    summary = "A defect of jitlint; nothing was written."
    failure = True
