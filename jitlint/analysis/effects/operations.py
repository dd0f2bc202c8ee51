"""Whether an operation has side effects, here, with these regions and these callees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from jitlint import lazy
from jitlint.analysis.effects.operation_text import other_operation, touches_memory
from jitlint.ir import effects
from jitlint.ir.attributes import alias_of_properties, generic_attributes
from jitlint.ir.symbols import SymbolTable
from jitlint.ir.tree import Block, Operation
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.heads import GAP
from jitlint.syntax.lexer import COMMENT, STRING, SYMBOL
from jitlint.syntax.shapes import OPERATION, Shape

_CALLEE = lazy.pattern(rf"{STRING}|{COMMENT}|({SYMBOL})")
_SIDE_EFFECT = lazy.pattern(rf"has_side_effect(?![\w$.])(?!{GAP}={GAP}false\b)")
"""Matches unless the value is a plain `false`: `true` may stand behind a comment, or be an alias."""
_QUOTED_KEY = lazy.pattern(rf"{COMMENT}|({STRING})({GAP}=)?")
_BRACES = rf"(\{{{GAP}[A-Za-z_][\w$]*+\.[\w$.]++{GAP}\}})"
_LONE = lazy.pattern(rf"{STRING}|{COMMENT}|attributes{GAP}\{{|{_BRACES}")
_LONE_GENERIC = lazy.pattern(rf"{STRING}|{COMMENT}|[(,]{GAP}{_BRACES}")
_WHOLE_SYMBOL = lazy.pattern(SYMBOL)
_FUNCTION_CALLS = frozenset({"func.call"})


class Effect(NamedTuple):
    """That an operation has effects, or may have: `known` is False for an assumption. `cause` is the operation whose
    definition says so (or that nothing is known of), which may stand further in or in a called function."""

    known: bool
    cause: Operation
    reason: str


class Effects:
    """The effects of the operations of one module, each found once.

    `pure` are operations that the user declares free of effects; `call_effect` tells those of a JIT call.
    """

    def __init__(
        self, symbols: SymbolTable, pure: frozenset[str], call_effect: Callable[[Block, int], Effect | None]
    ) -> None:
        self.symbols = symbols
        self.pure = pure
        self.call_effect = call_effect
        self._functions: dict[str, Effect | None] = {}

    def of(self, block: Block, index: int) -> Effect | None:
        """The effect of an operation; None if it has none."""
        shape = block.cut.shapes[index]
        if shape.is_jit_call:
            return self.call_effect(block, index)
        if shape.kind == OPERATION and shape.cache is _PURE:
            return None
        effect = self._search(block[index])
        if effect is None and shape.kind == OPERATION and not _calls(shape):
            shape.cache = _PURE
        return effect

    def _search(self, operation: Operation) -> Effect | None:
        """Look through the operation and, where its definition says so, through its regions and its callee."""
        pending: list[Operation] = [operation]
        while pending:
            current = pending.pop()
            if current.shape.is_jit_call:
                found = self.call_effect(current.block, current.index)
            else:
                found = self._own(current, pending)
            if found is not None:
                return found
        return None

    def _own(self, operation: Operation, pending: list[Operation]) -> Effect | None:
        name = effects.full_name(operation.name)
        if name in self.pure or operation.name in self.pure:
            return None
        if name == "stablehlo.custom_call":
            return _of_custom_call(operation)
        if name in _FUNCTION_CALLS:
            if not _is_call(operation):
                return Effect(False, operation, "calls in a dialect that is not known")
            return self._called(operation)
        declared = effects.declared(name)
        if declared in (effects.RECURSIVE, effects.NONE):
            if not effects.works_on_addresses(name) and touches_memory(operation):
                return Effect(False, operation, "works on memory")
            if (other := other_operation(operation)) is not None:
                return Effect(
                    False, operation, f"may be followed by another operation, `{other}`, on a line of its own"
                )
        if declared == effects.RECURSIVE:
            pending.extend(
                inner for region in operation.regions for block in region.blocks for inner in block.operations
            )
            uncertain = any(region.problems for region in operation.regions) or _may_hold_more(operation)
            return Effect(False, operation, "holds a region that could not be read") if uncertain else None
        if declared == effects.NONE:
            return None
        if declared == effects.EFFECTS:
            return Effect(True, operation, "has side effects")
        return Effect(False, operation, "is not known to be free of side effects")

    def _called(self, operation: Operation) -> Effect | None:
        name = callee(operation)
        if name is None:
            return Effect(False, operation, "calls a function that is not known")
        if name not in self._functions:
            self._explore(name)
        effect = self._functions[name]
        if effect is not None and effect.cause.block.region.parent is None:
            return Effect(effect.known, operation, effect.reason)
        return effect

    def _explore(self, name: str) -> None:
        """Find the effect of a function and of those that it calls, callees first; recursion is an effect.

        Each function is entered once. One that is met again while its callees are still being explored calls itself,
        and so does the function that led back to it.
        """
        asked: dict[str, list[str]] = {}
        way = [name]
        while way:
            current = way[-1]
            if current not in asked:
                calls: list[str] = []
                self._functions[current] = next(self._body(current, calls), None)
                asked[current] = calls
            if self._functions[current] is not None or not asked[current]:
                way.pop()
                del asked[current]
                continue
            called = asked[current][-1]
            if called in asked:
                function = self.symbols.lookup(called)
                assert function is not None  # its body has been read
                self._functions[current] = Effect(True, function, "calls itself")
            elif called in self._functions:
                self._functions[current] = self._functions[called]
                asked[current].pop()
            else:
                way.append(called)

    def _body(self, name: str, calls: list[str]) -> Iterator[Effect]:
        """The effects of one function's own operations; adds the functions that it calls to `calls`."""
        function = self.symbols.lookup(name)
        if function is None or not function.regions:
            yield Effect(False, self._stand_in(function), f"calls @{name}, whose body is not in this module")
            return
        pending = [inner for region in function.regions for block in region.blocks for inner in block.operations]
        while pending:
            current = pending.pop()
            if _is_call(current) and (target := callee(current)) is not None:
                calls.append(target)
                continue
            effect = (
                self.call_effect(current.block, current.index)
                if current.shape.is_jit_call
                else self._own(current, pending)
            )
            if effect is not None:
                yield effect
                return

    def _stand_in(self, function: Operation | None) -> Operation:
        """Some operation to point at where a function has no body: its declaration, or the module's first operation."""
        return function if function is not None else self.symbols.region.blocks[0][0]


