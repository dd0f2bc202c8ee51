"""What operations without a rule do to the memory of a wrapper: all that is known of them is what they may reach.

Such an operation reads all that its pointers reach, and leaves unknown bytes in what it may write. So do loads and
stores through addresses that are not known.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from jitlint.ir.effects import NONE, declared
from jitlint.ir.tree import Block, Operation
from jitlint.proof.buffers import Buffer, Pointer, Value
from jitlint.proof.module_facts import CALLS, Module
from jitlint.proof.terms import Piece, Term, Terms
from jitlint.proof.touches import Reach, Touch, touches
from jitlint.proof.type_sizes import size_of


class _Deed(NamedTuple):
    """Something done to some values, ready to be made a term: how each is passed, and the buffers that are seen."""

    said: tuple[object, ...]
    parts: tuple[Term, ...]
    seen: list[int]


class Memory:
    """The buffers of one run. `state` is the term of all effects so far; `effects` are settled for each call."""

    def __init__(self, module: Module, reach: Reach, terms: Terms) -> None:
        self.module, self.reach, self.terms = module, reach, terms
        self.buffers: list[Buffer] = []
        self.state = terms.make("entry", None)
        self.effects: list[Term] = []
        self._escaped: dict[int, None] = {}

    def buffer(self, base: Term, size: int | None, *, is_shut: bool = False, name: str = "") -> Pointer:
        """A pointer to a new buffer."""
        self.buffers.append(Buffer(base, size, is_shut=is_shut, name=name))
        return Pointer((len(self.buffers) - 1,), 0)

    def _without_rule(
        self, block: Block, index: int, text: str, names: list[str], operands: list[Value], count: int
    ) -> list[Value]:
        module = self.module
        if text in module.computing:
            return self._computed(text, operands, count)
        operation = block[index]
        called = module.symbols_in(operation.operands_start, operation.end)
        acts, leaks = module.behaviour([operation, *_inner(module, operation)])
        acts = acts or operation.name in CALLS or any(module.facts(name).has_effects for name in called)
        leaks = leaks or any(module.facts(name).leaks for name in called)
        if operation.name not in CALLS and not operation.regions and not acts and declared(operation.name) == NONE:
            module.computing.add(text)
            return self._computed(text, operands, count)
        touched: Sequence[Touch] = touches(module, operation, names)
        if operation.name in CALLS or operation.regions:
            found = dict(zip(dict.fromkeys(names), self.reach.captured(operation, names), strict=True))
            touched = [found[name] for name in names]
        return self._done(text, operands, touched, acts, count, leaks)

    def _computed(self, text: str, operands: list[Value], count: int) -> list[Value]:
        """What is computed from addresses may be an address in any of the buffers that these are in."""
        if not any(isinstance(each, Pointer) for each in operands):
            term = self.terms.make("op", text, *[each for each in operands if not isinstance(each, Pointer)])
            return list(self.terms.results(term, count))
        deed = self._deed(text, operands, with_contents=False)
        made = self.terms.make("address", self.terms.number(deed.said), *deed.parts)
        return [Pointer(tuple(deed.seen), None, each) for each in self.terms.results(made, count)]

    def _done(
        self,
        text: str,
        operands: list[Value],
        touched: Sequence[Touch],
        acts: bool,
        count: int,
        leaks: bool = False,
    ) -> list[Value]:
        """Something unknown is done to values, and to what the addresses among them reach. `leaks` tells that
        addresses may come out of it, or be left in memory."""
        if acts:
            operands = [*operands, *[Pointer((number,), 0) for number in self._escaped]]
            touched = [*touched, *[Touch.WRITTEN] * len(self._escaped)]
        worst = [Touch.NOT] * len(self.buffers)
        direct = set[int]()
        for operand, touch in zip(operands, touched, strict=True):
            for number in operand.buffers if isinstance(operand, Pointer) else ():
                worst[number] = max(worst[number], touch)
                direct.add(number)
        only_read = () if leaks else {number for number, touch in enumerate(worst) if touch is Touch.NOT}
        deed = self._deed(text, operands, with_contents=True, only_read=only_read)
        if acts:
            done = self.terms.make("effect?", self.terms.number(deed.said), self.state, *deed.parts)
            self.state = self.terms.make("after?", None, self.state, done)
            self.effects.append(done)
        else:
            done = self.terms.make("done", self.terms.number(deed.said), *deed.parts)
        for order, number in enumerate(deed.seen):
            # What is reached through an address in memory is not followed: it may be written.
            self._leave(self.buffers[number], order, done, worst[number] if number in direct else Touch.WRITTEN)
        if leaks:
            self._escaped.update(dict.fromkeys(deed.seen))
        return list(self.terms.results(done, count))

    def _leave(self, buffer: Buffer, order: int, done: Term, touch: Touch) -> None:
        """What is in a buffer after something unknown was done."""
        if buffer.name or touch is Touch.NOT:
            return
        if touch is Touch.OUTSIDE and not buffer.pointers:
            before = buffer.contents(self.terms)
            buffer.set(self.terms.make("left?", (order, buffer.size, buffer.is_shut), done, before))
            if buffer.size is not None:
                self.terms.sizes[buffer.base] = buffer.size
        else:
            buffer.set(self.terms.left(order, buffer.size, done))

    def _deed(self, text: str, operands: list[Value], *, with_contents: bool, only_read: Collection[int] = ()) -> _Deed:
        """Describe what is done so that the description is the same wherever the same is done: buffers are numbered as
        they are met, first those of the operands, then those whose addresses are stored in them. A buffer that is only
        read is what it holds: whether two share it makes no difference. (XLA may give equal constants one buffer.)"""
        seen: dict[int, int] = {}
        said: list[object] = [text]
        parts: list[Term] = []

        def place(pointer: Pointer) -> object:
            numbers = tuple([seen.setdefault(number, len(seen)) for number in pointer.buffers])
            if pointer.offset is None:
                parts.append(pointer.path)
            return numbers, pointer.offset

        for operand in operands:
            if isinstance(operand, Pointer):
                buffer = self.buffers[operand.buffers[0]]
                if (
                    operand.buffers[0] in only_read
                    and operand.offset is not None
                    and not (buffer.name or buffer.pointers)
                ):
                    said.append(("read", buffer.size, operand.offset))
                    parts.append(buffer.contents(self.terms))
                else:
                    said.append(place(operand))
            else:
                said.append("value")
                parts.append(operand)
        queue = list(seen)
        for number in queue if with_contents else ():
            buffer = self.buffers[number]
            if buffer.name:
                said.append(buffer.name)
            elif not buffer.pointers:
                said.append("contents")
                parts.append(buffer.contents(self.terms))
            else:
                said.append((buffer.size, "pieces"))
                parts.append(buffer.base)
                for at, (piece, pointer) in zip(buffer.places, buffer.stored, strict=True):
                    if pointer is not None:
                        said.append((at, piece.length, place(pointer)))
                        queue += list(seen)[len(queue) :]
                    else:
                        said.append((at, piece.length, piece.offset))
                        parts.append(piece.source)
        return _Deed(tuple(said), tuple(parts), list(seen))

    def _load(self, type_: str, address: Value) -> Value:
        size = size_of(type_)
        if isinstance(address, int):
            return self._outside("load", type_, [address])[0]
        if address.offset is None or size is None:
            deed = self._deed(f"load {type_}", [address], with_contents=True)
            return self.terms.make("done", self.terms.number(deed.said), *deed.parts)
        buffer = self.buffers[address.buffers[0]]
        pointer = buffer.pointer_at(address.offset, size)
        if pointer is not None and type_.startswith("!llvm.ptr"):
            return pointer
        return self.terms.load(type_, buffer.read(address.offset, size))

    def _store(self, type_: str, value: Value, address: Value) -> None:
        size = size_of(type_)
        if isinstance(value, Pointer):
            self._escaped.update(dict.fromkeys(value.buffers))
        if isinstance(address, int):
            self._outside("store", type_, [address, value])
            return
        first = self.buffers[address.buffers[0]]
        if address.offset is None or size is None or first.name:
            self._done(f"store {type_}", [address, value], [Touch.WRITTEN, Touch.NOT], first.name != "", 0)
        elif isinstance(value, Pointer):
            first.write(address.offset, Piece(-1, 0, size), value)
        else:
            first.write(address.offset, Piece(self.terms.cell(type_, value), 0, size))

    def _outside(self, what: str, type_: str, operands: list[Value]) -> list[Value]:
        """A load or a store through an address that came out of memory or from outside: an effect."""
        touched = [Touch.NOT] * len(operands)
        return self._done(f"{what} {type_}", operands, touched, acts=True, count=int(what == "load"))


def _inner(module: Module, operation: Operation) -> list[Operation]:
    """The operations inside of one."""
    return [each for region in operation.regions for _, each in module.operations(region)]
