"""The text of a wrapper: an `llvm.func` or a `func.func` that does the given steps."""

from __future__ import annotations

from tests.generator.body_text import Body
from tests.generator.model import Kind, Step, Type
from tests.generator.style import Style, symbol


def wrapper_text(
    name: str,
    kind: Kind,
    types: tuple[Type, ...],
    steps: tuple[Step, ...],
    effects: tuple[str, ...] | None,
    style: Style,
) -> tuple[str, ...]:
    """The symbols of a wrapper: itself, and its helpers and globals. `steps` are those besides `style.first`'s."""
    body = Body(name, kind, types, style)
    body.assembly()
    if style.first is not None:
        body.call(style.first)
    for step in steps:
        body.step(step)
    body.line("llvm.return" if kind == "llvm" else "return")
    written = {step.target for step in steps} | (style.first.written if style.first else set())
    header = _header(name, kind, types, written, effects, style)
    return (f"{header} {{\n" + "".join(body.lines) + "}\n", *body.symbols, *_comdat(name, style))


def _comdat(name: str, style: Style) -> tuple[str, ...]:
    if not style.comdat:
        return ()
    return (f"llvm.comdat {symbol(name + '_any')} {{\n  llvm.comdat_selector {symbol(name)} any\n}}\n",)


def _header(
    name: str, kind: Kind, types: tuple[Type, ...], written: set[int], effects: tuple[str, ...] | None, style: Style
) -> str:
    parameters = ", ".join(_parameter(index, kind, type_, index in written, style) for index, type_ in enumerate(types))
    attributes = [] if effects is None else [f"enzymexla.memory_effects = {_strings(effects)}"]
    attributes += [style.attribute] if style.attribute else []
    suffix = f" attributes {{{', '.join(attributes)}}}" if attributes else ""
    if kind == "llvm":
        comdat = f" comdat({symbol(name + '_any')}::{symbol(name)})" if style.comdat else ""
        return f"llvm.func {style.linkage}{style.convention}{symbol(name)}({parameters}){comdat}{suffix}"
    return f"func.func {'' if style.public else 'private '}{symbol(name)}({parameters}){suffix}"


def _parameter(index: int, kind: Kind, type_: Type, written: bool, style: Style) -> str:
    if kind == "memref":
        return f"%arg{index}: memref<{type_.inside}>"
    attribute = {
        "readonly": "" if written else " {llvm.readonly}",
        "effects": ' {enzymexla.memory_effects = ["read", "write"]}'
        if written
        else ' {enzymexla.memory_effects = ["read"]}',
        "noalias": " {llvm.noalias}" if written else " {llvm.noalias, llvm.nocapture}",
        None: "",
    }[style.parameters]
    return f"%arg{index}: !llvm.ptr{attribute}"


def _strings(words: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"
