"""Modules for the proof's tests, from the part that matters: a wrapper's body, or the body of `@main`."""

from __future__ import annotations

import re

OUTSIDE = """\
llvm.func @outside(!llvm.ptr)
llvm.func @gives_address(!llvm.ptr) -> !llvm.ptr
llvm.func @gives_number(!llvm.ptr) -> f64
"""

WRAPPERS = """\
llvm.func @double(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %p : f64, !llvm.ptr
  llvm.return
}
llvm.func @add(%p: !llvm.ptr, %q: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = llvm.load %q : !llvm.ptr -> f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %p : f64, !llvm.ptr
  llvm.return
}
llvm.func @free(%p: !llvm.ptr) attributes {enzymexla.memory_effects = []} {
  %0 = llvm.load %p : !llvm.ptr -> f64
  %1 = llvm.fadd %0, %0 : f64
  llvm.store %1, %p : f64, !llvm.ptr
  llvm.return
}
llvm.func @receive(%p: !llvm.ptr) {
  llvm.call @outside(%p) : (!llvm.ptr) -> ()
  llvm.return
}
"""


def alias(result: str, operand: int) -> str:
    """An entry of `output_operand_aliases`; `result` is "" where there is one result."""
    indices = f"output_tuple_indices = [{result}], operand_index = {operand}, operand_tuple_indices = []"
    return f"#stablehlo.output_operand_alias<{indices}>"


def wrapped(body: str, aliased: tuple[int, ...] = (0,), declared: str = "", attributes: str = "") -> str:
    """A module whose `@main` passes `%a0` and `%a1` to a wrapper with this body, which knows them as `%p0` and `%p1`.

    The call has one result for each operand of `aliased`.
    """
    count, types = len(aliased), ", ".join(["tensor<4xf64>"] * len(aliased))
    aliases = ", ".join(alias(str(number) if count > 1 else "", at) for number, at in enumerate(aliased))
    results = ", ".join(f"%r#{number}" for number in range(count))
    return f"""{OUTSIDE}{declared}
llvm.func @w(%p0: !llvm.ptr, %p1: !llvm.ptr) {attributes} {{
{body}
  llvm.return
}}
func.func @main(%a0: tensor<4xf64>, %a1: tensor<4xf64>) -> ({types}) {{
  %r:{count} = enzymexla.jit_call @w (%a0, %a1) <output_operand_aliases = [{aliases}]>
      : (tensor<4xf64>, tensor<4xf64>) -> ({types})
  return {results} : {types}
}}
"""


def calling(body: str, types: str = "f64, f64", results: str = "f64", declared: str = "") -> str:
    """A module whose `@main` has this body, with tensors `%a0`, `%a1`, … of these types and `%c`, a boolean."""
    given = ", ".join(f"%a{number}: tensor<{each}>" for number, each in enumerate(types.split(", ")))
    taken = ", ".join(f"tensor<{each}>" for each in results.split(", "))
    head = f"func.func @main({given}, %c: tensor<i1>) -> ({taken})"
    return f"{OUTSIDE}{WRAPPERS}{declared}{head} {{\n{body}\n}}\n"


def call(wrapper: str, *operands: str, extra: str = "", in_place: bool = True) -> str:
    """A JIT call of a wrapper with scalars; its one result, if it has one, aliases the first operand."""
    types = ", ".join(["tensor<f64>"] * len(operands))
    aliases = f"output_operand_aliases = [{alias('', 0)}]" if in_place else ""
    result = "tensor<f64>" if in_place else "()"
    said = ", ".join(filter(None, [aliases, extra]))
    return f"enzymexla.jit_call @{wrapper} ({', '.join(operands)}) <{said}> : ({types}) -> {result}"


_PTR = "!llvm.ptr"
_SHORT = (
    (r"(%\w+) = load (%\w+)(?: (\w+))?", lambda m: f"{m[1]} = llvm.load {m[2]} : {_PTR} -> {m[3] or 'f64'}"),
    (r"store (%\w+) (%\w+)(?: (\S+))?", lambda m: f"llvm.store {m[1]}, {m[2]} : {m[3] or 'f64'}, {_PTR}"),
    (r"(%\w+) = at (%\w+) (\d+)", lambda m: f"{m[1]} = llvm.getelementptr {m[2]}[{m[3]}] : ({_PTR}) -> {_PTR}, f64"),
    (
        r"(%\w+) = at (%\w+) (%\w+)",
        lambda m: f"{m[1]} = llvm.getelementptr {m[2]}[{m[3]}] : ({_PTR}, i64) -> {_PTR}, f64",
    ),
    (r"(%\w+) = (-?\d+\.\S+)", lambda m: f"{m[1]} = llvm.mlir.constant({m[2]} : f64) : f64"),
    (
        r"(%\w+) = (-?\d+)(?: (\w+))?",
        lambda m: f"{m[1]} = llvm.mlir.constant({m[2]} : {m[3] or 'i64'}) : {m[3] or 'i64'}",
    ),
    (r"(%\w+) = (f\w+) (%\w+)", lambda m: f"{m[1]} = llvm.{m[2]} {m[3]} : f64"),
    (r"(%\w+) = (f\w+) (%\w+) (%\w+)", lambda m: f"{m[1]} = llvm.{m[2]} {m[3]}, {m[4]} : f64"),
    (r"(%\w+) = stack (\S+) (%\w+)", lambda m: f"{m[1]} = llvm.alloca {m[3]} x {m[2]} : (i64) -> {_PTR}"),
    (
        r"copy (%\w+) (%\w+) (%\w+)",
        lambda m: f'"llvm.intr.memcpy"({m[1]}, {m[2]}, {m[3]}) <{{isVolatile = false}}> : ({_PTR}, {_PTR}, i64) -> ()',
    ),
    (r"call (@\w+) (%\w+)", lambda m: f"llvm.call {m[1]}({m[2]}) : ({_PTR}) -> ()"),
    (r"(%\w+) = call (@\w+) (%\w+) (\S+)", lambda m: f"{m[1]} = llvm.call {m[2]}({m[3]}) : ({_PTR}) -> {m[4]}"),
)


def lines(short: str) -> str:
    """A wrapper's body in full: `%v = load %p0; store %v %p1; %e = at %p0 3; %k = 2.0; %n = fadd %v %k; call @f %p0;
    %c = stack f64 %one; copy %p0 %p1 %n`, numbers `f64` unless a type stands behind them. What is none of these stands
    as it is."""
    return "\n".join(_line(each.strip()) for each in re.split(r"[;\n]", short) if each.strip())


def _line(short: str) -> str:
    for pattern, full in _SHORT:
        if match := re.fullmatch(pattern, short):
            return full(match)
    return short
