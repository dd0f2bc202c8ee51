"""What the engine does with the functions of a module, and what a fix must therefore do with them.

The engine compiles what a JIT call names and takes it away, with everything that its header says. What is left stays in
the module: XLA reads its text, exports what is public and what is named from there, and drops the rest. What a wrapper
calls is compiled with it, and there its header counts.

A fix leaves wrappers over, which no call names any more, and lets fused wrappers call some. So it asks here, whatever
the fix is: how a function may be left over (`Lowering.fate`), and whether it may be called (`Lowering.not_callable`).
All of it is measured with enzyme-ad 0.0.16; `tests/engine/test_lowering.py` has the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from itertools import repeat

from jitlint import lazy
from jitlint.analysis.wrapper.private import made_private
from jitlint.findings import Span
from jitlint.ir.functions import Function, Functions
from jitlint.ir.symbols import Tables
from jitlint.ir.tree import Region
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.lexer import COMMENT, STRING, SYMBOL, SyntaxProblem

_RESERVED = "entry"
"""The name that the engine gives to what it compiles a wrapper into."""

_INTRINSIC = "llvm."
"""How the names of LLVM's intrinsics begin: a function of such a name cannot be defined."""

_NOT_COMPILED = ("available_externally", "appending")
"""Linkages of functions that the engine compiles as wrappers, but not as what a wrapper calls."""

_CALLABLE = frozenset(
    [
        "",
        *("fastcc", "coldcc", "tailcc", "swiftcc", "swifttailcc", "cxx_fast_tlscc", "preserve_mostcc"),
        *("preserve_allcc", "win64cc", "x86_64_sysvcc", "x86_regcallcc", "spir_funccc", "ptx_devicecc"),
    ]
)
"""Calling conventions in which a call passes its arguments as they are expected, on x86-64."""

_ABOUT_PARAMETERS = ("allocsize", "modular_format")
"""Function attributes that speak of parameters of other kinds than buffers: LLVM looks at them where it is called."""

_ABOUT_LINKING = ("comdat", "llvm.linkage")
"""Attributes that say what else stands outside the dictionary, and is not changed inside it."""

_PASSED_THROUGH = frozenset(
    [
        *("alwaysinline", "cold", "convergent", "hot", "inlinehint", "minsize", "mustprogress", "nobuiltin"),
        *("nocallback", "noduplicate", "nofree", "noinline", "norecurse", "noredzone", "nosync", "nounwind"),
        *("null_pointer_is_valid", "optsize", "returns_twice", "safestack", "speculatable", "ssp", "sspreq"),
        *("sspstrong", "strictfp", "uwtable", "willreturn", "noreturn", "memory"),
    ]
)
"""What `passthrough` may hand to LLVM for a function that is called; so may all that has a `-`, which is mere text."""

_READ_BY_XLA = frozenset(
    [
        *("affine", "arith", "builtin", "cf", "chlo", "complex", "func", "gpu", "llvm", "math", "memref", "mhlo"),
        *("nvvm", "scf", "stablehlo", "tensor", "ub", "vector"),
    ]
)
"""Dialects that XLA's own parser knows. The engine knows more, and compiles them in what it takes away."""

_FOREIGN = lazy.pattern(rf"{STRING}|{COMMENT}|[#!](?:([A-Za-z_]\w*+)\.\w|([A-Za-z_][\w$]*+))")
_PASSTHROUGH = lazy.pattern(r'\[\s*+"([^"]*+)"\s*+,\s*+"[^"]*+"\s*+\]|"([^"]*+)"')

_SYMBOL = lazy.pattern(rf"{STRING}|{COMMENT}|({SYMBOL})")
_WHOLE_STRING = lazy.pattern(r'"([\w$.]{1,4096}+)"')

Names = Callable[[Function], Mapping[str, Span]]
"""The symbols that the text of a function names, its own among them."""


class Fate(Enum):
    """How a function that no JIT call names any more must be left over for the module to lower."""

    KEPT = "as it is"
    PRIVATE = "private"
    REMOVED = "not at all"


