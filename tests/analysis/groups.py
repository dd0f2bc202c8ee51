"""Small modules in few words, and what a fix makes of them: for tests of what may be one call."""

from __future__ import annotations

import re

from jitlint import api
from tests.engine.spelling import count_calls
from tests.texts import alias

T, M = "tensor<f64>", "tensor<2x3xf64>"

_LINE = re.compile(r"(?:(%\w+)(?::\d)? = )?(\w+) ([^:{]*?)(?: \{(.*)\})?(?: : (\S+))?")


def wrapper(name: str, *written: int, count: int = 1, words: str = "", attributes: str = "", more: str = "") -> str:
    """An `llvm.func` of `count` buffers that stores a number made of what the first holds to those that are written."""
    parameters = ", ".join(f"%p{number}: !llvm.ptr" for number in range(count))
    after = f" attributes {{{attributes}}}" if attributes else ""
    stores = "".join(f"  llvm.store %1, %p{number} : f64, !llvm.ptr\n" for number in written)
    body = "  %0 = llvm.load %p0 : !llvm.ptr -> f64\n  %1 = llvm.fadd %0, %0 : f64\n" if count else ""
    return f"llvm.func {words}@{name}({parameters}){after} {{\n{body}{stores}{more}  llvm.return\n}}\n"


FREE = "enzymexla.memory_effects = []"
WRAPPERS = {
    "act": (wrapper("act", 0), (0,)),
    "free": (wrapper("free", 0, attributes=FREE), (0,)),
    "xim": (wrapper("xim", 1, count=2, attributes=FREE), (1,)),
    "mix": (wrapper("mix", 0, count=2, attributes=FREE), (0,)),
    "both": (wrapper("both", 0, 1, count=2, attributes=FREE), (0, 1)),
    "read": (wrapper("read", count=1), ()),
    "hidden": (wrapper("hidden", 0, 1, 2, count=3, attributes=FREE), (0,)),
}
"""Wrappers, and the operands that the results of their calls alias: `hidden` writes two more."""


def call(result: str | None, name: str, operands: str, entries: str | None, of_type: str) -> str:
    """A call; its results alias the operands that the table says. Raises ValueError for a result that it has not."""
    written = WRAPPERS[name][1] if name in WRAPPERS else (0,)
    if result is not None and not written:
        raise ValueError(f"{result}: @{name} gives nothing")
    count = operands.count("%")
    aliases = ", ".join(alias(operand, place if len(written) > 1 else None) for place, operand in enumerate(written))
    said = [f"output_operand_aliases = [{aliases}]"] if written else []
    said += [entries] if entries else []
    operand_types = of_type.split(",") if "," in of_type else [of_type] * count
    types = ", ".join(operand_types[operand] for operand in written)
    left = "" if result is None else f"{result}:{len(written)} = " if len(written) > 1 else f"{result} = "
    properties = f" <{', '.join(said)}>" if said else ""
    outcome = types if len(written) == 1 else f"({types})"
    return f"{left}enzymexla.jit_call @{name} ({operands}){properties} : ({', '.join(operand_types)}) -> {outcome}"


def module(body: str, returned: str = "", *, own: str = "", head: str = "") -> str:
    """A module whose `@main` has these lines: `%r = free %x` is a call, `{…}` behind it more of its properties and
    `: T,M` other types than `tensor<f64>`; any other line stands as it is."""
    known = {**{name: text for name, (text, _) in WRAPPERS.items()}}
    known.update(dict.fromkeys(re.findall(r"func [^@\n]*@(\w+)", own), ""))
    lines, used = [], dict[str, str]()
    for line in body.strip().splitlines():
        match = _LINE.fullmatch(line.strip())
        if match and match[2] in known:
            used[match[2]] = known[match[2]]
            line = call(match[1], match[2], match[3], match[4], match[5] or T)
        lines.append(f"  {line.strip()}\n")
    values = returned.split()
    types = [M if value.startswith("%m") else T for value in values]
    outcome = f" -> ({', '.join(types)})" if types else ""
    lines.append(f"  return {', '.join(values)} : {', '.join(types)}\n" if values else "  return\n")
    parameters = f"%x: {T}, %y: {T}, %z: {T}, %m: {M}, %c: i1"
    return f"{head}{own}{''.join(used.values())}func.func @main({parameters}){outcome} {{\n{''.join(lines)}}}\n"


def left(text: str, **options: object) -> int:
    """The calls that are left after a fix, which must leave nothing more to fix."""
    fixed = api.fix(text, **options).source.text  # type: ignore[arg-type]
    assert api.fix(fixed, **options).source.text == fixed  # type: ignore[arg-type]
    return count_calls(fixed)


def groups(text: str) -> list[list[str]]:
    """The groups that a check finds, by the wrappers of their calls."""
    found = [finding.group for finding in api.check(text).findings if finding.code == "JIT001"]
    return [[call.callee for call in group.calls] for group in found if group is not None]


def codes(text: str) -> set[str]:
    """The codes of what is found."""
    return {finding.code for finding in api.check(text).findings}


def main_of(text: str) -> list[str]:
    """The lines of `@main` after a fix, calls cut short: the value, its wrapper and the operands."""
    fixed = api.fix(text).source.text
    body = fixed[fixed.index("func.func @main") :].splitlines()[1:-1]
    return [line.strip().partition(" <")[0].replace("enzymexla.jit_call ", "") for line in body]
