"""Random exchanges as models: calls that start and wait, and between them what only moves bytes and what is in the way.

MPI is played by functions of the module, at once and in a way that shows in numbers: a receive puts a number made of
its source and its tag into the buffer, a request is a number too, and a wait adds what it saw of its requests to a
buffer of its own. So the order of calls that no value ties does not show, and every byte that moves does.
"""

from __future__ import annotations

import random

from tests.generator.exchange_text import made_up
from tests.generator.model import (
    Block,
    Call,
    Function,
    Module,
    Operation,
    Step,
    Term,
    Type,
    Value,
    Wrapper,
)

MOST = 4
"""How many requests are waited for together."""

_ROUNDS = 2


def build_exchange(seed: int) -> Module:
    """The module of a seed: an exchange in `@main`, in a loop there, or in both."""
    rng = random.Random(f"exchange {seed}")
    element = rng.choice(("i32", "i32", "i64"))
    wrappers = {wrapper.name: wrapper for wrapper in _wrappers(element, resets=rng.random() < 0.3)}
    scalar = Type((), element)
    main = Block([Value(scalar), Value(scalar), Value(scalar), Value(Type((MOST,), element))])
    builder = _Builder(rng, element, wrappers, main.arguments)
    where = rng.choice(("main", "main", "main", "main", "loop", "both"))
    if where != "loop":
        builder.add(rng.randint(4, 16))
    if where != "main":
        builder.loop(rng.randint(4, 10))
    main.operations = builder.operations
    builder.end("return")
    named = {each.call.wrapper.name for block in main.walk() for each in block.calls if each.call}
    kept = [wrapper for name, wrapper in wrappers.items() if name in named]
    return Module(kept, [Function("main", main)])


def _wrappers(element: str, *, resets: bool) -> list[Wrapper]:
    """A receive, a send, a wait for each number of requests, and one that has nothing to do with it.

    With `resets`, a wait leaves nothing but zeros in the memory of its requests, and its calls say so.
    """
    scalar = Type((), element)
    received = Step(0, (0,), (Term(7, 1), Term(1, 2)), 0)
    made = [
        _wrapper("recv", (scalar,) * 4, (received, Step(3, (0,), (Term(8, 1), Term(1, 2)), 0)), element),
        _wrapper("send", (scalar,) * 4, (Step(3, (0,), (Term(1, 0), Term(-1, 1)), 0),), element),
        _wrapper("double", (scalar,), (Step(0, (0,), (Term(2, 0),), 0),), element),
    ]
    for count in range(1, MOST + 1):
        digits = tuple(Term(10 ** (count - 1 - at) if count > 1 else 3, 0, at) for at in range(count))
        steps = [Step(1, (0,), (*digits, Term(1, 1)), 0)]
        if resets:
            steps.append(Step(0, tuple(range(count)), (), 0))
        requests = Type((count,) if count > 1 else (), element)
        made.append(_wrapper(f"wait{count}", (requests, scalar), tuple(steps), element))
    return made


def _wrapper(name: str, types: tuple[Type, ...], steps: tuple[Step, ...], element: str) -> Wrapper:
    text = made_up(name, types, element, resets=len(steps) > 1 and name.startswith("wait"))
    pending = frozenset([0] if name in ("recv", "send") else [])
    return Wrapper(name, "llvm", types, steps, None, True, text, pending=pending)


