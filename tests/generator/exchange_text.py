"""The text of the wrappers of an exchange, and of the functions that play MPI in it."""

from __future__ import annotations

from tests.generator.model import Type

_STARTS = {
    "recv": """\
llvm.func @MPI_Irecv(%b: !llvm.ptr, %n: i32, %t: !llvm.ptr, %from: E, %tag: E, %c: !llvm.ptr, %r: !llvm.ptr) -> i32 {
  %k = llvm.mlir.constant(7 : E) : E
  %0 = llvm.mul %from, %k : E
  %1 = llvm.add %0, %tag : E
  llvm.store %1, %b : E, !llvm.ptr
  %2 = llvm.add %1, %from : E
  llvm.store %2, %r : E, !llvm.ptr
  llvm.return %n : i32
}
""",
    "send": """\
llvm.func @MPI_Isend(%b: !llvm.ptr, %n: i32, %t: !llvm.ptr, %to: E, %tag: E, %c: !llvm.ptr, %r: !llvm.ptr) -> i32 {
  %0 = llvm.load %b : !llvm.ptr -> E
  %1 = llvm.sub %0, %to : E
  llvm.store %1, %r : E, !llvm.ptr
  llvm.return %n : i32
}
""",
}
_START = """\
llvm.func @NAME(%b: !llvm.ptr, %other: !llvm.ptr, %tag: !llvm.ptr, %r: !llvm.ptr) {
  %n = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.load %other : !llvm.ptr -> E
  %1 = llvm.load %tag : !llvm.ptr -> E
  %2 = llvm.call @MPI_INAME(%b, %n, %p, %0, %1, %p, %r)
    : (!llvm.ptr, i32, !llvm.ptr, E, E, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
"""
_ONE = """\
llvm.func @MPI_Wait(%r: !llvm.ptr, %s: !llvm.ptr) -> i32 {
  %n = llvm.mlir.constant(0 : i32) : i32
  %k = llvm.mlir.constant(3 : E) : E
  %0 = llvm.load %r : !llvm.ptr -> E
  %1 = llvm.mul %0, %k : E
  llvm.store %1, %s : E, !llvm.ptr
RESET  llvm.return %n : i32
}
"""
_ALL = """\
llvm.func @MPI_Waitall(%n: i32, %r: !llvm.ptr, %s: !llvm.ptr) -> i32 {
  %none = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : E) : E
  %ten = llvm.mlir.constant(10 : E) : E
  llvm.br ^head(%none, %zero : i32, E)
^head(%i: i32, %sum: E):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %p = llvm.getelementptr %r[%i] : (!llvm.ptr, i32) -> !llvm.ptr, E
  %v = llvm.load %p : !llvm.ptr -> E
  %m = llvm.mul %sum, %ten : E
  %t = llvm.add %m, %v : E
RESET  %j = llvm.add %i, %one : i32
  llvm.br ^head(%j, %t : i32, E)
^end:
  llvm.store %sum, %s : E, !llvm.ptr
  llvm.return %none : i32
}
"""
_WAIT = """\
llvm.func @NAME(%r: !llvm.ptr, %seen: !llvm.ptr) {
  %n = llvm.mlir.constant(COUNT : i32) : i32
  %s = llvm.alloca %n x E : (i32) -> !llvm.ptr
  %0 = llvm.call @MPI_WaitARGUMENTS -> i32
  %1 = llvm.load %s : !llvm.ptr -> E
  %2 = llvm.load %seen : !llvm.ptr -> E
  %3 = llvm.add %1, %2 : E
  llvm.store %3, %seen : E, !llvm.ptr
  llvm.return
}
"""
_DOUBLE = """\
llvm.func @double(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> E
  %1 = llvm.add %0, %0 : E
  llvm.store %1, %p : E, !llvm.ptr
  llvm.return
}
"""


def made_up(name: str, types: tuple[Type, ...], element: str, *, resets: bool) -> tuple[str, ...]:
    """The symbols of the wrapper `name`: itself, and the function of MPI that it calls.

    `resets`: a wait leaves zeros in place of its requests. (A function that two wrappers need is written once.)
    """
    count = types[0].size
    if name == "double":
        made = [_DOUBLE]
    elif name in _STARTS:
        made = [_START.replace("NAME", name), _STARTS[name]]
    elif count == 1:
        reset = "  %z = llvm.mlir.constant(0 : E) : E\n  llvm.store %z, %r : E, !llvm.ptr\n" if resets else ""
        made = [_wait(name, count, "(%r, %s) : (!llvm.ptr, !llvm.ptr)"), _ONE.replace("RESET", reset)]
    else:
        reset = "  llvm.store %zero, %p : E, !llvm.ptr\n" if resets else ""
        arguments = "all(%n, %r, %s) : (i32, !llvm.ptr, !llvm.ptr)"
        made = [_wait(name, count, arguments), _ALL.replace("RESET", reset)]
    return tuple(text.replace(" E", f" {element}").replace("(E", f"({element}") for text in made)


def _wait(name: str, count: int, arguments: str) -> str:
    return _WAIT.replace("NAME", name).replace("COUNT", str(count)).replace("ARGUMENTS", arguments)
