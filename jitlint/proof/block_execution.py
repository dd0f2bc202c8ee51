"""Executing the operations around the wrappers: blocks of values, their effects in order, and regions inside out.

A value is the term of the operation that gives it: its plain text, its operands' terms, the result's number. An
operation with effects also depends on the state, which is the term of all effects before it in its block; so two
blocks have equal states exactly if the same effects happen in the same order, each with the same terms.

Arguments and entry states are terms of how deep they stand, not of where: so a region means the same wherever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jitlint.ir.calls import JitCall
from jitlint.ir.symbols import SYMBOL_TABLES, SymbolTable, may_be_table
from jitlint.ir.tree import Block, Operation, Region
from jitlint.proof.common_lines import Captured, Common, Values
from jitlint.proof.dominance import in_order
from jitlint.proof.known_results import known_results
from jitlint.proof.operation_kinds import Kind, Program
from jitlint.proof.terms import NotUnderstood, Term, Terms
from jitlint.proof.touches import BOUND
from jitlint.syntax.lexer import NAMES

Level = tuple[int, int]
"""How deep a region stands, and which of its operation's regions it is."""

_MOST_RESULTS = 1_000_000

Step = Generator[tuple[Region, Level], tuple[Term, bool], tuple[Term, Any]]
"""An execution that asks for regions to be executed: they nest as deep as the input, so that is no recursion."""


class Use(NamedTuple):
    """A term, and the place in the text that it belongs to; `unknown` tells why a call is not followed."""

    term: Term
    start: int
    end: int
    unknown: str = ""


class Record(NamedTuple):
    """What a block came to: its effects in order, and its last operation with its operands."""

    effects: list[Use]
    last: Use
    operands: list[Use]


