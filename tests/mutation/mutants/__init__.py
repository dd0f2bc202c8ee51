"""The lists of mutants, one a layer."""

from __future__ import annotations

from tests.mutation.mutants import (
    candidates,
    effects,
    engine,
    fusion,
    ir,
    lowering,
    mpi,
    order,
    plumbing,
    pointers,
    storage,
    syntax,
    wrapper,
    writing,
)

LAYERS = {
    "effects": effects.MUTANTS,
    "order and parts": order.MUTANTS,
    "storage": storage.MUTANTS,
    "plumbing": plumbing.MUTANTS,
    "calls": candidates.MUTANTS,
    "wrappers": wrapper.MUTANTS,
    "lowering and cloning": lowering.MUTANTS,
    "pointers": pointers.MUTANTS,
    "MPI": mpi.MUTANTS,
    "ir": ir.MUTANTS,
    "syntax": syntax.MUTANTS,
    "fusion": fusion.MUTANTS,
    "fused wrappers": writing.MUTANTS,
    "engine": engine.MUTANTS,
}
"""The mutants of each layer."""

MUTANTS = [mutant for mutants in LAYERS.values() for mutant in mutants]
