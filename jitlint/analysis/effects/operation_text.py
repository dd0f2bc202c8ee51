"""Effects that an operation's text shows beyond its name: that it works on memory, or that it may be two operations.

The table of effects is about operations on values. One that is given a memref, a pointer or a value of an unknown type
may read or write through it; and where a line goes on in a way that no printer writes, it may be an operation of a
dialect that leaves its prefix out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jitlint import lazy
from jitlint.ir.tree import Operation
from jitlint.syntax.lexer import COMMENT, STRING, TOKEN

_MEMORY = lazy.pattern(rf"{STRING}|{COMMENT}|(?<![\w$.])(memref)\b|(![\w$-]++(?:\.[\w$.-]++)?)")
_VALUES = lazy.pattern(r"!(?:quant|shape|sparse_tensor|tensor)\.\w|!(?:stablehlo|mhlo|ml_program)\.token\b")
_LLVM_VALUE = frozenset({"!llvm.struct", "!llvm.array", "!llvm.vec", "!llvm.void", "!llvm.func"})
_POINTER = lazy.pattern(rf"{STRING}|{COMMENT}|(?<![\w$])(ptr)(?![\w$])")

_LINE_WORD = lazy.pattern(r"[\n\r][ \t\r]*+[A-Za-z_]")
_CLAUSES = frozenset(
    """
    affine_map attributes dimensions dims init inits ins into iter_args outs permutation shared_outs step to
    """.split()  # noqa: SIM905
)
"""Words of printed MLIR that begin a line and go on with the operation before."""
_BEFORE_REGIONS = {
    "case": ("scf.index_switch", "sparse_tensor.coiterate"),
    "cond": ("stablehlo.while",),
    "default": ("scf.index_switch",),
    "do": ("scf.while", "stablehlo.while", "tosa.while_loop"),
    "else": ("affine.if", "scf.if", "tosa.cond_if"),
    "reducer": ("stablehlo.reduce",),
}
"""Words before a region, with the operations that are printed with them. In any other operation, such a word may be the
name of the next one."""


def touches_memory(operation: Operation) -> bool:
    """Whether the text of an operation, that of its regions aside, names a type of memory, or an unknown one."""
    aliases = operation.block.region.unit.aliases
    return any(_names_memory(operation.text, start, end, aliases) for start, end in _own_spans(operation))


def _own_spans(operation: Operation) -> Iterator[tuple[int, int]]:
    start = operation.operands_start
    for first, last in operation.block.cut.regions.get(operation.index, ()):
        yield start, first
        start = last
    yield start, operation.end


def _names_memory(text: str, start: int, end: int, aliases: Mapping[str, str]) -> bool:
    if text.find("memref", start, end) < 0 and text.find("!", start, end) < 0:
        return False
    pending, seen = [(text, start, end)], set[str]()
    while pending:
        text, start, end = pending.pop()
        for match in _MEMORY.finditer(text, start, end):
            name = match[2]
            if match[1]:
                return True
            if name is None or name in seen:
                continue
            seen.add(name)
            if name in aliases:
                pending.append((aliases[name], 0, len(aliases[name])))
            elif name in _LLVM_VALUE:
                if any(found[1] for found in _POINTER.finditer(text, match.end(), end)):
                    return True
            elif not _VALUES.match(name):
                return True
    return False


def other_operation(operation: Operation) -> str | None:
    """A word that begins a line of the operation, outside all brackets, and may be another operation's name."""
    text = operation.text
    spans = list(_own_spans(operation))
    if not any(_LINE_WORD.search(text, start, end) for start, end in spans):
        return None
    depth = 0
    for start, end in spans:
        position, fresh = start, False
        while position < end:
            match = TOKEN.match(text, position, end)
            assert match is not None
            kind, position = match.lastgroup, match.end()
            if fresh and depth == 0 and kind == "bare" and not _goes_on(operation.name, match[0]):
                return match[0]
            if kind not in ("space", "comment"):
                fresh = kind == "newline"
            depth += (kind == "open") - (kind == "close")
    return None


def _goes_on(name: str, word: str) -> bool:
    """Whether a word that begins a line goes on with the operation of that name."""
    return word in _CLAUSES or name in _BEFORE_REGIONS.get(word, ())
