"""The text of a fused wrapper: the bodies of the wrappers of a group in order, or calls of them, in one function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from jitlint import lazy
from jitlint.analysis.storage.moves import POINTER
from jitlint.analysis.storage.slots import Scratch
from jitlint.analysis.wrapper.cloning import Cloning
from jitlint.fusion.wrapper.clone import Clone, indent_step
from jitlint.fusion.wrapper.names import Values
from jitlint.fusion.wrapper.signature import BoundWrapper, Copy, Signature, sign, write_dictionary
from jitlint.ir.functions import Function
from jitlint.options import Form
from jitlint.syntax.functions import Kind


class FusedWrapper:
    """A fused wrapper without its name, written when its text is first asked for: a check asks for its name alone.

    `write` gives the text before and after the symbol, the latter line by line, without outer indent.
    """

    def __init__(self, write: Callable[[], tuple[str, tuple[str, ...]]]) -> None:
        self._write = write
        self._rendered: dict[str, str] = {}

    @cached_property
    def _around(self) -> tuple[str, tuple[str, ...]]:
        return self._write()

    def text(self, reference: str, indent: str = "") -> str:
        """The function named `reference` (with `@`), every line but the first at `indent`; lines end in a line feed."""
        before, lines = self._around
        after = self._rendered.get(indent)
        if after is None:
            after = self._rendered[indent] = f"\n{indent}".join(lines)
        return f"{before}{reference}{after}"


class WrapperWriter:
    """Writes the fused wrappers of one text in one form; what differs only in names is written once."""

    def __init__(self, form: Form, cloning: Cloning) -> None:
        self.form = form
        self._cloning = cloning
        self._written: dict[object, FusedWrapper] = {}

    def write(
        self,
        members: Sequence[BoundWrapper],
        slot_count: int,
        copies: Sequence[Copy] = (),
        scratch: Sequence[Scratch] = (),
    ) -> FusedWrapper:
        """The fused wrapper of the calls of a group.

        `members` holds, in order, the wrapper of each call and for each of its parameters the number of the slot that
        is passed for it; those behind the slots are the buffers of the wrapper's own, `scratch`. The group is one that
        `Wrappers.not_callable` has nothing against.
        """
        functions = [function for function, _ in members]
        called = self._cloning.must_call(functions)
        different = {function.symbol: function for function in functions}
        texts = {key: function.without_symbol() for key, function in different.items()}
        written = (
            tuple(
                (texts[function.symbol], function.reference if call else "")
                for function, call in zip(functions, called, strict=True)
            ),
            tuple(slots for _, slots in members),
            slot_count,
            tuple(copies),
            tuple(scratch),
        )
        wrapper = self._written.get(written)
        if wrapper is None:
            keep_attributes = self.form == "sound"
            wrapper = self._written[written] = FusedWrapper(
                lambda: _write(
                    members, called, sign(members, slot_count, copies, keep_attributes=keep_attributes), copies, scratch
                )
            )
        return wrapper


def _write(
    members: Sequence[BoundWrapper],
    called: Sequence[bool],
    signature: Signature,
    copies: Sequence[Copy],
    scratch: Sequence[Scratch],
) -> tuple[str, tuple[str, ...]]:
    kind: Kind = "llvm.func" if all(function.kind == "llvm.func" for function, _ in members) else "func.func"
    arguments = [f"%arg{slot}" for slot in range(len(signature.types))]
    body = _Body(members, called, signature, copies, arguments, scratch)
    step = indent_step(members[0][0])
    lines = [f"{step}{line}" if line else "" for lines in body.operations() for line in lines]
    terminator = "llvm.return" if kind == "llvm.func" else "return"
    before = "llvm.func " if kind == "llvm.func" else "func.func private "
    return before, (_header(signature, arguments), *lines, f"{step}{terminator}", "}")


def _header(signature: Signature, arguments: Sequence[str]) -> str:
    """The header behind the symbol."""
    parameters = ", ".join(
        f"{name}: {type_text}{f' {write_dictionary(attributes)}' if attributes else ''}"
        for name, type_text, attributes in zip(arguments, signature.types, signature.parameters, strict=True)
    )
    clauses = "".join(f" {clause}" for clause in signature.clauses)
    attributes = f" attributes {write_dictionary(signature.attributes)}" if signature.attributes else ""
    return f"({parameters}){clauses}{attributes} {{"


class _Body:
    """The operations of a fused wrapper, each as its lines."""

    def __init__(
        self,
        members: Sequence[BoundWrapper],
        called: Sequence[bool],
        signature: Signature,
        copies: Sequence[Copy],
        arguments: Sequence[str],
        scratch: Sequence[Scratch],
    ) -> None:
        self._members = members
        self._types = (*signature.types, *(POINTER for _ in scratch))
        self._copies = copies
        self._values = Values(arguments)
        self._scratch = scratch
        self._buffers: list[str] = []
        self._sizes: dict[int, str] = {}
        self._allocated = self._allocate() if scratch else []
        self._arguments = [*arguments, *self._buffers]
        self._clones = [
            None if call else Clone(function, [self._arguments[slot] for slot in slots], self._values)
            for (function, slots), call in zip(members, called, strict=True)
        ]

    def operations(self) -> list[list[str]]:
        """The buffers of its own, the constants, then each member with the copies before it."""
        written = [*self._allocated]
        written += [lines for clone in self._clones if clone is not None for lines in clone.constants()]
        written += self._copy_sizes() if not self._sizes else []
        for number, clone in enumerate(self._clones):
            written += self._copied(number)
            written += [self._call(number)] if clone is None else clone.rest()
        return written + self._copied(len(self._clones))

    def _call(self, number: int) -> list[str]:
        """The call of a wrapper, in its own calling convention: without it the arguments arrive elsewhere."""
        function, slots = self._members[number]
        arguments = ", ".join(self._arguments[slot] for slot in slots)
        types = ", ".join(parameter.type for parameter in function.parameters)
        return [f"{_calling(function)}{function.reference}({arguments}) : ({types}) -> ()"]

    def _copy_sizes(self) -> list[list[str]]:
        """A constant for each number of bytes that is copied."""
        sizes = dict.fromkeys([*(copy.bytes for copy in self._copies), *(buffer.size for buffer in self._scratch)])
        self._sizes = {size: self._values.number() for size in sizes}
        return [[f"{name} = llvm.mlir.constant({size} : i64) : i64"] for size, name in self._sizes.items()]

    def _allocate(self) -> list[list[str]]:
        """The buffers of the wrapper's own, aligned as XLA aligns buffers, below the constants that say how large."""
        sizes = self._copy_sizes()
        self._buffers = [self._values.number() for _ in self._scratch]
        return sizes + [
            [f"{name} = llvm.alloca {self._sizes[buffer.size]} x i8 {_ALIGNED} : (i64) -> {POINTER}"]
            for name, buffer in zip(self._buffers, self._scratch, strict=True)
        ]

    def _copied(self, before: int) -> list[list[str]]:
        return [[line] for copy in self._copies if copy.before == before for line in self._copy(copy)]

    def _copy(self, copy: Copy) -> list[str]:
        """A copy between two slots. `memref.copy` would do for memrefs, but the engine compiles it to a crash."""
        lines: list[str] = []
        source, source_type = self._pointer(copy.source, copy.source_offset, lines)
        target, target_type = self._pointer(copy.target, copy.target_offset, lines)
        operands = f"{target}, {source}, {self._sizes[copy.bytes]}"
        types = f"({target_type}, {source_type}, i64) -> ()"
        return [*lines, f'"llvm.intr.memcpy"({operands}) <{{isVolatile = false}}> : {types}']

    def _pointer(self, slot: int, offset: int, lines: list[str]) -> tuple[str, str]:
        """A pointer to a byte of the buffer of a slot, and its type; `lines` takes the operations that make it."""
        name, of_type = self._arguments[slot], self._types[slot]
        if of_type.startswith("memref"):
            space = _MEMORY_SPACE.search(of_type)
            pointer, pointer_type = self._values.number(), f"!llvm.ptr<{space[1]}>" if space else POINTER
            lines.append(f'{pointer} = "enzymexla.memref2pointer"({name}) : ({of_type}) -> {pointer_type}')
            name, of_type = pointer, pointer_type
        if offset:
            pointer = self._values.number()
            lines.append(f"{pointer} = llvm.getelementptr {name}[{offset}] : ({of_type}) -> {of_type}, i8")
            name = pointer
        return name, of_type


_ALIGNED = "{alignment = 64 : i64}"

_MEMORY_SPACE = lazy.pattern(r",\s*+([1-9][0-9]*+)\s*+>$")


def _calling(function: Function) -> str:
    if function.kind == "func.func":
        return "call "
    convention = function.header.calling_convention
    return f"llvm.call {convention} " if convention else "llvm.call "
