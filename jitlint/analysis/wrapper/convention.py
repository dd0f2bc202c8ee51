"""What a function's header alone says against it as a wrapper: a wrapper is called with one pointer for each operand,
and returns nothing."""

from __future__ import annotations

import re

from jitlint import lazy
from jitlint.analysis.verdict import Verdict
from jitlint.findings import Note
from jitlint.ir.functions import Function

KERNEL_CONVENTIONS = frozenset(
    [
        "ptx_kernelcc",
        "spir_kernelcc",
        "amdgpu_kernelcc",
        "x86_intrcc",
        "msp430_intrcc",
        "avr_intrcc",
        "avr_signalcc",
        "m68k_intrcc",
        *(f"amdgpu_{stage}cc" for stage in ("vs", "gs", "ps", "cs", "hs", "ls", "es", "cs_chain", "cs_chain_preserve")),
    ]
)
"""Calling conventions of kernels, shaders and interrupt handlers: what has one cannot be called like a function."""

_KERNEL_MARKS = frozenset({"gpu.kernel", "nvvm.kernel", "rocdl.kernel"})
_CHANGES_PASSING = frozenset(
    f"llvm.{name}"
    for name in [
        "byval",
        "byref",
        "sret",
        "inalloca",
        "preallocated",
        "nest",
        "inreg",
        "swiftself",
        "swifterror",
        "swiftasync",
    ]
)
"""Parameter attributes that change how, not only what, a function is passed."""

_POINTER = lazy.pattern(r"!llvm\.ptr(?:<.*>)?", re.DOTALL)
_MEMREF = lazy.pattern(r"memref<.*>", re.DOTALL)


def abi_verdicts(function: Function) -> list[Verdict]:
    """What stands against a function as a wrapper by its header alone: JIT303 and JIT304."""
    name, header = function.symbol, function.header
    here = Note(f"@{name} is defined here", function.symbol_span)
    if function.body is None:
        return [Verdict("JIT303", f"@{name} has no body in this module", notes=(here,))]
    said = []
    if header.variadic:
        said.append("takes a variable number of arguments")
    if header.results:
        said.append(f"returns `{', '.join(header.results)}`, and a wrapper returns nothing")
    if header.calling_convention in KERNEL_CONVENTIONS:
        said.append(f"has the calling convention `{header.calling_convention}` of a kernel")
    if kernel := next((key for key in header.attributes if key in _KERNEL_MARKS), None):
        said.append(f"is a GPU kernel: it has `{kernel}`")
    if any('"naked"' in value for value in header.attributes.values()):
        said.append("is `naked`: it has no frame of its own")
    verdicts = [Verdict("JIT304", f"@{name} {what}", notes=(here,)) for what in said]
    return verdicts + _parameter_verdicts(function)


def _parameter_verdicts(function: Function) -> list[Verdict]:
    verdicts = []
    for index, parameter in enumerate(function.parameters):
        what = ""
        if not is_buffer(parameter.type, function):
            wanted = "pointer" if function.kind == "llvm.func" else "`memref` or a pointer"
            what = f"has the type `{parameter.type}`, and a buffer is passed as a {wanted}"
        elif passing := next((key for key in parameter.attributes if key in _CHANGES_PASSING), None):
            what = f"has `{passing}`, which changes how it is passed"
        if what:
            place = (Note(f"parameter {index}", function.parameter_span(index)),)
            verdicts.append(Verdict("JIT304", f"parameter {index} of @{function.symbol} {what}", notes=place))
    return verdicts


def is_buffer(type_text: str, function: Function) -> bool:
    """Whether a parameter of this type takes the buffer of an operand."""
    if _POINTER.fullmatch(type_text):
        return True
    return function.kind == "func.func" and _MEMREF.fullmatch(type_text) is not None
