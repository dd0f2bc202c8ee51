"""jitlint: a linter and auto-fixer for `enzymexla.jit_call` operations in MLIR text."""

from __future__ import annotations

__version__ = "0.1.0"
