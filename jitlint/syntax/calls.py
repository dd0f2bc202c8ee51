"""Read a JIT call exactly, in its three spellings.

The grammar is parsimonious', and it reads less than two megabytes a second, so it is asked once for each distinct shape
of call: the text with the SSA names, the symbols and the location numbers taken out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import TYPE_CHECKING, Literal, NamedTuple

from jitlint import lazy
from jitlint.syntax.grammar import every, first, grammar, parse, plain_type, without_comments
from jitlint.syntax.lexer import SSA_NAME, STRING, SYMBOL, SyntaxProblem, string_value, whole
from jitlint.syntax.places import CallPlaces, Change, Place, before

if TYPE_CHECKING:
    from parsimonious.expressions import Expression
    from parsimonious.nodes import Node

Spelling = Literal["attributes", "properties", "generic"]

LONGEST = 4_000_000
"""Characters of a call, names left out and aliases put in, at the most, for it to be read: the grammar keeps a tree, of
40 bytes for each (measured), and aliases of aliases can stand for more than any machine holds."""

_GRAMMAR = r"""
call       = (custom / generic) operands properties? attributes? ":" _ (function / alias) location? _
custom     = "enzymexla.jit_call" _ callee
generic    = '"enzymexla.jit_call"' _
callee     = symbol ("::" _ symbol)*
symbol     = ~r'@(?:[A-Za-z_][A-Za-z0-9_$.]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*")?[ \t\r\n]*'
operands   = "(" _ (operand (comma operand)*)? ")" _
operand    = ~r"%[A-Za-z0-9$._-]*(?:#[0-9]+)?[ \t\r\n]*"
properties = "<" _ (dictionary / entries) _ ">" _
attributes = dictionary _
function   = types "->" _ outcome
outcome    = types / one
one        = type _
types      = "(" _ (one (comma one)*)? ")" _
alias      = ~r"![A-Za-z0-9_$.-]+[ \t\r\n]*"
"""


class CallSyntax(NamedTuple):
    """What every call of one shape has in common.

    `numbers` are the `#n` of the operands (0 where there is none). `properties` and `attributes` map keys to the text
    of their values ("" for a unit attribute), as found in `<…>` and in `{…}`. `callee` counts symbols: the index of
    the callee's first symbol among all symbols of the text, and `callee_parts` how many belong to it. `location` is
    the number of characters of the location, if it has one of fixed text, 0 if it has none, and -1 if it varies.
    `places` are those in the text that the shape is known by; `places_in` gives those in a call's own text.
    `serial` is its own: no other has it, so that it may stand for the shape in a key.
    """

    spelling: Spelling
    braced: bool
    callee: int
    callee_parts: int
    numbers: tuple[int, ...]
    properties: Mapping[str, str]
    attributes: Mapping[str, str]
    operand_types: tuple[str, ...]
    result_types: tuple[str, ...]
    location: int
    places: CallPlaces
    serial: int

    @property
    def entries(self) -> dict[str, str]:
        """Properties and attributes together."""
        return {**self.properties, **self.attributes}


class CallText(NamedTuple):
    """One call as it stands: its shape, its operand names and the symbols of its callee (several for `@m::@w`)."""

    syntax: CallSyntax
    operands: tuple[str, ...]
    callee: tuple[str, ...]


class UnreadCall(Exception):
    """A JIT call whose text the grammar does not read; the message says why."""


_VARYING = re.compile(rf"([%@])(?:(?<=%){SSA_NAME[1:]}|(?<=@){SYMBOL[1:]})|(#loc)[0-9]++(?![\w$.-])")
_PLACE = re.compile(r'\bloc\("[^"\\\n]*+":[0-9]++:[0-9]++\)\Z')
_KEPT_STRINGS = re.compile(r'"enzymexla\.jit_call"|""')
_NAMES = re.compile(rf"({SSA_NAME})|({SYMBOL})|{STRING}")
_ALIAS = lazy.pattern(rf"{STRING}|(![A-Za-z0-9_$-]++(?![.<])|#(?!loc\b)[A-Za-z_][A-Za-z0-9_$-]*+(?![.<]))")
_SERIALS = count()
_SYMBOLS = lazy.pattern(rf"(@)|{STRING}")


class CallReader:
    """Reads calls of one module; `parsed` counts the shapes that the grammar was asked for."""

    def __init__(self, aliases: Mapping[str, str]) -> None:
        self.aliases = aliases
        self.parsed = 0
        self._shapes: dict[str, CallSyntax | UnreadCall] = {}
        self._resolved: dict[str, str] = {}

    def read(self, text: str) -> CallText:
        """The call in `text`, from its name to its end, without results. Raises UnreadCall."""
        text = without_comments(text)
        key = _key(text)
        syntax = self._shapes.get(key)
        if syntax is None:
            syntax = self._shapes[key] = self._parse(key)
        if isinstance(syntax, UnreadCall):
            raise syntax
        operands, symbols = [], []
        for ssa, symbol in _NAMES.findall(text):
            if ssa:
                operands.append(ssa)
            elif symbol:
                symbols.append(symbol_name(symbol))
        callee = symbols[syntax.callee : syntax.callee + syntax.callee_parts]
        return CallText(syntax, tuple(operands), tuple(callee))

    def _parse(self, key: str) -> CallSyntax | UnreadCall:
        self.parsed += 1
        try:
            resolved, changes = self._resolve(key)
            syntax = _parsed(resolved)
            return syntax._replace(places=syntax.places.moved(before(changes))) if changes else syntax
        except SyntaxProblem as problem:
            return UnreadCall(f"it is written in an unknown way: {problem.message}")
        except UnreadCall as reason:
            return reason

    def _resolve(self, key: str) -> tuple[str, list[Change]]:
        """The text with the aliases of types and attributes replaced by what they stand for, and where they stood.
        Raises UnreadCall."""
        found = self._aliases_in(key)
        waiting = list(dict.fromkeys(found))
        opened: set[str] = set()
        while waiting:  # what an alias stands for is resolved before the alias itself, and once
            name = waiting[-1]
            missing = [inner for inner in self._aliases_in(self.aliases[name]) if inner not in self._resolved]
            if name in self._resolved or not missing:
                waiting.pop()
                self._resolved.setdefault(name, self._put_in(self.aliases[name])[0])
            elif name in opened:
                raise UnreadCall("its aliases refer to one another")
            else:
                opened.add(name)
                waiting += missing
        return self._put_in(key)

    def _aliases_in(self, text: str) -> list[str]:
        return [match[1] for match in _ALIAS.finditer(text) if match[1] in self.aliases] if self.aliases else []

    def _put_in(self, text: str) -> tuple[str, list[Change]]:
        """A text with what its aliases stand for, which is resolved, and where they stood."""
        used = [match for match in _ALIAS.finditer(text) if match[1] in self.aliases] if self.aliases else []
        size = len(text) + sum(len(self._resolved[match[1]]) for match in used)
        pieces: list[str] = []
        position = 0
        if size > LONGEST:
            raise UnreadCall(f"it is longer than {LONGEST:,} characters, what its aliases stand for put in")
        for match in used:
            value = self._resolved[match[1]]
            if "@" in value:
                raise UnreadCall(f"its alias `{match[1]}` holds a symbol")
            pieces += (text[position : match.start()], value)
            position = match.end()
        changes = [(match.start(), len(match[1]), len(self._resolved[match[1]])) for match in used]
        return "".join([*pieces, text[position:]]), changes


def _key(text: str) -> str:
    """What calls of one shape have in common: the text without what varies from one to the next."""
    key = _VARYING.sub(r"\1\2", text)
    if key.endswith(")") and (place := _PLACE.match(key, key.rfind("loc("))):
        key = f"{key[: place.start()]}loc(#loc)"
    if '"' in key and '"' in _KEPT_STRINGS.sub("", key):
        return text  # a string may hold anything: such a call is a shape of its own
    return key


def places_in(syntax: CallSyntax, text: str) -> CallPlaces:
    """The places of the parts of a call of this shape in its own text, which begins with its name."""
    text = without_comments(text)
    if _key(text) == text:
        return syntax.places
    changes = []
    for match in _VARYING.finditer(text):
        kept = match.end(match.lastindex or 0) - match.start()
        changes.append((match.start() + kept, match.end() - match.start() - kept, 0))
    places = syntax.places.moved(before(changes))
    return places._replace(location=(places.location[0], len(text.rstrip()))) if places.location else places


@cache
def _grammar() -> Expression:
    return grammar(_GRAMMAR)


def symbol_name(symbol: str) -> str:
    """The name that a symbol reference (`@f`, `@"a b"`) stands for, with MLIR's escapes undone."""
    if not symbol.startswith('@"'):
        return symbol[1:]
    return string_value(symbol[2:-1])


