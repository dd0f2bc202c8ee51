"""The text of a wrapper: an `llvm.func` or a `func.func` that does the given steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.generator.model import Kind, Number, Step, Type


@dataclass(frozen=True, slots=True)
class Style:
    """How a wrapper does what it does."""

    constants: str = "llvm"
    branches: Literal["blocks", "scf"] = "blocks"
    alloca: Literal["static", "dynamic", "large"] | None = None
    """A sum goes through memory of its own; "large" is more than a cloned body may have."""
    helper: Literal["value", "pointer"] | None = None
    """A store goes through a function of the module: it computes the value, or it stores it."""
    global_kind: Literal["constant", "mutable"] | None = None
    """The first constant is read from a global."""
    linkage: str = ""
    convention: str = ""
    attribute: str | None = None
    parameters: Literal["readonly", "effects", "noalias"] | None = None
    names: str = "numbers"
    comments: bool = False


def wrapper_text(
    name: str,
    kind: Kind,
    types: tuple[Type, ...],
    steps: tuple[Step, ...],
    effects: tuple[str, ...] | None,
    style: Style,
) -> tuple[str, ...]:
    """The symbols of a wrapper: itself, and its helpers and globals."""
    writer = _Body(name, kind, types, style)
    for step in steps:
        writer.step(step)
    writer.line("llvm.return" if kind == "llvm" else "return")
    header = _header(name, kind, types, steps, effects, style)
    return (f"{header} {{\n" + "".join(writer.lines) + "}\n", *writer.symbols)


def symbol(name: str) -> str:
    """A reference to a symbol, quoted where it must be."""
    bare = name.replace(".", "_").replace("$", "_").isidentifier()
    return f"@{name}" if bare else f'@"{name}"'


def _header(
    name: str,
    kind: Kind,
    types: tuple[Type, ...],
    steps: tuple[Step, ...],
    effects: tuple[str, ...] | None,
    style: Style,
) -> str:
    written = {step.target for step in steps}
    parameters = ", ".join(_parameter(index, kind, type_, index in written, style) for index, type_ in enumerate(types))
    attributes = [] if effects is None else [f"enzymexla.memory_effects = {_strings(effects)}"]
    attributes += [style.attribute] if style.attribute else []
    suffix = f" attributes {{{', '.join(attributes)}}}" if attributes else ""
    if kind == "llvm":
        return f"llvm.func {style.linkage}{style.convention}{symbol(name)}({parameters}){suffix}"
    return f"func.func private {symbol(name)}({parameters}){suffix}"


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


class _Body:
    """Writes the operations of a body, and the symbols that they need."""

    def __init__(self, name: str, kind: Kind, types: tuple[Type, ...], style: Style) -> None:
        self.lines: list[str] = []
        self.symbols: list[str] = []
        self._name, self._kind, self._types, self._style = name, kind, types, style
        self._values = self._labels = 0
        self._global_due = style.global_kind is not None
        self._helper_due = style.helper is not None
        self._indent = "  "

    def line(self, text: str) -> None:
        comment = "  // CHECK: enzymexla.jit_call @x (%0)" if self._style.comments and len(self.lines) % 3 == 1 else ""
        self.lines.append(f"{self._indent}{text}{comment}\n")

    def value(self, text: str) -> str:
        """An operation with one result: its name."""
        name = f"%{self._values}" if self._style.names == "numbers" else f"%v{self._values}"
        self._values += 1
        self.line(f"{name} = {text}")
        return name

    def step(self, step: Step) -> None:
        """The operations of one step, in a branch of their own if it is conditional."""
        if step.only_if is None:
            self._stores(step)
            return
        first, second = (self._load(parameter, 0) for parameter in step.only_if)
        element = self._types[step.target].element
        condition = self._compare(element, first, second)
        if self._style.branches == "scf":
            self._in_region(condition, step)
        else:
            self._in_block(condition, step)

    def _in_region(self, condition: str, step: Step) -> None:
        self.line(f"scf.if {condition} {{")
        self._indent += "  "
        self._stores(step)
        self._indent = self._indent[2:]
        self.line("}")

    def _in_block(self, condition: str, step: Step) -> None:
        then, after = f"^bb{self._labels + 1}", f"^bb{self._labels + 2}"
        self._labels += 2
        self.line(f"llvm.cond_br {condition}, {then}, {after}")
        self.lines.append(f"{then}:  // pred\n")
        self._stores(step)
        self.line(f"llvm.br {after}")
        self.lines.append(f"{after}:\n")

    def _stores(self, step: Step) -> None:
        for element in step.elements:
            self._store(step.target, element, self._sum(step, element))

    def _compare(self, element: str, first: str, second: str) -> str:
        if self._kind == "memref" or self._style.constants == "arith":
            operation = "arith.cmpf ogt," if element == "f64" else "arith.cmpi sgt,"
        else:
            operation = 'llvm.fcmp "ogt"' if element == "f64" else 'llvm.icmp "sgt"'
        return self.value(f"{operation} {first}, {second} : {element}")

    def _sum(self, step: Step, element: int) -> str:
        type_ = self._types[step.target].element
        terms = [self._term(term.coefficient, self._load(term.parameter, element), type_) for term in step.terms]
        if step.constant:
            terms.append(self._constant(step.constant, type_))
        total = terms[0]
        for term in terms[1:]:
            total = self._add(total, term, type_)
        return self._through_memory(total, type_) if self._style.alloca else total

    def _term(self, coefficient: int, value: str, type_: str) -> str:
        if coefficient == 1:
            return value
        if coefficient == 2:
            return self._arithmetic("add", value, value, type_)
        return self._arithmetic("mul", value, self._literal(coefficient, type_), type_)

    def _add(self, first: str, second: str, type_: str) -> str:
        if self._style.helper != "value" or not self._helper_due:
            return self._arithmetic("add", first, second, type_)
        self._helper_due = False
        helper = symbol(f"{self._name}_sum")
        operation = "llvm.fadd" if type_ == "f64" else "llvm.add"
        self.symbols.append(
            f"llvm.func internal {helper}(%arg0: {type_}, %arg1: {type_}) -> {type_} {{\n"
            f"  %0 = {operation} %arg0, %arg1 : {type_}\n  llvm.return %0 : {type_}\n}}\n"
        )
        return self.value(f"llvm.call {helper}({first}, {second}) : ({type_}, {type_}) -> {type_}")

    def _arithmetic(self, operation: str, first: str, second: str, type_: str) -> str:
        if self._kind == "memref" or self._style.constants == "arith":
            name = f"arith.{operation}{'f' if type_ == 'f64' else 'i'}"
        else:
            name = f"llvm.{'f' if type_ == 'f64' else ''}{operation}"
        return self.value(f"{name} {first}, {second} : {type_}")

    def _literal(self, number: Number, type_: str) -> str:
        text = f"{float(number)!r}" if type_ == "f64" else str(int(number))
        if self._style.constants == "arith":
            return self.value(f"arith.constant {text} : {type_}")
        return self.value(f"llvm.mlir.constant({text} : {type_}) : {type_}")

    def _constant(self, number: Number, type_: str) -> str:
        if not self._global_due:
            return self._literal(number, type_)
        self._global_due = False
        name = symbol(f"{self._name}_state")
        constant = "constant " if self._style.global_kind == "constant" else ""
        text = f"{float(number)!r}" if type_ == "f64" else str(int(number))
        self.symbols.append(f"llvm.mlir.global internal {constant}{name}({text} : {type_}) : {type_}\n")
        place = self.value(f"llvm.mlir.addressof {name} : !llvm.ptr")
        return self.value(f"llvm.load {place} : !llvm.ptr -> {type_}")

    def _through_memory(self, value: str, type_: str) -> str:
        count = self._literal({"static": 1, "dynamic": 1, "large": 600}[self._style.alloca or "static"], "i64")
        if self._style.alloca == "dynamic":
            count = self._arithmetic("add", count, count, "i64")
        place = self.value(f"llvm.alloca {count} x {type_} : (i64) -> !llvm.ptr")
        self.line(f"llvm.store {value}, {place} : {type_}, !llvm.ptr")
        return self.value(f"llvm.load {place} : !llvm.ptr -> {type_}")

    def _place(self, parameter: int, element: int) -> str:
        if element == 0:
            return f"%arg{parameter}"
        type_ = self._types[parameter].element
        return self.value(f"llvm.getelementptr %arg{parameter}[{element}] : (!llvm.ptr) -> !llvm.ptr, {type_}")

    def _indices(self, parameter: int, element: int) -> str:
        indices = []
        for extent in reversed(self._types[parameter].shape):
            element, index = divmod(element, extent)
            indices.append(self.value(f"arith.constant {index} : index"))
        return f"%arg{parameter}[{', '.join(reversed(indices))}]"

    def _load(self, parameter: int, element: int) -> str:
        type_ = self._types[parameter]
        element = element if type_.size > 1 else 0
        if self._kind == "memref":
            return self.value(f"memref.load {self._indices(parameter, element)} : memref<{type_.inside}>")
        return self.value(f"llvm.load {self._place(parameter, element)} : !llvm.ptr -> {type_.element}")

    def _store(self, parameter: int, element: int, value: str) -> None:
        type_ = self._types[parameter]
        if self._kind == "memref":
            self.line(f"memref.store {value}, {self._indices(parameter, element)} : memref<{type_.inside}>")
            return
        place = self._place(parameter, element)
        if self._style.helper == "pointer" and self._helper_due:
            self._helper_due = False
            self._store_through_helper(place, value, type_.element)
        else:
            self.line(f"llvm.store {value}, {place} : {type_.element}, !llvm.ptr")

    def _store_through_helper(self, place: str, value: str, type_: str) -> None:
        helper = symbol(f"{self._name}_store")
        self.symbols.append(
            f"llvm.func {helper}(%arg0: !llvm.ptr, %arg1: {type_}) {{\n"
            f"  llvm.store %arg1, %arg0 : {type_}, !llvm.ptr\n  llvm.return\n}}\n"
        )
        self.line(f"llvm.call {helper}({place}, {value}) : (!llvm.ptr, {type_}) -> ()")
