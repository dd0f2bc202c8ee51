"""One symbol table of a module: what its symbols name, and when two functions are the same whatever they are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from jitlint import lazy
from jitlint.ir.effects import NONE, OPERATIONS, RECURSIVE, declared, full_name, works_on_addresses
from jitlint.ir.functions import FUNCTIONS, Function, Functions
from jitlint.ir.globals import is_mutable_global
from jitlint.ir.rings import Rings
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Block, Operation, Region
from jitlint.proof.plain_text import Texts
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.functions import HeaderReader
from jitlint.syntax.lexer import NAMES, SSA, STRING, SYMBOL, SyntaxProblem

_REFERENCES = lazy.pattern(rf"{STRING}|//[^\n\r]*|({SYMBOL})")
_TALLEST = 32
"""Calls of functions within one another that are executed; a taller one is a function that nobody looks into."""
_WIDEST = 2_000
"""Symbols that a function that calls itself may reach, for it to be compared with another."""
_MEMORY_WORDS = """
    llvm.load llvm.store llvm.alloca llvm.intr.memcpy llvm.intr.memmove llvm.intr.memset llvm.return llvm.br
    llvm.cond_br llvm.switch llvm.mlir.addressof memref.load memref.store memref.alloca memref.copy memref.reshape
    affine.load affine.store affine.yield vector.load vector.store func.return cf.br cf.cond_br cf.switch scf.yield
    scf.condition enzymexla.memref2pointer enzymexla.pointer2memref
