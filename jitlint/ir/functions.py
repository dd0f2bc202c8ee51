"""Functions: an operation that defines one, with its header read and its body found."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from jitlint.findings import Span
from jitlint.ir.tree import Operation, Region
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.functions import Header, HeaderReader, Kind, Parameter
from jitlint.syntax.lexer import SyntaxProblem

FUNCTIONS = frozenset({"llvm.func", "func.func", "func"})

MEMORY_EFFECTS = "enzymexla.memory_effects"

_STRING = re.compile(r'"([a-z]+)"')
FLOAT = re.compile(r"(?<=constant\()-?[0-9]++\.[0-9]++(?:[eE][-+]?[0-9]++)?(?= : f(?:16|32|64)\))")
_LIST = re.compile(r'\[(?:[\s,]++|"[a-z]++")*+\]')

Lookup = Callable[[str], Operation | None]
"""The operation that a symbol names in the nearest symbol table, or None."""


class Function(NamedTuple):
    """An `llvm.func` or a `func.func`.

    `symbol` is the name that the symbol stands for, `reference` the symbol as written, with `@`. `anchor` is the
    offset that the header's own offsets count from. `body` is None for a declaration. `parameters` have the names of
    the body's first block where the header gives none. Functions of one text that differ in nothing but their names and
    in floating-point constants have the same `key`: whatever is asked of one of them is true of all, since no address,
    size or count is such a number.
    """

    operation: Operation
    header: Header
    symbol: str
    reference: str
    symbol_span: Span
    anchor: int
    body: Region | None
    parameters: tuple[Parameter, ...]
    key: int

    @property
    def kind(self) -> Kind:
        """Which operation it is."""
        return self.header.kind

    @property
    def attributes(self) -> Mapping[str, str]:
        """The function's own attributes, as written."""
        return self.header.attributes

    @property
    def numbers(self) -> list[str]:
        """The floating-point constants that `key` leaves out, as written, in text order."""
        return FLOAT.findall(self.operation.text, self.symbol_span.end, self.operation.end)

    def without_symbol(self) -> tuple[str, str]:
        """The text before and after its symbol."""
        text, operation = self.operation.text, self.operation
        return text[operation.start : self.symbol_span.start], text[self.symbol_span.end : operation.end]

    def parameter_span(self, index: int) -> Span:
        """Where a parameter stands."""
        parameter = self.parameters[index]
        return Span(self.anchor + parameter.start, self.anchor + parameter.end)


def read_function(operation: Operation, reader: HeaderReader) -> Function:
    """The function that `operation` defines; raises SyntaxProblem where it cannot be read."""
    regions = operation.regions
    if len(regions) > 1:
        raise SyntaxProblem("this function seems to have several bodies", regions[1].start)
    body = regions[0] if regions else None
    text, start = operation.text, operation.start
    shell = text[start : body.start] + text[body.end : operation.end] if body else text[start : operation.end]
    try:
        found = reader.read(shell)
        anchor, parameters = start + found.end, found.header.parameters
        if found.header.generic and body is not None:
            anchor, parameters = _from_first_block(body, parameters, reader)
    except SyntaxProblem as problem:
        cut = body.end - body.start if body and start + problem.offset >= body.start else 0
        raise SyntaxProblem(problem.message, start + problem.offset + cut) from None
    symbol_span = _symbol_span(start, found.start, found.end, body)
    return Function(
        operation=operation,
        header=found.header,
        symbol=symbol_name(found.symbol),
        reference=found.symbol,
        symbol_span=symbol_span,
        anchor=anchor,
        body=body,
        parameters=parameters,
        key=reader.number(text[start : symbol_span.start], FLOAT.sub("", text[symbol_span.end : operation.end])),
    )


def _symbol_span(start: int, first: int, last: int, body: Region | None) -> Span:
    """The symbol's place; in older generic text it stands behind the body, which the shell leaves out."""
    cut = body.end - body.start if body and start + first >= body.start else 0
    return Span(start + first + cut, start + last + cut)


def _from_first_block(
    body: Region, parameters: tuple[Parameter, ...], reader: HeaderReader
) -> tuple[int, tuple[Parameter, ...]]:
    """The names and places of a generic function's parameters, which stand at its first block's label."""
    span = body.blocks[0].cut.arguments
    arguments = reader.block_arguments(body.unit.text[slice(*span)]) if span else ()
    if len(arguments) != len(parameters):
        raise SyntaxProblem("the first block has not one argument for each parameter", 0)
    named = zip(parameters, arguments, strict=True)
    anchor = span[0] if span else body.start
    return anchor, tuple(one._replace(name=two.name, start=two.start, end=two.end) for one, two in named)


def memory_effects(attributes: Mapping[str, str]) -> tuple[str, ...] | None:
    """The effects that an `enzymexla.memory_effects` list names, () if it is empty; None where there is no list."""
    value = attributes.get(MEMORY_EFFECTS, "")
    return tuple(_STRING.findall(value)) if _LIST.fullmatch(value) else None


class Functions:
    """The functions of one symbol table, each read once."""

    def __init__(self, lookup: Lookup, reader: HeaderReader) -> None:
        self.lookup = lookup
        self.reader = reader
        self._read: dict[str, Function | SyntaxProblem | None] = {}

    def get(self, symbol: str) -> Function | SyntaxProblem | None:
        """The function of that name; the problem, where it cannot be read; None where the symbol names none."""
        if symbol not in self._read:
            operation = self.lookup(symbol)
            found: Function | SyntaxProblem | None = None
            if operation is not None and operation.name in FUNCTIONS:
                try:
                    found = read_function(operation, self.reader)
                except SyntaxProblem as problem:
                    found = problem
            self._read[symbol] = found
        return self._read[symbol]
