"""Globals: whether an operation makes storage that can change."""

from __future__ import annotations

from jitlint import lazy
from jitlint.ir.attributes import generic_attributes
from jitlint.ir.tree import Operation
from jitlint.syntax.functions import LINKAGES
from jitlint.syntax.lexer import Token, tokens

_EXTERNAL = lazy.pattern(r"#llvm\.linkage<\s*+(?:external|extern_weak)\s*+>")
_OF_THIS_MODULE = LINKAGES - {"external", "extern_weak"}


def is_mutable_global(operation: Operation) -> bool:
    """Whether `operation` defines storage that can change: a global of this module that is no constant.

    A global without an initializer is a declaration, whose storage is one for all, if its linkage is external; with
    another linkage it is storage of the module, with undefined contents at first.
    """
    if operation.name == "llvm.mlir.global":
        return _generic_llvm(operation) if operation.text[operation.start] == '"' else _custom_llvm(operation)
    if operation.name == "memref.global":
        return _generic_memref(operation) if operation.text[operation.start] == '"' else _custom_memref(operation)
    return False


def _custom_llvm(operation: Operation) -> bool:
    """`llvm.mlir.global internal constant @g(value) {…} : type {region}`."""
    words: set[str] = set()
    after: Token | None = None
    opened = False
    for token in tokens(operation.text, operation.start, operation.end):
        if opened:
            after = token
            break
        if token.kind == "bare":
            words.add(token.text)
        opened = token.text == "("
    if "constant" in words:
        return False
    has_value = (after is not None and after.text != ")") or bool(operation.regions)
    return has_value or bool(words & _OF_THIS_MODULE)


def _custom_memref(operation: Operation) -> bool:
    """`memref.global "private" constant @g : memref<…> = value`: without `=`, a declaration."""
    depth = 0
    for token in tokens(operation.text, operation.start, operation.end):
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0 and token.text == "constant":
            return False
        if depth == 0 and token.text == "=":
            return True
    return False


def _generic_llvm(operation: Operation) -> bool:
    said = generic_attributes(operation)
    if said is None:
        return True
    if said.get("constant", "false") != "false":
        return False
    return bool("value" in said or operation.regions) or not _EXTERNAL.fullmatch(said.get("linkage", ""))


def _generic_memref(operation: Operation) -> bool:
    said = generic_attributes(operation)
    return said is None or (said.get("constant", "false") == "false" and "initial_value" in said)
