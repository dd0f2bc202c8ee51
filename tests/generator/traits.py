"""What one module is like: which types, wrappers and oddities it has. Most modules have few of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from tests.generator.elements import ELEMENTS
from tests.generator.model import BUFFERS, Type
from tests.generator.wrappers import KINDS, Palette

_SHAPES = ((), (1,), (2,), (4,), (3,), (0,), (2, 2), (2, 3), (3, 2), (1, 4), (2, 0), (2, 1, 2), (2, 3, 1), (1, 1, 1))
_RANKED = ((2, 3), (2, 2), (3, 2), (2, 1, 2))


def is_extended(seed: int) -> bool:
    """Whether the module of a seed is drawn from more kinds: the text of all other seeds stays what it is."""
    return seed >= 0 and seed % 8 == 7


@dataclass(frozen=True, slots=True)
class Traits:
    """`layouts` is how often a call spells its layouts, `careless` how often one leaves an alias out.

    Those of an extended module only: `spelled` is how often layouts are spelled in an unusual way, `beside` how often a
    value that is written undeclared is used elsewhere as well, `suppressed` how often a comment keeps a call as it is.
    """

    palette: Palette
    layouts: float = 0.0
    careless: float = 0.0
    containers: bool = False
    spelled: float = 0.0
    beside: float = 0.0
    suppressed: float = 0.0
    look_alikes: float = 0.0

    @classmethod
    def random(cls, rng: random.Random, *, extended: bool = False) -> Traits:
        """Traits of a module; what is rare in a module is not rare in a thousand."""
        traits = cls._plain(rng)
        if not extended:
            return traits
        palette = replace(traits.palette, by_name=rng.choice((0, 0.3, 0.6)), labelled=rng.choice((0, 0, 0.3)))
        return replace(
            traits,
            palette=palette,
            spelled=rng.choice((0, 0.3, 1)),
            beside=rng.choice((0, 0, 0, 0.2)),
            suppressed=rng.choice((0, 0, 0.15)),
            look_alikes=rng.choice((0, 0.1)),
        )

    @classmethod
    def _plain(cls, rng: random.Random) -> Traits:
        layouts = rng.choice((0, 0, 0, 0.05, 0.4, 0.8))
        palette = Palette(
            rng.choice(KINDS),
            _types(rng, ranked=layouts > 0.1),
            odd=rng.choice((0, 0, 0, 0.4)),
            remembers=rng.random() < 0.04,
            disguises=rng.random() < 0.15,
        )
        return cls(palette, layouts, rng.choice((0,) * 9 + (0.2,)), rng.random() < 0.12)


def _types(rng: random.Random, ranked: bool) -> tuple[Type, ...]:
    """The usual types, or those of a few elements in a few shapes; `ranked` where layouts should matter."""
    if rng.random() < 0.5:
        return (*BUFFERS[2:3], Type((2, 3), "f64"), *BUFFERS[:2]) if ranked else BUFFERS
    elements = rng.sample(ELEMENTS, rng.choice((1, 1, 2)))
    shapes = rng.sample(_SHAPES, rng.choice((2, 3, 4)))
    if ranked:
        shapes.insert(0, rng.choice(_RANKED))
    types = dict.fromkeys(Type(shape, element) for shape in shapes for element in elements)
    return tuple(types)[:6]
