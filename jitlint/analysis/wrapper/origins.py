"""Where the pointers of a function may point, and what its operations do through them.

A function is followed by itself, without those that it calls: its values are joined by what may flow from one to the
other, through views, merges, branches, and memory of its own (`llvm.alloca`), until nothing changes. What is found is
told by *origins*, from the function's point of view:

    parameter i   the memory that parameter i points to
    loaded i      the memory that a pointer points to which was read out of parameter i's
    object o      memory of the function's own, or outside (a global)
    symbol s      the function of that name
    request k     the MPI request that call k made in memory of the function's own
    unknown       anything

An origin is *certain* where a chain of operations that give the same memory leads there. That a branch may not be taken
is no doubt: what a function does through such a pointer it does, if it gets there. It is in doubt where memory of the
function's own held several pointers, or a call may have changed it.

Each set of origins is complete: what a value may point to is in it. A pointer that came out of a call or out of memory
elsewhere is `unknown`. The one assumption is that what is read out of a parameter's memory is told by `loaded`, which
nobody may take for other than a parameter's memory where it is the wrapper's.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from jitlint.ir.tree import Operation

PARAMETER, LOADED, OBJECT, SYMBOL_OF, REQUEST = "parameter", "loaded", "object", "symbol", "request"


class Origin(NamedTuple):
    """Where a pointer comes from; the number counts within its kind."""

    kind: str
    number: int


UNKNOWN = Origin("unknown", 0)
OUTSIDE = Origin(OBJECT, 0)
"""All memory outside that has a name or an address of its own: globals, fixed addresses."""

Origins = frozenset[Origin]


class Place(NamedTuple):
    """The origins of a value: all that it may have, and those among them that are certain."""

    possible: Origins
    certain: Origins


class Access(NamedTuple):
    """An operation that writes through a pointer."""

    operation: Operation
    target: Place


class Call(NamedTuple):
    """A call of a function that is known by name, with what its arguments point to."""

    callee: str
    operation: Operation
    arguments: tuple[Place, ...]


class Pointers(NamedTuple):
    """What a function does with pointers.

    `stored` are the values that went into memory other than its own, with where; `lost` the operations that let a
    pointer out of sight. `contents` is what each object may hold.
    """

    writes: tuple[Access, ...]
    reads: tuple[Access, ...]
    calls: tuple[Call, ...]
    stored: tuple[tuple[Access, Place], ...]
    lost: tuple[Access, ...]
    opaque: tuple[Operation, ...]
    contents: tuple[Place, ...]
    symbols: tuple[str, ...]
    requests: tuple[Call, ...]

    def reachable(self, place: Place) -> Place:
        """What the memory that a value points to may hold, at any depth; of parameters, what is loaded from them."""
        possible: set[Origin] = set()
        pending = list(place.possible)
        while pending:
            origin = pending.pop()
            held = self.contents[origin.number].possible if origin.kind == OBJECT else read_from(origin)
            pending += held - possible
            possible |= held
        certain: Origins = frozenset()
        if len(place.possible) == 1 and place.certain:
            (only,) = place.certain
            certain = self.contents[only.number].certain if only.kind == OBJECT else read_from(only)
        return Place(frozenset(possible), certain)


def read_from(origin: Origin) -> Origins:
    """What is read out of memory that is no object."""
    if origin.kind in (PARAMETER, LOADED):
        return frozenset([Origin(LOADED, origin.number)])
    return frozenset([UNKNOWN]) if origin == UNKNOWN else frozenset()


def single(held: Collection[Origin]) -> Origin | None:
    """The one thing that memory holds, if it is one and known."""
    only = next(iter(held)) if len(held) == 1 else UNKNOWN
    return None if only in (UNKNOWN, OUTSIDE) else only
