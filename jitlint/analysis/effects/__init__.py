"""Whether an operation has side effects."""
