"""Pieces of modules that the tests of rules about wrong programs are made of."""

from __future__ import annotations

from collections.abc import Mapping

from jitlint.engine import analyse
from jitlint.findings import Finding
from jitlint.options import Options


def found(text: str, *codes: str) -> list[Finding]:
    """The findings of a text with these codes, in text order."""
    return [finding for finding in analyse(text, "test.mlir", Options()).findings if finding.code in codes]


def messages(text: str, *codes: str) -> list[str]:
    """What those findings say."""
    return [finding.message for finding in found(text, *codes)]


def at(text: str, finding: Finding) -> str:
    """The text that a finding points at."""
    assert finding.span is not None
    return text[finding.span.start : finding.span.end]


def alias(output: str, operand: int, inner: str = "[]") -> str:
    """One alias, as the engine prints it."""
    fields = f"output_tuple_indices = {output}, operand_index = {operand}, operand_tuple_indices = {inner}"
    return f"#stablehlo.output_operand_alias<{fields}>"


def aliases(*operands: int) -> str:
    """The properties of a call whose results alias these operands in turn."""
    several = len(operands) > 1
    listed = (alias(f"[{number}]" if several else "[]", operand) for number, operand in enumerate(operands))
    return f"<output_operand_aliases = [{', '.join(listed)}]>"


def call(callee: str, operands: Mapping[str, str], written: tuple[int, ...] = ()) -> str:
    """A call of `callee` with these operands and their types, whose results alias the operands `written`."""
    types = list(operands.values())
    results = ", ".join(types[index] for index in written)
    properties = f" {aliases(*written)}" if written else ""
    outcome = results if len(written) == 1 else f"({results})"
    return f"enzymexla.jit_call @{callee} ({', '.join(operands)}){properties} : ({', '.join(types)}) -> {outcome}"


F64, I64 = "tensor<f64>", "tensor<i64>"

DECLARED = """\
llvm.func @MPI_Irecv(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @MPI_Isend(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @MPI_Wait(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @MPI_Waitall(i32, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @MPI_Request_free(!llvm.ptr) -> i32
"""

_START = """\
llvm.func @{name}(%buffer: !llvm.ptr, %request: !llvm.ptr) {{
  %n = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_I{name}(%buffer, %n, %p, %n, %n, %p, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}}
"""

WRAPPERS = (
    DECLARED
    + _START.format(name="recv")
    + _START.format(name="send")
    + """\
llvm.func @wait(%request: !llvm.ptr) {
  %n = llvm.mlir.constant(1 : i32) : i32
  %status = llvm.alloca %n x !llvm.array<6 x i32> : (i32) -> !llvm.ptr
  %0 = llvm.call @MPI_Wait(%request, %status) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
llvm.func @wait_with(%request: !llvm.ptr, %buffer: !llvm.ptr) {
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_Wait(%request, %p) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
llvm.func @wait_all(%requests: !llvm.ptr) {
  %n = llvm.mlir.constant(2 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @MPI_Waitall(%n, %requests, %p) : (i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
llvm.func @free(%request: !llvm.ptr) {
  %0 = llvm.call @MPI_Request_free(%request) : (!llvm.ptr) -> i32
  llvm.return
}
llvm.func @unknown(!llvm.ptr)
llvm.func @look(%anything: !llvm.ptr) {
  llvm.call @unknown(%anything) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @double(%buffer: !llvm.ptr) {
  %0 = llvm.load %buffer : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %buffer : f64, !llvm.ptr
  llvm.return
}
"""
)
"""Wrappers that start, complete and use nonblocking operations on one number."""


def recv(result: str, buffer: str = "%x") -> str:
    """A call that starts to receive: `result`#0 is the buffer, `result`#1 the request."""
    return f"{result}:2 = " + call("recv", {buffer: F64, "%c": I64}, (0, 1))


def send(result: str, buffer: str = "%x") -> str:
    """A call that starts to send: `result` is the request."""
    return f"{result} = " + call("send", {buffer: F64, "%c": I64}, (1,))


def program(*operations: str, wrappers: str = WRAPPERS) -> str:
    """A module whose `@main(%x, %c)` does these operations and returns nothing that they give."""
    body = "".join(f"  {operation}\n" for operation in operations)
    return f"{wrappers}func.func @main(%x: {F64}, %c: {I64}) {{\n{body}  return\n}}\n"