class Lowering:
    """Answers for the functions of one symbol table. `callees` are those that JIT calls name, and how many calls do.

    Of these, the engine takes away `staying`, or all where that is None: a call names them in the end. Where an answer
    counts on no call to name another one any more, that one is in `freed`.
    """

    def __init__(
        self, functions: Functions, callees: Counter[str], names: Names, staying: Collection[str] | None = None
    ) -> None:
        self.freed: set[str] = set()
        self._staying = callees if staying is None else staying
        self._functions = functions
        self._lookup = functions.lookup
        self._reader = functions.reader
        self._callees = callees
        self._names = names
        self._foreign: dict[int, str] = {}
        self._callable: set[int] = set()

    def fate(self, function: Function) -> Fate:
        """How `function` must be left over."""
        if self.taken_away(function) is not None or self.foreign(function):
            return Fate.REMOVED
        return Fate.PRIVATE if is_exported(function) or self._keeps_alive(function) else Fate.KEPT

    def why_not_left(self, function: Function) -> str | None:
        """Why a fix can neither leave `function` over nor take it away; None if it can do one of them."""
        if (foreign := self.foreign(function)) and (namers := self.named_by(function.symbol)):
            return f"XLA does not know `{foreign}`, so @{function.symbol} cannot stay, and @{min(namers)} names it"
        if self.fate(function) is Fate.PRIVATE and self.made_private(function) is None:
            return f"the engine exports @{function.symbol} once no call names it, and its header cannot be made private"
        return None

    def not_callable(self, function: Function) -> str | None:
        """Why a fused wrapper cannot call a function that is a wrapper itself; None if it can, which may take that it
        is made private first (`must_be_private`)."""
        if function.symbol == _RESERVED:
            return f"the engine reserves the name `{_RESERVED}`"
        if function.symbol.startswith(_INTRINSIC):
            return f"LLVM reserves names that begin with `{_INTRINSIC}`"
        if function.key in self._callable:
            return None
        why = self._against_calling(function)
        if why is None and not names_itself(function):
            self._callable.add(function.key)
        return why

    def _against_calling(self, function: Function) -> str | None:
        """`not_callable`, whatever the function's own name is."""
        attributes = function.attributes
        convention = function.header.calling_convention
        if convention not in _CALLABLE or "llvm.cconv" in attributes:
            return f"a call cannot be trusted to pass what `{convention or attributes['llvm.cconv']}` expects"
        if key := next((key for key in _ABOUT_PARAMETERS if key in attributes), None):
            return f"`{key}` speaks of parameters, and LLVM refuses it at a function that takes buffers"
        if refused := _refused_passthrough(attributes.get("passthrough", "")):
            return f"LLVM may refuse `{refused}` at a function that is called"
        if key := next((key for key in _ABOUT_LINKING if key in attributes), None):
            return f"the engine may not compile a callee with `{key}`"
        if foreign := self.foreign(function):
            return f"what is called stays in the module, and XLA does not know `{foreign}`"
        if self.must_be_private(function) and self.made_private(function) is None:
            return "the engine does not compile a callee with this header"
        if taken := self.taken_away(function):
            return f"what is called stays in the module, and the engine takes away @{taken[0]}, which it names"
        return None

    def must_be_private(self, function: Function) -> bool:
        """Whether a function must be made private for the engine to compile it as what a wrapper calls."""
        linkage = function.header.linkage
        return any(word in linkage for word in _NOT_COMPILED) or has_comdat(function)

    def made_private(self, function: Function) -> tuple[tuple[int, int, str], ...] | None:
        """The edits that make a function private; None where that is not certain."""
        return made_private(function, self._reader)

    def taken_away(self, function: Function) -> tuple[str, Span] | None:
        """A function that `function` names and that the engine takes away, because a JIT call names it too, with the
        place. Where `function` itself is left over, the name then stands for nothing: the engine refuses the module."""
        for name, place in self._names(function).items():
            if name != function.symbol and name in self._callees and self._lookup(name) is not None:
                if name in self._staying:
                    return name, place
                self.freed.add(name)
        return None

    def staying_with(self, names: Iterable[str]) -> set[str]:
        """The wrappers that stay where those of `names` do: they name one that does, and cannot be taken away."""
        found: set[str] = set()
        pending = list(names)
        while pending:
            for namer in self.named_by(pending.pop()):
                function = self._functions.get(namer)
                if namer not in found and isinstance(function, Function) and not self.can_be_taken_away(function):
                    found.add(namer)
                    pending.append(namer)
        return found

    def foreign(self, function: Function) -> str:
        """An operation, a type or an attribute in a function that the engine may compile and that XLA cannot read."""
        found = self._foreign.get(function.key)
        if found is None:
            found = self._foreign[function.key] = _foreign_operation(function.body) or self._foreign_attribute(function)
        return found

    def can_be_taken_away(self, function: Function) -> bool:
        """Whether a fix may remove `function` once no call names it. Nothing that is left can name it: the engine takes
        away what a JIT call names, and before the fix one named this."""
        attributes = function.attributes
        if self.named_by(function.symbol) or "llvm.emit_c_interface" in attributes:
            return False
        if attributes.get("sym_visibility", '"private"') != '"private"':
            return False
        text, span = function.operation.text, function.symbol_span
        defined_in_a_string = text[span.start : span.start + 1] == '"' or text[span.start - 1 : span.start] == '"'
        return self._spelled[function.symbol] <= defined_in_a_string and not self._named_besides(function)

    def _named_besides(self, function: Function) -> bool:
        """Whether a symbol of the text means `function`, one that is no callee of a JIT call and stands in no function
        that one names."""
        start, end = function.operation.start, function.operation.end
        places = [place for place in self._symbols.get(function.symbol, ()) if not start <= place < end]
        if len(places) <= self._callees[function.symbol]:
            return False
        own = function.operation.block.region
        found = map(Tables(own.unit).defining, repeat(function.symbol), places)
        meant = sum(table is not None and table.region.start == own.start for table in found)
        return meant > self._callees[function.symbol]

    @cached_property
    def _symbols(self) -> Mapping[str, Sequence[int]]:
        """Where symbols stand in the text outside the functions that JIT calls name, by their names."""
        functions = [each for name in self._callees if isinstance(each := self._functions.get(name), Function)]
        symbols: dict[str, list[int]] = {}
        if functions:
            unit = functions[0].operation.block.region.unit
            spans = sorted((function.operation.start, function.operation.end) for function in functions)
            starts, ends = [unit.start, *(end for _, end in spans)], [*(start for start, _ in spans), unit.end]
            for start, end in zip(starts, ends, strict=True):
                for match in _SYMBOL.finditer(unit.text, start, end):
                    if match[1] is not None:
                        symbols.setdefault(symbol_name(match[1]), []).append(match.start(1))
        return symbols

    @cached_property
    def _spelled(self) -> Counter[str]:
        """How often a string of the text is a name as a whole."""
        function = next(
            (each for name in self._callees if isinstance(each := self._functions.get(name), Function)), None
        )
        return Counter(_WHOLE_STRING.findall(function.operation.text) if function is not None else ())

    def is_called(self, symbol: str) -> bool:
        """Whether a function that a JIT call names leads to `symbol`, perhaps through others."""
        return symbol in self._called

    @cached_property
    def _called(self) -> set[str]:
        called: set[str] = set()
        pending = list(self._callees)
        while pending:
            function = self._functions.get(pending.pop())
            new = set(self._names(function)) - {function.symbol} - called if isinstance(function, Function) else set()
            called |= new
            pending += new
        return called

    def named_by(self, symbol: str) -> Collection[str]:
        """The functions that JIT calls name and that name `symbol`."""
        return self._namers.get(symbol, ())

    @cached_property
    def _namers(self) -> dict[str, set[str]]:
        namers: dict[str, set[str]] = {}
        for callee in self._callees:
            function = self._functions.get(callee)
            for name in self._names(function) if isinstance(function, Function) else ():
                if name != callee:
                    namers.setdefault(name, set()).add(callee)
        return namers

    def _keeps_alive(self, function: Function) -> bool:
        """Whether an `llvm.func`, which XLA never drops unless it is private, names a `func.func`, which XLA then
        does not drop either, and cannot translate."""
        if function.kind != "llvm.func" or function.attributes.get("sym_visibility") == '"private"':
            return False
        named = (self._lookup(name) for name in self._names(function) if name != function.symbol)
        return any(operation is not None and operation.name in ("func.func", "func") for operation in named)

    def _foreign_attribute(self, function: Function) -> str:
        """A type or an attribute of a dialect that XLA does not know, also behind an alias."""
        operation = function.operation
        pending, seen = [operation.text[operation.start : operation.end]], set[str]()
        while pending:
            for match in _FOREIGN.finditer(pending.pop()):
                if match[1] is not None and match[1] not in _READ_BY_XLA:
                    return match[0] + "…"
                alias = match[0] if match[2] is not None else ""
                if alias in self._reader.aliases and alias not in seen:
                    seen.add(alias)
                    pending.append(self._reader.aliases[alias])
        return ""


