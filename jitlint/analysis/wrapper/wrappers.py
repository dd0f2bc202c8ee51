"""The wrappers that calls name, and the verdicts against fusing calls of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from jitlint.analysis.mpi.traffic import Traffics
from jitlint.analysis.verdict import Verdict
from jitlint.analysis.wrapper.cloning import Cloning
from jitlint.analysis.wrapper.convention import abi_verdicts
from jitlint.analysis.wrapper.host import HostMemory
from jitlint.analysis.wrapper.lowering import Lowering
from jitlint.analysis.wrapper.outside import Outside
from jitlint.analysis.wrapper.reachability import GLOBAL, GPU, INVARIANT, Reachability
from jitlint.analysis.wrapper.writes import Writes, declared_readonly
from jitlint.findings import Note, Severity, Span
from jitlint.ir.functions import FUNCTIONS, Function, Functions, Lookup, memory_effects
from jitlint.ir.symbols import MODULES
from jitlint.ir.tree import Region
from jitlint.nearest import nearest
from jitlint.syntax.functions import HeaderReader
from jitlint.syntax.lexer import SyntaxProblem

_MOST_UNDEFINED = 20
_MOST_NAMES = 2000
_UNDECLARED = (
    "alias a result to the operand, or write to a buffer of the wrapper's own: XLA treats the operand as read-only, "
    "and may keep other values in the same buffer"
)
_DENIED = "remove the attribute: a compiler that relies on it may drop the write, or keep using the old value"

_ASTRAY = "store through the operands themselves, or keep the pointer where the wrapper alone can change it"


class Wrapper(NamedTuple):
    """The wrapper of a call: its function, where its symbol names one that can be read, and what stands against it.

    `not_callable` tells that its body may be cloned, but that nothing can call it.
    """

    name: str
    function: Function | None
    verdicts: tuple[Verdict, ...]
    not_callable: bool = False

    @property
    def parameter_types(self) -> tuple[str, ...]:
        """The types of its parameters, written in one way."""
        return () if self.function is None else tuple(_parameter_type(p.type) for p in self.function.parameters)

    @property
    def effect_free(self) -> bool:
        """Whether it is declared to have no effects: only an empty list says so."""
        return self.function is not None and memory_effects(self.function.attributes) == ()


class _Stores(NamedTuple):
    """The parameters that a wrapper stores through for certain and perhaps, and whether a store goes elsewhere."""

    certain: frozenset[int]
    perhaps: frozenset[int]
    astray: bool


class Wrappers:
    """The wrappers of one symbol table, each judged once.

    `repeated` are the symbols that it defines more than once, `callees` those that JIT calls name, each as often.
    `names` gives all, among which the right one for a misspelt callee is looked for. `staying` are the callees that
    calls are known to name when all is fused; verdicts count on the others to be free then where that matters, which
    `freed` tells. `holder` is the operation that is the table.
    """

    def __init__(
        self,
        lookup: Lookup,
        reader: HeaderReader,
        repeated: Collection[str] = (),
        callees: Collection[str] = (),
        names: Callable[[], Iterable[str]] = tuple,
        staying: Collection[str] | None = None,
        holder: str = "module",
    ) -> None:
        self._holder = holder
        self.functions = Functions(lookup, reader)
        self.writes = Writes(self.functions)
        self.traffics = Traffics(self.functions, self.writes)
        self.host_memory = HostMemory(self.functions, self.writes)
        self.outside = Outside(self.functions, self.writes)
        self._lookup = lookup
        self._repeated = repeated
        self._names = names
        self._undefined = 0
        self._reaches = Reachability(lookup)
        self.cloning = Cloning(self._reaches.itself)
        self.lowering = Lowering(self.functions, Counter(callees), self._reaches.names)
        self._lowering_fused = Lowering(self.functions, Counter(callees), self._reaches.names, staying)
        self._judged: dict[tuple[str, ...], Wrapper] = {}
        self._clean: set[int] = set()
        self._stored: dict[int, _Stores] = {}
        self._may_write: dict[int, frozenset[int]] = {}

    @property
    def freed(self) -> Collection[str]:
        """The callees that a verdict counts on no call to name when all is fused."""
        return self._lowering_fused.freed

    def get(self, callee: tuple[str, ...]) -> Wrapper:
        """The wrapper that a call names, by the symbols of its callee (several for `@m::@w`)."""
        wrapper = self._judged.get(callee)
        if wrapper is None:
            wrapper = self._judged[callee] = self._judge(callee)
        return wrapper

    def _judge(self, callee: tuple[str, ...]) -> Wrapper:
        name = "::@".join(callee)
        if len(callee) != 1:
            return Wrapper(name, None, (Verdict("JIT302", f"@{name} is a nested symbol"),))
        found = self.functions.get(name)
        if isinstance(found, Function):
            against = (*self._passed_by(found), *self._against(found))
            return Wrapper(name, found, against, self._lowering_fused.not_callable(found) is not None)
        return Wrapper(name, None, (self._no_function(name, found),))

    def _passed_by(self, function: Function) -> list[Verdict]:
        """JIT302 for a wrapper in a table that is no module. The engine verifies the name there, but compiles what has
        it in the module around, and crashes where nothing has: so it would on the name of a fused wrapper."""
        if self._holder in MODULES:
            return []
        message = f"@{function.symbol} is defined in a `{self._holder}`, and the compiler looks in the module around it"
        return [Verdict("JIT302", message, notes=(Note(f"@{function.symbol} is defined here", function.symbol_span),))]

    def _no_function(self, name: str, problem: SyntaxProblem | None) -> Verdict:
        operation = self._lookup(name)
        if operation is None:
            several = name in self._repeated
            message = f"@{name} is defined more than once" if several else f"@{name} is not defined in this module"
            return Verdict("JIT301", message if several else message + self._did_you_mean(name))
        place = Note(f"@{name} is defined here", _head(operation.text, operation.start, operation.end))
        if problem is not None:
            where = Note(problem.message, Span(problem.offset, min(problem.offset + 1, operation.end)))
            return Verdict("JIT304", f"the header of @{name} could not be read", notes=(place, where))
        shown = operation.name if operation.name not in FUNCTIONS else "function"
        return Verdict("JIT302", f"@{name} is neither an `llvm.func` nor a `func.func` but `{shown}`", notes=(place,))

    def _did_you_mean(self, name: str) -> str:
        """A question with the right name for an undefined one. It is asked for so many names only, since each takes a
        search."""
        self._undefined += 1
        meant = self.meant(name) if self._undefined <= _MOST_UNDEFINED else None
        return f"; did you mean @{meant}?" if meant is not None else ""

    def meant(self, name: str) -> str | None:
        """The function whose name is most like an undefined one; only so many names are looked at."""
        defined = ((other, self._lookup(other)) for other in islice(self._names(), _MOST_NAMES))
        functions = [other for other, operation in defined if operation is not None and operation.name in FUNCTIONS]
        return nearest(name, functions)

    def _against(self, function: Function) -> tuple[Verdict, ...]:
        """Everything that stands against a function as a wrapper; equal functions are looked at once."""
        key = function.key
        if key in self._clean:
            return ()
        verdicts = (
            *abi_verdicts(function),
            *_uncut(function),
            *self._reached(function),
            *self._left_over(function),
        )
        if not verdicts and not _names_itself(function) and not self._lowering_fused.foreign(function):
            self._clean.add(key)
        return verdicts

    def _left_over(self, function: Function) -> list[Verdict]:
        """JIT304 for a wrapper that no fix could leave in the module: the module would no longer lower."""
        name, lowering = function.symbol, self._lowering_fused
        taken = lowering.taken_away(function)
        if taken is not None and not lowering.can_be_taken_away(function):
            other, place = taken
            message = f"@{name} names @{other}, which JIT calls name too: the engine compiles it and takes it away"
            return [Verdict("JIT304", message, notes=(Note(f"@{name} names @{other} here", place),))]
        if function.body is not None and (why := lowering.why_not_left(function)):
            return [Verdict("JIT304", why, notes=(Note(f"@{name} is defined here", function.symbol_span),))]
        return []

    def _reached(self, function: Function) -> list[Verdict]:
        name, ways = function.symbol, self._reaches.ways(function)
        verdicts = []
        if way := ways.get(GPU):
            verdicts.append(
                Verdict("JIT306", f"@{name} launches a GPU kernel, and a call can launch only one", notes=way)
            )
        if way := ways.get(GLOBAL):
            message = f"@{name} uses a global that can change, and every compiled call has its own copy of it"
            help_ = "make the global a `constant`, or pass its contents as an operand"
            verdicts.append(Verdict("JIT307", message, notes=way, help=help_))
        if way := ways.get(INVARIANT):
            message = f"@{name} says by `invariant` that memory never changes, but another call may change it"
            verdicts.append(Verdict("JIT304", message, notes=way))
        return verdicts

    def _stores(self, function: Function) -> _Stores:
        """What a function stores through; equal functions are followed once."""
        found = self._stored.get(function.key)
        if found is None:
            writes = self.writes
            certain, seen = frozenset(writes.writes(function)), frozenset(writes.may_store(function))
            found = self._stored[function.key] = _Stores(certain, seen - certain, bool(writes.astray(function)))
        return found

    def may_write(self, wrapper: Wrapper) -> frozenset[int]:
        """The parameters that a wrapper could write; equal functions are followed once."""
        function = wrapper.function
        if function is None:
            return frozenset()
        found = self._may_write.get(function.key)
        if found is None:
            found = self._may_write[function.key] = self.writes.may_write(function)
        return found

    def undeclared_writes(self, wrapper: Wrapper, aliased: Collection[int]) -> dict[int, Verdict]:
        """JIT602 for each parameter that the wrapper writes through, or may write through, although no result aliases
        its operand."""
        function = wrapper.function
        if function is None:
            return {}
        stores = self._stores(function)
        undeclared = (stores.certain | stores.perhaps) - set(aliased)
        if not undeclared:
            return {}
        undeclared -= self.traffics.of(function).settled
        certain, perhaps = self.writes.writes(function), self.writes.may_store(function)
        found = {}
        for index in sorted(undeclared):
            sure = index in certain
            said = f"parameter {index}, whose operand no result of the call aliases"
            found[index] = Verdict(
                "JIT602",
                f"@{function.symbol} {'writes' if sure else 'may write'} through {said}",
                notes=(*(certain if sure else perhaps)[index], _parameter(function, index)),
                help=_UNDECLARED,
                severity=None if sure else Severity.INFO,
            )
        return found

    def contradicted(self, wrapper: Wrapper, aliased: Collection[int]) -> list[Verdict]:
        """JIT602 for what an alias cannot fix: a write through a parameter that is declared read-only, and a store to
        an unknown place."""
        function = wrapper.function
        if function is None:
            return []
        stores, verdicts = self._stores(function), []
        for index in sorted(stores.certain & set(aliased)):
            if denied := declared_readonly(function.parameters[index]):
                message = f"@{function.symbol} writes through parameter {index}, which it declares `{denied}`"
                notes = (*self.writes.writes(function)[index], _parameter(function, index))
                verdicts.append(Verdict("JIT602", message, notes=notes, help=_DENIED))
        if stores.astray:
            message = f"@{function.symbol} stores through a pointer that cannot be followed: it may be any operand's"
            notes = self.writes.astray(function)
            verdicts.append(Verdict("JIT602", message, notes=notes, help=_ASTRAY, severity=Severity.INFO))
        return verdicts

    def not_callable(self, functions: Sequence[Function]) -> Verdict | None:
        """JIT304 where a fused wrapper of these would have to call one that cannot be called."""
        for function, called in zip(functions, self.cloning.must_call(functions), strict=True):
            if called and (why := self._lowering_fused.not_callable(function)):
                note = Note(f"@{function.symbol} is defined here", function.symbol_span)
                message = f"{why}: a fused wrapper cannot call @{function.symbol}"
                return Verdict("JIT304", message, notes=(note,))
        return None


@lru_cache(maxsize=4096)
def _parameter_type(type_text: str) -> str:
    """A type without white space, address space 0 left out: two types are equal if these are."""
    plain = "".join(type_text.split())
    return "!llvm.ptr" if plain == "!llvm.ptr<0>" else plain


def _parameter(function: Function, index: int) -> Note:
    return Note(f"parameter {index} of @{function.symbol}", function.parameter_span(index))


def _names_itself(function: Function) -> bool:
    """Whether a function's text behind its symbol seems to name it: then one with another name is another function."""
    operation, start = function.operation, function.symbol_span.end
    return any(operation.text.find(name, start, operation.end) >= 0 for name in (function.symbol, function.reference))


def _uncut(function: Function) -> list[Verdict]:
    """JIT902 where it is not certain which operations a body holds: nothing can be said about what it does then."""
    problem = _problem(function.body) if function.body is not None else None
    if problem is None:
        return []
    offset, reason = problem
    message = f"the body of @{function.symbol} could not be cut into operations with certainty"
    return [Verdict("JIT902", message, notes=(Note(reason, Span(offset, offset + 1)),))]


def _problem(body: Region) -> tuple[int, str] | None:
    """Where and why cutting a region, or one inside it, was not certain."""
    pending = [body]
    try:
        while pending:
            region = pending.pop()
            if region.problems:
                return region.problems[0]
            pending += (
                inner for block in region.blocks for index in block.cut.regions for inner in block[index].regions
            )
    except SyntaxProblem as problem:
        return problem.offset, problem.message
    return None


def _head(text: str, start: int, end: int) -> Span:
    """The first line of an operation."""
    stop = text.find("\n", start, end)
    return Span(start, end if stop < 0 else stop)