def _of_custom_call(operation: Operation) -> Effect | None:
    """A custom call has an effect if its attributes say so, or cannot be known."""
    said = operation.own_text()
    if operation.is_generic:
        properties = alias_of_properties(operation)
        if properties is None:
            return Effect(False, operation, "has attributes that are not known")
        said += properties
    if _SIDE_EFFECT.search(said):
        return Effect(True, operation, "has side effects")
    if "\\" in said and any(key and "\\" in key and equals for key, equals in _QUOTED_KEY.findall(said)):
        return Effect(False, operation, "has an attribute whose name is written with escapes")
    return None


def _is_call(operation: Operation) -> bool:
    """Whether an operation calls a function by `func.call`, whose dialect may be left out directly in a function."""
    if operation.name != "call":
        return operation.name in _FUNCTION_CALLS
    parent = operation.block.region.parent
    return parent is None or effects.full_name(parent.name) == "func.func"


def _may_hold_more(operation: Operation) -> bool:
    """Whether a `{ x.y }` that was taken for a dictionary could be a region with one operation that nobody knows."""
    lone = _LONE_GENERIC if operation.is_generic else _LONE
    start = operation.operands_start
    for first, last in [*((region.start, region.end) for region in operation.regions), (operation.end, operation.end)]:
        if any(match[1] for match in lone.finditer(operation.text, start, first)):
            return True
        start = last
    return False


_PURE = object()
"""In a shape's cache: operations written like this have no effects."""


def _calls(shape: Shape) -> bool:
    return effects.full_name(shape.name) in _FUNCTION_CALLS


def callee(operation: Operation) -> str | None:
    """The symbol that a call names first, in the generic form as its `callee`, or None."""
    if operation.is_generic:
        attributes = generic_attributes(operation)
        value = attributes.get("callee", "") if attributes is not None else ""
        return symbol_name(value) if _WHOLE_SYMBOL.fullmatch(value) else None
    for match in _CALLEE.finditer(operation.text, operation.operands_start, operation.end):
        if symbol := match[1]:
            return symbol_name(symbol)
    return None