class _Builder:
    """Adds the operations of one block. `requests` are values that hold some, `buffers` those that may be sent."""

    def __init__(self, rng: random.Random, element: str, wrappers: dict[str, Wrapper], given: list[Value]) -> None:
        self.operations: list[Operation] = []
        self._rng, self._element, self._wrappers = rng, element, wrappers
        self._numbers = given[:2]
        self._tags = given[1:3]
        self._given = given
        self._buffers = given[:3]
        self._seen = [given[2]]
        self._requests: list[Value] = []
        self._made: list[Value] = []
        self._count = 0

    def add(self, count: int) -> None:
        """Add so many steps of an exchange."""
        steps = [self._start] * 2 + [self._view, self._gather, self._part] + [self._wait] * 2 + [self._use]
        for _ in range(count):
            self._rng.choice(steps)()

    def loop(self, count: int) -> None:
        """Add a loop with an exchange of its own, which waits for nothing that was started before."""
        carried = [self._rng.choice(self._buffers), self._seen[-1]]
        block = Block([Value(value.type) for value in carried])
        inside = _Builder(self._rng, self._element, self._wrappers, [*block.arguments, self._given[2], self._given[3]])
        inside._count = 1000
        inside.add(count)
        block.operations = inside.operations
        inside.end("stablehlo.return", [inside._buffers[-1], inside._seen[-1]])
        results = [Value(value.type) for value in carried]
        self._add(Operation("stablehlo.while", carried, results, [block], payload=_ROUNDS))
        self._buffers.append(results[0])
        self._seen.append(results[1])

    def end(self, name: str, yielded: list[Value] | None = None) -> None:
        """Add the terminator: without values given, it returns what waits saw, and some of the rest."""
        if yielded is None:
            some = [value for value in self._made if self._rng.random() < 0.3]
            yielded = list(dict.fromkeys([*self._seen[1:], *some])) or [self._buffers[-1]]
        self._add(Operation(name, yielded, []))

    def _add(self, operation: Operation) -> list[Value]:
        self._count += 1
        operation.number = self._count
        self.operations.append(operation)
        return operation.results

    def _jit_call(
        self, name: str, operands: list[Value], aliases: tuple[int, ...], *, free: bool = False
    ) -> list[Value]:
        wrapper = self._wrappers[name]
        results = [Value(wrapper.types[index]) for index in aliases]
        return self._add(Operation("enzymexla.jit_call", operands, results, call=Call(wrapper, aliases, free)))

    def _start(self) -> None:
        """Receive or send; a request may be made in the memory of an old one."""
        buffer, other, tag = (self._rng.choice(some) for some in (self._buffers, self._numbers, self._tags))
        scalars = [value for value in self._requests if not value.type.rank]
        old = self._rng.choice([self._given[2], *scalars])
        operands = [buffer, other, tag, old]
        if self._rng.random() < 0.7:
            received, request = self._jit_call("recv", operands, (0, 3))
            self._buffers.append(received)
            self._made.append(received)
        else:
            (request,) = self._jit_call("send", operands, (3,))
        self._hold(request)

    def _hold(self, *values: Value) -> None:
        self._requests += values
        self._made += values

    def _view(self) -> None:
        """Another shape of some requests, or a barrier for two values."""
        if not self._requests:
            return
        value = self._rng.choice(self._requests)
        if self._rng.random() < 0.3:
            other = self._rng.choice([*self._requests, *self._buffers])
            results = [Value(value.type), Value(other.type)]
            self._add(Operation("stablehlo.optimization_barrier", [value, other], results))
            self._hold(results[0])
            if other in self._requests:
                self._hold(results[1])
            else:
                self._buffers.append(results[1])
            return
        size = value.type.size
        shapes = [(size,), (1, size), (size, 1), *([()] if size == 1 else []), *([(2, 2)] if size == MOST else [])]
        others = [Type(shape, self._element) for shape in shapes if shape != value.type.shape]
        self._hold(*self._shaped(value, self._rng.choice(others)))

    def _shaped(self, value: Value, type_: Type) -> list[Value]:
        widens = not value.type.rank and self._rng.random() < 0.5
        name = "stablehlo.broadcast_in_dim" if widens else "stablehlo.reshape"
        return self._add(Operation(name, [value], [Value(type_)]))

    def _line(self, value: Value) -> Value:
        """The same requests in one dimension."""
        if value.type.rank == 1:
            return value
        (shaped,) = self._shaped(value, Type((value.type.size,), self._element))
        self._hold(shaped)
        return shaped

    def _gather(self) -> None:
        """Several requests in one tensor."""
        if self._requests:
            taken = [self._rng.choice(self._requests[-6:]) for _ in range(self._rng.randint(2, MOST))]
            size = sum(value.type.size for value in taken)
            if size <= MOST:
                operands = [self._line(value) for value in taken]
                whole = Value(Type((size,), self._element))
                self._hold(*self._add(Operation("stablehlo.concatenate", operands, [whole])))

    def _part(self) -> None:
        """Some of several requests."""
        several = [value for value in self._requests if value.type.size > 1]
        if several:
            value = self._line(self._rng.choice(several))
            first = self._rng.randrange(value.type.size)
            last = self._rng.randint(first + 1, value.type.size)
            part = Value(Type((last - first,), self._element))
            self._hold(*self._add(Operation("stablehlo.slice", [value], [part], payload=(first, last))))

    def _wait(self) -> None:
        """Wait for a request or for several; what the wait leaves of them may be used as well."""
        if not self._requests:
            return
        several = [value for value in self._requests if value.type.size > 1]
        value = self._rng.choice(several if several and self._rng.random() < 0.6 else self._requests)
        size = value.type.size
        if size > 1:
            value = self._line(value)
        elif value.type.rank:
            (value,) = self._shaped(value, Type((), self._element))
            self._hold(value)
        resets = 0 in self._wrappers[f"wait{size}"].written
        aliases = (0, 1) if resets or self._rng.random() < 0.1 else (1,)
        *left, seen = self._jit_call(f"wait{size}", [value, self._rng.choice(self._seen)], aliases)
        self._seen.append(seen)
        if self._rng.random() < 0.3:
            self._hold(*left)

    def _use(self) -> None:
        """Something else: a call that may be in the way, an operation on a value, or one with side effects."""
        kind = self._rng.random()
        if kind < 0.4:
            free = self._rng.random() < 0.3
            self._buffers += self._jit_call("double", [self._rng.choice(self._buffers)], (0,), free=free)
            self._made.append(self._buffers[-1])
            return
        value = self._rng.choice([*self._requests, *self._buffers])
        if kind < 0.9:
            operation = Operation("stablehlo.negate", [value], [Value(value.type)])
        else:
            operation = Operation("stablehlo.custom_call", [value], [Value(value.type)], declared_effect=True)
        results = self._add(operation)
        self._made += results
        if not value.type.rank:
            self._buffers += results