@lru_cache(maxsize=1024)
def _parsed(text: str) -> CallSyntax:
    """What a call says whose aliases are resolved, whatever file it stands in. Raises SyntaxProblem and UnreadCall."""
    return _syntax(parse(_grammar(), text), text)


def _syntax(tree: Node, text: str) -> CallSyntax:
    """Gather the parts of a parsed call; the tree is shallow where it matters, so that a search by rule name does."""
    callee_node = first(tree, "callee")
    properties = first(tree, "properties")
    dictionary = first(tree, "attributes")
    in_properties = _entries(properties)
    in_dictionary = _entries(dictionary)
    if callee_node is not None:
        spelling: Spelling = "attributes" if properties is None and dictionary is not None else "properties"
        callee, parts = 0, len(every(callee_node, "symbol"))
    else:
        spelling = "generic"
        callee, parts = _generic_callee(text, _value_of("fn", properties) or _value_of("fn", dictionary))
    operands = every(first(tree, "operands"), "operand")
    function = first(tree, "function")
    if function is None:
        raise UnreadCall("its type is an alias that the file does not define")
    inputs, outputs = first(function, "types"), first(function, "outcome")
    location = first(tree, "location")
    return CallSyntax(
        spelling=spelling,
        braced=first(properties, "dictionary") is not None,
        callee=callee,
        callee_parts=parts,
        numbers=tuple(whole(node.text.partition("#")[2].strip() or "0") for node in operands),
        properties=in_properties,
        attributes=in_dictionary,
        operand_types=tuple(plain_type(node.text) for node in every(inputs, "type")),
        result_types=tuple(plain_type(node.text) for node in every(outputs, "type")),
        location=0 if location is None else -1 if "#loc" in location.text else len(location.text.lstrip()),
        places=_places(tree, callee_node, operands, location),
        serial=next(_SERIALS),
    )


