"""`jitlint server`: a language server over standard input and output, made with pygls (the extra `lsp`).

Findings while typing (`app`, `documents`, `diagnostics`), the fix of one group and of all (`actions`), and what a rule
or a JIT call is about (`hover`). Importing this package needs pygls.
"""

from __future__ import annotations

from jitlint.server.app import main

__all__ = ["main"]
