"""Random exchanges whose MPI is played by functions of the module, at once and in a way that shows in numbers.

A receive puts a number made of its source and its tag into the buffer, a request is a number too, and a wait adds what
it saw of its requests to a buffer of its own. So the order of calls that no value ties does not show, and every byte
that a fix moves does.
"""

from __future__ import annotations

from random import Random

from tests.plumbing.programs import program

MPI = """
llvm.func @MPI_Irecv(%b: !llvm.ptr, %n: i32, %t: !llvm.ptr, %from: i32, %tag: i32, %c: !llvm.ptr, %r: !llvm.ptr)
    -> i32 {
  %k = llvm.mlir.constant(7 : i32) : i32
  %0 = llvm.mul %from, %k : i32
  %1 = llvm.add %0, %tag : i32
  llvm.store %1, %b : i32, !llvm.ptr
  %2 = llvm.add %1, %from : i32
  llvm.store %2, %r : i32, !llvm.ptr
  llvm.return %k : i32
}
llvm.func @MPI_Isend(%b: !llvm.ptr, %n: i32, %t: !llvm.ptr, %to: i32, %tag: i32, %c: !llvm.ptr, %r: !llvm.ptr) -> i32 {
  %0 = llvm.load %b : !llvm.ptr -> i32
  %1 = llvm.sub %0, %to : i32
  llvm.store %1, %r : i32, !llvm.ptr
  llvm.return %tag : i32
}
llvm.func @MPI_Wait(%r: !llvm.ptr, %s: !llvm.ptr) -> i32 {
  %k = llvm.mlir.constant(3 : i32) : i32
  %0 = llvm.load %r : !llvm.ptr -> i32
  %1 = llvm.mul %0, %k : i32
  llvm.store %1, %s : i32, !llvm.ptr
  llvm.return %k : i32
}
llvm.func @MPI_Waitall(%n: i32, %r: !llvm.ptr, %s: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %ten = llvm.mlir.constant(10 : i32) : i32
  llvm.br ^head(%zero, %zero : i32, i32)
^head(%i: i32, %sum: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %p = llvm.getelementptr %r[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %v = llvm.load %p : !llvm.ptr -> i32
  %m = llvm.mul %sum, %ten : i32
  %t = llvm.add %m, %v : i32
  %j = llvm.add %i, %one : i32
  llvm.br ^head(%j, %t : i32, i32)
^end:
  llvm.store %sum, %s : i32, !llvm.ptr
  llvm.return %zero : i32
}
"""
_START = """
llvm.func @{name}(%b: !llvm.ptr, %other: !llvm.ptr, %tag: !llvm.ptr, %r: !llvm.ptr) {{
  %n = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.load %other : !llvm.ptr -> i32
  %1 = llvm.load %tag : !llvm.ptr -> i32
  %2 = llvm.call @MPI_I{name}(%b, %n, %p, %0, %1, %p, %r)
    : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}}
"""
_WAIT = """
llvm.func @wait{count}(%r: !llvm.ptr, %seen: !llvm.ptr) {{
  %n = llvm.mlir.constant({count} : i32) : i32
  %s = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %0 = llvm.call @MPI_Wait{call}
  %1 = llvm.load %s : !llvm.ptr -> i32
  %2 = llvm.load %seen : !llvm.ptr -> i32
  %3 = llvm.add %1, %2 : i32
  llvm.store %3, %seen : i32, !llvm.ptr
  llvm.return
}}
"""
WRAPPERS = MPI + _START.format(name="recv") + _START.format(name="send")
WRAPPERS += _WAIT.format(count=1, call="(%r, %s) : (!llvm.ptr, !llvm.ptr) -> i32")
for _count in (2, 3, 4):
    WRAPPERS += _WAIT.format(count=_count, call="all(%n, %r, %s) : (i32, !llvm.ptr, !llvm.ptr) -> i32")
WRITTEN = {"recv": (0, 3), "send": (3,), **{f"wait{count}": (1,) for count in (1, 2, 3, 4)}}


