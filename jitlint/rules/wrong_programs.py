"""JIT601 to JIT605: programs that are wrong before anything is fused."""

from __future__ import annotations

from jitlint.findings import Severity
from jitlint.rules.base import Category, Rule, register
from jitlint.rules.snippets import BLOCKING, IN_PLACE, IRECV, MPI, RECEIVE, REQUEST, WAIT


@register
class NonblockingBufferRace(Rule):
    """A buffer of a nonblocking MPI call is used by an operation that does not depend on the call that completes it, or
    nothing needs the buffer that long. Nothing but the scheduler's habit makes the program right.

    ## Why it matters

    After `MPI_Irecv` the buffer holds the received data only once `MPI_Wait` or one of its kin has returned; until
    `MPI_Isend` is complete, its buffer must not change. XLA orders operations by the values that they use. An
    operation that uses the buffer, but nothing that comes out of the wait, may run before it and read what was there
    before. That it stands below the wait in the text is no order to XLA: measured, a halo exchange that receives, waits
    for all and then unpacks gave 42, 42 instead of -42, -42. See [what wrong programs do](../wrong-programs.md).

    XLA also gives the memory of a value away after its last use. A value that is computed here, sent or received into,
    and needed by nothing at or behind the wait may lose its memory while the exchange is under way; a use further down
    in the text that does not depend on the wait keeps nothing. Measured with stand-ins for MPI: a buffer that holds 9
    was 36 when the wait looked, and an unrelated value that was 9 became 42.

    Reported are uses of a buffer that is received into, in-place writes of one that is sent, and buffers that may be
    given away. The memory of arguments, of constants and of what the function returns stays. A request that goes where
    it cannot be followed is not reported.

    ## What to do

    Let start and completion be one call, so that the buffer comes out of it complete. Where the two calls form a group,
    `jitlint --fix` does exactly that ([JIT001](JIT001.md)): the finding is marked as fixable, and gone afterwards.
    Otherwise the help shows the change to make: pass the buffer through the wrapper that waits, aliased by a result,
    and use that result from there on. For a buffer that is sent it is enough to pass it to that wrapper.
    """

    code = "JIT601"
    name = "nonblocking-buffer-race"
    severity = Severity.WARNING
    category = Category.BUG_RISK
    summary = "A buffer of a nonblocking MPI call is used before its wait."
    fixable = "--fix"
    INVALID = (
        REQUEST
        + MPI
        + IRECV
        + WAIT
        + """\
func.func @main(%data: tensor<f64>, %handle: tensor<i32>) -> tensor<f64> {
  %0:2 = enzymexla.jit_call @irecv (%data, %handle) <output_operand_aliases = [#buffer, #request]>
      : (tensor<f64>, tensor<i32>) -> (tensor<f64>, tensor<i32>)
  enzymexla.jit_call @wait (%0#1) : (tensor<i32>) -> ()
  %1 = stablehlo.negate %0#0 : tensor<f64>
  return %1 : tensor<f64>
}
""",
    )
    VALID = (
        REQUEST
        + MPI
        + RECEIVE
        + """\
func.func @main(%data: tensor<f64>, %handle: tensor<i32>) -> tensor<f64> {
  %0:2 = enzymexla.jit_call @receive (%data, %handle) <output_operand_aliases = [#buffer, #request]>
      : (tensor<f64>, tensor<i32>) -> (tensor<f64>, tensor<i32>)
  %1 = stablehlo.negate %0#0 : tensor<f64>
  return %1 : tensor<f64>
}
""",
    )


