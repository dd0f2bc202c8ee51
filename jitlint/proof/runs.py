"""Executing the functions that make JIT calls, and other operations of a module's own block."""

from __future__ import annotations

from jitlint.ir.calls import JitCall
from jitlint.ir.tree import Block, Operation
from jitlint.proof.blocks import Execution, Use
from jitlint.proof.calls import Calls
from jitlint.proof.common import Common, Values
from jitlint.proof.program import Program
from jitlint.proof.terms import NotUnderstood, Term, Terms


class Run(Execution):
    """The execution of one function after another, with their JIT calls."""

    def __init__(self, program: Program, calls: Calls, terms: Terms) -> None:
        super().__init__(program, terms)
        self._calls = calls

    def run(self, operation: Operation, common: Common | None = None) -> Term:
        """The term of an operation, whose body is executed but for what is `common`. Raises NotUnderstood."""
        self._calls.begin()
        term = self._run(operation, common)
        if common is not None and self._calls.lends:
            raise NotUnderstood("a call writes to a value, and what else is equal to that is not known")
        return self._run(operation, common) if self._calls.begin() else term

    def _run(self, operation: Operation, common: Common | None) -> Term:
        self._common, self._values = common, Values(self._terms, common)
        self._undefined, self._taken, self._hidden = set(), set(), frozenset()
        self.records, self.tables = {}, []
        self.values = self.calls = self.effects = 0
        return self._drive(self._nested(operation, 0, self._terms.make("state", None), {}))

    def _call(self, block: Block, call: JitCall, state: Term, effects: list[Use], defined: list[str]) -> Term:
        names = [f"{name}#{number}" if number else name for name, number in call.operands]
        done = self._calls.run(block, call, self._look_up(names), state)
        self.effects += len(done.effects)
        if self.is_recording:
            effects += [Use(each, call.start, call.end, done.unknown) for each in done.effects]
        if call.result_names:
            own = [f"{name}#{number}" if number else name for name, number in call.results]
            self._define(own, done.results, defined)
        return done.state
