"""Whether two modules compute the same: their functions, one by one, and the first difference where they do not.

The modules are equal if every function of the first has one of its name in the second that is equal: the same last
operation with the same operands, and the same effects, in every block. Wrappers are no functions in this sense: the
engine compiles them where a JIT call names them, so they count as what the calls do.

A function whose text is the same in both modules, and whose symbols name the same functions, is equal without being
executed: the same text means the same, whatever it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from jitlint.findings import Span
from jitlint.ir.functions import FUNCTIONS
from jitlint.ir.symbols import SYMBOL_TABLES
from jitlint.ir.tree import Operation, Region, Unit
from jitlint.proof.answer import Difference, Proof
from jitlint.proof.call_execution import Calls, Run
from jitlint.proof.common_lines import Common, common_lines
from jitlint.proof.difference import first_difference, first_line
from jitlint.proof.module_facts import Module
from jitlint.proof.operation_kinds import Program
from jitlint.proof.plain_text import Texts
from jitlint.proof.promises import World
from jitlint.proof.same_functions import Sameness
from jitlint.proof.terms import NotUnderstood, Term
from jitlint.proof.written_alike import Counts, Twins, texts_of
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.functions import HeaderReader
from jitlint.syntax.lexer import SYMBOL, SyntaxProblem, parts
from jitlint.syntax.shapes import Shape

_CALLEE = re.compile(rf"enzymexla\.jit_call\s*({SYMBOL})")
_GENERIC_CALLEE = re.compile(rf"\bfn\s*=\s*({SYMBOL})")
_NESTED = re.compile(rf"::({SYMBOL})")
"""A symbol that is named from outside its table: `@kernels::@kernel`."""
_PRIVATE = re.compile(
    r"(?:llvm\.func|func\.func|func)\s+(?:private|internal)\b"
    r'|sym_visibility\s*=\s*"private"|#llvm\.linkage<\s*(?:internal|private)'
)
MODULES = frozenset(["module", "builtin.module"])
_NO_OPERATION = frozenset(["alias", "metadata"])


class _Differs(Exception):
    """Raised with the Difference."""

    def __init__(self, message: str, before: Span | None = None, after: Span | None = None) -> None:
        super().__init__(message)
        self.difference = Difference(message, before, after)


def prove(before: str, after: str, pure_ops: frozenset[str] = frozenset(), read: Iterable[Unit] = ()) -> Proof:
    """Compare two texts. `pure_ops` are operations that count as free of effects. `read` are modules of them that
    have been read already.

    Raises Unreadable where a text cannot be read as MLIR.
    """
    comparison = _Comparison(pure_ops, read)
    try:
        comparison.texts(before, after)
    except _Differs as found:
        return comparison.proof(found.difference)
    except SyntaxProblem as problem:
        return comparison.proof(Difference(f"a body that cannot be read: {problem.message}"))
    return comparison.proof(None)


class Unreadable(Exception):
    """A text that cannot be read as MLIR: which one, and what is wrong where."""

    def __init__(self, problem: SyntaxProblem, *, is_second: bool) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.is_second = is_second


class _Side(NamedTuple):
    """One module on its way: its table, what executes its functions, and the symbols that its JIT calls name."""

    module: Module
    named: frozenset[str]
    operations: dict[str, Operation]
    others: list[Operation]


def _unit(known: dict[tuple[int, int], Unit], text: str, part: tuple[int, int], *, is_second: bool) -> Unit:
    """A module of a text, which may be known already. Raises Unreadable."""
    try:
        unit = known.get(part) or Unit(text, *part)
        _ = unit.body.blocks, unit.aliases
    except SyntaxProblem as problem:
        raise Unreadable(problem, is_second=is_second) from None
    return unit


class _Comparison:
    """One proof; counts what it does."""

    def __init__(self, pure_ops: frozenset[str], read: Iterable[Unit]) -> None:
        self._read = read
        self._world = World()
        self._pure = pure_ops
        self._shapes: dict[Shape, bool] = {}
        self._nested = set[str]()
        self._functions = self._values = self._effects = self._calls = 0

    def proof(self, difference: Difference | None) -> Proof:
        """What it came to."""
        return Proof(self._functions, self._values, self._effects, self._calls, difference)

    def texts(self, before: str, after: str) -> None:
        """Compare all modules of two texts."""
        firsts, seconds = parts(before), parts(after)
        if len(firsts) != len(seconds):
            raise _Differs(f"there are {len(firsts)} modules before and {len(seconds)} after")
        known = [{(unit.start, unit.end): unit for unit in self._read if unit.text is text} for text in (before, after)]
        for first, second in zip(firsts, seconds, strict=True):
            if before[slice(*first)] != after[slice(*second)]:
                one = _unit(known[0], before, first, is_second=False)
                self._units(one, _unit(known[1], after, second, is_second=True))

    def _units(self, first: Unit, second: Unit) -> None:
        """Compare two modules, and the modules inside them."""
        one, two = (Texts(unit.text, unit.aliases) for unit in (first, second))
        readers = HeaderReader(first.aliases), HeaderReader(second.aliases)
        same_aliases = first.aliases == second.aliases
        self._nested = {symbol_name(each) for each in _NESTED.findall(first.text, first.start, first.end)}
        pending = [(_unwrapped(first.body), _unwrapped(second.body))]
        while pending:
            regions = pending.pop()
            before = self._side(regions[0], one, readers[0])
            after = self._side(regions[1], two, readers[1])
            pending += self._tables(before, after, same_aliases)

    def _side(self, region: Region, texts: Texts, reader: HeaderReader) -> _Side:
        if region.problems:
            raise _Differs(f"a module that cannot be read: {region.problems[0][1]}")
        module = Module(region, texts, reader, self._pure)
        named = _named(region)
        found: dict[str, Operation] = {}
        others = []
        symbols = {place: name for name, place in module.symbols.names.items()}
        if module.symbols.repeated:
            raise _Differs(f"@{min(module.symbols.repeated)} is defined twice")
        for block in region.blocks:
            for index in range(len(block)):
                name = symbols.get((block.number, index))
                if name is not None:
                    found[name] = block[index]
                elif block.cut.shapes[index].name not in _NO_OPERATION:
                    others.append(block[index])
        return _Side(module, frozenset(named), found, others)

    def _tables(self, before: _Side, after: _Side, same_aliases: bool) -> list[tuple[Region, Region]]:
        """Compare what two symbol tables define; returns the pairs of modules that are still to be compared."""
        pairs: list[tuple[str, Operation, Operation]] = []
        wrappers: list[str] = []
        inner: list[tuple[Region, Region]] = []
        if len(before.others) != len(after.others):
            raise _Differs("there are more or fewer operations without a symbol")
        for name, first in before.operations.items():
            second = after.operations.get(name)
            if first.name in FUNCTIONS and (name in before.named or _is_helper(first)):
                is_seen = name in self._nested or not (name in before.named or _is_private(first))
                if second is not None and first.regions and is_seen:
                    wrappers.append(name)
            elif second is None:
                if not (_is_private(first) and ("tensor<" not in _head(first) or _is_named(name, before))):
                    raise _Differs(f"@{name} is gone", first_line(first))
            else:
                pairs.append((name, first, second))
        shared = frozenset(name for name, first, _ in pairs if first.name not in SYMBOL_TABLES)
        sames = [Sameness(side.module, self._world.terms) for side in (before, after)]
        programs = [
            Program(side.module, partial(_written, shared, same))
            for side, same in zip((before, after), sames, strict=True)
        ]
        calls = [Calls(each, same, self._world) for each, same in zip(programs, sames, strict=True)]
        runs = [Run(each, its, self._world.terms) for each, its in zip(programs, calls, strict=True)]
        unlike = _Unlike(before.module, sames, shared) if same_aliases else None
        twins = Twins()
        for name in wrappers:
            first, second = before.operations[name], after.operations[name]
            if unlike is not None and first.own_text() == second.own_text() and not unlike.is_in(first, name):
                continue
            if sames[0].of(name) != sames[1].of(name) and calls[0].meaning(name) != calls[1].meaning(name):
                raise _Differs(f"@{name} differs", first_line(first), first_line(second))
        for name, first, second in [*pairs, *[("", *both) for both in zip(before.others, after.others, strict=True)]]:
            if all(each.name in SYMBOL_TABLES and len(each.regions) == 1 for each in (first, second)):
                inner.append(self._modules(first, second, before, after))
            elif unlike is None or first.own_text() != second.own_text() or unlike.is_in(first):
                inner += self._operations(name, (first, second), runs, twins)
            self._functions += first.name in FUNCTIONS
        return inner

    def _modules(self, first: Operation, second: Operation, before: _Side, after: _Side) -> tuple[Region, Region]:
        """Compare what two modules say of themselves; returns their regions."""
        heads = []
        for operation, side in ((first, before), (second, after)):
            region = operation.regions[0]
            spans = [(operation.start, region.start), (region.end, operation.end)]
            heads.append(side.module.texts.plain(spans).text)
        if heads[0] != heads[1]:
            raise _Differs("two modules differ in what they say of themselves", first_line(first), first_line(second))
        return first.regions[0], second.regions[0]

    def _operations(
        self, name: str, pair: tuple[Operation, Operation], runs: list[Run], twins: Twins
    ) -> Iterable[tuple[Region, Region]]:
        """Execute two functions, or other operations, and compare them; returns the symbol tables in them, which are
        still to be compared."""
        texts = texts_of(name, pair)
        counts = twins.counts(texts) if texts is not None else None
        inner: Iterable[tuple[Region, Region]] = ()
        if counts is None:
            counts = self._executed(name, *pair, runs)
            inner = list(zip(runs[0].tables, runs[1].tables, strict=True))
            if texts is not None:
                twins.add(texts, name, pair, counts)
        self._values += counts.values
        self._effects += counts.effects
        self._calls += counts.calls
        return inner

    def _executed(self, name: str, first: Operation, second: Operation, runs: list[Run]) -> Counts:
        """Execute and compare them; what was executed of the first."""
        what = f"@{name}" if name else f"`{first.name}`"
        common = common_lines(first, second, self._shapes)
        is_equal = common is not None and self._are_equal(what, first, second, runs, common)
        if not (is_equal or self._are_equal(what, first, second, runs, None)):
            for run in runs:
                run.is_recording = True
            self._are_equal(what, first, second, runs, None)
            raise _Differs(*first_difference(what, (first, second), runs[0].records, runs[1].records, self._world))
        return Counts(runs[0].values, runs[0].effects, runs[0].calls)

    def _are_equal(
        self, what: str, first: Operation, second: Operation, runs: list[Run], common: Common | None
    ) -> bool:
        """Execute two functions, but for what they have in common, and compare them."""
        self._world.forget()
        terms: list[Term] = []
        for run, operation in zip(runs, (first, second), strict=True):
            self._world.is_second = operation is second
            try:
                terms.append(run.run(operation, common))
            except (NotUnderstood, SyntaxProblem) as problem:
                if common is not None:
                    return False
                where = (None, first_line(operation)) if terms else (first_line(operation), None)
                raise _Differs(f"{what} is not understood: {problem.args[0]}", *where) from None
        return terms[0] == terms[1] and (common is None or common.hold(runs[0].defined, runs[1].defined))


class _Unlike:
    """The symbols that do not name the same in both tables."""

    def __init__(self, module: Module, sames: list[Sameness], shared: frozenset[str]) -> None:
        self._module, self._sames, self._shared = module, sames, shared
        self._known: dict[str, bool] = {}

    def is_in(self, operation: Operation, own: str = "") -> bool:
        """Whether an operation names one of them besides its `own`."""
        named = self._module.symbols_in(operation.start, operation.end)
        return any(self._is_unlike(symbol) for symbol in named if symbol != own)

    def _is_unlike(self, symbol: str) -> bool:
        known = self._known.get(symbol)
        if known is None:
            known = symbol not in self._shared and self._sames[0].of(symbol) != self._sames[1].of(symbol)
            self._known[symbol] = known
        return known


def _written(shared: frozenset[str], same: Sameness, symbol: str) -> str:
    """How a symbol is written where blocks of values are compared. Functions of one name in both modules are compared
    with one another, so their name stands for them; anything else is what it is."""
    return f"@{symbol}" if symbol in shared else same.written(symbol)


def _named(region: Region) -> set[str]:
    """The symbols that JIT calls in a region name."""
    text, places = region.unit.text, region.unit.braces.calls_in(region.start, region.end)
    found = set[str]()
    for place, after in zip(places, [*places, region.end][1:], strict=True):
        match = _CALLEE.match(text, place) or _GENERIC_CALLEE.search(text, place, after)
        if match is not None:
            found.add(match[1])
    return set(map(symbol_name, found))


def _unwrapped(region: Region) -> Region:
    """A module's region; that of the one module in it that says nothing of itself, if it holds nothing else."""
    while True:
        inside = [each for block in region.blocks for each in block.operations if each.name not in _NO_OPERATION]
        if len(inside) != 1 or inside[0].name not in MODULES or len(inside[0].regions) != 1:
            return region
        operation = inside[0]
        head = operation.text[operation.start : operation.regions[0].start]
        if head.replace("{", "").split() != [operation.name]:
            return region
        region = operation.regions[0]


def _is_private(operation: Operation) -> bool:
    """Whether nobody outside the module may call a function."""
    if operation.is_generic:
        return _PRIVATE.search(operation.own_text()) is not None
    return _PRIVATE.match(_head(operation)) is not None


def _is_helper(operation: Operation) -> bool:
    """Whether a function may be called by wrappers, and makes no JIT calls itself."""
    holds_call = operation.block.region.unit.braces.holds_call(operation.start, operation.end)
    return operation.name == "llvm.func" and not holds_call


def _head(operation: Operation) -> str:
    """The text of an operation up to its region."""
    return operation.text[operation.start : operation.regions[0].start if operation.regions else operation.end]


def _is_named(name: str, side: _Side) -> bool:
    """Whether anything in a module names a symbol besides its definition."""
    return any(
        name in side.module.symbols_in(each.start, each.end) for other, each in side.operations.items() if other != name
    )
