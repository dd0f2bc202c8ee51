"""Exchanges between neighbours as a compiler lowers them, and what they should give.

Each process has ten numbers. It sends `count` of them, one to each neighbour, and puts what it receives from each in
the place of its first `count` numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tests.texts import alias

CELLS = 10

_START = """\
  llvm.func @MPI_I{name}(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.func @{name}(%buffer: !llvm.ptr, %count: !llvm.ptr, %other: !llvm.ptr, %tag: !llvm.ptr, %request: !llvm.ptr) {{
    %world = llvm.mlir.addressof @MPI_COMM_WORLD : !llvm.ptr
    %double = llvm.mlir.addressof @MPI_DOUBLE : !llvm.ptr
    %0 = llvm.load %count : !llvm.ptr -> i32
    %1 = llvm.load %other : !llvm.ptr -> i32
    %2 = llvm.load %tag : !llvm.ptr -> i32
    %3 = llvm.call @MPI_I{name}(%buffer, %0, %double, %1, %2, %world, %request)
      : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }}
"""

_WRAPPERS = (
    _START.format(name="recv")
    + _START.format(name="send")
    + """\
  llvm.func @MPI_Wait(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @wait(%request: !llvm.ptr) {
    %one = arith.constant 1 : i32
    %status = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
    %0 = llvm.call @MPI_Wait(%request, %status) : (!llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }
  llvm.func @MPI_Waitall(i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.func @waitall(%count: !llvm.ptr, %requests: !llvm.ptr) {
    %0 = llvm.load %count : !llvm.ptr -> i32
    %statuses = llvm.alloca %0 x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
    %1 = llvm.call @MPI_Waitall(%0, %requests, %statuses) : (i32, !llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }
  llvm.func @MPI_Allreduce(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.func @allreduce(%from: !llvm.ptr, %to: !llvm.ptr, %count: !llvm.ptr) {
    %world = llvm.mlir.addressof @MPI_COMM_WORLD : !llvm.ptr
    %double = llvm.mlir.addressof @MPI_DOUBLE : !llvm.ptr
    %sum = llvm.mlir.addressof @MPI_SUM : !llvm.ptr
    %0 = llvm.load %count : !llvm.ptr -> i32
    %1 = llvm.call @MPI_Allreduce(%from, %to, %0, %double, %sum, %world)
      : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }
  llvm.mlir.global external constant @MPI_DOUBLE() {addr_space = 0 : i32} : !llvm.ptr
  llvm.mlir.global external constant @MPI_SUM() {addr_space = 0 : i32} : !llvm.ptr
  llvm.mlir.global external constant @MPI_COMM_WORLD() {addr_space = 0 : i32} : !llvm.ptr
"""
)

_LOCAL = re.compile(r"%(?!given|from\d|to\d|n\d|zero|handle|new_)(\w+)")
"""The names that an exchange defines, as they are when it is written once."""

I32, ONE = "tensor<i32>", "tensor<1xf64>"
STATE = f"tensor<{CELLS}xf64>"


class Exchange(NamedTuple):
    """`count` neighbours. `wait` tells how it is waited for: "all" together, "each" request, "nested" concatenations,
    "parts" of all requests. `offsets` has how far away the neighbours are, `shift` whether what goes to one comes from
    the opposite one. With `steps`, the exchange is the body of a loop, and doubles all numbers. It is written `times`
    times, one after the other."""

    wait: str
    offsets: tuple[int, ...]
    shift: bool = False
    reduces: bool = False
    steps: int = 0
    times: int = 1

    @property
    def count(self) -> int:
        """How many neighbours there are."""
        return len(self.offsets)

    @property
    def calls(self) -> int:
        """The JIT calls of the module."""
        requests = 2 * self.count
        waits = {"all": 1, "each": requests, "nested": 1, "parts": 2}[self.wait]
        return (requests + waits + self.reduces) * self.times

    def tags(self) -> list[int]:
        """The tag of what each neighbour sends here: the number of this process among its neighbours."""
        return [number if self.shift else self.offsets.index(self._back(at)) for number, at in enumerate(self.offsets)]

    def _back(self, offset: int) -> int:
        """The offset at which this process is to that neighbour: the same, where that is as far in both directions."""
        return -offset if -offset in self.offsets else offset

    def partners(self, rank: int, ranks: int) -> list[int]:
        """For each neighbour, the process that is received from, and the one that is sent to."""
        back = [-offset if self.shift else offset for offset in self.offsets]
        pairs = zip(back, self.offsets, strict=True)
        return [(rank + offset) % ranks for pair in pairs for offset in pair]

    def expected(self, states: Sequence[Sequence[float]]) -> list[list[float]]:
        """The numbers of all processes after the exchange."""
        ranks = len(states)
        now = [list(state) for state in states]
        for _ in range((self.steps or 1) * self.times):
            then = []
            for rank, state in enumerate(now):
                sources = self.partners(rank, ranks)[::2]
                got = [now[at][self.count + tag] for at, tag in zip(sources, self.tags(), strict=True)]
                total = [sum(each[-1] for each in now)] if self.reduces else []
                then.append([*got, *total, *state[len(got) + len(total) :]])
            now = [[2 * each for each in state] for state in then] if self.steps else then
        return now


def module(exchange: Exchange, request: str = "i32") -> str:
    """The module of an exchange. `request` is the type that MPI's requests have the size of."""
    names = [f"%{word}{number}" for number in range(exchange.count) for word in ("from", "to")]
    parameters = ", ".join([f"%given: {STATE}", *(f"{name}: {I32}" for name in names)])
    lines = [f"%n{number} = stablehlo.constant dense<{number}> : {I32}" for number in range(2 * exchange.count + 1)]
    lines += [
        f"%zero = stablehlo.constant dense<0.0> : {ONE}",
        f"%handle = stablehlo.constant dense<0> : tensor<{request}>",
    ]
    body = _body(exchange, request)
    if not exchange.steps:
        before = "%given"
        for number in range(exchange.times):
            lines += [_LOCAL.sub(rf"%\1_{number}", line.replace("%state", before)) for line in body]
            before = f"%new_{number}"
        lines.append(f"return {before} : {STATE}")
    else:
        lines += _loop(exchange.steps, body)
    main = "".join(f"    {line}\n" for line in lines)
    return f"module {{\n{_WRAPPERS}  func.func @main({parameters}) -> {STATE} {{\n{main}  }}\n}}\n"


def _loop(steps: int, body: list[str]) -> list[str]:
    return [
        f"%steps = stablehlo.constant dense<{steps}> : {I32}",
        f"%end:2 = stablehlo.while(%i = %n0, %state = %given) : {I32}, {STATE}",
        "cond {",
        f"  %more = stablehlo.compare LT, %i, %steps : ({I32}, {I32}) -> tensor<i1>",
        "  stablehlo.return %more : tensor<i1>",
        "} do {",
        *(f"  {line}" for line in body),
        f"  %twice = stablehlo.add %new, %new : {STATE}",
        f"  %next = stablehlo.add %i, %n1 : {I32}",
        f"  stablehlo.return %next, %twice : {I32}, {STATE}",
        "}",
        f"return %end#1 : {STATE}",
    ]


def _call(result: str, name: str, operands: Sequence[tuple[str, str]], written: Sequence[int] = ()) -> str:
    several = len(written) > 1
    aliases = ", ".join(alias(operand, place if several else None) for place, operand in enumerate(written))
    said = f" <output_operand_aliases = [{aliases}]>" if written else ""
    results = [operands[operand][1] for operand in written]
    left = f"{result}:{len(results)} = " if several else f"{result} = " if written else ""
    outcome = results[0] if len(results) == 1 else f"({', '.join(results)})"
    names, types = (", ".join(parts) for parts in zip(*operands, strict=True))
    return f"{left}enzymexla.jit_call @{name} ({names}){said} : ({types}) -> {outcome}"


def _slice(name: str, first: int, last: int) -> str:
    return f"{name} = stablehlo.slice %state [{first}:{last}] : ({STATE}) -> tensor<{last - first}xf64>"


def _body(exchange: Exchange, request: str) -> list[str]:
    count, tags, of_request = exchange.count, exchange.tags(), f"tensor<{request}>"
    lines = [_slice(f"%out{number}", count + number, count + number + 1) for number in range(count)]
    requests = []
    for number, tag in enumerate(tags):
        operands = [("%zero", ONE), ("%n1", I32), (f"%from{number}", I32), (f"%n{tag}", I32), ("%handle", of_request)]
        lines.append(_call(f"%in{number}", "recv", operands, (0, 4)))
        requests.append(f"%in{number}#1")
    for number in range(count):
        operands = [
            *((f"%out{number}", ONE), ("%n1", I32), (f"%to{number}", I32), (f"%n{number}", I32)),
            ("%handle", of_request),
        ]
        lines.append(_call(f"%sent{number}", "send", operands, (4,)))
        requests.append(f"%sent{number}")
    pieces = [f"%in{number}#0" for number in range(count)]
    types = [ONE] * count
    if exchange.reduces:
        lines.append(_slice("%last", CELLS - 1, CELLS))
        lines.append(_call("%total", "allreduce", [("%last", ONE), ("%zero", ONE), ("%n1", I32)], (1,)))
        pieces.append("%total")
        types.append(ONE)
    lines += _waits(exchange.wait, requests, request)
    lines.append(_slice("%rest", len(pieces), CELLS))
    types.append(f"tensor<{CELLS - len(pieces)}xf64>")
    joined = ", ".join([*pieces, "%rest"])
    lines.append(f"%new = stablehlo.concatenate {joined}, dim = 0 : ({', '.join(types)}) -> {STATE}")
    return lines


def _waits(how: str, requests: Sequence[str], request: str) -> list[str]:
    one, several, total = f"tensor<1x{request}>", f"tensor<{{}}x{request}>", len(requests)
    if how == "each":
        return [_call("", "wait", [(each, f"tensor<{request}>")]) for each in requests]
    lines = [
        f"%r{place} = stablehlo.broadcast_in_dim {each}, dims = [] : (tensor<{request}>) -> {one}"
        for place, each in enumerate(requests)
    ]
    if how == "nested":
        for place in range(1, total):
            before, size = f"%q{place - 1}" if place > 1 else "%r0", several.format(place)
            lines.append(
                f"%q{place} = stablehlo.concatenate {before}, %r{place}, dim = 0"
                f" : ({size}, {one}) -> {several.format(place + 1)}"
            )
        return [*lines, _call("", "waitall", [(f"%n{total}", I32), (f"%q{total - 1}", several.format(total))])]
    names = ", ".join(f"%r{place}" for place in range(total))
    types = ", ".join([one] * total)
    lines.append(f"%all = stablehlo.concatenate {names}, dim = 0 : ({types}) -> {several.format(total)}")
    if how == "all":
        return [*lines, _call("", "waitall", [(f"%n{total}", I32), ("%all", several.format(total))])]
    half = total // 2
    whole, part = several.format(total), several.format(half)
    return [
        *lines,
        f"%some = stablehlo.slice %all [0:{half}] : ({whole}) -> {part}",
        f"%others = stablehlo.slice %all [{half}:{total}] : ({whole}) -> {part}",
        _call("", "waitall", [(f"%n{half}", I32), ("%some", part)]),
        _call("", "waitall", [(f"%n{half}", I32), ("%others", part)]),
    ]
