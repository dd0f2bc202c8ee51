"""Which operations of a block can become one without a cycle."""