@register
class UndeclaredWrite(Rule):
    """The wrapper writes through a parameter whose operand no result aliases, or that it declares `llvm.readonly`.

    ## Why it matters

    An operand that no result aliases is read-only by contract. XLA may give its buffer to other values that are still
    needed, or hold it back as a constant. Whether the write is seen, and by whom, then depends on where XLA puts its
    copies. Fusing moves those copies: measured, a program with such a wrapper gave -6, 6, 50 apart and -50, 6, 50
    together. A call with an undeclared write is therefore not fused, with one exception: it writes a value of another
    call of the group that nothing else uses. Then the slot is written anyway and keeps its result (measured: the same
    12 and 3 apart and fused).

    Measured with a wrapper that stores 50 through such an operand, `x = 3`
    ([what wrong programs do](../wrong-programs.md)):

    | program | by contract | the engine gives |
    |---|---|---|
    | the operand is the constant 1, then `x + 1` | 4 | 53 |
    | the operand is `b = x + x`, then `x + b` and `b` | 9, 6 | 9, 50 |
    | the operand is the argument, then `-x` and `x` | -3, 3 | -50, 50 |

    Seen are stores, `memcpy` and its kin, functions of the module, and what MPI, BLAS and LAPACK routines are
    documented to write. Pointers are followed through offsets, casts, integers, `freeze`, `select`, structs, branches
    and the wrapper's own memory. Where a store may go through one of several pointers, or its pointer came out of
    memory or out of a call, the call stays out of every group, and the report of the group says why; alone, nothing is
    said. What a function that the module only declares does is taken to be what the call declares. MPI's own handles,
    such as a request that a wait sets to null, are told apart from data.

    ## What to do

    Let a result alias the operand, even if nobody uses that result: it tells XLA that the buffer is written. If the
    wrapper should not write there, correct the wrapper.
    """

    code = "JIT602"
    name = "undeclared-write"
    severity = Severity.WARNING
    category = Category.BUG_RISK
    summary = "The wrapper writes an operand that no result aliases."
    about_call = True
    about_symbol = True
    INVALID = (
        IN_PLACE
        + """\
llvm.func @swap(%first: !llvm.ptr, %second: !llvm.ptr) {
  %0 = llvm.load %first : !llvm.ptr -> f64
  %1 = llvm.load %second : !llvm.ptr -> f64
  llvm.store %1, %first : f64, !llvm.ptr
  llvm.store %0, %second : f64, !llvm.ptr
  llvm.return
}

func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @swap (%x, %y) <output_operand_aliases = [#in_place]>
      : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )
    VALID = (
        REQUEST.replace("#buffer", "#first").replace("#request", "#second")
        + """\
llvm.func @swap(%first: !llvm.ptr, %second: !llvm.ptr) {
  %0 = llvm.load %first : !llvm.ptr -> f64
  %1 = llvm.load %second : !llvm.ptr -> f64
  llvm.store %1, %first : f64, !llvm.ptr
  llvm.store %0, %second : f64, !llvm.ptr
  llvm.return
}

func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %0:2 = enzymexla.jit_call @swap (%x, %y) <output_operand_aliases = [#first, #second]>
      : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#0 : tensor<f64>
}
""",
    )


@register
class RequestNeverWaited(Rule):
    """A nonblocking MPI call makes a request that no call completes, or that two calls wait for.

    ## Why it matters

    Without a completion the buffer of a receive never surely holds the data, the buffer of a send may never be
    changed, and the request is never freed. The first wait frees a request: a second one of the same value may find
    another operation's request there, or none.

    Requests are followed through operations without effects, such as `stablehlo.concatenate` and `stablehlo.reshape`,
    and inside wrappers through memory: loaded, gathered in an array, waited for there, and stored back. Where one goes
    out of sight, nothing is reported.

    ## What to do

    Hand the request to a wrapper that calls `MPI_Wait`, `MPI_Waitall` or one of their kin, or complete it within the
    same wrapper. Wait for each request once.
    """

    code = "JIT603"
    name = "request-never-waited"
    severity = Severity.WARNING
    category = Category.BUG_RISK
    summary = "A nonblocking MPI request is never waited for."
    INVALID = (
        REQUEST
        + MPI
        + IRECV
        + """\
func.func @main(%data: tensor<f64>, %handle: tensor<i32>) -> tensor<f64> {
  %0:2 = enzymexla.jit_call @irecv (%data, %handle) <output_operand_aliases = [#buffer, #request]>
      : (tensor<f64>, tensor<i32>) -> (tensor<f64>, tensor<i32>)
  return %0#0 : tensor<f64>
}
""",
    )
    VALID = (
        REQUEST
        + MPI
        + RECEIVE
        + """\
func.func @main(%data: tensor<f64>, %handle: tensor<i32>) -> tensor<f64> {
  %0:2 = enzymexla.jit_call @receive (%data, %handle) <output_operand_aliases = [#buffer, #request]>
      : (tensor<f64>, tensor<i32>) -> (tensor<f64>, tensor<i32>)
  return %0#0 : tensor<f64>
}
""",
    )


@register
class UnorderedEffects(Rule):
    """Two calls have effects outside their buffers, and no value leads from the one to the other: nothing orders them.
    It is said once for a block.

    ## Why it matters

    XLA orders operations by the values that they use, and by nothing else. A call that is declared to have side effects
    is not removed, but two of them may run in either order, or at once: that one stands above the other in the text is
    no order to XLA. Where both talk to the world outside, the order may matter: a receive that is posted before the
    send that its partner waits for, a wait before another start, two lines of a log.

    Reported are calls whose wrapper is known to have side effects outside: it calls MPI or input and output of the C
    library, or stores to a global. Functions that only ask, such as `MPI_Comm_rank`, and wrappers that only compute
    are not, whatever `enzymexla.memory_effects` says. Calls that `jitlint --fix` makes one call are left out.

    ## What to do

    - Let a result of the first call be an operand of the second, or let both be in one wrapper.
    - Where the two stand together, `--group adjacent` (`group = "adjacent"`) makes them one call, which runs them in
      the order of the text.
    - If their order does not matter, ignore the rule here.
    """

    code = "JIT604"
    name = "unordered-effects"
    severity = Severity.INFO
    category = Category.BUG_RISK
    summary = "No value orders two calls that have effects outside."
    INVALID = (
        IN_PLACE
        + MPI
        + BLOCKING
        + """\
func.func @main(%mine: tensor<f64>, %theirs: tensor<f64>) -> tensor<f64> {
  enzymexla.jit_call @send (%mine) : (tensor<f64>) -> ()
  %0 = enzymexla.jit_call @recv (%theirs) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
""",
    )
    VALID = (
        IN_PLACE
        + MPI
        + BLOCKING
        + """\
func.func @main(%mine: tensor<f64>) -> tensor<f64> {
  %0 = enzymexla.jit_call @send (%mine) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  %1 = enzymexla.jit_call @recv (%0) <output_operand_aliases = [#in_place]> : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
""",
    )


@register
class FalseEffectList(Rule):
    """A wrapper says by an empty `enzymexla.memory_effects` that it has no effects, or a call of it by
    `xla_side_effect_free`, and it is known to have some: it calls MPI, or input and output of the C library, or stores
    to a global.

    ## Why it matters

    XLA believes the declaration. It may drop the call where no result is used, make one of two that look alike, or
    move it: a `MPI_Wait` without a result is simply gone. jitlint believes it too, and lets such a call cross
    operations with side effects.

    A function outside of which nothing is known may do no more than compute: where a wrapper calls such a one, nothing
    is reported.

    ## What to do

    Take the declaration back: name the effects in the list, or leave the list and the flag out. Do not remove the call.
    """

    code = "JIT605"
    name = "false-effect-list"
    severity = Severity.WARNING
    category = Category.BUG_RISK
    summary = "A wrapper is declared free of effects and has some."
    INVALID = (
        MPI
        + WAIT.replace(") {", ") attributes {enzymexla.memory_effects = []} {", 1)
        + """\
func.func @main(%request: tensor<i32>) {
  enzymexla.jit_call @wait (%request) : (tensor<i32>) -> ()
  return
}
""",
    )
    VALID = (
        MPI
        + WAIT.replace(") {", ') attributes {enzymexla.memory_effects = ["read", "write"]} {', 1)
        + """\
func.func @main(%request: tensor<i32>) {
  enzymexla.jit_call @wait (%request) : (tensor<i32>) -> ()
  return
}
""",
    )
