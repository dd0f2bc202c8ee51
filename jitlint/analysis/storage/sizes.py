"""An upper bound on the bytes that a value of a type takes in memory, on the hosts that run wrappers (64-bit
pointers)."""

from __future__ import annotations

import re
from functools import lru_cache

from jitlint import lazy
from jitlint.syntax.lexer import whole

_TOKEN = lazy.pattern(
    r"\s*+(?:(?P<group>(?:!llvm\.)?(?:array|struct|vec)<|vector<|memref<|complex<|tensor<)|(?P<type>!?[A-Za-z][\w.]*+(?:<[0-9]++>)?)"
    r"|(?P<times>(?:[0-9]++\s*+x\s*+)++)|(?P<string>\"[^\"\n]*+\"\s*+,)|(?P<other>.))",
    re.DOTALL,
)
_SCALAR = lazy.pattern(r"(?:si|ui|i|f|bf)([0-9]++)|f8\w++")
_NAMED = {"!llvm.ptr": 8, "ptr": 8, "index": 8, "tf32": 4, "!llvm.x86_fp80": 16, "!llvm.ppc_fp128": 16}
_LARGEST_ALIGNMENT = 16
_DEEPEST = 40


@lru_cache(maxsize=4096)
def size_of(type_text: str) -> int | None:
    """The size of the type at the start of `type_text`, the members of a struct padded to 16 bytes each, which is never
    too little; None if it is not known."""
    stack: list[tuple[int, int, str]] = []
    total, times, position = 0, 1, 0
    while position < len(type_text):
        match = _TOKEN.match(type_text, position)
        if match is None or len(stack) > _DEEPEST:
            return None
        position, word = match.end(), match.group().strip()
        size: int | None = None
        if match["group"]:
            stack.append((total, times, word))
            total, times = 0, 1
        elif match["times"]:
            for number in re.findall(r"[0-9]+", word):
                times *= whole(number)
        elif match["type"]:
            size = _scalar(word)
            if size is None:
                return None
        elif word == ">":
            if not stack:
                return None
            inner, (total, times, opened) = total, stack.pop()
            size = 2 * inner if opened == "complex<" else inner
        elif not (match["string"] or (stack and "struct" in stack[-1][2] and word in "(),")):
            return None
        if size is not None:
            total, times = total + times * (_padded(size) if _in_struct(stack) else size), 1
            if not stack:
                return total
    return None


def _in_struct(stack: list[tuple[int, int, str]]) -> bool:
    return bool(stack) and "struct" in stack[-1][2]


def _padded(size: int) -> int:
    return -(-size // _LARGEST_ALIGNMENT) * _LARGEST_ALIGNMENT


def _scalar(word: str) -> int | None:
    if word in _NAMED or word.startswith(("!llvm.ptr<", "ptr<")):
        return _NAMED.get(word, 8)
    match = _SCALAR.fullmatch(word)
    if match is None:
        return None
    return -(-whole(match[1] or "8") // 8)
