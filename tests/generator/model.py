"""A module as the generator knows it, so that the reference needs no parser.

Values, operations and blocks are what MLIR calls so. They are compared by identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any, Literal

from tests.generator.elements import Number, part_of, parts_of
from tests.generator.layout_text import Layout, LayoutSpelling, is_read

Data = list[Number]
"""The numbers of a value: its elements in row-major order, the two parts of a complex one in turn."""


@dataclass(frozen=True, slots=True)
class Type:
    """A tensor type: its shape and its elements' type."""

    shape: tuple[int, ...]
    element: str

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def part(self) -> str:
        """The type of the numbers that the elements consist of."""
        return part_of(self.element)

    @property
    def length(self) -> int:
        """How many numbers a value of the type has."""
        return self.size * parts_of(self.element)

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def default_layout(self) -> Layout:
        """Row-major."""
        return tuple(reversed(range(self.rank)))

    @property
    def inside(self) -> str:
        """What stands in the angle brackets: `4xf64`."""
        return "x".join([*map(str, self.shape), self.element])

    def __str__(self) -> str:
        return f"tensor<{self.inside}>"


SCALAR = Type((), "f64")
VECTOR = Type((4,), "f64")
MATRIX = Type((2, 2), "f64")
INTEGER = Type((), "i64")
BOOLEAN = Type((), "i1")
INDEX = Type((), "i32")
BUFFERS = (SCALAR, VECTOR, MATRIX, INTEGER)
"""The types that operands of JIT calls have in most modules."""


@dataclass(frozen=True, slots=True)
class Term:
    """`coefficient` times a number of a parameter: number `at`, or where that is None, the one at the same place."""

    coefficient: int
    parameter: int
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """Write a sum to some numbers of a parameter: of the number of each term at the same place, modulo its length.

    `only_if` names two parameters; the step is left out unless the first one's first number is the greater.
    """

    target: int
    elements: tuple[int, ...]
    terms: tuple[Term, ...]
    constant: Number
    only_if: tuple[int, int] | None = None


Kind = Literal["llvm", "pointer", "memref"]
"""An `llvm.func`, a `func.func` with pointers, a `func.func` with memrefs."""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """What a JIT call names. `effects` is its `enzymexla.memory_effects` list, None where it has none.

    `fusable` is False where the wrapper itself keeps its calls out of every group.
    """

    name: str
    kind: Kind
    types: tuple[Type, ...]
    steps: tuple[Step, ...]
    effects: tuple[str, ...] | None
    fusable: bool
    text: tuple[str, ...]
    """The symbols that define it, in any order: itself, and what it calls or refers to."""
    public: bool = False
    """A `func.func` that the engine exports, and refuses, unless a JIT call names it."""
    certain: bool = True
    """Whether the reference knows if a fused wrapper can clone or call it, and if jitlint can follow its pointers."""
    remembers: bool = False
    """Whether it writes a global, so that what it computes depends on the calls before."""
    convention: str = ""
    """What a call of it from another function has to repeat."""
    made_from: Any = None
    """Its own steps and its style, from which a twin can be made."""
    pending: frozenset[int] = frozenset()
    """The parameters whose memory a nonblocking operation goes on using; a device's would do for them."""

    @property
    def written(self) -> set[int]:
        """The parameters that it stores through."""
        return {step.target for step in self.steps}

    @property
    def shows(self) -> frozenset[int]:
        """The parameters that it is seen to use as memory of the host."""
        read = {term.parameter for step in self.steps for term in step.terms}
        compared = {parameter for step in self.steps for parameter in step.only_if or ()}
        return frozenset(self.written | read | compared) - self.pending

    def slot_type(self, parameter: int) -> str:
        """The type of a parameter, as two uses of one slot must agree on it."""
        return f"memref<{self.types[parameter].inside}>" if self.kind == "memref" else "!llvm.ptr"


