"""Mutants of jitlint: each has one soundness check off, and the fast tests must see it.

A mutant is a piece of code and what stands in its place (`mutant.Mutant`); the lists are in `mutants/`, one a layer.
`python -m tests.mutation` runs them all and prints which were found; the gate runs a sample.
"""
