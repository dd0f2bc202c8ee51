"""Executing JIT calls, and the functions that make them: the buffers that a call's operands have, what is left in them,
and what it does besides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from typing import NamedTuple

from jitlint.ir.calls import OWN_ENTRIES, JitCall, Value, own_entries, says_free
from jitlint.ir.functions import memory_effects
from jitlint.ir.tree import Block, Operation, Region
from jitlint.proof.block_execution import Execution, Use
from jitlint.proof.common_lines import Common, Values
from jitlint.proof.operation_kinds import Program
from jitlint.proof.promises import World
from jitlint.proof.same_functions import Sameness
from jitlint.proof.terms import NotUnderstood, Term, Terms
from jitlint.proof.type_sizes import is_flat, size_of
from jitlint.proof.wrapper_summaries import Sharing, Summaries, Summary
from jitlint.syntax.aliases import OutputOperandAlias, read_aliases
from jitlint.syntax.calls import CallSyntax
from jitlint.syntax.lexer import NAMES

_LAYOUT = re.compile(r"dense<(\[[\d,\s]*\]|\d*)>\s*:\s*tensor<\d+xindex>")
_BUFFER = re.compile(r"!llvm\.ptr(?:<\d+>)?\Z|memref<")


class Done(NamedTuple):
    """What a call came to: its results, the state behind it, its effects in their order; and why nothing is known of
    it, if that is so."""

    results: tuple[Term, ...]
    state: Term
    effects: tuple[Term, ...]
    unknown: str = ""


Place = tuple[int, Value]
"""Where a value is defined: the start of the region, and its name there."""


class _Form(NamedTuple):
    """What the text of a call says: for each result the operand that it aliases, for each operand its layout ("" where
    there is but one) and its bytes, and whether it says that it is free of effects."""

    aliased: tuple[int, ...]
    layouts: tuple[str, ...]
    sizes: tuple[int | None, ...]
    is_free: bool
    is_laid: bool


class _Plan(NamedTuple):
    """How calls of one text and one wrapper are run: `sized` are the operands whose bytes are known, `watched` those
    that no result aliases, one for each buffer, if they may be written all the same."""

    form: _Form
    summary: Summary
    numbers: tuple[Term, ...]
    is_free: bool
    sized: tuple[tuple[int, int], ...]
    watched: tuple[int, ...]


class Calls:
    """The JIT calls of one program."""

    def __init__(self, program: Program, same: Sameness, world: World) -> None:
        self._program, self._module, self._world = program, program.module, world
        self._same = same
        self._summaries = Summaries(program.module, same, world.terms)
        self._forms: dict[int, _Form | str] = {}
        self._wrappers: dict[tuple[str, int], bool | str] = {}
        self._plans: dict[tuple[int, str], _Plan] = {}
        self._values: dict[tuple[int, int], tuple[dict[Value, JitCall], Counter[Value]]] = {}
        self._uses: dict[int, Counter[str]] = {}
        self._free: dict[int, tuple[JitCall, _Form, tuple[Term, ...]]] = {}
        self._lent, self._shared = set[int](), set[int]()
        """Where the calls stand whose values were, or must not be, taken to have a buffer of their own."""

    @property
    def lends(self) -> bool:
        """Whether this run of a function took a value for one that has a buffer of its own."""
        return bool(self._lent)

    def begin(self) -> bool:
        """Begin a function, or the same one again: XLA keeps one of two equal calls without effects, so their values
        have no buffers of their own. Whether the last run took such a value for one that has."""
        wrong = set[int]()
        if self._lent:
            twins = self._twins()
            times = Counter(twins.values())
            wrong = {start for start in self._lent if start in twins and times[twins[start]] > 1}
        self._shared |= wrong
        self._free, self._lent = {}, set()
        return bool(wrong)

    def _twins(self) -> dict[int, int]:
        """A number for each call without effects, by where it stands: the same for those that XLA may take for one.

        They are of the same wrapper, in the same form, on equal operands. But XLA knows nothing of what a call gives:
        where the operands are results of such calls themselves, they are one value to it only if those calls are one.
        """
        kinds = {start: (self._same.of(call.symbol), *more) for start, (call, *more) in self._free.items()}
        results = {(call.block.region.start, value) for call, *_ in self._free.values() for value in call.results}
        makers, masks = dict[int, tuple[Place | None, ...]](), dict[object, set[tuple[bool, ...]]]()
        for start, (call, *_) in self._free.items():
            makers[start] = tuple([_defined(call, value, results) for value in call.operands])
            masks.setdefault(kinds[start], set()).add(tuple([each is None for each in makers[start]]))
        numbers, found, given = dict[object, int](), dict[int, int](), dict[Place, tuple[int, int]]()
        for start, (call, *_) in self._free.items():
            kind: object = kinds[start]
            if len(masks[kind]) == 1:  # else one may be passed a result, another the same one by way of a reshape
                kind = kind, tuple([given.get(each) if each is not None else None for each in makers[start]])
            found[start] = numbers.setdefault(kind, len(numbers))
            for number, value in enumerate(call.results):
                given[call.block.region.start, value] = found[start], number
        return found

    def run(self, block: Block, call: JitCall, operands: list[Term], state: Term) -> Done:
        """Run a call. One that says something unknown is an effect of its text, its wrapper and its operands."""
        symbol, alike = call.symbol, len(set(operands)) < len(operands)
        plan = None if alike else self._plans.get((call.syntax.serial, symbol))
        if plan is None:
            made = self._plan(block, call, operands)
            if isinstance(made, str):
                return self._unknown(call, operands, state, made)
            plan = made
            if not alike:
                self._plans[call.syntax.serial, symbol] = plan
        form, summary, numbers, is_free, sized, watched = plan
        held = [self._laid(*pair) for pair in zip(operands, form.layouts, strict=True)] if form.is_laid else operands
        sizes = self._world.terms.sizes
        for at, size in sized:
            if sizes.setdefault(held[at], size) != size:
                raise NotUnderstood("a value of two sizes")
        if is_free:
            self._free[call.start] = call, form, tuple(operands)
        contents, state, bound = summary.fill(self._world, (*held, *numbers), state, is_free)
        if is_free and not call.results:
            return Done((), state, ())  # XLA drops it, whatever it writes
        for index in watched:
            if held[index] != contents[index]:
                said = ("writes undeclared", index, self.meaning(symbol))
                lender, is_alone = self._lender(block, call, index)
                if lender is not None and (is_alone or self._world.excuses((said, contents[index], *operands))):
                    self._lent.add(lender.start)
                    continue
                # A fault of the program, which is the same fault only in the same call of the same wrapper.
                state = self._world.terms.make("effect", said, state, contents[index], *operands)
                bound = (*bound, state)
        results = [contents[at] for at in form.aliased]
        if form.is_laid:
            results = [self._read(each, form.layouts[at]) for each, at in zip(results, form.aliased, strict=True)]
        return Done(tuple(results), state, bound)

    def _plan(self, block: Block, call: JitCall, operands: list[Term]) -> _Plan | str:
        """How a call is run, why it is not followed. Only where two operands have one term does it hang on them."""
        form = self._form(call.syntax)
        if isinstance(form, str):
            return form
        declared_free = self._wrapper(call.symbol, len(operands)) if len(call.callee) == 1 else "a nested symbol"
        if isinstance(declared_free, str):
            return declared_free
        shut = tuple([index not in form.aliased for index in range(len(operands))])
        held = [self._laid(*pair) for pair in zip(operands, form.layouts, strict=True)]
        own = [
            not shut[at] or (held.count(term) > 1 and self._lender(block, call, at)[1]) for at, term in enumerate(held)
        ]
        first: dict[Term, int] = {}
        group = tuple([at if own[at] else first.setdefault(term, at) for at, term in enumerate(held)])
        try:
            summary, numbers = self._summaries.of(call.symbol, Sharing(group, shut, form.sizes))
        except NotUnderstood as problem:
            return str(problem.args[0])
        sized = tuple([(at, size) for at, size in enumerate(form.sizes) if size is not None])
        watched = tuple([at for at, its in enumerate(shut) if its and group[at] == at and at in summary.changed])
        return _Plan(form, summary, numbers, declared_free or form.is_free, sized, watched)

    def meaning(self, symbol: str) -> int:
        """A number that two wrappers have in common only if they do the same."""
        return self._summaries.meaning(symbol)

    def _unknown(self, call: JitCall, operands: list[Term], state: Term, why: str) -> Done:
        """A call of which nothing is known but what it is."""
        plain = self._module.texts.plain
        entries = [
            (key, plain([(0, len(value))], own=value).text)
            for key, value in call.syntax.entries.items()
            if key != "fn" and (key, value) != ("backend_config", '""')
        ]
        types = (call.syntax.operand_types, call.syntax.result_types)
        said = ("call", *call.callee[1:], self.meaning(call.symbol), tuple(sorted(entries)), types)
        function = self._module.function(call.symbol) if len(call.callee) == 1 else None
        is_free = function is not None and memory_effects(function.attributes) == ()
        if is_free or says_free(call.syntax):
            term = self._world.terms.make("op", said, *operands)
            return Done(self._world.terms.results(term, len(call.results)), state, (), why)
        effect = self._world.terms.make("effect", said, state, *operands)
        return Done(self._world.terms.results(effect, len(call.results)), effect, (effect,), why)

    def _lender(self, block: Block, call: JitCall, index: int) -> tuple[JitCall | None, bool]:
        """The call that an operand is a value of, if its buffer can be this call's alone; and whether it is, since
        nothing else uses it. Else only calls of the block that are free of effects do, which XLA may run before."""
        scope, key = block.region.parent, (block.region.start, block.number)
        if scope is None:
            return None, False
        if key not in self._values:
            calls = self._program.calls(block).values()
            made = {value: each for each in calls for value in each.results}
            free = Counter(value for each in calls if self._is_free(each) for value in each.operands)
            self._values[key] = made, free
        makers, free = self._values[key]
        value = name, number = call.operands[index]
        maker = makers.get(value)
        if maker is None or maker.index >= call.index or isinstance(self._form(maker.syntax), str):
            return None, False
        if maker.start in self._shared:
            return None, False
        if scope.start not in self._uses:
            found = NAMES.finditer(scope.text, scope.start, scope.end)
            self._uses[scope.start] = Counter(f"{match[1]}{match[2] or '#0'}" for match in found if match[1])
        defined = number == 0  # its name at the definition counts as one more
        others = self._uses[scope.start][f"{name}#{number}"] - 1 - defined
        passed = free[value] - call.operands.count(value) * self._is_free(call)
        return (maker, others == 0) if others == passed else (None, False)

    def _is_free(self, call: JitCall) -> bool:
        """Whether it is known that a call has no effects."""
        form = self._form(call.syntax)
        declared = self._wrapper(call.symbol, len(call.operands)) if len(call.callee) == 1 else ""
        return not isinstance(form, str) and not isinstance(declared, str) and (form.is_free or declared)

    def _laid(self, value: Term, layout: str) -> Term:
        """The bytes of a value in some layout. In the layout that they were read in, they are those that were read."""
        if not layout:
            return value
        kind, data, *parts = self._world.terms.nodes[value]
        if kind == "read" and data == layout:
            return int(parts[0])
        return self._world.terms.make("laid", layout, value)

    def _read(self, held: Term, layout: str) -> Term:
        """The value that bytes in some layout are."""
        if not layout:
            return held
        kind, data, *parts = self._world.terms.nodes[held]
        if kind == "laid" and data == layout:
            return int(parts[0])
        return self._world.terms.make("read", layout, held)

    def _wrapper(self, symbol: str, count: int) -> bool | str:
        """Whether a wrapper is declared free of effects; why it is none that a call can be followed into, if so."""
        if (symbol, count) not in self._wrappers:
            self._wrappers[symbol, count] = self._judged(symbol, count)
        return self._wrappers[symbol, count]

    def _judged(self, symbol: str, count: int) -> bool | str:
        function = self._module.function(symbol)
        if function is None or function.body is None:
            return f"there is no body of @{symbol}"
        if len(function.parameters) != count or function.header.variadic:
            return f"@{symbol} takes another number of operands"
        if any(result != "!llvm.void" for result in function.header.results):
            return f"@{symbol} returns something"
        if not all(_BUFFER.match(parameter.type) for parameter in function.parameters):
            return f"@{symbol} takes something else than buffers"
        if self._module.facts(symbol).is_apart:
            return f"@{symbol} reaches a global of which every compiled wrapper has a copy"
        return memory_effects(function.attributes) == ()

    def _form(self, syntax: CallSyntax) -> _Form | str:
        """What the text of a call says; why it cannot be followed, if it says something else than is known."""
        if syntax.serial not in self._forms:
            self._forms[syntax.serial] = self._read_form(syntax)
        return self._forms[syntax.serial]

    def _read_form(self, syntax: CallSyntax) -> _Form | str:
        (entries, beside), inputs, results = own_entries(syntax), syntax.operand_types, syntax.result_types
        known = {**entries, "xla_side_effect_free": "", "backend_config": '""'}
        if odd := [*beside, *[key for key, value in entries.items() if key not in OWN_ENTRIES or known[key] != value]]:
            return f"`{odd[0]}` is not followed"
        order = _aliased(read_aliases(entries.get("output_operand_aliases", "")), inputs, results)
        if isinstance(order, str):
            return order
        layouts = _layouts(entries.get("operand_layouts"), inputs)
        given = _layouts(entries.get("result_layouts"), results)
        if layouts is None or given is None:
            return "its layouts cannot be read"
        if "result_layouts" in entries and [layouts[at] for at in order] != list(given):
            return "a result has another layout than its operand"
        return _Form(order, layouts, tuple(map(size_of, inputs)), says_free(syntax), any(layouts))


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


def _defined(call: JitCall, value: Value, places: Container[Place]) -> Place | None:
    """Which of some places is that of a call's operand: a name, in the region that defines it or one around it."""
    region: Region | None = call.block.region
    while region is not None:
        if (region.start, value) in places:
            return region.start, value
        region = region.parent.block.region if region.parent is not None else None
    return None


