"""The text of a module: names, spellings, comments, locations and line ends at random, from the seed alone."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import cast

from tests.generator.elements import Number, literal
from tests.generator.layout_text import Layout, layout_list
from tests.generator.look_alikes import COMMENTS, CONFIGURATIONS, NOTES
from tests.generator.model import Block, Function, Module, Operation, Type, Value
from tests.generator.style import symbol
from tests.generator.traits import is_extended

_WITH_NOTES = tuple(
    f"stablehlo.{name}"
    for name in ("add", "subtract", "maximum", "negate", "abs", "and", "or", "xor", "not", "reshape")
)
_COMMENTS = ("// as written", "// %0 = enzymexla.jit_call @gone (%1)", "// CHECK: }", "// {")


def render(module: Module, seed: int) -> str:
    """The text of `module`; names are given to its values on the way.

    How an operation is written depends on the seed and its number alone, so that it stays when others are left out.
    """
    rng = random.Random(f"text {seed}")
    writer = _Writer(rng, seed)
    split = rng.random() < 0.25
    """No `module` around it: then aliases can stand between functions."""
    items = writer.items(module)
    if split:
        body = "".join(line for item in items for line in (*writer.new_aliases(), item))
    else:
        body = "module {\n" + "".join(items) + "}\n"
    text = "".join(writer.new_aliases()) + body
    if rng.random() < 0.1:
        text = text.removesuffix("\n")
    return text.replace("\n", "\r\n") if rng.random() < 0.1 else text


class _Writer:
    """Writes functions; the style of a module comes from one generator, that of an operation from one of its own."""

    def __init__(self, rng: random.Random, seed: int) -> None:
        self._rng, self._seed = rng, seed
        self._count = self._containers = 0
        self._lines: list[str] = []
        self._aliases: dict[str, str] = {}
        self._written: set[str] = set()
        self._with_aliases = rng.random() < 0.25
        self._with_types = rng.random() < 0.12
        self._with_pointers = rng.random() < 0.06
        self._locations = rng.random() < 0.15
        self._comments = rng.choice((0, 0, 0.15))
        self._spellings = rng.choice(
            (("property",), ("attribute",), ("generic",), ("property", "attribute", "generic"))
        )
        self._names = rng.choice(("numbers", "numbers", "words", "mixed"))
        self._wide = rng.random() < 0.1
        self._shuffled = rng.random() < 0.7
        self._extended = is_extended(seed)
        self._look_alikes = self._extended and random.Random(f"look-alikes {seed}").random() < 0.4
        """Whether operations have attributes and comments that look like something else."""

    def new_aliases(self) -> Iterable[str]:
        """The definitions of the aliases that are used in what was written since the last time."""
        for attribute, name in self._aliases.items():
            if name not in self._written:
                self._written.add(name)
                yield f"{name} = {attribute}\n"

    def items(self, module: Module) -> Iterator[str]:
        """What stands in a module, each text once the aliases that it uses are known."""
        items = dict.fromkeys(text for wrapper in module.wrappers for text in wrapper.text)
        made: list[tuple[str, Function | Module | None]] = [(text, None) for text in items]
        made += [("", item) for item in module.functions]
        made += [("", inner) for inner in module.inner]
        keys = {id(item): random.Random(f"{self._seed} {item[0] or _key(item[1])}").random() for item in made}
        for text, item in sorted(made, key=lambda item: keys[id(item)]) if self._shuffled else made:
            if isinstance(item, Module):
                yield self._inner(item)
            else:
                yield self.function(item) if item else "".join(self.wrapper(text))

    def _inner(self, module: Module) -> str:
        self._containers += 1
        header = f"  {module.container} @inner{self._containers} {{\n"
        return header + "".join(self.items(module)) + "  }\n"

    def wrapper(self, text: str) -> Iterable[str]:
        """The lines of a wrapper or of what belongs to one."""
        if self._with_pointers:
            text = text.replace("!llvm.ptr", self._aliases.setdefault("!llvm.ptr", "!pointer"))
        return ("  " + line for line in text.splitlines(keepends=True))

    def _type(self, type_: Type) -> str:
        if not self._with_types or len(str(type_)) % 2:
            return str(type_)
        return self._aliases.setdefault(str(type_), f"!t{len(self._aliases)}")

    def _types(self, values: list[Value]) -> str:
        return f"({', '.join(self._type(value.type) for value in values)})"

    def _result_types(self, values: list[Value]) -> str:
        return self._type(values[0].type) if len(values) == 1 else self._types(values)

    def function(self, function: Function) -> str:
        self._count, self._lines = 0, []
        block = function.block
        for index, argument in enumerate(block.arguments):
            argument.name = f"%arg{index}"
        parameters = ", ".join(f"{value.name}: {self._type(value.type)}" for value in block.arguments)
        results = ", ".join(self._type(value.type) for value in block.operations[-1].operands)
        private = "" if function.name == "main" or function.public else "private "
        self._operations(block, 4)
        header = f"  func.func {private}@{function.name}({parameters}) -> ({results}) {{\n"
        return header + "".join(self._lines) + "  }\n"

    def _operations(self, block: Block, indent: int) -> None:
        for operation in block.operations:
            self._rng = random.Random(f"operation {self._seed} {operation.number}")
            if self._rng.random() < self._comments:
                self._lines.append(" " * indent + self._comment() + "\n")
            results = self._result_list(operation.results)
            self._write(operation, results, indent)

    def _write(self, operation: Operation, results: str, indent: int) -> None:
        pad = " " * indent
        tail = f' loc("made.jl":{len(self._lines)}:{indent})' if self._locations and self._rng.random() < 0.5 else ""
        if operation.blocks:
            self._region(operation, results, indent, tail)
            return
        comment = " " + self._comment() if self._rng.random() < self._comments / 2 else ""
        text = self._jit_call(operation) if operation.call else self._plain(operation, inside=indent > 4)
        if self._look_alikes and operation.call is None:
            text = self._noted(operation, text)
        strings = '"' if self._extended else '"void'
        if self._wide and strings not in text and self._rng.random() < 0.7:
            before = self._rng.choice((" : ", " {", " : " if text.startswith('"') else "("))
            text = text.replace(before, f"\n{pad}    {before.lstrip()}", 1)
        if operation.call and operation.call.suppression:
            said = f"// jitlint: {operation.call.suppression} keep {operation.number}"
            if comment or "\n" in text or self._rng.random() < 0.5:
                self._lines.append(f"{pad}{said}\n")
            else:
                comment = f" {said}"
        self._lines.append(f"{pad}{results}{text}{tail}{comment}\n")

    def _comment(self) -> str:
        return self._rng.choice((*_COMMENTS, *COMMENTS) if self._look_alikes else _COMMENTS)

    def _noted(self, operation: Operation, text: str) -> str:
        """The operation with a string that looks like something else, where it can have one."""
        if operation.name in _WITH_NOTES and self._rng.random() < 0.5:
            return " : ".join((f"{text.split(' : ', 1)[0]} {{{self._rng.choice(NOTES)}}}", text.split(" : ", 1)[1]))
        if text.startswith("stablehlo.custom_call @Sharding(") and ") :" in text:
            return text.replace(") :", f") {{{self._rng.choice(CONFIGURATIONS)}}} :", 1)
        return text

    def _name(self) -> str:
        self._count += 1
        style = self._rng.choice(("numbers", "words")) if self._names == "mixed" else self._names
        return (
            f"%{self._count - 1}"
            if style == "numbers"
            else f"%{self._rng.choice(('x', 'r_', 'cst.', 'y$'))}{self._count}"
        )

    def _result_list(self, results: list[Value]) -> str:
        """Names the results: `%r:2 = `, or one name each."""
        if not results:
            return ""
        if len(results) == 1 or self._rng.random() < 0.3:
            for value in results:
                value.name = self._name()
            return ", ".join(value.name for value in results) + " = "
        name = self._name()
        for index, value in enumerate(results):
            value.name = f"{name}#{index}"
        return f"{name}:{len(results)} = "

    def _jit_call(self, operation: Operation) -> str:
        call = operation.call
        assert call
        spelling = self._rng.choice(self._spellings)
        callee, operands = symbol(call.wrapper.name), _names(operation.operands)
        type_ = f"{self._types(operation.operands)} -> {self._result_types(operation.results)}"
        if call.spelling == "results":
            spelling = "attribute"  # the current engine reads `result_layouts` nowhere else
        properties, others = self._properties(operation)
        if spelling == "attribute" and properties == ["xla_side_effect_free"]:
            spelling = "property"  # alone in a `{…}`, nothing tells the flag from an attribute that means nothing
        if spelling == "generic":
            properties.insert(self._rng.randint(0, len(properties)), f"fn = {callee}")
            if self._rng.random() < 0.5 and not any(text.startswith("backend_config") for text in properties):
                properties.insert(1, 'backend_config = ""')
            outer = ("<{", "}>") if others or self._rng.random() < 0.6 else ("{", "}")
            discardable = f" {{{', '.join(others)}}}" if others else ""
            inner = f"{outer[0]}{', '.join(properties)}{outer[1]}"
            return f'"enzymexla.jit_call"({operands}) {inner}{discardable} : {type_}'
        if spelling == "attribute":
            dictionary = f" {{{', '.join([*properties, *others])}}}" if properties or others else ""
        else:
            dictionary = f" <{', '.join(properties)}>" if properties else ""
            dictionary += f" {{{', '.join(others)}}}" if others else ""
        space = "" if self._rng.random() < 0.1 else " "
        return f"enzymexla.jit_call {callee}{space}({operands}){dictionary} : {type_}"

    def _properties(self, operation: Operation) -> tuple[list[str], list[str]]:
        """The properties of a JIT call, and its other attributes."""
        call = operation.call
        assert call
        properties: list[str] = []
        others: list[str] = []
        if call.layouts is not None:
            properties.append(f"operand_layouts = {layout_list(call.layouts, call.spelling, self._alias_of)}")
            if call.spelling == "results" and call.aliases:
                of_results = [call.layouts[operand] for operand in call.aliases]
                properties.append(f"result_layouts = {layout_list(of_results, 'plain', self._alias_of)}")
        if call.aliases:
            properties.append(f"output_operand_aliases = [{', '.join(self._alias_list(call.aliases))}]")
        if call.effect_free:
            properties.append("xla_side_effect_free")
        if call.metadata:
            (properties if call.metadata.startswith("backend") else others).append(call.metadata)
        return properties, others

    def _alias_list(self, aliases: tuple[int, ...]) -> list[str]:
        return [self._alias(index if len(aliases) > 1 else None, operand) for index, operand in enumerate(aliases)]

    def _alias(self, result: int | None, operand: int) -> str:
        indices = "[]" if result is None else f"[{result}]"
        text = (
            f"#stablehlo.output_operand_alias<output_tuple_indices = {indices}, operand_index = {operand}, "
            "operand_tuple_indices = []>"
        )
        if not self._with_aliases:
            return text
        return self._alias_of(text)

    def _alias_of(self, text: str) -> str:
        """The alias of an attribute, or of a type."""
        is_type = text.startswith(("tensor", "index"))
        return self._aliases.setdefault(text, f"{'!t' if is_type else '#alias'}{len(self._aliases)}")

    def _plain(self, operation: Operation, inside: bool) -> str:
        """An operation without regions that is no JIT call; `inside` a region, `call` needs its dialect's name."""
        name, operands = operation.name, _names(operation.operands)
        types = self._types(operation.operands)
        type_ = self._type(operation.results[0].type) if operation.results else None
        if name in ("return", "stablehlo.return"):
            return f"{name} {operands} : {types[1:-1]}"
        if name == "stablehlo.constant":
            return f"{name} dense<{_literal(operation.payload, operation.results[0].type)}> : {type_}"
        if name == "func.call":
            assert isinstance(operation.payload, Function)
            spelled = self._rng.choice(("func.call", "func.call" if inside else "call"))
            return (
                f"{spelled} @{operation.payload.name}({operands}) : {types} -> {self._result_types(operation.results)}"
            )
        if name == "stablehlo.custom_call":
            return f"{self._custom_call(operation, operands)} : {types} -> {type_}"
        if name == "stablehlo.compare":
            return f"{name} LT, {operands} : {types} -> {type_}"
        if name == "stablehlo.reduce":
            first, start = (value.name for value in operation.operands)
            return f"{name}({first} init: {start}) applies stablehlo.add across dimensions = [0] : {types} -> {type_}"
        if name == "stablehlo.slice":
            begin, end = cast(tuple[int, int], operation.payload)
            return f"{name} {operands} [{begin}:{end}] : {types} -> {type_}"
        if name == "stablehlo.concatenate":
            return f"{name} {operands}, dim = 0 : {types} -> {type_}"
        if name == "stablehlo.broadcast_in_dim":
            return f"{name} {operands}, dims = [] : {types} -> {type_}"
        if name == "stablehlo.transpose":
            return f"{name} {operands}, dims = {list(cast(Layout, operation.payload))} : {types} -> {type_}"
        if name == "stablehlo.reshape":
            return f"{name} {operands} : {types} -> {type_}"
        return f"{name} {operands} : {types[1:-1] if len(operation.results) > 1 else type_}"

    def _custom_call(self, operation: Operation, operands: str) -> str:
        """A custom call that does nothing; its side effect is said in one of the ways that text knows."""
        effect = "has_side_effect = true" if operation.declared_effect else "has_side_effect = false"
        spelled = self._rng.choice(("plain", "plain", "generic", "alias"))
        if spelled == "plain":
            said = f" {{{effect}}}" if operation.declared_effect or self._rng.random() < 0.5 else ""
            return f"stablehlo.custom_call @Sharding({operands}){said}"
        properties = f'{{call_target_name = "Sharding", {effect}}}'
        if spelled == "alias":
            properties = self._aliases.setdefault(properties, f"#p{len(self._aliases)}")
        return f'"stablehlo.custom_call"({operands}) <{properties}>'

    def _region(self, operation: Operation, results: str, indent: int, tail: str) -> None:
        if operation.name == "stablehlo.while":
            self._loop(operation, indent, tail)
            return
        pad = " " * indent
        self._lines.append(f'{pad}{results}"{operation.name}"({_names(operation.operands)}) ({{\n')
        for index, block in enumerate(operation.blocks):
            if index:
                self._lines.append(f"{pad}}}, {{\n")
            self._operations(block, indent + 2)
        types = f"{self._types(operation.operands)} -> {self._result_types(operation.results)}"
        self._lines.append(f"{pad}}}) : {types}{tail}\n")

    def _loop(self, operation: Operation, indent: int, tail: str) -> None:
        """A loop and its counter, which is its first operand, argument and result."""
        pad, number = " " * indent, self._count
        self._count += 1
        start, one, end, counter, more, following = (
            f"%{word}_{number}" for word in ["from", "one", "to", "i", "more", "next"]
        )
        for name, number_ in ((start, 0), (one, 1), (end, operation.payload)):
            self._lines.append(f"{pad}{name} = stablehlo.constant dense<{number_}> : tensor<i64>\n")
        block = operation.blocks[0]
        for index, argument in enumerate(block.arguments):
            argument.name = f"%it_{number}_{index}"
        for index, value in enumerate(operation.results):
            value.name = f"%loop_{number}#{index + 1}"
        pairs = [f"{counter} = {start}"]
        pairs += [f"{a.name} = {o.name}" for a, o in zip(block.arguments, operation.operands, strict=True)]
        types = ", ".join(["tensor<i64>", *(self._type(value.type) for value in operation.operands)])
        self._lines.append(
            f"{pad}%loop_{number}:{len(pairs)} = stablehlo.while({', '.join(pairs)}) : {types}\n{pad}cond {{\n"
            f"{pad}  {more} = stablehlo.compare LT, {counter}, {end} : (tensor<i64>, tensor<i64>) -> tensor<i1>\n"
            f"{pad}  stablehlo.return {more} : tensor<i1>\n{pad}}} do {{\n"
            f"{pad}  {following} = stablehlo.add {counter}, {one} : tensor<i64>\n"
        )
        *body, last = block.operations
        self._operations(Block([], body), indent + 2)
        yielded = ", ".join([following, *(value.name for value in last.operands)])
        self._lines.append(f"{pad}  stablehlo.return {yielded} : {types}\n{pad}}}{tail}\n")


def _names(values: list[Value]) -> str:
    return ", ".join(value.name for value in values)


def _key(item: Function | Module | None) -> str:
    return item.name if isinstance(item, Function) else "inner"


def _literal(data: object, type_: Type) -> str:
    """The elements of a constant as `dense<…>` takes them."""
    assert isinstance(data, list)
    if not type_.length:
        return ""
    numbers = [_number(number, type_.part) for number in data]
    if type_.length != type_.size:
        numbers = [f"({first}, {second})" for first, second in zip(numbers[::2], numbers[1::2], strict=True)]
    for extent in reversed(type_.shape):
        numbers = [f"[{', '.join(numbers[at : at + extent])}]" for at in range(0, len(numbers), extent)]
    return numbers[0]


def _number(number: Number, part: str) -> str:
    return ("true" if number else "false") if part == "i1" else literal(number, part)
