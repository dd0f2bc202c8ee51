"""The parts of an operation's text that following pointers asks for: operands, callee, successors."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint import lazy
from jitlint.analysis.wrapper import pointer_operations
from jitlint.ir.tree import Block, Operation
from jitlint.syntax.calls import symbol_name
from jitlint.syntax.heads import GAP
from jitlint.syntax.lexer import COMMENT, NAMES, SSA_NAME, STRING, SYMBOL

_BOUND = lazy.pattern(rf"{STRING}|{COMMENT}|({SSA_NAME})")
_NAMED = lazy.pattern(rf"{STRING}|{COMMENT}|({SYMBOL})|(\()|(?<![\w$.])callee{GAP}={GAP}({SYMBOL})")
_SUCCESSOR = lazy.pattern(rf"{STRING}|{COMMENT}|(\^[\w$.-]++)(?:{GAP}\(([^:)]*+))?")
_BINDS = lazy.pattern(rf"{STRING}|{COMMENT}|((?:{SSA_NAME}|\)){GAP}=(?!=))")
_OUTS = lazy.pattern(rf"{STRING}|{COMMENT}|(?<![\w$.])outs{GAP}\(([^:)]*+)")
_INTRINSIC = lazy.pattern(r'"(llvm\.[a-z_]+)[\w.]*"')


def _pieces(operation: Operation) -> Iterator[tuple[int, int]]:
    """The spans of an operation's own text, outside its regions."""
    position = operation.operands_start
    for start, end in [*((region.start, region.end) for region in operation.regions), (operation.end, operation.end)]:
        yield position, start
        position = end


def own_operands(operation: Operation) -> list[str]:
    """The SSA names that an operation uses itself, outside its regions, in order."""
    if not operation.regions:
        return operation.names
    text = operation.text
    return [
        match[1]
        for start, end in _pieces(operation)
        for match in NAMES.finditer(text, start, end)
        if match[1] is not None
    ]


def binds(operation: Operation) -> bool:
    """Whether an operation's own text may bind names for its regions: `scf.for %i = …`."""
    text = operation.text
    return any(match[1] for start, end in _pieces(operation) for match in _BINDS.finditer(text, start, end))


def outs(operation: Operation) -> set[str]:
    """The names that an operation of linear algebra writes to, if it says so."""
    text = operation.text
    found = (match[1] for start, end in _pieces(operation) for match in _OUTS.finditer(text, start, end) if match[1])
    return {name[1] for outs in found for name in _BOUND.finditer(outs) if name[1] is not None}


def intrinsic(operation: Operation) -> tuple[int, int | None] | None:
    """Which argument an intrinsic called by its name writes through, and which it copies from; None of any other."""
    match = _INTRINSIC.search(operation.text, operation.operands_start, operation.end)
    if match is not None and match[1] == "llvm.call_intrinsic":  # the generic form
        match = _INTRINSIC.search(operation.text, match.end(), operation.end)
    return pointer_operations.INTRINSICS.get(match[1]) if match is not None else None


def first_symbol(operation: Operation) -> str | None:
    """The first symbol that an operation names."""
    for match in _NAMED.finditer(operation.text, operation.operands_start, operation.end):
        if symbol := match[1] or match[3]:
            return symbol_name(symbol)
    return None


def direct_callee(operation: Operation) -> str | None:
    """The function that a call names; None for a call through a pointer."""
    generic = operation.is_generic
    for match in _NAMED.finditer(operation.text, operation.operands_start, operation.end):
        if symbol := match[3] if generic else match[1]:
            return symbol_name(symbol)
        if match[2] is not None and not generic:
            return None
    return None


def block_arguments(block: Block) -> Iterator[str]:
    """The names of a block's arguments, in order."""
    if block.cut.arguments is None:
        return
    start, end = block.cut.arguments
    for match in _BOUND.finditer(block.region.unit.text, start, end):
        if match[1] is not None:
            yield match[1]


def successors(operation: Operation) -> Iterator[tuple[str, list[str] | None]]:
    """The blocks that a terminator names, each with the values passed to it; None where they are not told apart."""
    for match in _SUCCESSOR.finditer(operation.text, operation.operands_start, operation.end):
        if match[1] is not None:
            passed = None if match[2] is None else [found[1] for found in _BOUND.finditer(match[2]) if found[1]]
            yield match[1], passed