def _places(tree: Node, callee: Node | None, operands: Sequence[Node], location: Node | None) -> CallPlaces:
    """The places of the parts of a parsed call."""
    name = '"enzymexla.jit_call"' if callee is None else "enzymexla.jit_call"
    entries: dict[str, Place] = {}
    for entry in every(tree, "entry"):
        value = first(entry, "value")
        entries.setdefault(_key_of(entry), _place(entry, _place(entry.children[0] if value is None else value)[1]))
    symbol = callee if callee is not None else _value_of("fn", tree)
    assert symbol is not None  # a generic call without one is refused
    return CallPlaces(
        (0, len(name)),
        _place(symbol),
        tuple(map(_place, operands)),
        entries,
        None if location is None else _place(location),
    )


def _place(node: Node, end: int | None = None) -> Place:
    """Where the text of a node stands, the white space behind it left out."""
    return node.start, node.start + len(node.text.rstrip()) if end is None else end


def _key_of(entry: Node) -> str:
    key: str = entry.children[0].text.strip('"')
    return key


def _generic_callee(text: str, fn: Node | None) -> tuple[int, int]:
    """Which symbols of a generic call its `fn = @…` are."""
    if fn is None or not fn.text.startswith("@"):
        raise UnreadCall("its `fn` is not a symbol")
    before = _SYMBOLS.findall(text, 0, fn.start)
    return before.count("@"), _SYMBOLS.findall(text, fn.start, fn.end).count("@")


def _value_of(key: str, entries: Node | None) -> Node | None:
    """The value of an entry of a dictionary, if there is one."""
    found = (entry for entry in every(entries, "entry") if _key_of(entry) == key)
    return next((value for entry in found if (value := first(entry, "value"))), None)


def _entries(node: Node | None) -> dict[str, str]:
    entries: dict[str, str] = {}
    for entry in every(node, "entry"):
        value = first(entry, "value")
        entries[_key_of(entry)] = value.text.strip() if value is not None else ""
    return entries
