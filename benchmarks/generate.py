"""Deterministic inputs for the benchmarks: MLIR text in the spelling that the engine reads, in chunks.

    python -m benchmarks.generate NAME SIZE [FILE]

writes one of them; `--help` names them.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import wrappers
from benchmarks.wrappers import in_place, receive_and_wait

Chunks = Iterator[str]

PURE_PER_GROUP = 20
"""Pure operations before each pair of calls, so that a group is 22 operations."""

_VECTOR = "tensor<5xf64>"
_UNARY = ("negate", "tanh", "abs", "cosine", "negate", "sqrt", "exponential", "abs")
_BINARY = ("add", "multiply", "maximum", "subtract")
_MAIN = f"  func.func @main(%arg0: {_VECTOR}) -> {_VECTOR} {{\n"
_SCALAR_MAIN = "  func.func @main(%arg0: tensor<f64>, %arg1: tensor<f64>) -> tensor<f64> {\n"


def _pure(number: int, before: str, earlier: str) -> str:
    """The pure operation that defines `%number`, in a fixed mix of operations with one and with two operands."""
    if number % 3 == 0:
        return f"    %{number} = stablehlo.{_BINARY[number // 3 % 4]} {before}, {earlier} : {_VECTOR}\n"
    return f"    %{number} = stablehlo.{_UNARY[number % 8]} {before} : {_VECTOR}\n"


def _pure_run(first: int, count: int, value: str) -> tuple[str, str]:
    """`count` pure operations from `%first` on, fed by `value`: their text, and the name of the last result."""
    lines = [f"    %{first} = stablehlo.transpose {value}, dims = [0] : ({_VECTOR}) -> {_VECTOR}\n"]
    earlier, before = value, f"%{first}"
    for number in range(first + 1, first + count):
        lines.append(_pure(number, before, earlier))
        earlier, before = before, f"%{number}"
    return "".join(lines), before


def _mpi_groups(count: int, value: str) -> Iterator[tuple[str, str]]:
    """The text of each of `count` groups in a row, and the name of the buffer that it received."""
    number = 0
    for _ in range(count):
        text, last = _pure_run(number, PURE_PER_GROUP, value)
        number += PURE_PER_GROUP
        value = f"%{number}#0"
        yield text + receive_and_wait(f"%{number}", last), value
        number += 1


def groups(n: int) -> Chunks:
    """One function of `n` groups: 20 pure operations, a receive and its wait."""
    yield "module {\n" + wrappers.MPI + _MAIN + wrappers.CONSTANTS
    buffer = "%arg0"
    for text, received in _mpi_groups(n, buffer):
        yield text
        buffer = received
    yield f"    return {buffer} : {_VECTOR}\n  }}\n}}\n"


def functions(n: int) -> Chunks:
    """`n` functions of one group each."""
    yield "module {\n" + wrappers.MPI
    for i in range(n):
        ((text, value),) = _mpi_groups(1, "%arg0")
        yield f"  func.func @f{i}(%arg0: {_VECTOR}) -> {_VECTOR} {{\n{wrappers.CONSTANTS}{text}"
        yield f"    return {value} : {_VECTOR}\n  }}\n"
    yield "}\n"


def chain(n: int) -> Chunks:
    """One chain of `n` calls, each on the result of the one before: one group."""
    yield "module {\n" + wrappers.DOUBLE + wrappers.ACCUMULATE + _SCALAR_MAIN
    value = "%arg0"
    for i in range(n):
        call = in_place(f"%{i}", "accumulate", value, "%arg1") if i % 2 else in_place(f"%{i}", "double", value)
        value = f"%{i}"
        yield "    " + call
    yield f"    return {value} : tensor<f64>\n  }}\n}}\n"


_ARGUMENT = re.compile(r"(%arg[0-9]+: [^ ,()]+(?: \{[^}]*\})?)(?=[,)])")


class _Locations:
    """The aliases of one module's locations, numbered as they are asked for."""

    def __init__(self) -> None:
        self.count = 0

    def next(self) -> str:
        self.count += 1
        return f"loc(#loc{self.count})"

    def table(self) -> Chunks:
        for number in range(1, self.count + 1):
            yield f'#loc{number} = loc("model.py":{number}:{4 + number % 60})\n'


