"""Small modules with plumbing between calls, in few words.

In a body, `T` is `tensor<i32>`, `T4` `tensor<4xi32>` and `T1x4` `tensor<1x4xi32>`; `%r = @double(%a: T)` is a JIT call,
whose results alias the operands that its wrapper writes; `reshape`, `slice` and the like are StableHLO's.
"""

from __future__ import annotations

import re

from tests.texts import alias


def _weighted(name: str, count: int, more: str = "") -> str:
    """A wrapper that puts `count` numbers together, digit by digit, and adds them to its second buffer."""
    lines = [f"llvm.func @{name}(%v: !llvm.ptr, %to: !llvm.ptr){more} {{", "%s0 = llvm.load %to : !llvm.ptr -> i32"]
    for place in range(count):
        lines += [
            f"%p{place} = llvm.getelementptr %v[{place}] : (!llvm.ptr) -> !llvm.ptr, i32",
            f"%e{place} = llvm.load %p{place} : !llvm.ptr -> i32",
            f"%w{place} = llvm.mlir.constant({10 ** (count - place)} : i32) : i32",
            f"%m{place} = llvm.mul %e{place}, %w{place} : i32",
            f"%s{place + 1} = llvm.add %s{place}, %m{place} : i32",
        ]
    return "\n".join([*lines, f"llvm.store %s{count}, %to : i32, !llvm.ptr", "llvm.return", "}\n"])


def _count_up(name: str, count: int) -> str:
    """A wrapper that adds 1 to each of `count` numbers in place."""
    lines = [f"llvm.func @{name}(%v: !llvm.ptr) {{", "%one = llvm.mlir.constant(1 : i32) : i32"]
    for place in range(count):
        lines += [
            f"%p{place} = llvm.getelementptr %v[{place}] : (!llvm.ptr) -> !llvm.ptr, i32",
            f"%e{place} = llvm.load %p{place} : !llvm.ptr -> i32",
            f"%s{place} = llvm.add %e{place}, %one : i32",
            f"llvm.store %s{place}, %p{place} : i32, !llvm.ptr",
        ]
    return "\n".join([*lines, "llvm.return", "}\n"])


WRAPPERS: dict[str, tuple[str, tuple[int, ...]]] = {
    "double": (
        "llvm.func @double(%p: !llvm.ptr) {\n%0 = llvm.load %p : !llvm.ptr -> i32\n%1 = llvm.add %0, %0 : i32\n"
        "llvm.store %1, %p : i32, !llvm.ptr\nllvm.return\n}\n",
        (0,),
    ),
    "digits1": (_weighted("digits1", 1), (1,)),
    "digits2": (_weighted("digits2", 2), (1,)),
    "digits3": (_weighted("digits3", 3), (1,)),
    "digits4": (_weighted("digits4", 4), (1,)),
    "up1": (_count_up("up1", 1), (0,)),
    "up2": (_count_up("up2", 2), (0,)),
    "up4": (_count_up("up4", 4), (0,)),
}
"""Wrappers, and the operands that the results of their calls alias."""

_CALL = re.compile(r"(?:(%\w+)(?::\d)? = )?@(\w+)\(([^)]*)\)(?: \{(.*)\})?")
_TYPE = re.compile(r"(?<![\w%@.\"])T((?:\d+x)*\d+)?(?:_(\w+))?(?!\w)")
_NAMES = r"(?<![\w.@%\"])(reshape|broadcast_in_dim|concatenate|slice|optimization_barrier|negate|add|constant)\b"


def tensor(match: re.Match[str]) -> str:
    """`T4` as a tensor of `i32`, `T4_f64` as one of `f64`."""
    shape = f"{match[1]}x" if match[1] else ""
    return f"tensor<{shape}{match[2] or 'i32'}>"


def program(body: str, returned: str, *, own: str = "", written: dict[str, tuple[int, ...]] | None = None) -> str:
    """A module whose `@main` takes `%x`, `%y`, `%z` (`T`) and `%v` (`T4`) and has these lines.

    `returned` lists values with their types, as in `%a: T, %b: T4`. `own` are wrappers besides those above, `written`
    the operands that they write.
    """
    table = {name: places for name, (_, places) in WRAPPERS.items()} | (written or {})
    lines, used = [], dict[str, str]()
    for line in map(str.strip, body.strip().splitlines()):
        match = _CALL.fullmatch(line)
        if match:
            if match[2] in WRAPPERS:
                used[match[2]] = WRAPPERS[match[2]][0]
            line = _call(match, table[match[2]])
        lines.append(_TYPE.sub(tensor, re.sub(_NAMES, r"stablehlo.\1", line)))
    pairs = [pair.split(": ") for pair in returned.split(", ")] if returned else []
    types = [_TYPE.sub(tensor, of_type) for _, of_type in pairs]
    outcome = f" -> ({', '.join(types)})" if types else ""
    lines.append(f"return {', '.join(name for name, _ in pairs)} : {', '.join(types)}" if pairs else "return")
    parameters = _TYPE.sub(tensor, "%x: T, %y: T, %z: T, %v: T4")
    inside = "\n".join(lines)
    return f"module {{\n{own}{''.join(used.values())}func.func @main({parameters}){outcome} {{\n{inside}\n}}\n}}\n"


def _call(match: re.Match[str], written: tuple[int, ...]) -> str:
    pairs = [pair.split(": ") for pair in match[3].split(", ")]
    aliases = [alias(operand, place if len(written) > 1 else None) for place, operand in enumerate(written)]
    said = [f"output_operand_aliases = [{', '.join(aliases)}]"] if written else []
    said += [match[4]] if match[4] else []
    properties = f" <{', '.join(said)}>" if said else ""
    left = f"{match[1]}:{len(written)} = " if len(written) > 1 else f"{match[1]} = " if match[1] else ""
    types = [of_type for _, of_type in pairs]
    results = [types[operand] for operand in written]
    outcome = results[0] if len(results) == 1 else f"({', '.join(results)})"
    operands = ", ".join(name for name, _ in pairs)
    return f"{left}enzymexla.jit_call @{match[2]} ({operands}){properties} : ({', '.join(types)}) -> {outcome}"
