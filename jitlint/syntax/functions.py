"""Read the header of a function: `llvm.func` and `func.func`, as MLIR prints them and in the generic form.

A header is read as a *shell*: the text of the operation with its body cut out. The grammar is asked once for each
distinct shape of shell, that is, with the symbol and the SSA names taken out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from jitlint import lazy
from jitlint.syntax.grammar import entries, every, first, grammar, parse, parse_dictionary, without_comments
from jitlint.syntax.lexer import COMMENT, SSA_NAME, STRING, SYMBOL, SyntaxProblem

if TYPE_CHECKING:
    from parsimonious.expressions import Expression
    from parsimonious.nodes import Node

Kind = Literal["llvm.func", "func.func"]

_GRAMMAR = r"""
custom     = _ name _ word* symbol parameters _ arrow? clause* attributes? body? location? _
name       = "llvm.func" / "func.func" / "func"
word       = ~r"[a-z_][a-z0-9_]*[ \t\r\n]*"
symbol     = "@" _
parameters = "(" _ (parameter _ (comma parameter _)*)? ")"
parameter  = "..." / (ssa? type (_ dictionary)? (_ location)?)
ssa        = ~r"%[ \t\r\n]*:[ \t\r\n]*"
arrow      = "->" _ (results / one)
results    = "(" _ (result (comma result)*)? ")" _
result     = type _ (dictionary _)?
one        = type _
clause     = ("vscale_range" / "comdat") _ group _
attributes = "attributes" _ dictionary _
body       = "{" _ "}" _
"""

_GENERIC = r"""
generic    = '"' name '"' _ none properties? regions (dictionary _)? ":" _ none "->" _ none location? _
name       = "llvm.func" / "func.func" / "func"
properties = "<" _ dictionary _ ">" _
regions    = "(" _ ("{" _ "}" _)? ")" _
none       = "(" _ ")" _
"""

_FUNCTION_TYPE = r"""
whole    = _ (llvm / builtin)
llvm     = "!llvm.func" _ "<" _ (void / result) inputs ">" _
void     = "void" _
builtin  = inputs "->" _ (outputs / result)
inputs   = "(" _ (input _ (comma input _)*)? ")" _
input    = "..." / type
outputs  = "(" _ (result (comma result)*)? ")" _
result   = type _
"""

LINKAGES = frozenset(
    [
        "private",
        "internal",
        "available_externally",
        "linkonce",
        "weak",
        "common",
        "appending",
        "extern_weak",
        "linkonce_odr",
        "weak_odr",
        "external",
    ]
)
_NO_CONVENTION = LINKAGES | {"default", "hidden", "protected", "unnamed_addr", "local_unnamed_addr", "public", "nested"}
_STRUCTURAL = frozenset(
    [
        "sym_name",
        "function_type",
        "CConv",
        "linkage",
        "visibility_",
        "unnamed_addr",
        "arg_attrs",
        "res_attrs",
        "sym_visibility",
        "comdat",
    ]
)
_LLVM_TYPES = frozenset(
    ["void", "ptr", "array", "struct", "vec", "token", "label", "metadata", "func", "ppc_fp128", "x86_amx", "target"]
)
_VARYING = lazy.pattern(rf"{STRING}|{COMMENT}|({SSA_NAME})")
_SYMBOL = lazy.pattern(rf"{STRING}|{COMMENT}|({SYMBOL})")
_SYM_NAME = lazy.pattern(rf"(sym_name\s*+=\s*+)({STRING})")
_CCONV = lazy.pattern(r"#llvm\.cconv<\s*+(\w++)\s*+>")


class Parameter(NamedTuple):
    """One parameter: its SSA name (None in a declaration), its type, its attributes as written.

    `start` and `end` are offsets from the end of the function's symbol (in the generic form: from its first block).
    """

    name: str | None
    type: str
    attributes: Mapping[str, str] = {}
    start: int = 0
    end: int = 0


class Header(NamedTuple):
    """What the header of a function says.

    `attributes` leaves out what MLIR prints elsewhere (the symbol, the type, the linkage, the calling convention).
    `calling_convention` is "" for the default. `linkage` is "" where none is written, and the visibility of a
    `func.func`; `clauses` hold `comdat(…)` and `vscale_range(…)`. Aliases of types and attributes are replaced by what
    they stand for.
    """

    kind: Kind
    generic: bool
    linkage: str
    calling_convention: str
    parameters: tuple[Parameter, ...]
    variadic: bool
    results: tuple[str, ...]
    attributes: Mapping[str, str]
    clauses: tuple[str, ...] = ()


class HeaderText(NamedTuple):
    """A header as it stands: what it says, its symbol as written (with `@`) and the symbol's place in the shell."""

    header: Header
    symbol: str
    start: int
    end: int


