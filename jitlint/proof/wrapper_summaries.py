"""What a JIT call does, found once for each wrapper and each way its parameters share buffers, and filled in per call.

A summary is a list of the terms that the run of the body made, in the order of their numbers, so that each stands
behind its parts. To fill it in is to make the same terms again with the call's operands in place of the names that
the run used: nothing is executed twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from jitlint.ir.functions import FLOAT, Function
from jitlint.ir.tree import Operation
from jitlint.proof.buffers import Pointer
from jitlint.proof.module_facts import Module
from jitlint.proof.promises import World
from jitlint.proof.same_functions import Sameness
from jitlint.proof.terms import NotUnderstood, Piece, Term, Terms
from jitlint.proof.touches import Reach
from jitlint.proof.wrapper_execution import Machine
from jitlint.syntax.lexer import SSA_NAME

_NUMBER = re.compile(rf"{SSA_NAME} = llvm\.mlir\.constant\([-+.0-9eE]+ : f(16|32|64)\) : f\1")
_POINTER = re.compile(r"!llvm\.ptr\Z|memref<")


class Sharing(NamedTuple):
    """How the parameters of a wrapper share buffers: `group[i]` is the first parameter with the buffer of the `i`th,
    `shut[i]` tells that no result aliases it, `sizes[i]` are the buffer's bytes, if known."""

    group: tuple[int, ...]
    shut: tuple[bool, ...]
    sizes: tuple[int | None, ...]


class Outcome(NamedTuple):
    """One call, filled in: what each parameter's buffer holds in the end, the state, and the effects on the way."""

    contents: tuple[Term, ...]
    state: Term
    effects: tuple[Term, ...]


class Summary:
    """The run of one wrapper under one sharing. It is filled in with operands, as many as `names`, and a state."""

    def __init__(self, terms: Terms, names: Sequence[Term], contents: Sequence[Term], machine: Machine) -> None:
        self.wanted = wanted = (*contents, machine.state, *machine.effects)
        places = {term: index for index, term in enumerate([*names, terms.make("entry", None)])}
        needed, pending = set[Term](), list(wanted)
        while pending:
            term = pending.pop()
            if term not in needed:
                needed.add(term)
                pending += () if term in places else terms.nodes[term][2:]
        varying = set(places)
        order = sorted(needed - varying)
        for term in order:
            if not varying.isdisjoint(terms.nodes[term][2:]):
                varying.add(term)
        self._constants = [term for term in order if term not in varying]
        self._steps: list[tuple[str, Any, tuple[int, ...], int]] = []
        for term in [*self._constants, *[term for term in order if term in varying]]:
            places[term] = len(places)
        for term in order:
            if term in varying:
                kind, data, *parts = terms.nodes[term]
                number = terms.number((kind, data)) if kind in _MAKERS else 0
                self._steps.append((kind, data, tuple([places[part] for part in parts]), number))
        self._contents = [places[term] for term in contents]
        self.changed = frozenset([at for at, place in enumerate(self._contents) if place != at])
        """The parameters whose buffers may hold something else in the end than at the beginning."""
        self._state = places[machine.state]
        self._effects = [places[term] for term in machine.effects]

    def fill(self, world: World, operands: Sequence[Term], state: Term, is_free: bool) -> Outcome:
        """The outcome for a call's operands, after `state`; in a call that is free no effect depends on another."""
        values = [*operands, state, *self._constants]
        made, make = world.filled, world.terms.make
        for kind, data, where, number in self._steps:
            if kind == "left?":
                term = world.written(values[where[0]], data[0], data[1], values[where[1]], data[2])
                values.append(term)
                continue
            parts = [values[at] for at in where]
            if kind == "effect?":
                term = world.effect(data, parts[0], tuple(parts[1:]), is_free)
            elif kind == "after?":
                term = world.after(parts[0], parts[1])
            elif kind in _MAKERS:
                key = (number, *parts)
                term = made.get(key, -1)
                if term < 0:
                    term = made[key] = _MAKERS[kind](world, data, parts)
            else:
                term = make(kind, data, *parts)
            values.append(term)
        effects = [values[at] for at in self._effects]
        if effects:
            nodes, free = world.terms.nodes, world.free
            effects = [each for each in effects if nodes[each][2] != free]
        return Outcome(tuple([values[at] for at in self._contents]), values[self._state], tuple(effects))


def _pieces(parts: Sequence[Term], layout: Sequence[tuple[int, int]]) -> list[Piece]:
    return [Piece(part, offset, length) for part, (offset, length) in zip(parts, layout, strict=True)]


def _bytes(world: World, data: Any, parts: list[Term]) -> Term:
    return world.terms.bytes(_pieces(parts, data))


def _load(world: World, data: Any, parts: list[Term]) -> Term:
    type_, layout = data
    return world.terms.load(type_, _pieces(parts, layout))


