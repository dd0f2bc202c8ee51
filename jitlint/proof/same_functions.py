"""When two functions are the same, whatever they and their values are called: their bodies give the same term."""

from __future__ import annotations

from collections.abc import Mapping

from jitlint.ir.functions import Function
from jitlint.ir.tree import Operation
from jitlint.proof.block_execution import Execution
from jitlint.proof.module_facts import Module
from jitlint.proof.operation_kinds import Program
from jitlint.proof.terms import NotUnderstood, Term, Terms


class Sameness:
    """What symbols of one table name, as terms: the same term for what is the same."""

    def __init__(self, module: Module, terms: Terms) -> None:
        self._module, self._terms = module, terms
        self._program = Program(module, self.written)
        self._by_name = Program(module, lambda symbol: f"@{symbol}")
        self.numbered = Program(module, self.number)
        self.symbols: dict[str, str] = {}
        """A symbol for each that `number` has written."""
        self._known: dict[str, Term] = {}
        self._rings: dict[str, Term] = {}

    def of(self, symbol: str) -> Term:
        """The term of what a symbol names. Functions have it in common only if they are the same function."""
        if symbol not in self._module.symbols.names:
            return self._terms.make("symbol", symbol)
        return self._module.bottom_up(symbol, self._known, self._judged)

    def written(self, symbol: str) -> str:
        """A symbol as it stands in a text that is compared: what it names, instead of its name."""
        return f"@={self.of(symbol)}" if symbol in self._module.symbols.names else f"@.{symbol}"

    def number(self, symbol: str) -> str:
        """A symbol as it stands in the body of a wrapper that is run."""
        written = f"@{self.of(symbol)}"
        self.symbols[written] = symbol
        return written

    def operation(self, operation: Operation, outer: Mapping[str, object]) -> tuple[Term, list[str]]:
        """The term of an operation with regions, and the names of `outer` that it uses, as they come."""
        return Execution(self._program, self._terms).alone(operation, outer)

    def _judged(self, symbol: str, references: list[str]) -> Term:
        module, terms = self._module, self._terms
        operation, function = module.symbols.lookup(symbol), module.function(symbol)
        assert operation is not None
        if function is not None and function.body is None:
            return terms.make("external", symbol)
        ring = module.ring(symbol)
        if ring is None:
            return self._term(symbol, operation, function, self._program)
        if ring not in self._rings:
            self._rings[ring] = self._ring(ring)
        return terms.make("recursive", symbol, self._rings[ring])

    def _ring(self, symbol: str) -> Term:
        """Functions that call one another: the same as those of the same names that reach the same under the same
        names."""
        module = self._module
        reached = {name: module.symbols.lookup(name) for name in sorted(module.reached(symbol))}
        parts = [
            self._term(name, each, module.function(name), self._by_name)
            for name, each in reached.items()
            if each is not None
        ]
        return self._terms.make("ring", (module if None in reached.values() else None, *reached), *parts)

    def _term(self, symbol: str, operation: Operation, function: Function | None, program: Program) -> Term:
        execution = Execution(
            program, self._terms
        )  # one for each: to write a symbol may mean to execute another function
        try:
            if function is None or function.body is None:
                return execution.alone(operation, {})[0]
            parameters = [parameter.name or "" for parameter in function.parameters]
            return self._terms.make("function", self._head(function), execution.body(function.body, parameters))
        except NotUnderstood:
            return self._terms.make("text", self._letters(operation, symbol if program is self._program else None))

    def _head(self, function: Function) -> tuple[object, ...]:
        """What matters of a function besides its body."""
        header, module = function.header, self._module
        types = tuple(parameter.type for parameter in function.parameters)
        passed = () if module.takes_plainly(function) else tuple(str(each.attributes) for each in function.parameters)
        shape = (header.kind, header.calling_convention, types, header.variadic, header.results)
        return (*shape, module.rounding(function), passed)

    def _letters(self, operation: Operation, own: str | None = None) -> tuple[str, tuple[str, ...]]:
        """An operation's text, with the names of its values as they are; and of its symbols, where `own` is not the one
        that it defines."""
        symbol = (lambda name: name if name == own else self.written(name)) if own is not None else str
        plain = self._module.texts.plain([(operation.start, operation.end)], symbol)
        return plain.text, tuple(plain.names)