class HeaderReader:
    """Reads the headers of one text. `parsed` counts the shapes that the grammar was asked for."""

    def __init__(self, aliases: Mapping[str, str]) -> None:
        self.aliases = aliases
        self.parsed = 0
        self._seen: dict[tuple[str, str], Header] = {}
        self._shapes: dict[str, Header] = {}
        self._blocks: dict[str, tuple[Parameter, ...]] = {}
        self._numbers: dict[tuple[str, str], int] = {}

    def number(self, before: str, after: str) -> int:
        """A number for the text of a function before and after its symbol: the same for the same text."""
        return self._numbers.setdefault((before, after), len(self._numbers))

    def read(self, shell: str) -> HeaderText:
        """The header in `shell`, an operation's text without what its braces hold. Raises SyntaxProblem."""
        generic = shell.startswith('"')
        symbol, start, end = _sym_name(shell) if generic else _first_symbol(shell)
        around = shell[:start], shell[end:]
        header = self._seen.get(around)
        if header is None:
            plain = shell[:start] + ('""' if generic else "@") + shell[end:]
            header = self._seen[around] = self._read(without_comments(plain), start + 1)
        return HeaderText(header, symbol, start, end)

    def block_arguments(self, text: str) -> tuple[Parameter, ...]:
        """The arguments of a block, `(%a: T, …)`, with offsets into `text`. Raises SyntaxProblem."""
        found = self._blocks.get(text)
        if found is None:
            plain = _VARYING.sub(_without_name, without_comments(text))
            found = tuple(self._parameters(parse(_argument_grammar(), plain)))
            found = self._blocks[text] = _named(found, text, 0)
        return found

    def _read(self, shell: str, anchor: int) -> Header:
        """The header of a shell whose symbol is taken out, from the memo or the grammar, with its names put back."""
        shape = _VARYING.sub(_without_name, shell)
        header = self._shapes.get(shape)
        if header is None:
            self.parsed += 1
            header = self._shapes[shape] = self._parse(shape) if self.aliases else _parsed(shape)
        if header.generic:
            return header
        return header._replace(parameters=_named(header.parameters, shell, anchor))

    def _parse(self, shape: str) -> Header:
        is_generic = shape.startswith('"')
        tree = parse(_generic_grammar() if is_generic else _grammar(), shape)
        name = first(tree, "name")
        kind: Kind = "llvm.func" if name is not None and name.text == "llvm.func" else "func.func"
        return self._generic(tree, kind) if is_generic else self._custom(tree, kind)

    def _custom(self, tree: Node, kind: Kind) -> Header:
        words = [node.text.rstrip() for node in every(tree, "word")]
        parameters = first(tree, "parameters")
        convention = next((word for word in words if word not in _NO_CONVENTION), "")
        return Header(
            kind=kind,
            generic=False,
            linkage=next((word for word in words if word in LINKAGES or word == "nested"), ""),
            calling_convention="" if convention == "ccc" else convention,
            parameters=tuple(self._parameters(parameters)),
            variadic=_variadic(every(parameters, "parameter")),
            results=tuple(self._type(node.text) for node in every(first(tree, "arrow"), "type")),
            attributes=self._attributes(entries(first(tree, "attributes"))),
            clauses=tuple(node.text.rstrip() for node in every(tree, "clause")),
        )

    def _generic(self, tree: Node, kind: Kind) -> Header:
        found = [entry for dictionary in every(tree, "dictionary") for entry in entries(dictionary).items()]
        said = {key: self._resolved(value) for key, value in found}
        function = parse(_type_grammar(), said.get("function_type", ""))
        inputs = every(function, "input")
        types = [self._type(_llvm_type(node.text, kind)) for node in inputs if node.text != "..."]
        attributes = _argument_attributes(said.get("arg_attrs", ""), len(types))
        convention = _CCONV.fullmatch(said.get("CConv", ""))
        structural = _STRUCTURAL if kind == "llvm.func" else _STRUCTURAL - {"comdat"}
        return Header(
            kind=kind,
            generic=True,
            linkage=said.get("linkage", "") or said.get("sym_visibility", "").strip('"'),
            calling_convention=convention[1] if convention and convention[1] != "ccc" else "",
            parameters=tuple(map(Parameter, [None] * len(types), types, map(self._attributes, attributes))),
            variadic=_variadic(inputs),
            results=tuple(self._type(_llvm_type(node.text.rstrip(), kind)) for node in every(function, "result")),
            attributes={key: value for key, value in said.items() if key not in structural},
            clauses=(f"comdat({said['comdat']})",) if "comdat" in said and "comdat" in structural else (),
        )

    def _parameters(self, tree: Node | None) -> list[Parameter]:
        """The parameters, each with offsets into the shape and "%" for its name."""
        found = []
        for node in every(tree, "parameter"):
            of_type = first(node, "type")
            if of_type is not None:
                name = "%" if first(node, "ssa") is not None else None
                attributes = self._attributes(entries(node))
                found.append(Parameter(name, self._type(of_type.text), attributes, node.start, node.end))
        return found

    def _attributes(self, written: Mapping[str, str]) -> dict[str, str]:
        return {key: self._resolved(value) for key, value in written.items()}

    def _type(self, text: str) -> str:
        return self._resolved(text)

    def _resolved(self, value: str) -> str:
        """What a value that is a mere alias stands for; an alias of itself stays as it is."""
        for _ in range(len(self.aliases)):
            if value not in self.aliases:
                break
            value = self.aliases[value]
        return value


