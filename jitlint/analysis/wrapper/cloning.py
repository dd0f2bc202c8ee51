"""Whether the body of a wrapper may be written out in a fused wrapper, or must be called from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from jitlint import lazy
from jitlint.analysis.storage.sizes import size_of
from jitlint.analysis.wrapper.lowering import names_itself
from jitlint.ir.functions import MEMORY_EFFECTS, Function
from jitlint.ir.tree import Block, Operation, Region
from jitlint.syntax.lexer import COMMENT, SSA_NAME, STRING, SyntaxProblem, whole

LARGEST_ALLOCAS = 4096
"""Bytes that the allocas of a cloned body may take together: those of all clones stay until the function ends."""

MOST_ALLOCAS = 16 * LARGEST_ALLOCAS
"""Bytes that the allocas of all clones of a group may take. A called wrapper gives its stack back when it returns."""

DEEPEST = 200
"""Regions inside one another, at the most, in a body that is cloned."""

_INTRINSICS = "dbg|vastart|frameaddress|returnaddress|addressofreturnaddress|sponentry|localescape|localrecover"
_NAMED = (
    rf"llvm\.(?:intr\.)?(?:{_INTRINSICS})(?:\.\w++)?|llvm\.intr\.experimental\.noalias\.scope\.decl"
    r"|llvm\.blockaddress|llvm\.blocktag|llvm\.inline_asm"
)
_WORDS = "alias_scopes|noalias_scopes|musttail|tail|inalloca"
_BOUND_TO_ITS_FUNCTION = lazy.pattern(rf'"({_NAMED})"|{STRING}|{COMMENT}|(?<![\w$.%@])({_NAMED}|{_WORDS})(?![\w$])')
"""Operations that mean something else, or nothing, in another function, or must not stand twice in one (labels in
assembly).
The name of an operation in the generic form is a string, and so is that of an intrinsic that is called by name. A
`tail` call promises that the callee leaves the caller's stack memory alone, in which the operands of a fused wrapper's
calls may stand."""
_WHY_BOUND = {"alias_scopes": "uses alias scopes", "noalias_scopes": "uses alias scopes"}
_REACHES_ITSELF = "reaches itself"
_CONSTANTS = frozenset({"llvm.mlir.constant", "arith.constant"})
_COUNT = lazy.pattern(r"(?:constant\s*+\(|arith\.constant\s|value\s*+=)\s*+([0-9]++)\s*+:\s*+(?:i[0-9]|index)")
_ELEMENT = lazy.pattern(rf"{SSA_NAME}\s++x\s++")
_GENERIC_ELEMENT = lazy.pattern(r"elem_type\s*+=\s*+")
_MEMREF = lazy.pattern(r":\s*+(memref<[^\n]*+)")


class Cloning:
    """Decides it for the wrappers of one text; functions that differ only in their names are looked at once.

    A function that `reaches_itself`, by way of others or not, is called: a clone of it would be one more beside those
    that its body goes on to call.
    """

    def __init__(self, reaches_itself: Callable[[Function], bool] = names_itself) -> None:
        self._reaches_itself = reaches_itself
        self._found: dict[int, str | int] = {}

    def must_call(self, functions: Sequence[Function]) -> list[bool]:
        """For the wrapper of each call of a group, whether it must be called from the fused one."""
        different = {function.symbol: function for function in functions}
        together = all(each.kind == "llvm.func" for each in different.values())
        if not (together and _equal_attributes([*different.values()])):
            return [True] * len(functions)
        why = {
            key: _REACHES_ITSELF if self._reaches_itself(each) else self._look(each) for key, each in different.items()
        }
        found = [why[function.symbol] for function in functions]
        room = sum(each for each in found if isinstance(each, int)) <= MOST_ALLOCAS
        return [isinstance(each, str) or (each > 0 and not room) for each in found]

    def _look(self, function: Function) -> str | int:
        """Why a body must be called, or the bytes of stack memory that a clone of it takes."""
        key = function.key
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = _why_called(function)
        return found


def _why_called(function: Function) -> str | int:
    if function.kind != "llvm.func" or function.body is None:
        return "is a `func.func`"
    try:
        return _why(function.body)
    except SyntaxProblem:
        return "could not be cut into operations"


def _equal_attributes(functions: Sequence[Function]) -> bool:
    """Whether all wrappers have the same function attributes, their memory effects aside."""
    first = functions[0].header
    if all(function.header is first for function in functions):
        return True
    return len({_compared(function) for function in functions}) == 1


def _compared(function: Function) -> frozenset[tuple[str, str]]:
    clauses = (("", clause) for clause in function.header.clauses if not clause.startswith("comdat"))
    return frozenset([*(item for item in function.attributes.items() if item[0] != MEMORY_EFFECTS), *clauses])


def _why(body: Region) -> str | int:
    if len(body.blocks) != 1:
        return "has several blocks"
    if body.unit.braces.holds_call(body.start, body.end):
        return "holds a JIT call"
    block = body.blocks[0]
    if not len(block) or block[len(block) - 1].name != "llvm.return":
        return "does not end in `llvm.return`"
    if len(block[len(block) - 1].operands):
        return "returns a value"
    for match in _BOUND_TO_ITS_FUNCTION.finditer(body.unit.text, body.start, body.end):
        if found := match[1] or match[2]:
            return _WHY_BOUND.get(found, f"uses `{found}`")
    if not _cut_for_certain(body):
        return "could not be cut into operations"
    return _why_stack(block)


def _cut_for_certain(body: Region) -> bool:
    pending = [(body, 0)]
    while pending:
        region, depth = pending.pop()
        if region.problems or depth > DEEPEST:
            return False
        pending.extend((nested, depth + 1) for nested in _nested(region.blocks))
    return True


def _nested(blocks: Iterable[Block]) -> Iterable[Region]:
    for block in blocks:
        for index in block.cut.regions:
            yield from block[index].regions


def _why_stack(block: Block) -> str | int:
    """Why a body's stack memory keeps it from being cloned, or how many bytes that is."""
    constants: dict[str, int] = {}
    total = 0
    for operation in block.operations:
        if operation.name in _CONSTANTS and (match := _COUNT.search(operation.own_text())):
            constants.update((name, whole(match[1])) for name, _ in operation.results)
        elif operation.name in ("llvm.alloca", "memref.alloca"):
            size = _size(operation, constants)
            if size is None:
                return "allocates stack memory of unknown size"
            total += size
        elif any("alloca" in region.unit.text[region.start : region.end] for region in operation.regions):
            return "allocates stack memory in a nested region"
    return f"allocates {total} bytes of stack memory" if total > LARGEST_ALLOCAS else total


def _size(operation: Operation, constants: Mapping[str, int]) -> int | None:
    """The bytes that an alloca takes; None if its size is not constant or its type not known."""
    text, operands = operation.own_text(), operation.operands
    if operation.name == "memref.alloca":
        match = _MEMREF.search(text)
        return size_of(match[1]) if match and not operands else None
    match = _GENERIC_ELEMENT.search(text) if '"llvm.alloca"' in text else _ELEMENT.search(text)
    count = constants.get(operands[0][0]) if len(operands) == 1 else None
    size = size_of(text[match.end() :]) if match else None
    return None if count is None or size is None else count * size
