"""Odd shapes of modules: what no compiler prints, and what an analysis that grows faster than its input chokes on."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

IN_PLACE = (
    "<output_operand_aliases = [#stablehlo.output_operand_alias"
    "<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]>"
)
DOUBLE = """  llvm.func @double(%arg0: !llvm.ptr) {
    %0 = llvm.load %arg0 : !llvm.ptr -> f64
    %1 = llvm.fadd %0, %0 : f64
    llvm.store %1, %arg0 : f64, !llvm.ptr
    llvm.return
  }
"""


EXCHANGE = """  llvm.func @MPI_Irecv(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.func @MPI_Wait(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @receive(%buffer: !llvm.ptr, %request: !llvm.ptr) {
    %n = llvm.mlir.constant(1 : i32) : i32
    %p = llvm.mlir.zero : !llvm.ptr
    %0 = llvm.call @MPI_Irecv(%buffer, %n, %p, %n, %n, %p, %request)
        : (!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }
  llvm.func @wait(%request: !llvm.ptr) {
    %p = llvm.mlir.zero : !llvm.ptr
    %0 = llvm.call @MPI_Wait(%request, %p) : (!llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }
"""
"""A nonblocking receive and its wait, both on scalars."""


def module(lines: list[str], functions: str = "") -> str:
    """A module of `@double`, other functions, and `@main` with these lines."""
    body = "".join(f"    {line}\n" for line in lines)
    return (
        f"module {{\n{DOUBLE}{functions}  func.func @main(%x: tensor<f64>) -> tensor<f64> {{\n{body}"
        "    return %x : tensor<f64>\n  }\n}\n"
    )


def call(result: str, operand: str, flags: str = "", wrapper: str = "double") -> str:
    aliases = IN_PLACE.replace("]>]>", f"]>]{flags}>")
    return f"{result} = enzymexla.jit_call @{wrapper} ({operand}) {aliases} : (tensor<f64>) -> tensor<f64>"


def behind_barriers(n: int) -> str:
    """A value that `n` calls use, each behind an operation with effects."""
    barrier = "stablehlo.custom_call @log(%x) {has_side_effect = true} : (tensor<f64>) -> tensor<f64>"
    lines = [call("%0", "%x")]
    for number in range(n):
        lines += [f"%b{number} = {barrier}", call(f"%c{number}", "%0")]
    return module(lines)


def sinking(n: int) -> str:
    """A chain in which every result but the last has a pure user that must come after the fused call."""
    lines, last = [], "%x"
    for number in range(n):
        lines += [
            f"%p{number} = stablehlo.negate %x : tensor<f64>",
            call(f"%c{number}", last),
        ]
        last = f"%c{number}"
    return module(lines)


def requests(n: int) -> str:
    """Receives that are all open together, with a region as long behind them, and then their waits in the same order;
    each wait hands its request on, and nothing needs the buffers."""
    types = "(tensor<f64>, tensor<f64>)"
    both = IN_PLACE.replace("indices = [], operand_index", "indices = [0], operand_index", 1)
    both = both.replace("]>]>", f"]>, {both[len('<output_operand_aliases = [') : -2].replace('[0]', '[1]')}]>")
    both = both.replace("[1], operand_index = 0", "[1], operand_index = 1")
    lines, last = [], "%x"
    for number in range(n):
        lines += [f"%r{number}:2 = enzymexla.jit_call @receive (%x, {last}) {both} : {types} -> {types}"]
        last = f"%r{number}#1"
    held = "\n".join(f"  %m{number} = stablehlo.add %r{number}#1, %a : tensor<f64>" for number in range(n))
    region = f"({{\n^bb0(%a: tensor<f64>):\n{held}\n  stablehlo.return %a : tensor<f64>\n}})"
    lines.append(f'%z = "stablehlo.map"(%x) {region} : (tensor<f64>) -> tensor<f64>')
    lines += [call(f"%w{number}", f"%r{number}#1", wrapper="wait") for number in range(n)]
    return module(lines, EXCHANGE)


def side_by_side(n: int) -> str:
    """Pairs of effect-free calls, all first calls before all second ones: every group reaches over every other."""
    free = ", xla_side_effect_free"
    first = [call(f"%a{number}", "%x", free) for number in range(n)]
    return module(first + [call(f"%b{number}", f"%a{number}", free) for number in range(n)])


READ = """  llvm.func @read(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
    %0 = llvm.load %arg1 : !llvm.ptr -> f64
    llvm.store %0, %arg0 : f64, !llvm.ptr
    llvm.return
  }
"""


def one_value(n: int) -> str:
    """One value that `n` calls of a component read and `n` overwrite, by turns."""
    lines = [call("%v", "%x")]
    for i in range(n):
        lines.append(call(f"%o{i}", "%v"))
        last = f"%r{i - 1}" if i else "%x"
        lines.append(
            call(f"%r{i}", f"{last}, %v", wrapper="read").replace("(tensor<f64>) ->", "(tensor<f64>, tensor<f64>) ->")
        )
    return module(lines, READ)


PAIR = [call("%a", "%x"), call("%b", "%a")]
NEGATE = """  func.func private @last(%x: tensor<f64>) -> tensor<f64> {
    %0 = stablehlo.negate %x : tensor<f64>
    return %0 : tensor<f64>
  }
"""


def pairs(n: int, end: str = "") -> list[str]:
    """`n` groups of two calls, `end` behind each first one."""
    return [line for i in range(n) for line in (call(f"%a{i}", "%x") + end, call(f"%b{i}", f"%a{i}"))]


def chained(n: int, named: str = "double") -> list[str]:
    """`n` calls, each on the result of the one before; `named` may have a place for the number of the call."""
    return [call(f"%c{i}", f"%c{i - 1}" if i else "%x", wrapper=named.format(i)) for i in range(n)]


def calling(name: str, *others: str) -> str:
    """A wrapper that calls others."""
    calls = "".join(f"    llvm.call @{other}(%arg0) : (!llvm.ptr) -> ()\n" for other in others)
    return f"  llvm.func @{name}(%arg0: !llvm.ptr) {{\n{calls}    llvm.return\n  }}\n"


def wrappers_that_call_one_another(n: int) -> str:
    return module(chained(n, "w{}"), "".join(calling(f"w{i}", f"w{i - 1}" if i else "double") for i in range(n)))


def pairs_of_such_wrappers(n: int, *last: str) -> str:
    """Two calls of each; a wrapper can be left over only where no call names the one that it calls any more."""
    lines = [
        line
        for i in range(n)
        for line in (call(f"%a{i}", "%x", wrapper=f"w{i}"), call(f"%b{i}", f"%a{i}", wrapper=f"w{i}"))
    ]
    return module([*lines, *last], "".join(calling(f"w{i}", f"w{i - 1}" if i else "double") for i in range(n)))


def wrappers_in_a_ring(n: int) -> str:
    wrappers = (calling(f"w{i}", f"w{(i + 1) % n}", f"w{(i + 7) % n}") for i in range(n))
    return module(chained(n, "w{}"), "".join(wrappers))


def equal_wrappers(n: int) -> str:
    return module(chained(n, "w{}"), "".join(DOUBLE.replace("@double", f"@w{i}") for i in range(n)))


def unused_wrappers(n: int) -> str:
    return module(PAIR, "".join(calling(f"w{i}", f"w{i + 1}" if i < n - 1 else "double") for i in range(n)))


def functions_in_a_chain(n: int, last: str = "last") -> str:
    """Calls of functions between JIT calls; each function calls the next."""
    names = [*(f"f{i}" for i in range(n)), last]
    functions = "".join(
        NEGATE.replace("@last", f"@{name}")
        .replace("stablehlo.negate %x", f"func.call @{called}(%x)")
        .replace(": tensor<f64>\n    return", ": (tensor<f64>) -> tensor<f64>\n    return")
        for name, called in pairwise(names)
    )
    between = [f"%p{i} = func.call @f{i}(%x) : (tensor<f64>) -> tensor<f64>" for i in range(n)]
    lines = [line for pair in zip(between, chained(n), strict=True) for line in pair]
    return module(lines, functions + NEGATE)


def functions_in_a_ring(n: int) -> str:
    return functions_in_a_chain(n, "f0")


def modules(n: int) -> str:
    """Modules side by side, each with a wrapper of the same name."""
    return "module {\n" + module(PAIR) * n + "}\n"


def splits(n: int) -> str:
    return "// -----\n".join([module(PAIR)] * n)


def regions_of_one_operation(n: int) -> str:
    region = "\n".join(["{", *PAIR, "}"])
    return module([f'"my.op"() ({", ".join([region] * n)}) : () -> ()'])


def blocks(n: int) -> str:
    lines = []
    for i in range(n):
        lines += [f"cf.br ^b{i}(%x : tensor<f64>)", f"^b{i}(%y{i}: tensor<f64>):"]
        lines += [call(f"%a{i}", f"%y{i}"), call(f"%b{i}", f"%a{i}")]
    return module(lines)


def undefined_operands(n: int) -> str:
    return module([line.replace("(%x)", f"(%u{number})") for number, line in enumerate(pairs(n))])


def overwritten(n: int) -> str:
    """A chain each of whose values is needed after the next call has overwritten it."""
    return module(chained(n) + [f"%n{i} = stablehlo.negate %c{i} : tensor<f64>" for i in range(n)])


def codes(n: int) -> str:
    """Codes in one suppression, half of them of no rule."""
    return module([f"// jitlint: ignore[{', '.join(('JIT102', f'JIT8{i:05}')[i % 2] for i in range(n))}]", *PAIR])


def suppressions(n: int) -> str:
    """Suppressions for the file, for lines and for nothing, and as many groups."""
    everywhere = "// jitlint: ignore-file[JIT102]\n" * n
    return everywhere + module(["// jitlint: ignore[JIT403]"] * n + pairs(n, " // jitlint: ignore[JIT001]"))


def aliases(n: int) -> str:
    types = "".join(f"!t{i} = tensor<f64>\n" for i in range(n))
    return types + module([line.replace("tensor<f64>", f"!t{i // 2}") for i, line in enumerate(pairs(n))])


def types(n: int) -> str:
    lines = [line.replace("tensor<f64>", f"tensor<{i // 2}xf64>") for i, line in enumerate(pairs(n))]
    lines = [line.replace("(%x)", f"(%x{i // 2})") for i, line in enumerate(lines)]
    return module([f"%x{i} = stablehlo.constant dense<0.0> : tensor<{i}xf64>" for i in range(n)] + lines)


def attributes(n: int) -> str:
    """A call and a wrapper with as many attributes."""
    some = ", ".join(f"a{i} = {i} : i64" for i in range(n))
    text = module([f"{PAIR[0].partition(' : ')[0]} {{{some}}} : (tensor<f64>) -> tensor<f64>", PAIR[1]])
    return text.replace("!llvm.ptr) {", f"!llvm.ptr) attributes {{{some}}} {{")


def parameters(n: int) -> str:
    """Two calls of a wrapper that writes through all its parameters."""
    named = ", ".join(f"%arg{i}: !llvm.ptr" for i in range(n))
    stores = "".join(f"    llvm.store %0, %arg{i} : f64, !llvm.ptr\n" for i in range(n))
    body = f"    %0 = llvm.mlir.constant(1.0 : f64) : f64\n{stores}    llvm.return\n"
    entry = (
        "#stablehlo.output_operand_alias<output_tuple_indices = [{0}], operand_index = {0}, operand_tuple_indices = []>"
    )
    said = f"<output_operand_aliases = [{', '.join(map(entry.format, range(n)))}]>"
    tensors = f"({', '.join(['tensor<f64>'] * n)})"
    operands = [", ".join(["%x"] * n), ", ".join(f"%a#{i}" for i in range(n))]
    lines = [
        f"{result}:{n} = enzymexla.jit_call @w ({given}) {said} : {tensors} -> {tensors}"
        for result, given in zip(("%a", "%b"), operands, strict=True)
    ]
    return module(lines, f"  llvm.func @w({named}) {{\n{body}  }}\n")


def views(n: int) -> str:
    """A wrapper that stores through a long chain of casts."""
    casts = [f"%{i + 1} = llvm.bitcast {f'%{i}' if i else '%arg0'} : !llvm.ptr to !llvm.ptr" for i in range(n)]
    body = "\n".join([*casts, f"%c = llvm.mlir.constant(1.0 : f64) : f64\nllvm.store %c, %{n} : f64, !llvm.ptr"])
    return module(PAIR).replace("    llvm.return", f"{body}\n    llvm.return")


def deep(n: int) -> str:
    """The calls in regions within one another."""
    opened = [f"%r{i} = scf.if %x -> (tensor<f64>) {{" for i in range(n)]
    return module([*opened, *PAIR, *["scf.yield %x : tensor<f64>\n}"] * n])


SHAPES: dict[str, Callable[[int], str]] = {
    make.__name__: make
    for make in (
        *(behind_barriers, sinking, requests, side_by_side, one_value, overwritten, undefined_operands),
        *(wrappers_that_call_one_another, pairs_of_such_wrappers, wrappers_in_a_ring, equal_wrappers),
        *(unused_wrappers, views, parameters, functions_in_a_chain, functions_in_a_ring),
        *(modules, splits, blocks, regions_of_one_operation, deep, aliases, types, attributes, codes, suppressions),
    )
}
"""The text of each shape at a size."""
