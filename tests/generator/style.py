"""How wrappers are written: choices that do not change what they compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.generator.model import Wrapper


@dataclass(frozen=True, slots=True)
class Style:
    """How a wrapper does what it does."""

    constants: str = "llvm"
    branches: Literal["blocks", "scf"] = "blocks"
    loops: bool = False
    """Whole parameters are written in a loop, where that is possible."""
    alloca: Literal["static", "dynamic", "large"] | None = None
    """A sum goes through memory of its own; "large" is more than a cloned body may have."""
    helper: Literal["value", "pointer", "chain"] | None = None
    """A store goes through a function of the module: it computes the value, or it stores it, itself or through another.
    """
    disguise: Literal["freeze", "select", "block", "spill", "integer", "assembly"] | None = None
    """The first store goes through a pointer that is made from the parameter in a roundabout way."""
    first: Wrapper | None = None
    """A wrapper with the same first parameters, which is called before anything else is done."""
    global_kind: Literal["constant", "mutable", "counter"] | None = None
    """The first constant is read from a global; from a "counter", which is then written."""
    linkage: str = ""
    convention: str = ""
    attribute: str | None = None
    comdat: bool = False
    parameters: Literal["readonly", "effects", "noalias"] | None = None
    names: str = "numbers"
    comments: bool = False
    public: bool = False
    aliased: bool = False
    """The helper is called by an alias of it."""
    assembly: Literal["empty", "unmarked", "nop", "memory", "generic"] | None = None
    """Inline assembly that does nothing stands first."""
    intrinsic: Literal["intrinsic", "function", "copy", "copy function", "copy operation"] | None = None
    """A sum goes through an intrinsic that is called by its name and leaves it as it is; or the first store is one."""


def symbol(name: str) -> str:
    """A reference to a symbol, quoted where it must be."""
    bare = name.isascii() and name.replace(".", "_").replace("$", "_").isidentifier()
    return f"@{name}" if bare else f'@"{name}"'