"""
_OF_MEMORY = frozenset(_MEMORY_WORDS.split())
"""Operations that do nothing but read and write memory through their operands, or say what comes next."""
_CUSTOM_CALL_ACTS = re.compile(r"has_side_effect(?!=false)|[<{,=]#[A-Za-z_][\w$-]*(?![\w.<$-])")
"""That it has effects, or an alias that nothing defines, which may say so."""
ADDRESSES = re.compile(r"!llvm\.ptr|memref<")
_GIVES_ADDRESS = re.compile(r"->[^-]*(?:!llvm\.ptr|memref<)")
_MAY_HOLD_ADDRESS = re.compile(r"\bptr\b|memref<|struct<\"|![A-Za-z_][\w$-]*+(?!\.)|!(?!llvm\.)")
"""A type that is an address or may hold one, such as a structure by its name."""
_WRITERS = frozenset(["vector.scatter", "vector.transfer_write", "memref.atomic_rmw", "llvm.atomicrmw", "llvm.cmpxchg"])
"""Operations that write what they are given, besides stores."""
_MEMORY = re.compile(r"memref<|!llvm\.(?:ptr|struct|array)")
_STRING = re.compile(STRING)
CALLS = frozenset(["llvm.call", "func.call", "call"])
_ROUNDING = ("fp", "math", "denormal", "round", "strict")
_PASSED_OTHERWISE = ("byval", "sret", "inalloca", "preallocated", "byref", "inreg", "swifterror", "nest")

T = TypeVar("T")


class Facts(NamedTuple):
    """What is known of a function without running it.

    `height` counts the calls within one another that are executed, None where the function itself is not, since it
    may call itself or is too tall. `has_effects` tells whether running it does more than read and write what its
    pointers reach; `leaks` tells whether an address that it is passed may be in memory behind it, or returned.
    `is_apart` tells that it reaches storage which every compiled wrapper has for itself (a mutable global of the
    module).
    """

    height: int | None
    has_effects: bool
    leaks: bool = True
    is_apart: bool = False


class Module:
    """A symbol table."""

    def __init__(self, region: Region, texts: Texts, reader: HeaderReader, pure: frozenset[str] = frozenset()) -> None:
        self.region = region
        self.texts = texts
        self.symbols = SymbolTable(region)
        self._functions = Functions(self.symbols.lookup, reader)
        self._pure = pure
        self._facts: dict[str, Facts] = {}
        self._rings = Rings(self._references)
        self._of_rings: dict[str, Facts] = {}
        self._behaviours: dict[str, tuple[bool, bool]] = {}
        self._named: dict[int, list[str]] = {}
        self._of_keys: dict[int, Facts] = {}
        self.computing = set[str]()
        """Plain texts of operations that do nothing but compute values from values."""

    def function(self, symbol: str) -> Function | None:
        """The function that a symbol names here, None where there is none or it cannot be read."""
        found = self._functions.get(symbol)
        return None if isinstance(found, SyntaxProblem) else found

    def facts(self, symbol: str) -> Facts:
        """What is known of what a symbol names."""
        found = self._facts.get(symbol)
        if found is None:
            function = self.function(symbol)
            found = self._of_keys.get(function.key) if function is not None else None
            found = self._facts[symbol] = found or self.bottom_up(symbol, self._facts, self._judged)
        return found

    def bottom_up(self, symbol: str, known: dict[str, T], judge: Callable[[str, list[str]], T]) -> T:
        """What is known of a symbol; what it names comes first, on a list instead of by recursion."""
        pending, begun = [symbol], set[str]()
        while pending:
            name = pending[-1]
            if name not in known:
                references = self._references(name)
                missing = [each for each in references if each not in known and each not in begun]
                if name not in begun and missing:
                    begun.add(name)
                    pending += missing
                    continue
                if any(each not in known for each in references):
                    self._rings.of(name)
                known[name] = judge(name, references)
                begun.discard(name)
            pending.pop()
        return known[symbol]

    def ring(self, symbol: str) -> str | None:
        """For one that `bottom_up` judges, or has judged: the least symbol of those that may call one another in a ring
        with it, None if it cannot come to call itself."""
        return self._rings.found.get(symbol)

    def is_constant(self, symbol: str) -> bool:
        """Whether a symbol names a global whose contents never change."""
        found = self.symbols.lookup(symbol)
        if found is None or found.name not in ("llvm.mlir.global", "memref.global"):
            return False
        words = self.texts.plain([(found.start, found.end)]).text
        return "constant" in words and not is_mutable_global(found)

    def rounding(self, function: Function) -> str:
        """The attributes of a function that change what arithmetic gives."""
        found = [f"{key}={value}" for key, value in sorted(function.attributes.items())]
        return ";".join(each for each in found if any(word in each.lower() for word in _ROUNDING))

    def takes_plainly(self, function: Function) -> bool:
        """Whether the parameters of a function are what is passed, with nothing done to them on the way."""
        keys = [key for parameter in function.parameters for key in parameter.attributes]
        return not function.header.variadic and not any(word in key for key in keys for word in _PASSED_OTHERWISE)

    def operations(self, region: Region) -> Iterator[tuple[Block, Operation]]:
        """All operations of a region, those inside others behind them."""
        pending = [region]
        while pending:
            current = pending.pop()
            for block in current.blocks:
                for operation in block.operations:
                    yield block, operation
                    pending += operation.regions

    def symbols_in(self, start: int, end: int) -> list[str]:
        """The symbols that a stretch of the text names, each once."""
        found = [match[1] for match in _REFERENCES.finditer(self.texts.text, start, end) if match[1] is not None]
        return list(dict.fromkeys(symbol_name(each) for each in found))

    def _references(self, symbol: str) -> list[str]:
        operation = self.symbols.lookup(symbol)
        if operation is None:
            return []
        function = self.function(symbol)
        if function is not None and function.key in self._named:
            return self._named[function.key]
        inside = operation.regions[0] if operation.name in FUNCTIONS and operation.regions else operation
        named = self.symbols_in(inside.start, inside.end)
        found = [name for name in named if name in self.symbols.names and (name != symbol or inside is not operation)]
        if function is not None and function.body is not None:
            self._named[function.key] = found
        return found

    def _judged(self, symbol: str, references: list[str]) -> Facts:
        operation = self.symbols.lookup(symbol)
        if operation is None:
            return Facts(0, has_effects=True)
        if operation.name not in FUNCTIONS:
            below = [self._facts[each] for each in references if each in self._facts]
            is_apart = is_mutable_global(operation) or len(below) < len(references) or any(x.is_apart for x in below)
            return Facts(0, not self.is_constant(symbol), False, is_apart)
        function = self.function(symbol)
        if function is None or function.body is None:
            return Facts(0, has_effects=True, leaks=function is None)
        if not references:
            if function.key not in self._of_keys:
                acts, leaks = self.behaviour([each for _, each in self.operations(function.body)])
                self._of_keys[function.key] = Facts(1, acts, leaks)
            return self._of_keys[function.key]
        below = [self._facts[each] for each in references if each in self._facts]
        ring = self.ring(symbol)
        if ring is not None:
            if ring not in self._of_rings:
                self._of_rings[ring] = self._judged_ring(ring)
            return self._of_rings[ring]
        is_apart = any(each.is_apart for each in below)
        height = 1 + max((each.height or 0 for each in below), default=0)
        acts, leaks = self.behaviour([each for _, each in self.operations(function.body)])
        acts, leaks = acts or any(each.has_effects for each in below), leaks or any(each.leaks for each in below)
        return Facts(height if height <= _TALLEST else None, acts, leaks, is_apart)

    def _judged_ring(self, symbol: str) -> Facts:
        """What is known of functions that may call one another without end, which is an effect."""
        reached = self.reached(symbol)
        return Facts(None, True, any(map(self._leaks_itself, reached)), any(map(self._is_apart, reached)))

    def _leaks_itself(self, symbol: str) -> bool:
        """`Facts.leaks`, whatever a function calls."""
        operation = self.symbols.lookup(symbol)
        if operation is None or operation.name not in FUNCTIONS:
            return operation is None
        function = self.function(symbol)
        if function is None or function.body is None:
            return function is None
        return self.behaviour([each for _, each in self.operations(function.body)])[1]

    def _is_apart(self, symbol: str) -> bool:
        operation = self.symbols.lookup(symbol)
        return operation is None or is_mutable_global(operation)

    def reached(self, symbol: str) -> list[str]:
        """All symbols that a function reaches, itself included; a name that there is not stands for too many."""
        reached, pending = dict[str, None](), [symbol]
        while pending:
            name = pending.pop()
            if name not in reached:
                reached[name] = None
                pending += self._references(name)
            if len(reached) > _WIDEST:
                return [*reached, ""]
        return list(reached)

    def behaviour(self, operations: Sequence[Operation]) -> tuple[bool, bool]:
        """Whether operations do what others can see, other than through memory they are passed; and whether addresses
        may be in memory behind them, or come out. An address in an `alloca` of their own that nothing but loads and
        stores uses is none that others can see."""
        cells = {name for each in operations if each.name == "llvm.alloca" for name, _ in each.results}
        acting = operations
        if cells:
            cells.difference_update(name for each in operations for name in _not_as_address(each))
            acting = [each for each in operations if _address(each) not in cells]
        found = {self._own_behaviour(each) for each in acting}
        return any(acts for acts, _ in found), any(leaks for _, leaks in found)

    def _own_behaviour(self, operation: Operation) -> tuple[bool, bool]:
        """Whether one operation acts, and whether it leaks; asked once of all that differ in nothing but names."""
        if operation.regions:
            return self.acts(operation), self._leaks(operation)
        key = SSA.sub("%", operation.own_text())
        found = self._behaviours.get(key)
        if found is None:
            found = self._behaviours[key] = self.acts(operation), self._leaks(operation)
        return found

    def _leaks(self, operation: Operation) -> bool:
        own, name = operation.own_text(), full_name(operation.name)
        if name.endswith("store") or name in _WRITERS:  # what is written holds no address if the place alone is one
            plain = self.texts.plain([(operation.operands_start, operation.end)]).text
            return len(_MAY_HOLD_ADDRESS.findall(plain)) > 1
        if name in CALLS:
            return _GIVES_ADDRESS.search(own) is not None
        if name.endswith(("return", "yield")):
            return ADDRESSES.search(own) is not None
        if "ptrtoint" in own or "extract_aligned_pointer" in own:
            return True
        arrow = own.rfind("->")
        given = own[arrow:] if arrow >= 0 else own[own.rfind(",") + 1 :]
        gives = bool(operation.results) and (name not in OPERATIONS or _MEMORY.search(given) is not None)
        return gives and self.acts(operation)

    def acts(self, operation: Operation, text: str | None = None) -> bool:
        """Whether an operation may do more than compute, and read and write memory through the values it uses; its
        regions are left aside, and of a call what it calls. `text` is its plain text, if that is at hand."""
        name = full_name(operation.name)
        if name in self._pure or operation.name in self._pure:
            return False
        if operation.name in CALLS or name == "enzymexla.jit_call":
            return False
        if name in _OF_MEMORY:
            # What is read through a pointer that came out of memory can be anywhere.
            own = operation.own_text()
            return "volatile" in own or "atomic" in own or (name.endswith("load") and "-> !llvm.ptr" in own)
        if name == "stablehlo.custom_call":
            plain = text or self.texts.plain([(operation.operands_start, operation.end)]).text
            return _CUSTOM_CALL_ACTS.search(plain) is not None
        if declared(name) not in (NONE, RECURSIVE):
            return True
        return not works_on_addresses(name) and holds_type(_MEMORY, text or operation.own_text())


def holds_type(types: re.Pattern[str], text: str) -> bool:
    """Whether one of some types stands in the text of an operation; what a string holds is no type."""
    return types.search(text) is not None and types.search(_STRING.sub('""', text)) is not None


def _address(operation: Operation) -> str:
    """The name of the address that an operation loads from or stores to, and does nothing else with."""
    at = {"llvm.load": 0, "llvm.store": 1}.get(operation.name)
    own = operation.own_text() if at is not None else ""
    if at is None or len(operation.operands) <= at or "volatile" in own or "atomic" in own:
        return ""
    return operation.operands[at][0]


def _not_as_address(operation: Operation) -> list[str]:
    """The names in an operation, its regions aside, but for the address that it loads from or stores to."""
    head = operation.regions[0].start if operation.regions else operation.end
    names = [match[1] for match in NAMES.finditer(operation.text, operation.operands_start, head) if match[1]]
    names += [match[1] for match in NAMES.finditer(operation.text, _tail(operation), operation.end) if match[1]]
    if address := _address(operation):
        names.remove(address)
    return names


def _tail(operation: Operation) -> int:
    """Where the text behind an operation's last region begins."""
    return operation.regions[-1].end if operation.regions else operation.end
