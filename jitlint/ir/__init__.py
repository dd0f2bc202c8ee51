"""Modules, regions, blocks, operations, values and symbols: MLIR's own words over text."""