@lru_cache(maxsize=1024)
def _parsed(shape: str) -> Header:
    """The header of a shape in a file without aliases, whatever file that is. Raises SyntaxProblem."""
    return HeaderReader({})._parse(shape)


@cache
def _grammar() -> Expression:
    return grammar(_GRAMMAR)


@cache
def _argument_grammar() -> Expression:
    return grammar(_GRAMMAR, "parameters")


@cache
def _generic_grammar() -> Expression:
    return grammar(_GENERIC)


@cache
def _type_grammar() -> Expression:
    return grammar(_FUNCTION_TYPE)


def _without_name(match: re.Match[str]) -> str:
    return "%" if match[1] is not None else match[0]


def _named(parameters: tuple[Parameter, ...], text: str, anchor: int) -> tuple[Parameter, ...]:
    """`parameters`, whose offsets are into the shape of `text`, with their names, and offsets from `anchor` on."""
    names = iter([match[1] for match in _VARYING.finditer(text) if match[1] is not None])
    found, shift = [], -anchor
    for parameter in parameters:
        name = next(names) if parameter.name else None
        start, shift = parameter.start + shift, shift + (len(name) - 1 if name else 0)
        found.append(parameter._replace(name=name, start=start, end=parameter.end + shift))
    return tuple(found)


def _first_symbol(shell: str) -> tuple[str, int, int]:
    for match in _SYMBOL.finditer(shell):
        if match[1] is not None:
            return match[1], match.start(), match.end()
    raise SyntaxProblem("this function has no symbol", 0)


def _sym_name(shell: str) -> tuple[str, int, int]:
    match = _SYM_NAME.search(shell)
    if match is None:
        raise SyntaxProblem("this function has no `sym_name`", 0)
    return f"@{match[2]}", match.start(2), match.end(2)


def _variadic(parameters: list[Node]) -> bool:
    return bool(parameters) and parameters[-1].text == "..."


def _llvm_type(text: str, kind: Kind) -> str:
    """A type inside `!llvm.func<…>` leaves out the dialect of LLVM's own types."""
    word = text.partition("<")[0]
    return f"!llvm.{text}" if kind == "llvm.func" and word in _LLVM_TYPES else text


def _argument_attributes(text: str, count: int) -> list[dict[str, str]]:
    if not text:
        return [{}] * count
    found = [parse_dictionary(node.text) for node in every(parse(_list_grammar(), text), "dictionary")]
    if len(found) != count:
        raise SyntaxProblem("`arg_attrs` has not one entry for each parameter", 0)
    return found


@cache
def _list_grammar() -> Expression:
    return grammar('whole = _ "[" _ (dictionary _ (comma dictionary _)*)? "]" _\n')
