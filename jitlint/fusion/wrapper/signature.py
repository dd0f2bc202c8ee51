"""The header of a fused wrapper: what its parameters and the function itself keep of the wrappers' attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from jitlint.analysis.storage.moves import POINTER
from jitlint.ir.functions import MEMORY_EFFECTS, Function, memory_effects
from jitlint.syntax.functions import Parameter
from jitlint.syntax.lexer import BARE

EFFECT_ORDER = ("read", "write", "allocate", "free")
"""The order in which the compiler writes memory effects."""

_ABOUT_ONE_CALL = frozenset({"llvm.noalias"})
"""Parameter attributes whose promise holds during one call and not during two."""

_PLAIN = frozenset({"llvm.linkage", "sym_visibility", "llvm.cconv"})
"""Function attributes that a fused wrapper never has: nobody but its call names it."""

_ACCESS = frozenset({"llvm.readonly", "llvm.readnone", "llvm.writeonly", "llvm.initializes"})
_FUNCTION_ACCESS = frozenset({"memory_effects", "passthrough", "llvm.readnone"})
_IS_BARE = re.compile(BARE)


BoundWrapper = tuple[Function, tuple[int, ...]]
"""The wrapper of one call of a group, and for each of its parameters the number of its slot."""


class Copy(NamedTuple):
    """A copy of `bytes` bytes from one slot to another, from these bytes on in each, before the call number `before` of
    the group (their count: at the end). Buffers of the wrapper's own have the numbers behind the slots'."""

    before: int
    source: int
    target: int
    bytes: int
    source_offset: int = 0
    target_offset: int = 0


class Signature(NamedTuple):
    """The types and attributes of a fused wrapper's parameters, and its own attributes."""

    types: tuple[str, ...]
    parameters: tuple[Mapping[str, str], ...]
    attributes: Mapping[str, str]
    clauses: tuple[str, ...]


def sign(
    members: Sequence[BoundWrapper], slot_count: int, copies: Sequence[Copy], *, keep_attributes: bool
) -> Signature:
    """The signature of the fused wrapper of `members`; without attributes unless `keep_attributes`."""
    held: list[list[Parameter]] = [[] for _ in range(slot_count)]
    for function, slots in members:
        for parameter, slot in zip(function.parameters, slots, strict=True):
            if slot < slot_count:
                held[slot].append(parameter)
    types = _types(held, copies)
    if not keep_attributes:
        return Signature(types, ({},) * slot_count, {}, ())
    read, written = {copy.source for copy in copies}, {copy.target for copy in copies}
    parameters = [
        _merged([parameter.attributes for parameter in parameters], _ABOUT_ONE_CALL, _access(slot, read, written))
        for slot, parameters in enumerate(held)
    ]
    accessed = tuple(EFFECT_ORDER[:2]) if copies else ()
    attributes = _merged([function.attributes for function, _ in members], _PLAIN, accessed)
    if copies:
        attributes = {key: value for key, value in attributes.items() if key not in _FUNCTION_ACCESS}
    return Signature(types, tuple(parameters), attributes, _clauses(members))


def _types(held: Sequence[Sequence[Parameter]], copies: Sequence[Copy]) -> tuple[str, ...]:
    """The type of each slot: that of its first parameter, or, where no call uses it, of the slot copied into it; that
    of a plain pointer where it is only copied from."""
    types = [parameters[0].type if parameters else "" for parameters in held]
    for copy in copies:
        if copy.target < len(types) and copy.source < len(types):
            types[copy.target] = types[copy.target] or types[copy.source]
    return tuple(each or POINTER for each in types)


def _access(slot: int, read: set[int], written: set[int]) -> tuple[str, ...]:
    """What the copies do to a slot."""
    return ("read",) * (slot in read) + ("write",) * (slot in written)


def _merged(
    dictionaries: Sequence[Mapping[str, str]], dropped: Iterable[str], accessed: Sequence[str]
) -> dict[str, str]:
    """What all dictionaries share, and the union of their memory effects with what copies do (`accessed`)."""
    if not dictionaries:
        return {}
    first, leave_out = dictionaries[0], {*dropped, *(_ACCESS if accessed else ())}
    merged: dict[str, str] = {}
    for key, value in first.items():
        if key == MEMORY_EFFECTS:
            lists = [memory_effects(dictionary) for dictionary in dictionaries]
            if all(effects is not None for effects in lists):
                merged[key] = _union([*(effects or () for effects in lists), accessed])
        elif key not in leave_out and all(dictionary.get(key) == value for dictionary in dictionaries):
            merged[key] = value
    return merged


def _union(lists: Iterable[Sequence[str]]) -> str:
    found = dict.fromkeys(effect for effects in lists for effect in effects)
    ordered = [effect for effect in EFFECT_ORDER if effect in found]
    ordered += [effect for effect in found if effect not in EFFECT_ORDER]
    quoted = ", ".join(f'"{effect}"' for effect in ordered)
    return f"[{quoted}]"


def _clauses(members: Sequence[BoundWrapper]) -> tuple[str, ...]:
    """The `vscale_range(…)` that all wrappers share."""
    first, *others = [function.header.clauses for function, _ in members]
    return tuple(
        clause for clause in first if not clause.startswith("comdat") and all(clause in clauses for clauses in others)
    )


def write_dictionary(entries: Mapping[str, str]) -> str:
    """A dictionary as MLIR prints it."""
    written = (f"{_key(key)} = {value}" if value else _key(key) for key, value in entries.items())
    return f"{{{', '.join(written)}}}"


def _key(key: str) -> str:
    return key if _IS_BARE.fullmatch(key) else f'"{key}"'