@dataclass(eq=False, slots=True)
class Value:
    """An SSA value; `name` is given when the module is written."""

    type: Type
    name: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """What makes an operation a JIT call: the wrapper, and the operand that each result aliases."""

    wrapper: Wrapper
    aliases: tuple[int, ...]
    effect_free: bool = False
    """The flag `xla_side_effect_free`."""
    metadata: str | None = None
    """A property or attribute that keeps the call out of every group."""
    layouts: tuple[Layout, ...] | None = None
    """How each operand lies in memory; None leaves it to XLA."""
    spelling: LayoutSpelling = "plain"
    """How that is written."""
    suppression: str = ""
    """What a comment at the call says; the group of a call that has one is not fused."""

    @property
    def undeclared(self) -> set[int]:
        """The operands that the wrapper writes and no result aliases."""
        return self.wrapper.written - set(self.aliases)

    @property
    def has_effects(self) -> bool:
        """Whether the call has side effects: by assumption, unless flag or wrapper deny it."""
        return not self.effect_free and self.wrapper.effects != ()

    @property
    def fusable(self) -> bool:
        """Whether the call may be in a group at all."""
        return self.wrapper.fusable and self.metadata is None and is_read(self.layouts or (), self.spelling)


@dataclass(eq=False, slots=True)
class Operation:
    """One operation. `payload` is what its name needs: a constant's elements, a function, the rounds of a loop."""

    name: str
    operands: list[Value]
    results: list[Value]
    blocks: list[Block] = field(default_factory=list)
    call: Call | None = None
    payload: object = None
    declared_effect: bool = False
    number: int = 0
    """Its place among the module's operations as they were made: what it is written like depends on it alone."""

    @property
    def has_effects(self) -> bool:
        """Whether it has side effects, itself or within its regions or its callee."""
        if self.call is not None:
            return self.call.has_effects
        if isinstance(self.payload, Function):
            return self.payload.block.has_effects
        return self.declared_effect or any(block.has_effects for block in self.blocks)

    @property
    def uses(self) -> list[Value]:
        """The values that it needs from outside: its operands, and what its regions use of the surroundings."""
        return self.operands + [value for block in self.blocks for value in block.captured]


@dataclass(eq=False, slots=True)
class Block:
    """A block of one region; its last operation is the terminator."""

    arguments: list[Value]
    operations: list[Operation] = field(default_factory=list)

    @property
    def has_effects(self) -> bool:
        """Whether one of its operations has side effects."""
        return any(operation.has_effects for operation in self.operations)

    @property
    def captured(self) -> list[Value]:
        """The values that its operations use and that it does not define."""
        own = {*self.arguments, *(result for operation in self.operations for result in operation.results)}
        return [value for operation in self.operations for value in operation.uses if value not in own]

    @property
    def calls(self) -> list[Operation]:
        """Its JIT calls, without those in regions."""
        return [operation for operation in self.operations if operation.call is not None]

    def walk(self) -> Iterator[Block]:
        """This block and all blocks in its operations' regions."""
        yield self
        for operation in self.operations:
            for block in operation.blocks:
                yield from block.walk()


@dataclass(eq=False, slots=True)
class Function:
    """A `func.func` with one block."""

    name: str
    block: Block
    public: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """Wrappers and functions; the last function is `@main`. `inner` modules have symbol tables of their own."""

    wrappers: list[Wrapper]
    functions: list[Function]
    inner: tuple[Module, ...] = ()
    container: str = "module"
    """The operation that it is, where it is inside another."""

    @property
    def main(self) -> Function:
        """The function that is run."""
        return self.functions[-1]

    @property
    def blocks(self) -> list[Block]:
        """Every block that can hold JIT calls."""
        own = [block for function in self.functions for block in function.block.walk()]
        return own + [block for module in self.inner for block in module.blocks]

    @property
    def calls(self) -> int:
        """How many JIT calls there are."""
        return sum(len(block.calls) for block in self.blocks)
