"""The operations of a wrapper's body, and the helpers and globals that they need."""

from __future__ import annotations

from tests.generator.elements import Number, is_float, literal
from tests.generator.model import Kind, Step, Type, Wrapper
from tests.generator.style import Style, symbol

Place = int | str
"""Which number of a parameter: a constant, or the name of a loop's counter."""

_BYTES = {"i1": 1, "i8": 1, "i32": 4, "i64": 8, "bf16": 2, "f16": 2, "f32": 4, "f64": 8}
_COMMENT = "// CHECK: enzymexla.jit_call @x (%0)"


class Body:
    """Writes the operations of a body into `lines`, and the symbols that they need into `symbols`."""

    def __init__(self, name: str, kind: Kind, types: tuple[Type, ...], style: Style) -> None:
        self.lines: list[str] = []
        self.symbols: list[str] = []
        self._name, self._kind, self._types, self._style = name, kind, types, style
        self._values = self._labels = 0
        self._global_due = style.global_kind is not None
        self._helper_due = style.helper is not None
        self._disguise_due = style.disguise is not None
        self._intrinsic_due = style.intrinsic is not None
        self._indent = "  "

    @property
    def _arith(self) -> bool:
        return self._kind == "memref" or self._style.constants == "arith"

    def line(self, text: str) -> None:
        """One operation without results."""
        comment = f"  {_COMMENT}" if self._style.comments and len(self.lines) % 3 == 1 else ""
        self.lines.append(f"{self._indent}{text}{comment}\n")

    def _value(self, text: str) -> str:
        """An operation with one result: its name."""
        name = f"%{self._values}" if self._style.names == "numbers" else f"%v{self._values}"
        self._values += 1
        self.line(f"{name} = {text}")
        return name

    def _label(self) -> str:
        self._labels += 1
        return f"^bb{self._labels}"

    def call(self, wrapper: Wrapper) -> None:
        """A call of another wrapper with the first parameters."""
        operands = ", ".join(f"%arg{index}" for index in range(len(wrapper.types)))
        types = ", ".join(wrapper.slot_type(index) for index in range(len(wrapper.types)))
        operation = f"llvm.call {wrapper.convention}" if wrapper.kind == "llvm" else "func.call "
        self.line(f"{operation}{symbol(wrapper.name)}({operands}) : ({types}) -> ()")

    def assembly(self) -> None:
        """Inline assembly, if the style says so: it has no effect, whatever it is marked with."""
        text = {
            None: "",
            "empty": 'llvm.inline_asm has_side_effects "", "" : () -> ()',
            "unmarked": 'llvm.inline_asm "", "" : () -> ()',
            "nop": 'llvm.inline_asm has_side_effects "nop", "" : () -> ()',
            "memory": 'llvm.inline_asm has_side_effects asm_dialect = att "nop", "~{memory}" : () -> ()',
            "generic": '"llvm.inline_asm"() <{asm_string = "nop", constraints = ""}> : () -> ()',
        }[self._style.assembly]
        if text:
            self.line(text)

    def step(self, step: Step) -> None:
        """The operations of one step, in a branch of their own if it is conditional."""
        if step.only_if is None:
            self._stores(step)
            return
        first, second = (self._load(parameter, 0) for parameter in step.only_if)
        condition = self._compare(self._types[step.target].part, first, second)
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
        then, after = self._label(), self._label()
        self.line(f"llvm.cond_br {condition}, {then}, {after}")
        self.lines.append(f"{then}:  // pred\n")
        self._stores(step)
        self.line(f"llvm.br {after}")
        self.lines.append(f"{after}:\n")

    def _stores(self, step: Step) -> None:
        if self._style.loops and self._loops(step):
            self._loop(step)
            return
        for element in step.elements:
            self._store(step.target, element, self._sum(step, element))

    def _loops(self, step: Step) -> bool:
        """Whether one loop over the target reads and writes what the stores one by one do."""
        target = self._types[step.target]
        sources = [self._types[term.parameter] for term in step.terms]
        if any(source.length not in (1, target.length) for source in sources) or target.length < 2:
            return False
        whole = step.elements == tuple(range(target.length))
        return whole and (self._kind != "memref" or all(type_.rank <= 1 for type_ in (target, *sources)))

    def _loop(self, step: Step) -> None:
        if self._kind == "llvm" and self._style.branches == "blocks":
            self._loop_of_blocks(step)
            return
        start, end, one = (
            self._value(f"arith.constant {number} : index") for number in (0, self._types[step.target].length, 1)
        )
        counter = f"%i{self._values}"
        self.line(f"scf.for {counter} = {start} to {end} step {one} {{")
        self._indent += "  "
        at = counter
        if self._kind != "memref":
            at = self._value(f"arith.index_cast {counter} : index to i64")
        self._store(step.target, at, self._sum(step, at))
        self._indent = self._indent[2:]
        self.line("}")

    def _loop_of_blocks(self, step: Step) -> None:
        start, end, one = (self._literal(number, "i64") for number in (0, self._types[step.target].length, 1))
        head, body, after = self._label(), self._label(), self._label()
        counter = f"%i{self._values}"
        self.line(f"llvm.br {head}({start} : i64)")
        self.lines.append(f"{head}({counter}: i64):  // 2 preds\n")
        more = self._value(f'llvm.icmp "slt" {counter}, {end} : i64')
        self.line(f"llvm.cond_br {more}, {body}, {after}")
        self.lines.append(f"{body}:\n")
        self._store(step.target, counter, self._sum(step, counter))
        following = self._value(f"llvm.add {counter}, {one} : i64")
        self.line(f"llvm.br {head}({following} : i64)")
        self.lines.append(f"{after}:\n")

    def _compare(self, part: str, first: str, second: str) -> str:
        word = '"ogt"' if is_float(part) else '"ugt"' if part == "i1" else '"sgt"'
        name = "cmp" if self._arith else ""
        name = f"arith.{name}{'f' if is_float(part) else 'i'}" if name else f"llvm.{'f' if is_float(part) else 'i'}cmp"
        operands = f"{first}, {second} : {part}"
        return self._value(f"{name} {word.strip(chr(34))}, {operands}" if self._arith else f"{name} {word} {operands}")

    def _sum(self, step: Step, at: Place) -> str:
        part = self._types[step.target].part
        places = [at if term.at is None else term.at for term in step.terms]
        terms = [
            self._term(term.coefficient, self._load(term.parameter, place), part)
            for term, place in zip(step.terms, places, strict=True)
        ]
        if step.constant:
            terms.append(self._constant(step.constant, part))
        total = terms[0]
        for term in terms[1:]:
            total = self._add(total, term, part)
        if self._intrinsic_due and self._style.intrinsic in ("intrinsic", "function"):
            total = self._through_intrinsic(total, part)
        return self._through_memory(total, part) if self._style.alloca else total

    def _term(self, coefficient: int, value: str, part: str) -> str:
        if coefficient == 1:
            return value
        if coefficient == 2:
            return self._arithmetic("add", value, value, part)
        return self._arithmetic("mul", value, self._literal(coefficient, part), part)

    def _add(self, first: str, second: str, part: str) -> str:
        if self._style.helper != "value" or not self._helper_due:
            return self._arithmetic("add", first, second, part)
        self._helper_due = False
        helper = symbol(f"{self._name}_sum")
        operation = "llvm.fadd" if is_float(part) else "llvm.add"
        self.symbols.append(
            f"llvm.func internal {helper}(%arg0: {part}, %arg1: {part}) -> {part} {{\n"
            f"  %0 = {operation} %arg0, %arg1 : {part}\n  llvm.return %0 : {part}\n}}\n"
        )
        called = self._alias(helper, f"{part} ({part}, {part})")
        return self._value(f"llvm.call {called}({first}, {second}) : ({part}, {part}) -> {part}")

    def _alias(self, helper: str, type_: str) -> str:
        """What a helper is called by: an alias of it, if the style says so."""
        if not self._style.aliased:
            return helper
        name = symbol(f"{self._name}_other_name")
        self.symbols.append(
            f"llvm.mlir.alias internal {name} : !llvm.func<{type_}> {{\n"
            f"  %0 = llvm.mlir.addressof {helper} : !llvm.ptr\n  llvm.return %0 : !llvm.ptr\n}}\n"
        )
        return name

    def _through_intrinsic(self, value: str, part: str) -> str:
        """The same number, from an intrinsic that makes it of the number twice."""
        self._intrinsic_due = False
        name = f"llvm.copysign.{part}" if is_float(part) else f"llvm.smax.{part}"
        types = f"({part}, {part}) -> {part}"
        if self._style.intrinsic == "intrinsic":
            return self._value(f'llvm.call_intrinsic "{name}"({value}, {value}) : {types}')
        self.symbols.append(f"llvm.func @{name}{types}\n")
        return self._value(f"llvm.call @{name}({value}, {value}) : {types}")

    def _store_copy(self, place: str, value: str, part: str) -> None:
        """Store by copying bytes from memory of its own."""
        self._intrinsic_due = False
        one, size, never = self._literal(1, "i64"), self._literal(_BYTES[part], "i64"), self._literal(0, "i1")
        source = self._value(f"llvm.alloca {one} x {part} : (i64) -> !llvm.ptr")
        self.line(f"llvm.store {value}, {source} : {part}, !llvm.ptr")
        name, types = "llvm.memcpy.p0.p0.i64", "(!llvm.ptr, !llvm.ptr, i64, i1)"
        operands = f"({place}, {source}, {size}, {never}) : {types} -> ()"
        if self._style.intrinsic == "copy":
            self.line(f'llvm.call_intrinsic "{name}"{operands}')
        elif self._style.intrinsic == "copy function":
            self.symbols.append(f"llvm.func @{name}{types}\n")
            self.line(f"llvm.call @{name}{operands}")
        else:
            types = "(!llvm.ptr, !llvm.ptr, i64) -> ()"
            self.line(f'"llvm.intr.memcpy"({place}, {source}, {size}) <{{isVolatile = false}}> : {types}')

    def _arithmetic(self, operation: str, first: str, second: str, part: str) -> str:
        if self._arith:
            name = f"arith.{operation}{'f' if is_float(part) else 'i'}"
        else:
            name = f"llvm.{'f' if is_float(part) else ''}{operation}"
        return self._value(f"{name} {first}, {second} : {part}")

    def _literal(self, number: Number, part: str) -> str:
        if self._arith:
            return self._value(f"arith.constant {literal(number, part)} : {part}")
        return self._value(f"llvm.mlir.constant({literal(number, part)} : {part}) : {part}")

    def _constant(self, number: Number, part: str) -> str:
        if not self._global_due:
            return self._literal(number, part)
        self._global_due = False
        name = symbol(f"{self._name}_state")
        constant = "constant " if self._style.global_kind == "constant" else ""
        self.symbols.append(f"llvm.mlir.global internal {constant}{name}({literal(number, part)} : {part}) : {part}\n")
        place = self._value(f"llvm.mlir.addressof {name} : !llvm.ptr")
        value = self._value(f"llvm.load {place} : !llvm.ptr -> {part}")
        if self._style.global_kind == "counter":
            following = self._arithmetic("add", value, self._literal(1, part), part)
            self.line(f"llvm.store {following}, {place} : {part}, !llvm.ptr")
        return value

    def _through_memory(self, value: str, part: str) -> str:
        count = self._literal({"static": 1, "dynamic": 1, "large": 600}[self._style.alloca or "static"], "i64")
        if self._style.alloca == "dynamic":
            count = self._arithmetic("add", count, count, "i64")
        place = self._value(f"llvm.alloca {count} x {part} : (i64) -> !llvm.ptr")
        self.line(f"llvm.store {value}, {place} : {part}, !llvm.ptr")
        return self._value(f"llvm.load {place} : !llvm.ptr -> {part}")

    def _place(self, parameter: int, at: Place) -> str:
        if at == 0:
            return f"%arg{parameter}"
        part = self._types[parameter].part
        types = "(!llvm.ptr)" if isinstance(at, int) else "(!llvm.ptr, i64)"
        return self._value(f"llvm.getelementptr %arg{parameter}[{at}] : {types} -> !llvm.ptr, {part}")

    def _disguised(self, place: str) -> str:
        """The same pointer, made in a roundabout way."""
        self._disguise_due = False
        kind = self._style.disguise
        if kind == "freeze":
            return self._value(f"llvm.freeze {place} : !llvm.ptr")
        if kind == "select":
            true = self._literal(1, "i1")
            other = self._value("llvm.mlir.zero : !llvm.ptr")
            return self._value(f"llvm.select {true}, {place}, {other} : i1, !llvm.ptr")
        if kind == "assembly":
            return self._value(f'llvm.inline_asm has_side_effects "", "=r,0" {place} : (!llvm.ptr) -> !llvm.ptr')
        if kind == "integer":
            number = self._value(f"llvm.ptrtoint {place} : !llvm.ptr to i64")
            return self._value(f"llvm.inttoptr {number} : i64 to !llvm.ptr")
        if kind == "block" and self._indent == "  " and self._kind == "llvm":
            label, argument = self._label(), f"%p{self._values}"
            self.line(f"llvm.br {label}({place} : !llvm.ptr)")
            self.lines.append(f"{label}({argument}: !llvm.ptr):\n")
            return argument
        spill = self._value(f"llvm.alloca {self._literal(1, 'i64')} x !llvm.ptr : (i64) -> !llvm.ptr")
        self.line(f"llvm.store {place}, {spill} : !llvm.ptr, !llvm.ptr")
        return self._value(f"llvm.load {spill} : !llvm.ptr -> !llvm.ptr")

    def _indices(self, parameter: int, at: Place) -> str:
        if isinstance(at, str):
            return f"%arg{parameter}[{at}]"
        indices = []
        for extent in reversed(self._types[parameter].shape):
            at, index = divmod(at, extent)
            indices.append(self._value(f"arith.constant {index} : index"))
        return f"%arg{parameter}[{', '.join(reversed(indices))}]"

    def _load(self, parameter: int, at: Place) -> str:
        type_ = self._types[parameter]
        at = at % type_.length if isinstance(at, int) else at if type_.length > 1 else 0
        if self._kind == "memref":
            return self._value(f"memref.load {self._indices(parameter, at)} : memref<{type_.inside}>")
        return self._value(f"llvm.load {self._place(parameter, at)} : !llvm.ptr -> {type_.part}")

    def _store(self, parameter: int, at: Place, value: str) -> None:
        type_ = self._types[parameter]
        if self._kind == "memref":
            self._store_to_memref(type_, self._indices(parameter, at), value)
            return
        place = self._place(parameter, at)
        if self._disguise_due:
            place = self._disguised(place)
        if self._style.helper in ("pointer", "chain") and self._helper_due:
            self._helper_due = False
            self._store_through_helper(place, value, type_.part)
        elif self._intrinsic_due and (self._style.intrinsic or "").startswith("copy"):
            self._store_copy(place, value, type_.part)
        else:
            self.line(f"llvm.store {value}, {place} : {type_.part}, !llvm.ptr")

    def _store_to_memref(self, type_: Type, place: str, value: str) -> None:
        memref = f"memref<{type_.inside}>"
        if not self._helper_due or type_.rank > 1:
            self.line(f"memref.store {value}, {place} : {memref}")
            return
        self._helper_due = False
        helper = symbol(f"{self._name}_store")
        parameter, index = place.removesuffix("]").split("[")
        index_parameter, index_type = (", %arg2: index", ", index") if index else ("", "")
        self.symbols.append(
            f"func.func private {helper}(%arg0: {memref}, %arg1: {type_.part}{index_parameter}) {{\n"
            f"  memref.store %arg1, %arg0[{'%arg2' if index else ''}] : {memref}\n  return\n}}\n"
        )
        passed = f"{parameter}, {value}" + (f", {index}" if index else "")
        self.line(f"func.call {helper}({passed}) : ({memref}, {type_.part}{index_type}) -> ()")

    def _store_through_helper(self, place: str, value: str, part: str) -> None:
        helper = symbol(f"{self._name}_store")
        does = f"llvm.store %arg1, %arg0 : {part}, !llvm.ptr"
        if self._style.helper == "chain":
            last = symbol(f"{self._name}_store.last")
            self.symbols.append(
                f"llvm.func internal {last}(%p: !llvm.ptr, %v: {part}) {{\n"
                f"  llvm.store %v, %p : {part}, !llvm.ptr\n  llvm.return\n}}\n"
            )
            does = f"llvm.call {last}(%arg0, %arg1) : (!llvm.ptr, {part}) -> ()"
        self.symbols.append(f"llvm.func {helper}(%arg0: !llvm.ptr, %arg1: {part}) {{\n  {does}\n  llvm.return\n}}\n")
        called = self._alias(helper, f"void (ptr, {part})")
        self.line(f"llvm.call {called}({place}, {value}) : (!llvm.ptr, {part}) -> ()")