def _overlaid(world: World, data: Any, parts: list[Term]) -> Term:
    pieces = _pieces(parts[1:], [(offset, length) for _, offset, length in data])
    return world.terms.overlaid(parts[0], zip([place for place, _, _ in data], pieces, strict=True))


def _left_behind(world: World, data: Any, parts: list[Term]) -> Term:
    order, size = data
    return world.terms.left(order, size, parts[0])


def _constant(world: World, data: Any, parts: list[Term]) -> Term:
    """A floating-point constant as the term that its plain text is."""
    return world.terms.make("op", f"llvm.mlir.constant({world.terms.nodes[parts[0]][1]}:f{data}):f{data}")


_MAKERS = {"constant": _constant, "bytes": _bytes, "load": _load, "overlaid": _overlaid, "left": _left_behind}
"""How terms are made that have a normal form. (Those whose kind ends in `?` depend on the call, and on the module.)"""


class Summaries:
    """The summaries of one symbol table's wrappers.

    Wrappers that differ in nothing but floating-point constants have one, in which these are operands as well.
    """

    def __init__(self, module: Module, same: Sameness, terms: Terms) -> None:
        self._module = module
        self._same = same
        self._terms = terms
        self._reach = Reach(module)
        self._blocked: set[str] = set()
        self._found: dict[tuple[str | int, Sharing], Summary] = {}
        self._constants: dict[int, list[Operation] | None] = {}
        self._meanings: dict[str, int] = {}

    def of(self, symbol: str, sharing: Sharing, *, alone: bool = False) -> tuple[Summary, tuple[Term, ...]]:
        """The summary of a wrapper, and the constants that go with the operands. A function that turns out not to be
        understood is run no more, but is one unknown function of its text; so the run is tried again, once for each
        such function. One that is run `alone` has constants of its own. Raises NotUnderstood."""
        function = self._module.function(symbol)
        assert function is not None
        while True:
            constants, known = None if alone else self._varying(symbol, function), len(self._blocked)
            key = (symbol if constants is None else function.key), sharing
            try:
                if key not in self._found:
                    self._found[key] = self._run(symbol, function, sharing, constants or [])
                return self._found[key], tuple(map(self._number, function.numbers)) if constants else ()
            except NotUnderstood:
                self._constants[function.key] = None
                if len(self._blocked) == known:
                    if symbol in self._blocked:
                        raise
                    self._blocked.add(symbol)

    def meaning(self, symbol: str) -> int:
        """A number that two wrappers have in common only if they do the same, each pointer to a buffer of its own."""
        if symbol not in self._meanings:
            function = self._module.function(symbol)
            count = len(function.parameters) if function is not None and function.body is not None else 0
            self._meanings[symbol] = self._same.of(symbol)
            if function is not None and count and all(_POINTER.match(each.type) for each in function.parameters):
                with suppress(NotUnderstood):
                    apart = Sharing(tuple(range(count)), (False,) * count, (None,) * count)
                    summary, _ = self.of(symbol, apart, alone=True)
                    self._meanings[symbol] = self._terms.make("does", None, *summary.wanted)
        return self._meanings[symbol]

    def _number(self, written: str) -> Term:
        return self._terms.make("number", repr(float(written)))

    def _varying(self, symbol: str, function: Function) -> list[Operation] | None:
        """The operations that give the constants which `Function.key` leaves out, one each; None where these are not
        all, and where the body is not run."""
        if function.key not in self._constants:
            self._constants[function.key] = None
            body = function.body
            machine = Machine(self._module, self._same, self._reach, self._terms, self._blocked)
            if body is not None and machine.can_run(symbol, function):
                found = [each for each in body.blocks[0].operations if FLOAT.search(each.text, each.start, each.end)]
                if len(found) == len(function.numbers) and all(_NUMBER.fullmatch(each.own_text()) for each in found):
                    self._constants[function.key] = found
        return self._constants[function.key]

    def _run(self, symbol: str, function: Function, sharing: Sharing, constants: list[Operation]) -> Summary:
        machine = Machine(self._module, self._same, self._reach, self._terms, self._blocked)
        names: list[Term] = []
        pointers: list[Pointer] = []
        for index, size in enumerate(sharing.sizes):
            name = self._terms.make("operand", (index, size))
            names.append(name)
            if size is not None:
                self._terms.sizes[name] = size
            first = sharing.group[index]
            shared = pointers[first] if first < index else machine.buffer(name, size, is_shut=sharing.shut[index])
            pointers.append(shared)
        for operation in constants:
            match = _NUMBER.fullmatch(operation.own_text())
            assert match is not None
            names.append(self._terms.make("any number", len(names)))
            machine.numbers[operation.start] = self._terms.make("constant", match[1], names[-1])
        machine.run(symbol, function, pointers)
        contents = [machine.buffers[pointer.buffers[0]].contents(self._terms) for pointer in pointers]
        return Summary(self._terms, names, contents, machine)