def is_exported(function: Function) -> bool:
    """Whether XLA exports a function that is left over, and so has to translate it: a `func.func` that is public."""
    return function.kind == "func.func" and not any(word in function.header.linkage for word in ("private", "nested"))


def has_comdat(function: Function) -> bool:
    """Whether a function is in a `comdat`, which the engine does not take along."""
    return any(clause.startswith("comdat") for clause in function.header.clauses)


def names_itself(function: Function) -> bool:
    """Whether a function's body names it. (A comment or a string may look like it.)"""
    text, bare = function.operation.text, f'@"{function.symbol}"'
    start, end = function.symbol_span.end, function.operation.end
    for reference in {function.reference, f"@{function.symbol}", bare}:
        place = text.find(reference, start, end)
        while place >= 0:
            after = text[place + len(reference) : place + len(reference) + 1]
            if not (after.isalnum() or after in ("_", "$", ".")) or reference.endswith('"'):
                return True
            place = text.find(reference, place + 1, end)
    return False


def _refused_passthrough(text: str) -> str | None:
    """What a `passthrough` list may not hand to LLVM; None if it is all right."""
    names = [match[1] or match[2] for match in _PASSTHROUGH.finditer(text.strip()[1:-1])]
    allowed = {*_PASSED_THROUGH, *(("optnone",) if "noinline" in names else ())}
    return next((name for name in names if name not in allowed and "-" not in name), None)


def _foreign_operation(body: Region | None) -> str:
    """The first operation of a body whose dialect XLA does not know, by its name; "" if there is none."""
    pending = [body] if body is not None else []
    try:
        while pending:
            region = pending.pop()
            for block in region.blocks:
                for shape in block.cut.shapes:
                    dialect, dot, _ = shape.name.partition(".")
                    if dot and dialect not in _READ_BY_XLA:
                        return shape.name
                pending += (inner for index in block.cut.regions for inner in block[index].regions)
    except SyntaxProblem:
        pass  # JIT902 says so, and keeps the wrapper out
    return ""
