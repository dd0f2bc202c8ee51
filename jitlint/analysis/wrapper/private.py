"""The header of a function, changed so that nothing outside its module can name it."""

from __future__ import annotations

from jitlint import lazy
from jitlint.ir.functions import Function
from jitlint.syntax.functions import Header, HeaderReader
from jitlint.syntax.lexer import COMMENT, STRING, SyntaxProblem

_WORD = lazy.pattern(rf"{COMMENT}|(?P<found>(?<![\w.])(?:available_externally|appending|public|nested)(?![\w.]))")
_COMDAT = lazy.pattern(rf'{STRING}|{COMMENT}|(?P<found>[ \t]*+(?<![\w.])comdat[ \t]*+\([^()"\n]*+\))')
_ATTRIBUTES = lazy.pattern(rf"{STRING}|{COMMENT}|(?P<found>(?<![\w.])attributes\s*+\{{)")
_VISIBILITY = lazy.pattern(r'(?<![\w.])sym_visibility\s*+=\s*+(?P<found>"\w*+")')
_GENERIC_COMDAT = lazy.pattern(r"(?<![\w.])comdat\s*+=\s*+@[\w$.]++(?:::@[\w$.]++)?\s*+,\s*+")
_GENERIC_LINKAGE = lazy.pattern(r"#llvm\.linkage<\s*+(?P<found>available_externally|appending)\s*+>")
_PRIVATE = 'sym_visibility = "private"'

Edit = tuple[int, int, str]


def made_private(function: Function, reader: HeaderReader) -> tuple[Edit, ...] | None:
    """The edits of the text that make `function` private: a `func.func` in its visibility, an `llvm.func` in its
    visibility too, and in its linkage and `comdat` where they are such that it cannot be called.

    None where the header, read again, would say anything else than before.
    """
    edits = tuple(sorted(_generic(function) if function.header.generic else _custom(function)))
    shell = "".join(_edited(function.operation.text, edits, span) for span in _outside(function))
    try:
        header = reader.read(shell).header
    except SyntaxProblem:
        return None
    return edits if _is_private(header) and _plainly(header) == _plainly(function.header) else None


def _is_private(header: Header) -> bool:
    """Whether a header says private and nothing else about visibility, linkage and comdat."""
    if header.kind == "func.func":
        return header.linkage == "private"
    linked = any(word in header.linkage for word in ("available_externally", "appending"))
    return not linked and not any(clause.startswith("comdat") for clause in header.clauses)


def _outside(function: Function) -> list[tuple[int, int]]:
    """What a function's body leaves of it."""
    operation, body = function.operation, function.body
    if body is None:
        return [(operation.start, operation.end)]
    return [(operation.start, body.start), (body.end, operation.end)]


def _edited(text: str, edits: tuple[Edit, ...], span: tuple[int, int]) -> str:
    pieces, position = list[str](), span[0]
    for start, end, new in edits:
        if span[0] <= start and end <= span[1]:
            pieces += (text[position:start], new)
            position = end
    return "".join([*pieces, text[position : span[1]]])


def _plainly(header: Header) -> tuple[object, ...]:
    """A header without its visibility, linkage and comdat, and without the places of its parameters."""
    return (
        header.kind,
        header.generic,
        header.calling_convention,
        tuple((parameter.name, parameter.type, dict(parameter.attributes)) for parameter in header.parameters),
        header.variadic,
        header.results,
        {key: value for key, value in header.attributes.items() if key != "sym_visibility"},
        tuple(clause for clause in header.clauses if not clause.startswith("comdat")),
    )


def _custom(function: Function) -> list[Edit]:
    """The edits of a header as MLIR prints it."""
    text, start, symbol = function.operation.text, function.operation.start, function.symbol_span
    words = [match.span("found") for match in _WORD.finditer(text, start, symbol.start) if match["found"]]
    edits: list[Edit] = [(*word, "private") for word in words]
    if function.kind == "func.func":
        return edits or [(symbol.start, symbol.start, "private ")]
    last = function.body.start - 1 if function.body is not None else function.operation.end
    edits += [(*match.span("found"), "") for match in _COMDAT.finditer(text, symbol.end, last) if match["found"]]
    found = [match for match in _ATTRIBUTES.finditer(text, symbol.end, last) if match["found"]]
    if not found:
        return [*edits, (last, last, f"attributes {{{_PRIVATE}}} ")]
    open_brace = found[-1].end("found")
    if written := _VISIBILITY.search(text, open_brace, last):
        return [*edits, (*written.span("found"), '"private"')]
    return [*edits, (open_brace, open_brace, _PRIVATE + ("" if text[open_brace] == "}" else ", "))]


def _generic(function: Function) -> list[Edit]:
    """The edits of a header in the generic form, whose symbol stands in its dictionary."""
    text, symbol, outside = function.operation.text, function.symbol_span, _outside(function)
    edits = list[Edit]()
    written = [match.span("found") for span in outside for match in _VISIBILITY.finditer(text, *span)]
    edits += [(*written[0], '"private"')] if written else [(symbol.end, symbol.end, f", {_PRIVATE}")]
    for span in outside if function.kind == "llvm.func" else ():
        edits += [(*match.span(), "") for match in _GENERIC_COMDAT.finditer(text, *span)]
        edits += [(*match.span("found"), "private") for match in _GENERIC_LINKAGE.finditer(text, *span)]
    return edits
