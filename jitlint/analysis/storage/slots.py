"""What a slot is: a pointer of a fused wrapper, and the value that it holds while the calls of its group run.

`docs/fusion.md` explains the rules, `storage.py` follows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from jitlint.analysis.storage.moves import Plumbing
from jitlint.ir.calls import Value

Layout = tuple[int, ...]


class Member(Protocol):
    """What storage needs to know of a call; every sequence has one entry for each operand."""

    @property
    def index(self) -> int:
        """Its place in its block."""

    @property
    def operands(self) -> tuple[Value, ...]:
        """The values that it uses."""

    @property
    def results(self) -> tuple[Value, ...]:
        """The values that it defines."""

    @property
    def mutated(self) -> Mapping[int, int]:
        """The result that aliases an operand, by the operand's number."""

    @property
    def operand_types(self) -> tuple[str, ...]:
        """The tensor types of its operands."""

    @property
    def parameter_types(self) -> tuple[str, ...]:
        """The types of its wrapper's parameters."""

    @property
    def layouts(self) -> tuple[Layout | None, ...]:
        """The layouts of its operands, minor to major; None where XLA chooses."""


class Slot(NamedTuple):
    """One pointer of the fused wrapper.

    `operand` is the outside value passed for it, `holds` the inside value it holds now (None while it holds the
    operand), `mutated` whether any call writes it. `member` and `number` are the call and the operand that opened it.
    `scratch` is 0, or the bytes of a buffer of the fused wrapper's own, which nothing is passed for.
    """

    member: Member | Plumbing
    number: int
    operand: Value
    operand_type: str
    parameter_type: str
    layout: Layout | None
    mutated: bool
    holds: Value | None = None
    scratch: int = 0


class Copy(NamedTuple):
    """Bytes that move: before `member` (its index) runs, `size` bytes of slot `source`, from byte `source_offset` on,
    go to slot `target`, from byte `target_offset` on."""

    member: int
    source: int
    target: int
    size: int
    source_offset: int = 0
    target_offset: int = 0


class Conflict(NamedTuple):
    """Why a call cannot join the calls before it (`Storage.push`).

    `kind` is "overwritten" (`value` is needed after `by` overwrote it; by `reader` inside the group, or outside if
    None), "twice" (`by` takes the inside `value` to write and once more), "type" or "layout" (operand `operand` of
    `by` does not fit the slot, whose property is `had`, with `has`), "scratch" (`by` writes `value`, which stands in a
    buffer of the wrapper's own or in another shape, and what it writes is needed), or "stack" (the buffers of the
    wrapper's own would be too large together).
    """

    kind: str
    value: Value
    by: Member | Plumbing
    reader: Member | Plumbing | None = None
    operand: int = 0
    had: str = ""
    has: str = ""

    @property
    def lost(self) -> Value | None:
        """The value that nothing outside the group can have, None where that is not what is wrong."""
        if self.kind == "scratch":
            assert not isinstance(self.by, Plumbing)
            return self.by.results[self.by.mutated[self.operand]]
        return self.value if self.kind == "overwritten" and self.reader is None else None


class FinalSlot(NamedTuple):
    """A slot of a group that is settled. `member` and `number` tell the call and the operand that is passed for it,
    `holds` the call and the result that it holds in the end (None if it is only read); calls by their number."""

    member: int
    number: int
    operand_type: str
    parameter_type: str
    layout: Layout | None
    mutated: bool
    holds: tuple[int, int] | None


class Scratch(NamedTuple):
    """A buffer of a fused wrapper's own: its tensor type and its bytes."""

    tensor_type: str
    size: int


class Slots(NamedTuple):
    """The slots of a group that is settled, in order; groups of the same pattern share one.

    `bindings` has the slot of each parameter of each call, `written` the slots that some call writes. The `member` of
    a copy is the number of a call. The buffers of the wrapper's own, `scratch`, are numbered behind the slots. No two
    have the same `serial`, so that it may stand for them in keys.
    """

    slots: tuple[FinalSlot, ...]
    bindings: tuple[tuple[int, ...], ...]
    copies: tuple[Copy, ...]
    written: tuple[int, ...]
    serial: int
    scratch: tuple[Scratch, ...] = ()
