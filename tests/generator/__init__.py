"""Random modules with JIT calls: `generate(seed)` gives one, as a model and as text.

Negative seeds give exchanges (`exchanges.py`), all others modules of every kind, and every eighth of
them modules of more kinds yet (`traits.py:is_extended`).
"""

from tests.generator.build import Sizes, build
from tests.generator.exchanges import build_exchange
from tests.generator.model import Module
from tests.generator.text import render
from tests.generator.traits import is_extended

__all__ = ["Module", "Sizes", "generate", "render"]


def generate(seed: int, sizes: Sizes | None = None) -> tuple[Module, str]:
    """The module of a seed, and its text; the same seed always gives the same ones."""
    module = build_exchange(seed) if seed < 0 else build(seed, sizes or Sizes.of(seed), extended=is_extended(seed))
    return module, render(module, seed)
