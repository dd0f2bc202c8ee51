"""Running a wrapper's body on buffers: what each of its operations does to values and to memory.

The rules are those of the LLVM dialect (https://mlir.llvm.org/docs/Dialects/LLVM), whose operations mean what LLVM's
instructions of their names do, and of `memref`, `func` and `scf`. An operation without a rule here reads all that its
pointers reach, and leaves unknown bytes in what it may write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from jitlint.ir.functions import Function
from jitlint.ir.tree import Block, Operation
from jitlint.proof.block_execution import single_names
from jitlint.proof.buffers import Pointer, Value
from jitlint.proof.known_results import folded, integer
from jitlint.proof.module_facts import CALLS, Module
from jitlint.proof.operation_kinds import Kind
from jitlint.proof.same_functions import Sameness
from jitlint.proof.terms import NotUnderstood, Piece, Term, Terms
from jitlint.proof.touches import Reach, Touch
from jitlint.proof.type_sizes import element_of, fields_of, shape_of, size_of
from jitlint.proof.unknown_operations import Memory

_PTR = r"!llvm\.ptr(?:<\d+>)?"
_ALIGNED = r"(?: ?\{alignment=\d+:i64\} ?)?"
_LOAD = re.compile(rf"llvm\.load %{_ALIGNED}:{_PTR}->(.+)")
_STORE = re.compile(rf"llvm\.store %,%{_ALIGNED}:(.+),{_PTR}")
_ALLOCA = re.compile(rf"llvm\.alloca % x (.+?){_ALIGNED}:\(i\d+\)->{_PTR}")
_ELEMENT = re.compile(
    rf"llvm\.getelementptr (?:inbounds ?|nusw ?|nuw ?|\| ?)*%\[([^\]]*)\]:\({_PTR}(?:,i\d+)*\)->{_PTR},(.+)"
)
_COPY = re.compile(rf'"llvm\.intr\.mem(?:cpy|move)"\(%,%,%\) ?<?\{{isVolatile=false\}}>?:\({_PTR},{_PTR},i\d+\)->\(\)')
_ADDRESS = re.compile(rf"llvm\.mlir\.addressof (@\d+):{_PTR}")
_CALL = re.compile(r"(?:llvm\.call|func\.call|call) ?(?:(\w*cc|cc_\d+|cc<\d+>) ?)?(@\d+)\([%,]*\):\(.*\)->.+")
_MEMREF_LOAD = re.compile(r"memref\.load %\[[%,]*\]:(memref<.+>)")
_MEMREF_STORE = re.compile(r"memref\.store %,%\[[%,]*\]:(memref<.+>)")
_MEMREF_ALLOCA = re.compile(rf"memref\.alloca\(\){_ALIGNED}:(memref<.+>)")
_SAME_ADDRESS = re.compile(
    rf"llvm\.(?:freeze %|bitcast %):{_PTR}(?: to {_PTR})?"
    rf'|"enzymexla\.(?:memref2pointer|pointer2memref)"\(%\):\((?:memref<[\dx]*[a-z]+\d+>|{_PTR})\)'
    rf"->(?:memref<[\dx]*[a-z]+\d+>|{_PTR})"
    r"|memref\.reshape %\(%\):\(memref<.+>\)->memref<.+>"
)
_RETURN = re.compile(r'"(?:llvm|func)\.return"\(|(?:llvm\.return|func\.return|return)(?:[ %]|\Z)')
_TOGETHER = 512
"""Operations that are read together."""
_MOST_STEPS = 100_000
"""Operations that one wrapper may run, those of the functions that it calls counted each time."""


class Machine(Memory):
    """One run of a wrapper's body."""

    def __init__(self, module: Module, same: Sameness, reach: Reach, terms: Terms, blocked: set[str]) -> None:
        super().__init__(module, reach, terms)
        self.same = same
        self.numbers: dict[int, Term] = {}
        """Constants that stand for any number, by where their operations start."""
        self._blocked = blocked
        self._globals: dict[str, Pointer] = {}
        self._symbols = same.symbols
        self._steps = 0
        self._rules: dict[str, Callable[[str, list[Value]], list[Value] | None]] = {
            "llvm.mlir.constant": self._constant,
            "arith.constant": self._constant,
            "llvm.add": self._add,
            "arith.addi": self._add,
            "llvm.load": self._llvm_load,
            "llvm.store": self._llvm_store,
            "llvm.alloca": self._llvm_alloca,
            "llvm.getelementptr": self._element,
            "llvm.intr.memcpy": self._copy,
            "llvm.intr.memmove": self._copy,
            "llvm.mlir.addressof": self._address,
            "llvm.freeze": self._same_address,
            "llvm.bitcast": self._same_address,
            "enzymexla.memref2pointer": self._same_address,
            "enzymexla.pointer2memref": self._same_address,
            "memref.reshape": self._same_address,
            "memref.load": self._memref_load,
            "memref.store": self._memref_store,
            "memref.alloca": self._memref_alloca,
            **dict.fromkeys(CALLS, self._call),
        }

    def can_run(self, symbol: str, function: Function) -> bool:
        """Whether a function is executed, operation by operation; any other is one unknown function of its text."""
        body = function.body
        if symbol in self._blocked or body is None or len(body.blocks) != 1 or body.problems or not len(body.blocks[0]):
            return False
        return self.module.facts(symbol).height is not None and self.module.takes_plainly(function)

    def run(self, symbol: str, function: Function, given: Sequence[Value]) -> list[Value]:
        """What a function returns for these arguments."""
        if not self.can_run(symbol, function):
            return self._unknown_function(symbol, function, list(given))
        assert function.body is not None
        block, rounding = function.body.blocks[0], self.module.rounding(function)
        names = [parameter.name or "" for parameter in function.parameters]
        values: dict[str, Value] = dict(zip(names, given, strict=True))
        try:
            for first in range(0, len(block) - 1, _TOGETHER):
                some = range(first, min(first + _TOGETHER, len(block) - 1))
                names, kinds, lengths = self.same.numbered.read(block, some)
                end = 0
                for index, kind, length in zip(some, kinds, lengths, strict=True):
                    begin, end = end, end + length
                    self._operation(block, index, kind, names[begin:end], values, rounding)
            last = block[len(block) - 1]
            text, _, returned = self._said(last, values)
            if not _RETURN.match(text) or last.regions:
                raise NotUnderstood("a body without a return at its end")
        except NotUnderstood as problem:
            if not problem.args[1:]:
                self._blocked.add(symbol)  # the innermost function is to blame, and not looked into the next time
                problem.args = (*problem.args, symbol)
            raise
        return returned

    def _unknown_function(self, symbol: str, function: Function, operands: list[Value]) -> list[Value]:
        """A function that is not looked into: one of its text, of its arguments, and of what they point to."""
        facts = self.module.facts(symbol)
        touched = self.reach.parameters(symbol) or (Touch.WRITTEN,) * len(operands)
        if len(touched) != len(operands):
            raise NotUnderstood("a call with too many or too few operands")
        text, count = f"@{self.same.of(symbol)}", len(function.header.results)
        return self._done(text, operands, touched, facts.has_effects, count, facts.leaks)

    def _operation(
        self, block: Block, index: int, kind: Kind | None, names: list[str], values: dict[str, Value], rounding: str
    ) -> None:
        """Run one operation, and give its results their names."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise NotUnderstood("a wrapper that runs too many operations")
        if kind is None:
            text, names, operands = self._said(block[index], values)
            keys = single_names(block[index].results)
        else:
            count, text = len(kind.counts), kind.text
            keys, names = names[:count], names[count:]
            if kind.counts != (1,):
                keys = single_names(zip(keys, kind.counts, strict=True))
            operands = [values[name] if name in values else look_up(values, name) for name in names]
        rule = self._rules.get(block.cut.shapes[index].name)
        results: list[Value] | None = None
        if self.numbers and block.cut.starts[index] in self.numbers:
            results = [self.numbers[block.cut.starts[index]]]
        elif rule is not None:
            results = rule(text, operands)
        if results is None:
            results = self._without_rule(block, index, text + (rounding if names else ""), names, operands, len(keys))
        if len(keys) != len(results) or not values.keys().isdisjoint(keys):
            raise NotUnderstood("results that do not fit their names")
        values.update(zip(keys, results, strict=True))

    def _said(self, operation: Operation, values: dict[str, Value]) -> tuple[str, list[str], list[Value]]:
        """The text of an operation, the names in it of values from outside of it, and these values."""
        plain_of = self.module.texts.plain
        if not operation.regions:
            plain = plain_of([(operation.operands_start, operation.end)], self.same.number)
            return plain.text, plain.names, [look_up(values, name) for name in plain.names]
        term, names = self.same.operation(operation, values)
        return f"{operation.name} {term}", names, [values[name] for name in names]

    # Operations with a rule: each returns None where the operation is not written as the rule knows it.

    def _constant(self, text: str, operands: list[Value]) -> list[Value] | None:
        return [self.terms.make("op", text)] if not operands else None

    def _add(self, text: str, operands: list[Value]) -> list[Value] | None:
        """A sum of constants is known, since sizes of allocations are computed like that."""
        found = folded(self.terms, text, [each for each in operands if isinstance(each, int)])
        return [found] if found is not None else None

    def _llvm_load(self, text: str, operands: list[Value]) -> list[Value] | None:
        match = _LOAD.fullmatch(text)
        return [self._load(match[1], operands[0])] if match else None

    def _llvm_store(self, text: str, operands: list[Value]) -> list[Value] | None:
        match = _STORE.fullmatch(text)
        if match is None:
            return None
        self._store(match[1], operands[0], operands[1])
        return []

    def _llvm_alloca(self, text: str, operands: list[Value]) -> list[Value] | None:
        """Fresh stack memory: its bytes are unknown, the same unknown in both modules."""
        match = _ALLOCA.fullmatch(text)
        if match is None:
            return None
        count, size = self._integer(operands[0]), size_of(match[1])
        known = None if count is None or size is None or count < 0 else count * size
        return [self.buffer(self.terms.make("fresh", None), known)]

    def _element(self, text: str, operands: list[Value]) -> list[Value] | None:
        """An address moved by constant indices; by others, it lies somewhere in the same buffers."""
        match = _ELEMENT.fullmatch(text)
        if match is None or not isinstance(operands[0], Pointer):
            return None
        others = iter(operands[1:])
        indices = [self._integer(next(others)) if each == "%" else int(each) for each in match[1].split(",") if each]
        offset = _offset(match[2], indices)
        if offset is None or operands[0].offset is None:
            return None
        return [operands[0]._replace(offset=operands[0].offset + offset)]

    def _copy(self, text: str, operands: list[Value]) -> list[Value] | None:
        """`memcpy` and `memmove` move bytes, of whatever type. (`memcpy` may not overlap: no difference.)"""
        if not _COPY.fullmatch(text):
            return None
        target, source, length = operands[0], operands[1], self._integer(operands[2])
        if not (isinstance(target, Pointer) and isinstance(source, Pointer)):
            return None
        if target.offset is None or source.offset is None or length is None or length < 0:
            return None
        into, place = self.buffers[target.buffers[0]], target.offset
        if into.name:
            return None
        pointer = self.buffers[source.buffers[0]].pointer_at(source.offset, length)
        if pointer is not None:
            into.write(place, Piece(-1, 0, length), pointer)
            return []
        for piece in self.buffers[source.buffers[0]].read(source.offset, length):
            into.write(place, piece)
            place += piece.length
        return []

    def _address(self, text: str, operands: list[Value]) -> list[Value] | None:
        """The address of a constant global is one of a buffer that keeps its contents; of anything else, a number."""
        match = _ADDRESS.fullmatch(text)
        if match is None or not self.module.is_constant(self._symbols[match[1]]):
            return None
        if match[1] not in self._globals:
            self._globals[match[1]] = self.buffer(self.terms.make("global", match[1]), None, name=match[1])
        return [self._globals[match[1]]]

    def _same_address(self, text: str, operands: list[Value]) -> list[Value] | None:
        """An address under another type. (A memref that is reshaped has no layout of its own.)"""
        known = _SAME_ADDRESS.fullmatch(text) and isinstance(operands[0], Pointer)
        return [operands[0]] if known else None

    def _memref_load(self, text: str, operands: list[Value]) -> list[Value] | None:
        match = _MEMREF_LOAD.fullmatch(text)
        place = self._indexed(match[1], operands[0], operands[1:]) if match else None
        return [self._load(element_of(match[1]), place)] if match and place is not None else None

    def _memref_store(self, text: str, operands: list[Value]) -> list[Value] | None:
        match = _MEMREF_STORE.fullmatch(text)
        place = self._indexed(match[1], operands[1], operands[2:]) if match else None
        if match is None or place is None:
            return None
        self._store(element_of(match[1]), operands[0], place)
        return []

    def _memref_alloca(self, text: str, operands: list[Value]) -> list[Value] | None:
        match = _MEMREF_ALLOCA.fullmatch(text)
        return [self.buffer(self.terms.make("fresh", None), size_of(match[1]))] if match else None

    def _call(self, text: str, operands: list[Value]) -> list[Value] | None:
        """A call of a function of the module runs it; one of a function outside is an effect."""
        match = _CALL.fullmatch(text)
        symbol = self._symbols[match[2]] if match else ""
        function = self.module.function(symbol) if match else None
        if match is None or function is None or function.body is None:
            return None
        if function.header.calling_convention != (match[1] or "").replace("ccc", ""):
            return None  # what a call with another convention does, nobody knows
        if len(function.parameters) != len(operands):
            raise NotUnderstood("a call with too many or too few operands")
        return self.run(symbol, function, operands)

    def _indexed(self, type_: str, memref: Value, indices: list[Value]) -> Value | None:
        """The address of an element of a memref with the default layout, row after row."""
        shape, size = shape_of(type_), size_of(element_of(type_))
        if not isinstance(memref, Pointer) or shape is None or size is None or len(shape) != len(indices):
            return None
        known = [self._integer(each) for each in indices]
        if memref.offset is None or None in known:
            deed = self._deed(f"index {type_}", [memref, *indices], with_contents=False)
            return Pointer(
                tuple(deed.seen), None, self.terms.make("address", self.terms.number(deed.said), *deed.parts)
            )
        place = 0
        for extent, index in zip(shape, known, strict=True):
            assert index is not None
            if not 0 <= index < extent:
                raise NotUnderstood("an index outside its memref")
            place = place * extent + index
        return memref._replace(offset=memref.offset + place * size)

    def _integer(self, value: Value) -> int | None:
        return integer(self.terms, value) if isinstance(value, int) else None


def _offset(type_: str, indices: list[int | None]) -> int | None:
    """How far `getelementptr` moves: the first index over whole values of the type, the others into it."""
    size = size_of(type_)
    first = indices[0] if indices else 0
    if size is None or first is None:
        return None
    offset = first * size
    for index in indices[1:]:
        fields = fields_of(type_)
        array = re.fullmatch(r"(?:!llvm\.)?array<(\d+) x (.+)>", type_)
        if index is None or (fields is not None and not 0 <= index < len(fields)):
            return None
        if fields is not None:
            place, type_ = fields[index]
        elif array is not None and (step := size_of(array[2])) is not None:
            place, type_ = index * step, array[2]
        else:
            return None
        offset += place
    return offset


def look_up(values: dict[str, Value], name: str) -> Value:
    """The value of a name; `%0#0` and `%0` are the same for an operation with one result."""
    found = values.get(name)
    if found is None:
        found = values.get(name.removesuffix("#0")) if name.endswith("#0") else values.get(f"{name}#0")
    if found is None:
        raise NotUnderstood(f"{name} has no definition above")
    return found
