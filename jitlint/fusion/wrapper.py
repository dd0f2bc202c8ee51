"""The text of a fused wrapper: the bodies of the wrappers of a group in order, or calls of them, in one function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from jitlint.analysis.cloning import Cloning
from jitlint.analysis.wrappers import Member
from jitlint.fusion.clone import Clone, indent_step
from jitlint.fusion.names import Values
from jitlint.fusion.signature import Copy, Signature, sign, write_dictionary
from jitlint.ir.functions import Function
from jitlint.options import Form
from jitlint.syntax.functions import Kind


@dataclass(frozen=True, slots=True)
class FusedWrapper:
    """A fused wrapper without its name: the text before and after the symbol, line by line, without outer indent."""

    before: str
    after: tuple[str, ...]
    _rendered: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def text(self, reference: str, indent: str = "") -> str:
        """The function named `reference` (with `@`), every line but the first at `indent`; lines end in a line feed."""
        after = self._rendered.get(indent)
        if after is None:
            after = self._rendered[indent] = f"\n{indent}".join(self.after)
        return f"{self.before}{reference}{after}"


class WrapperWriter:
    """Writes the fused wrappers of one text in one form; what differs only in names is written once."""

    def __init__(self, form: Form, cloning: Cloning) -> None:
        self.form = form
        self._cloning = cloning
        self._written: dict[object, FusedWrapper] = {}

    def write(self, members: Sequence[Member], slot_count: int, copies: Sequence[Copy] = ()) -> FusedWrapper:
        """The fused wrapper of the calls of a group.

        `members` holds, in order, the wrapper of each call and for each of its parameters the number of the slot that
        is passed for it. The group is one that `Wrappers.group_verdicts` has nothing against.
        """
        functions = [function for function, _ in members]
        called = self._cloning.must_call(functions)
        key = (
            tuple(
                (function.key, function.reference if call else "")
                for function, call in zip(functions, called, strict=True)
            ),
            tuple(slots for _, slots in members),
            slot_count,
            tuple(copies),
        )
        wrapper = self._written.get(key)
        if wrapper is None:
            signature = sign(members, slot_count, copies, keep_attributes=self.form == "sound")
            wrapper = self._written[key] = _write(members, called, signature, copies)
        return wrapper


def _write(
    members: Sequence[Member], called: Sequence[bool], signature: Signature, copies: Sequence[Copy]
) -> FusedWrapper:
    kind: Kind = "llvm.func" if all(function.kind == "llvm.func" for function, _ in members) else "func.func"
    arguments = [f"%arg{slot}" for slot in range(len(signature.types))]
    body = _Body(members, called, signature, copies, arguments)
    step = indent_step(members[0][0])
    lines = [f"{step}{line}" if line else "" for lines in body.operations() for line in lines]
    terminator = "llvm.return" if kind == "llvm.func" else "return"
    before = "llvm.func " if kind == "llvm.func" else "func.func private "
    return FusedWrapper(before, (_header(signature, arguments), *lines, f"{step}{terminator}", "}"))


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
        members: Sequence[Member],
        called: Sequence[bool],
        signature: Signature,
        copies: Sequence[Copy],
        arguments: Sequence[str],
    ) -> None:
        self._members = members
        self._signature = signature
        self._copies = copies
        self._arguments = arguments
        self._values = Values(arguments)
        self._sizes: dict[int, str] = {}
        self._clones = [
            None if call else Clone(function, [arguments[slot] for slot in slots], self._values)
            for (function, slots), call in zip(members, called, strict=True)
        ]

    def operations(self) -> list[list[str]]:
        """The constants, then each member with the copies before it."""
        written = [lines for clone in self._clones if clone is not None for lines in clone.constants()]
        written += self._copy_sizes()
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
        """A constant for each number of bytes that pointers are copied by."""
        sizes = dict.fromkeys(copy.bytes for copy in self._copies if not self._is_memref(copy))
        self._sizes = {size: self._values.number() for size in sizes}
        return [[f"{name} = llvm.mlir.constant({size} : i64) : i64"] for size, name in self._sizes.items()]

    def _copied(self, before: int) -> list[list[str]]:
        return [[self._copy(copy)] for copy in self._copies if copy.before == before]

    def _copy(self, copy: Copy) -> str:
        source, target = self._arguments[copy.source], self._arguments[copy.target]
        from_type, to_type = self._signature.types[copy.source], self._signature.types[copy.target]
        if self._is_memref(copy):
            return f"memref.copy {source}, {target} : {from_type} to {to_type}"
        operands = f"{target}, {source}, {self._sizes[copy.bytes]}"
        return f'"llvm.intr.memcpy"({operands}) <{{isVolatile = false}}> : ({to_type}, {from_type}, i64) -> ()'

    def _is_memref(self, copy: Copy) -> bool:
        return self._signature.types[copy.source].startswith("memref")


def _calling(function: Function) -> str:
    if function.kind == "func.func":
        return "call "
    convention = function.header.calling_convention
    return f"llvm.call {convention} " if convention else "llvm.call "