def _with_locations(line: str, locations: _Locations) -> str:
    """`line` as the printer writes it with locations: at the end of an operation, and after each argument."""
    if line.endswith("{\n"):
        return _ARGUMENT.sub(lambda found: f"{found[1]} {locations.next()}", line)
    return f"{line[:-1]} {locations.next()}\n"


def located(n: int) -> Chunks:
    """`groups(n)` with a location on everything, and the table of their aliases at the end."""
    locations = _Locations()
    yield "#loc = loc(unknown)\n"
    for chunk in groups(n):
        yield "".join(_with_locations(line, locations) for line in chunk.splitlines(keepends=True))
    yield from locations.table()


def sparse(n: int) -> Chunks:
    """One block of `n` operations, the two in its middle calls of one group."""
    yield "module {\n" + wrappers.MPI + _MAIN + wrappers.CONSTANTS
    half = (n - 7) // 2
    text, value = _pure_run(0, half, "%arg0")
    yield text + receive_and_wait(f"%{half}", value)
    text, value = _pure_run(half + 1, n - 7 - half, f"%{half}#0")
    yield text
    yield f"    return {value} : {_VECTOR}\n  }}\n}}\n"


def constant(n: int) -> Chunks:
    """A constant of `n` megabytes of hexadecimal digits, and one group."""
    noise = random.Random(0)
    numbers = n * 1_000_000 // 16
    yield "module {\n" + wrappers.MPI + _MAIN + wrappers.CONSTANTS
    yield '    %cst = stablehlo.constant dense<"0x'
    for _ in range(numbers // 62_500):
        yield noise.randbytes(500_000).hex().upper()
    yield f'"> : tensor<{numbers}xf64>\n'
    yield f"    %0 = stablehlo.slice %cst [0:5] : (tensor<{numbers}xf64>) -> {_VECTOR}\n"
    yield f"    %1 = stablehlo.add %0, %arg0 : {_VECTOR}\n"
    yield receive_and_wait("%2", "%1")
    yield f"    return %2#0 : {_VECTOR}\n  }}\n}}\n"


def distinct_wrappers(n: int) -> Chunks:
    """`n` groups of two calls, no two calls of one wrapper."""
    yield "module {\n"
    for i in range(2 * n):
        yield wrappers.scale(f"scale_{i}", i + 2)
    yield _SCALAR_MAIN
    value = "%arg0"
    for i in range(n):
        yield f"    %{3 * i} = stablehlo.negate {value} : tensor<f64>\n"
        yield "    " + in_place(f"%{3 * i + 1}", f"scale_{2 * i}", f"%{3 * i}")
        yield "    " + in_place(f"%{3 * i + 2}", f"scale_{2 * i + 1}", f"%{3 * i + 1}")
        value = f"%{3 * i + 2}"
    yield f"    return {value} : tensor<f64>\n  }}\n}}\n"


def users(n: int) -> Chunks:
    """`n` users of one call's result; a second call, among them, reads it too: one group of two results."""
    yield "module {\n" + wrappers.DOUBLE + wrappers.ACCUMULATE + _SCALAR_MAIN
    yield "    " + in_place("%0", "double", "%arg0")
    value = "%arg1"
    for i in range(1, n + 1):
        if i == n // 2:
            yield "    " + in_place("%joined", "accumulate", "%arg1", "%0")
        yield f"    %{i} = stablehlo.add {value}, %0 : tensor<f64>\n"
        value = f"%{i}"
    yield f"    %{n + 1} = stablehlo.add {value}, %joined : tensor<f64>\n"
    yield f"    return %{n + 1} : tensor<f64>\n  }}\n}}\n"


NESTING = 20
"""Regions within one another in `nested`."""


def nested(n: int) -> Chunks:
    """`n` calls in nested regions: towers of 20 conditionals and loops by turns, each with a group of two."""
    yield "module {\n" + wrappers.DOUBLE + wrappers.ACCUMULATE
    yield "  func.func @main(%arg0: tensor<f64>, %arg1: tensor<i1>, %arg2: i1) -> tensor<f64> {\n"
    value = "%arg0"
    towers = -(-n // (2 * NESTING))
    for tower in range(towers):
        left = min(NESTING, n // 2 - tower * NESTING)
        yield _tower(f"t{tower}", left, value)
        value = f"%t{tower}_0"
    yield f"    return {value} : tensor<f64>\n  }}\n}}\n"


def _tower(name: str, height: int, value: str) -> str:
    """`height` regions within one another; the outermost operation's result is `%name_0`."""
    opening: list[str] = []
    closing: list[str] = []
    for level in range(height):
        indent = "    " + "  " * level
        result = f"%{name}_{level}"
        last = f"%{name}_{level + 1}" if level + 1 < height else f"{result}_b"
        head, value, tail = (_loop if level % 2 else _conditional)(result, value, last, indent)
        calls = in_place(f"{result}_a", "double", value) + f"{indent}  "
        calls += in_place(f"{result}_b", "accumulate", f"{result}_a", "%arg0")
        opening.append(f"{head}{indent}  {calls}")
        closing.append(tail)
        value = f"{result}_b"
    return "".join(opening) + "".join(reversed(closing))


def _conditional(result: str, value: str, last: str, indent: str) -> tuple[str, str, str]:
    """An `scf.if`: the text before its body, the value that the body starts from, the text after it."""
    head = f"{indent}{result} = scf.if %arg2 -> (tensor<f64>) {{\n"
    tail = f"{indent}  scf.yield {last} : tensor<f64>\n{indent}}} else {{\n"
    tail += f"{indent}  scf.yield {value} : tensor<f64>\n{indent}}}\n"
    return head, value, tail


def _loop(result: str, value: str, last: str, indent: str) -> tuple[str, str, str]:
    """A `stablehlo.while`, in the same three parts."""
    carried = f"{result}_i"
    head = f"{indent}{result} = stablehlo.while({carried} = {value}) : tensor<f64>\n"
    head += f"{indent}cond {{\n{indent}  stablehlo.return %arg1 : tensor<i1>\n{indent}}} do {{\n"
    tail = f"{indent}  stablehlo.return {last} : tensor<f64>\n{indent}}}\n"
    return head, carried, tail


@dataclass(frozen=True, slots=True)
class Input:
    """One generator and the size that the benchmarks use; `unit` says what the size counts."""

    make: Callable[[int], Chunks]
    size: int
    unit: str


INPUTS: dict[str, Input] = {
    "groups": Input(groups, 20_000, "groups"),
    "functions": Input(functions, 10_000, "functions"),
    "chain": Input(chain, 20_000, "calls"),
    "located": Input(located, 20_000, "groups"),
    "sparse": Input(sparse, 100_000, "operations"),
    "constant": Input(constant, 50, "MB"),
    "distinct_wrappers": Input(distinct_wrappers, 10_000, "groups"),
    "users": Input(users, 10_000, "users"),
    "nested": Input(nested, 10_000, "calls"),
}


def text_of(name: str, n: int) -> str:
    """The whole text of input `name` at size `n`; KeyError for an unknown name."""
    return "".join(INPUTS[name].make(n))


def write(path: Path, chunks: Iterable[str]) -> None:
    """Write `chunks` to `path`, one after the other."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(chunks)


def plain_module(number: int) -> Chunks:
    """A module of 40 operations without a JIT call."""
    text, value = _pure_run(0, 39, "%arg0")
    yield f"// the part of step {number} that calls nothing\nmodule {{\n{_MAIN}{text}"
    yield f"    return {value} : {_VECTOR}\n  }}\n}}\n"


def write_tree(folder: Path, files: int, module: Callable[[int], Chunks] = plain_module) -> None:
    """Write `module(0)`, `module(1)`, … to `files` files under `folder`, a hundred in a subfolder."""
    for number in range(files):
        place = folder / f"part_{number // 100:03}"
        place.mkdir(parents=True, exist_ok=True)
        write(place / f"step_{number:05}.mlir", module(number))


def main(arguments: list[str] | None = None) -> int:
    """Write one input to a file or to standard output."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generate", description="Write one benchmark input.")
    parser.add_argument("name", choices=INPUTS, help="which input")
    parser.add_argument("size", type=int, nargs="?", help="how large (default: as the benchmarks use it)")
    parser.add_argument("file", type=Path, nargs="?", help="where to (default: standard output)")
    given = parser.parse_args(arguments)
    chosen = INPUTS[given.name]
    chunks = chosen.make(chosen.size if given.size is None else given.size)
    if given.file is None:
        sys.stdout.writelines(chunks)
    else:
        write(given.file, chunks)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