def _aliased(
    aliases: Sequence[OutputOperandAlias] | None, inputs: tuple[str, ...], results: tuple[str, ...]
) -> tuple[int, ...] | str:
    """The operand that each result aliases; what is wrong, if something is."""
    if aliases is None:
        return "its aliases cannot be read"
    found: dict[int, int] = {}
    for alias in aliases:
        which, operand, count = alias.output_tuple_indices, alias.operand_index, len(results)
        result = which[0] if count > 1 and len(which) == 1 else 0 if count == 1 and not which else -1
        if result in found or not 0 <= result < count or alias.operand_tuple_indices:
            return "an alias fits no result"
        if operand in found.values():
            return f"two of its results alias operand {operand}"
        if not 0 <= operand < len(inputs) or inputs[operand] != results[result]:
            return "an alias fits no operand"
        found[result] = operand
    return tuple([found[result] for result in range(len(results))]) if len(found) == len(results) else _UNALIASED


_UNALIASED = "one of its results aliases no operand"


def _layouts(text: str | None, types: tuple[str, ...]) -> tuple[str, ...] | None:
    """The layout of each value: "" where there is but one, "?" where XLA chooses; None if they cannot be read."""
    if text is None:
        return tuple(["" if is_flat(type_) else "?" for type_ in types])
    found = _LAYOUT.findall(text)
    if len(found) != len(types):
        return None
    pairs = zip(types, found, strict=True)
    return tuple(["" if is_flat(type_) else "".join(each.split()) for type_, each in pairs])