class _Body:
    """A body while it is made: its lines, and its values by the numbers that they hold (0 for a scalar)."""

    def __init__(self, chosen: Random) -> None:
        self.chosen = chosen
        self.lines: list[str] = []
        self.buffers = ["%x", "%y", "%z"]
        self.seen = ["%z"]
        self.requests: list[tuple[str, int]] = []
        self.made: list[tuple[str, int]] = []

    def make(self, steps: int) -> str:
        """The module."""
        for _ in range(steps):
            self.chosen.choice(
                [self.start, self.start, self.view, self.gather, self.part, self.wait, self.wait, self.use]
            )()
        returned = dict.fromkeys([*((name, 0) for name in self.seen[1:]), *self._some(self.made)])
        values = ", ".join(f"{name}: {_type(size)}" for name, size in returned)
        return program("\n".join(self.lines), values or "%x: T", own=WRAPPERS, written=WRITTEN)

    def start(self) -> None:
        """Receive or send; a request may be made in the memory of an old one."""
        name, buffer = self._new(), self.chosen.choice(self.buffers)
        other, tag = self.chosen.choice(["%x", "%y"]), self.chosen.choice(["%y", "%z"])
        old = self.chosen.choice(["%z", *(name for name, size in self.requests if size == 0)])
        what = self.chosen.choice(["recv", "recv", "send"])
        several = what == "recv"
        self.lines.append(f"{name}{':2' if several else ''} = @{what}({buffer}: T, {other}: T, {tag}: T, {old}: T)")
        if several:
            self.buffers.append(f"{name}#0")
            self.made.append((f"{name}#0", 0))
        self._add(f"{name}#1" if several else name, 0)

    def view(self) -> None:
        """Another shape of a request, or a barrier for two."""
        if not self.requests:
            return
        (value, size), name = self.chosen.choice(self.requests), self._new()
        if self.chosen.random() < 0.3:
            other, other_size = self.chosen.choice([*self.requests, *((buffer, 0) for buffer in self.buffers)])
            self.lines.append(f"{name}:2 = optimization_barrier {value}, {other} : {_type(size)}, {_type(other_size)}")
            self._add(f"{name}#0", size)
            if (other, other_size) in self.requests:
                self._add(f"{name}#1", other_size)
            else:
                self.buffers.append(f"{name}#1")
        elif size == 0:
            how = self.chosen.choice(["reshape {}", "broadcast_in_dim {}, dims = []"]).format(value)
            self.lines.append(f"{name} = {how} : (T) -> T1")
            self._add(name, 1)
        elif size == 1:
            self.lines.append(f"{name} = reshape {value} : (T1) -> T")
            self._add(name, 0)

    def gather(self) -> None:
        """Several requests in one tensor."""
        if not self.requests:
            return
        taken = [
            self._with_dimension(*self.chosen.choice(self.requests[-6:])) for _ in range(self.chosen.randint(2, 4))
        ]
        size = sum(each for _, each in taken)
        if size <= 4:
            name, types = self._new(), ", ".join(_type(each) for _, each in taken)
            names = ", ".join(value for value, _ in taken)
            self.lines.append(f"{name} = concatenate {names}, dim = 0 : ({types}) -> {_type(size)}")
            self._add(name, size)

    def _with_dimension(self, value: str, size: int) -> tuple[str, int]:
        """A request as one of a tensor."""
        if size:
            return value, size
        name = self._new()
        self.lines.append(f"{name} = broadcast_in_dim {value}, dims = [] : (T) -> T1")
        self._add(name, 1)
        return name, 1

    def part(self) -> None:
        """Some of several requests."""
        several = [each for each in self.requests if each[1] > 1]
        if several:
            (value, size), name = self.chosen.choice(several), self._new()
            first = self.chosen.randrange(size)
            last = self.chosen.randint(first + 1, size)
            self.lines.append(f"{name} = slice {value} [{first}:{last}] : ({_type(size)}) -> {_type(last - first)}")
            self._add(name, last - first)

    def wait(self) -> None:
        """Wait for a request or for several."""
        if self.requests:
            several = [each for each in self.requests if each[1] > 1]
            known = several if several and self.chosen.random() < 0.6 else self.requests
            (value, size), name, seen = self.chosen.choice(known), self._new(), self.chosen.choice(self.seen)
            self.lines.append(f"{name} = @wait{size or 1}({value}: {_type(size)}, {seen}: T)")
            self.seen.append(name)

    def use(self) -> None:
        """Something else: a call that may be in the way, or an operation on a buffer or a request."""
        name = self._new()
        if self.chosen.random() < 0.4:
            self.lines.append(f"{name} = @double({self.chosen.choice(self.buffers)}: T)")
            self.buffers.append(name)
            self.made.append((name, 0))
            return
        value, size = self.chosen.choice([*self.requests, *((buffer, 0) for buffer in self.buffers)])
        self.lines.append(f"{name} = negate {value} : {_type(size)}")
        self.made.append((name, size))
        if size == 0:
            self.buffers.append(name)

    def _new(self) -> str:
        return f"%v{len(self.lines)}"

    def _add(self, name: str, size: int) -> None:
        self.requests.append((name, size))
        self.made.append((name, size))

    def _some(self, values: list[tuple[str, int]]) -> list[tuple[str, int]]:
        return [each for each in values if self.chosen.random() < 0.3]


def _type(size: int) -> str:
    return f"T{size}" if size else "T"


def exchange(seed: int) -> str:
    """A random module with an exchange."""
    chosen = Random(seed)
    return _Body(chosen).make(chosen.randint(5, 16))
