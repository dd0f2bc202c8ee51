"""Which parameters of a wrapper are shown to point to the host's memory.

A wrapper runs on the host. What it loads or stores through itself is memory of the host, and so are the handles that
MPI reads and writes on the host: its requests. A buffer of data shows nothing: MPI may be passed a device's.
"""

from __future__ import annotations

from jitlint.analysis.spread import Spread
from jitlint.analysis.wrapper import externals
from jitlint.analysis.wrapper.pointers import CALLS, DEEPEST, direct_callee, own_operands
from jitlint.findings import Note, Span
from jitlint.ir import effects
from jitlint.ir.functions import Function, Functions
from jitlint.ir.tree import Operation, Region
from jitlint.syntax.lexer import SyntaxProblem

_Place = tuple[str, int]
"""A function and the number of one of its parameters."""

_ACCESSES = {
    "llvm.load": 0,
    "llvm.store": 1,
    "memref.load": 0,
    "memref.store": 1,
    "affine.load": 0,
    "affine.store": 1,
}
"""Operations that read or write memory through an operand, and which."""

_VIEWS = frozenset({"llvm.getelementptr", "llvm.bitcast"})
_HANDLES = "rch"
"""Roles of MPI's parameters that are handles: they live on the host."""


class HostMemory:
    """Answers for the functions of one symbol table; each body is looked at once."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._spread = Spread[_Place](self._look)
        self._bodies: dict[str, dict[int, _Uses]] = {}

    def shows(self, function: Function, parameter: int) -> bool:
        """Whether a wrapper shows that a parameter points to the host's memory."""
        return self._spread.holds((function.symbol, parameter))

    def _look(self, place: _Place) -> tuple[Note | None, list[tuple[_Place, Note]]]:
        symbol, index = place
        function = self._functions.get(symbol)
        if not isinstance(function, Function) or index >= len(function.parameters):
            return None, []
        if function.body is None or externals.is_mpi(symbol):
            roles = externals.roles(symbol, len(function.parameters)) if externals.is_mpi(symbol) else ""
            is_handle = roles[index : index + 1] in (*_HANDLES,)
            return (Note(f"@{symbol} is passed a handle", function.symbol_span) if is_handle else None), []
        if symbol not in self._bodies:
            self._bodies[symbol] = _uses(function)
        uses = self._bodies[symbol].get(index)
        return (uses.access, uses.passed) if uses is not None else (None, [])


class _Uses:
    """What a body does with one parameter."""

    def __init__(self) -> None:
        self.access: Note | None = None
        self.passed: list[tuple[_Place, Note]] = []


def _uses(function: Function) -> dict[int, _Uses]:
    """What a body does with its parameters, as far as it is plain to see."""
    found: dict[int, _Uses] = {}
    assert function.body is not None
    roots = {parameter.name: index for index, parameter in enumerate(function.parameters) if parameter.name}
    if function.body.problems:
        return found
    for operation in _operations(function.body):
        name = effects.full_name(operation.name)
        for position, operand in enumerate(own_operands(operation)):
            root = roots.get(operand)
            if root is None:
                continue
            place = Note("here", Span(operation.start, operation.end))
            if _ACCESSES.get(name) == position:
                found.setdefault(root, _Uses()).access = place
            elif name in CALLS and (callee := direct_callee(operation)) is not None:
                found.setdefault(root, _Uses()).passed.append(((callee, position), place))
            elif name in _VIEWS and position == 0:
                roots.update((result, root) for result, _ in operation.results)
    return found


def _operations(body: Region) -> list[Operation]:
    """The operations of a body, in text order; none that a region further in defines names for."""
    found: list[Operation] = []
    pending = [(body, 0)]
    while pending:
        region, depth = pending.pop()
        try:
            blocks = region.blocks
        except SyntaxProblem:
            return []
        if depth > DEEPEST:
            return []
        for block in blocks:
            for operation in block.operations:
                found.append(operation)
                pending += ((inner, depth + 1) for inner in operation.regions)
    return found