class Execution:
    """The execution of operations in which there are no JIT calls.

    `records` are what the blocks of the last one came to, by where their region starts and their number in it; `tables`
    are the regions in it that have symbols of their own, and are not executed. `values`, `calls` and `effects` count
    what the last one executed. Records are kept where somebody asks for them: most executions come to the same, and
    nobody looks for a difference.
    """

    def __init__(self, program: Program, terms: Terms) -> None:
        self._program, self._terms = program, terms
        self._common: Common | None = None
        self._values = self.defined = Values(terms)
        self.records: dict[tuple[int, int], Record] = {}
        self.tables: list[Region] = []
        self.values = self.calls = self.effects = 0
        self.is_recording = False
        self._undefined, self._taken = set[str](), set[str]()
        self._hidden: frozenset[str] = frozenset()

    def alone(self, operation: Operation, outer: Mapping[str, object]) -> tuple[Term, list[str]]:
        """The term of an operation, whatever the values are that it uses of those named in `outer`; and these names,
        in the order in which they are met, each use by itself."""
        values = Captured(self._terms, outer)
        term = self._apart(values, lambda: self._nested(operation, 1, self._terms.make("state", None), {}))
        return term, values.captured

    def body(self, region: Region, parameters: Sequence[str]) -> Term:
        """The term of a function's body, whatever its parameters are."""
        values = Values(self._terms)
        values.update((name, self._terms.make("given", index)) for index, name in enumerate(parameters))
        return self._apart(values, lambda: self._region(region, (1, 0), parameters))

    def _apart(self, values: Values, step: Callable[[], Step]) -> Term:
        """An execution by itself. It may begin in the midst of another, which asks what a symbol names."""
        kept = self._values, self._common, self.tables
        self._values, self._common, self.tables = values, None, []
        try:
            term = self._drive(step())
            if self.tables:
                raise NotUnderstood("symbols of its own inside a function")
        finally:
            self._values, self._common, self.tables = kept
        return term

    def _drive(self, step: Step) -> Term:
        """Go through with an execution, and all that it asks for."""
        stack = [step]
        answer: Any = None
        while True:
            try:
                region, level = stack[-1].send(answer)
            except StopIteration as stopped:
                stack.pop()
                answer = stopped.value
                if not stack:
                    return int(answer[0])
            else:
                stack.append(self._region(region, level))
                answer = None

    def _region(self, region: Region, level: Level, given: Sequence[str] = ()) -> Step:
        """The term of a region, and whether it has effects. Its names are forgotten behind it. Arguments that are
        `given` are known already."""
        if region.problems:
            raise NotUnderstood(f"operations that cannot be told apart: {region.problems[0][1]}")
        labels = {block.label_name: f"^{block.number}" for block in region.blocks if block.label_name}
        defined: list[str] = []
        shapes = []
        for block in region.blocks:
            if not block.cut.arguments:
                shapes.append("")
                continue
            plain = self._program.module.texts.plain([block.cut.arguments])
            if given and plain.names == list(given):
                shapes.append("")
                continue
            said = (*level, block.number, plain.text)  # with the types: a term has one size
            terms = [self._terms.make("argument", (*said, index)) for index in range(len(plain.names))]
            self._bind(plain.names, terms, defined)
            shapes.append(plain.text)
        terms_of, acts = [0] * len(shapes), False
        above, self._taken = self._taken, set()
        for block in in_order(region):
            entry = self._terms.make("state", (*level, block.number))
            last, state = yield from self._block(block, level[0], entry, labels, defined)
            terms_of[block.number] = self._terms.make("block", shapes[block.number], entry, state, last)
            acts = acts or state != entry
        self._taken |= above
        if level[0] == 0 and self._common is not None:  # what is common is asked for: there is no other region
            self.defined = self._values
            return self._terms.make("region", None, *terms_of), acts
        for name in defined:
            del self._values[name]
        return self._terms.make("region", None, *terms_of), acts

    def _block(self, block: Block, depth: int, state: Term, labels: dict[str, str], defined: list[str]) -> Step:
        """The term of a block's last operation, and the state behind it."""
        program, cut, count = self._program, block.cut, len(block)
        effects = list[Use]()
        last = self._terms.make("nothing", None)
        self.calls += len(cut.calls)
        indices = self._common.others[block] if self._common is not None and depth == 0 else range(count)
        for first in range(0, len(indices), _TOGETHER):
            some = indices[first : first + _TOGETHER]
            names, kinds, lengths = program.read(block, some)
            calls = program.calls(block, some[0], some[-1])
            end = 0
            for index, kind, length in zip(some, kinds, lengths, strict=True):
                begin, end = end, end + length
                if index in calls:
                    state = self._call(block, calls[index], state, effects, defined)
                    continue
                before = state
                if kind is not None:
                    last, state = self._operation(kind, names[begin:end], state, defined)
                elif index not in cut.regions:
                    plain, kind = program.look_at(block[index], labels)
                    own = [name for name, _ in block[index].results]
                    last, state = self._operation(kind, own + plain.names, state, defined)
                else:
                    last, state = yield from self._nested(block[index], depth + 1, state, labels)
                    own = [name for name, _ in block[index].results]
                    self._name(own, [number for _, number in block[index].results], last, defined)
                if state != before:
                    self.effects += 1
                    if self.is_recording:
                        effects.append(Use(state, cut.starts[index], cut.ends[index]))
        if (
            count and count - 1 in cut.calls[-1:]
        ):  # in a block without a terminator: its effects are all that it comes to
            last = self._terms.make("nothing", None)
        self.values += count
        if self.is_recording:
            place = (cut.starts[-1], cut.ends[-1]) if count else block.bounds
            its = Record(effects, Use(last, *place), self._uses(block) if count else [])
            self.records[block.region.start, block.number] = its
        return last, state

    def _operation(self, kind: Kind, names: list[str], state: Term, defined: list[str]) -> tuple[Term, Term]:
        """The term of an operation without regions, whose own names come first in `names`; and the state behind it."""
        own = len(kind.counts)
        parts = self._look_up(names[own:])
        if kind.is_known:
            results = known_results(self._terms, kind.text, parts)
            if results is not None and sum(kind.counts) == len(results):
                self._define(single_names(zip(names, kind.counts, strict=False)), results, defined)
                return results[0], state
        if kind.acts:
            term = state = self._terms.make("effect", kind.text, state, *parts)
        else:
            term = self._terms.make("op", kind.text, *parts)
        self._name(names[:own], kind.counts, term, defined)
        return term, state

    def _name(self, own: list[str], counts: Sequence[int], term: Term, defined: list[str]) -> None:
        """Give the results of an operation their names."""
        if len(own) == 1 and counts[0] == 1:
            self._define(own, (term,), defined)
        elif own:
            names = single_names(zip(own, counts, strict=True))
            self._define(names, self._terms.results(term, len(names)), defined)

    def _nested(self, operation: Operation, depth: int, state: Term, labels: dict[str, str]) -> Step:
        """The term of an operation that is looked at by itself, mostly for its regions, and the state behind it."""
        program, regions = self._program, operation.regions
        if operation.name in SYMBOL_TABLES:
            self.tables += regions
            regions = ()
        elif any(region.problems for region in regions) or self._may_decide(operation):
            return self._as_text(operation, state, labels)
        inside = [at for each in operation.regions for at in (each.start, each.end)]
        bounds = [operation.operands_start, *inside, operation.end]
        spans = list(zip(bounds[::2], bounds[1::2], strict=True))
        own = program.defines(operation)
        plain = program.module.texts.plain(spans, lambda name: name if name == own else program.symbol(name), labels)
        head = regions[0].start if regions else operation.operands_start
        bound = set(BOUND.findall(operation.text, operation.operands_start, head))
        arguments = [self._is_own(name, bound) for name in plain.names]
        parts = self._look_up([name for name, is_own in zip(plain.names, arguments, strict=True) if not is_own])
        own_names: list[str] = []
        order = list(dict.fromkeys([name for name, is_own in zip(plain.names, arguments, strict=True) if is_own]))
        level = (depth, plain.text)
        self._bind(order, [self._terms.make("argument", (*level, index)) for index in range(len(order))], own_names)
        self._taken.update(set(order) - bound)
        acts = program.acts(operation, plain.text)
        within = []
        for number, region in enumerate(regions):
            hidden = self._hide(own_names) if number and _binds_anew(operation, region) else None
            term, region_acts = yield region, (depth, number)
            if hidden is not None:
                self._values.update(hidden[0])
                self._hidden = hidden[1]
            within.append(term)
            acts = acts or region_acts
        if depth:
            for name in own_names:
                del self._values[name]
        places = {name: index for index, name in enumerate(order)}
        bound_to = [places[name] if is_own else -1 for name, is_own in zip(plain.names, arguments, strict=True)]
        said = (plain.text, tuple(bound_to))
        if acts:
            state = term = self._terms.make("effect", said, state, *parts, *within)
            return term, state
        return self._terms.make("op", said, *parts, *within), state

    def _may_decide(self, operation: Operation) -> bool:
        """Whether its regions may have symbols of their own, and that makes a difference to what is named inside. It
        makes none where what has such a name outside is no function: then a name stands for itself."""
        if not may_be_table(operation):
            return False
        tables = [own for own in map(SymbolTable, operation.regions) if own.names]
        return any(own.is_certain or self._program.module.symbols.shares_a_name(own) for own in tables)

    def _is_own(self, name: str, bound: Collection[str]) -> bool:
        """Whether an operation that names a value, and may bind it for its regions, means one of its own."""
        return name in bound or (self._values.known(name) is None and not self._is_hidden(name))

    def _hide(self, names: Iterable[str]) -> tuple[dict[str, Term], frozenset[str]]:
        """Take names away that an operation binds for others of its regions; what there was before."""
        kept = {name: self._values.pop(name) for name in names}, self._hidden
        self._hidden |= kept[0].keys()
        return kept

    def _is_hidden(self, name: str) -> bool:
        """Raises NotUnderstood for a name whose value is that of another region."""
        if name.partition("#")[0] in self._hidden:
            raise NotUnderstood(f"{name} belongs to another region")
        return False

    def _as_text(self, operation: Operation, state: Term, labels: dict[str, str]) -> tuple[Term, Term]:
        """The term of an operation whose regions cannot be cut into operations, or may have symbols of their own: its
        text, and the values and symbols that it names, each symbol by its name as well, since it may be one of its own.
        The names that it gives to others itself have to be the same."""
        program = self._program
        own_symbol = program.defines(operation)
        span = [(operation.operands_start, operation.end)]
        plain = program.module.texts.plain(
            span, lambda name: name if name == own_symbol else f"@{name}{program.symbol(name)}", labels
        )
        bound = set(BOUND.findall(operation.text, operation.operands_start, operation.end))
        own = tuple([name if self._is_own(name, bound) else "" for name in plain.names])
        # `%a =` further in may also be a use (`calyx.assign %a = %b`): then both its name and its value count.
        used = tuple([not its or self._values.known(its) is not None for its in own])
        parts = self._look_up([name for name, its in zip(plain.names, used, strict=True) if its])
        term = self._terms.make("effect", (plain.text, own, used), state, *parts)
        return term, term

    def _call(self, block: Block, call: JitCall, state: Term, effects: list[Use], defined: list[str]) -> Term:
        """Run a JIT call and name its results; returns the state behind it."""
        raise NotUnderstood("a JIT call in a wrapper")

    def _define(self, names: Sequence[str], terms: Sequence[Term], defined: list[str]) -> None:
        """Give results their names."""
        if len(names) != len(terms):
            raise NotUnderstood("an operation whose results do not fit their names")
        for name in names if self._taken else ():
            self._check_free(name)
        self._bind(names, terms, defined)

    def _bind(self, names: Sequence[str], terms: Sequence[Term], defined: list[str]) -> None:
        """Give arguments, or results, their names."""
        values = self._values
        for name, term in zip(names, terms, strict=True):
            if values.defines(name):
                raise NotUnderstood(f"{name} is defined twice")
            if self._undefined and name.partition("#")[0] in self._undefined:
                raise NotUnderstood(f"{name} is used above its definition")
            values[name] = term
        defined += names

    def _check_free(self, name: str) -> None:
        """That no operation above has taken a name for one that it gives to its regions."""
        if name.partition("#")[0] in self._taken:
            raise NotUnderstood(f"{name} is used above its definition")

    def _look_up(self, names: Iterable[str]) -> list[Term]:
        get = self._values.get
        return [term if (term := get(name)) is not None else self._one(name) for name in names]

    def _one(self, name: str) -> Term:
        """The value of a name. One that nothing defines is the same unknown in both modules; one that is defined below
        is not followed."""
        found = self._values.known(name)
        if found is None and not self._is_hidden(name):
            self._undefined.add(name.partition("#")[0])
            return self._terms.make("undefined", name)
        assert found is not None
        return found

    def _uses(self, block: Block) -> list[Use]:
        """The operands of a block's last operation, with their places."""
        last = block[len(block) - 1]
        if last.regions:
            return []
        matches = [m for m in NAMES.finditer(last.text, last.operands_start, last.end) if m[1] is not None]
        return [Use(self._one(m[1] + (m[2] or "")), m.start(), m.end()) for m in matches]


_FIRST = frozenset(["scf.while", "tosa.while_loop"])
"""Operations that bind values for the first of their regions alone."""


def _binds_anew(operation: Operation, region: Region) -> bool:
    """Whether the values that an operation binds before its first region are no values of a later one: that one has
    arguments of its own, or may have."""
    return operation.name in _FIRST or bool(region.blocks and region.blocks[0].cut.arguments)


def single_names(results: Iterable[tuple[str, int]]) -> list[str]:
    """The names of single results, where each name stands for so many. Raises NotUnderstood where there are too many
    to be named."""
    pairs = list(results)
    if any(count > _MOST_RESULTS for _, count in pairs):
        raise NotUnderstood("an operation with more results than anything has")
    return [each for name, count in pairs for each in ([name] if count == 1 else _numbered(name, count))]


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name}#{number}" for number in range(count)]


_TOGETHER = 512
"""Operations that are read together."""
